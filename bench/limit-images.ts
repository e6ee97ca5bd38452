/** The limit of a transform: a script that does nothing but call the image library, without HTTP, files or rights. */
import sharp from 'sharp'

/** Pictures of `source`, `count` of them from `width` on, so many at a time; the answer is the first one. */
export type Asked = {
  readonly source: string
  readonly width: number
  readonly height: number
  readonly count: number
  readonly concurrency: number
}

sharp.cache(false)
sharp.concurrency(1)

async function transform({ source, width, height, count, concurrency }: Asked): Promise<string> {
  const pictures: Buffer[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < count) {
      const n = next++
      pictures[n] = await sharp(source, { sequentialRead: true })
        .resize(width + n, height, { fit: 'cover' })
        .webp()
        .toBuffer()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return pictures[0]?.toString('base64') ?? ''
}

process.on('message', (asked: Asked) => {
  void transform(asked).then((first) => process.send?.({ first }))
})
process.on('SIGTERM', () => process.exit(0))
process.send?.({ port: 0 })
