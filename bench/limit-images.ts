/** Limit of transforms: a script that only calls the image library. */
import sharp from 'sharp'

/** Transforms `source` to `count` widths, starting at `width`, with limited concurrency. Prints the first result. */
export type LimitImageOptions = {
  readonly source: string
  readonly width: number
  readonly height: number
  readonly count: number
  readonly concurrency: number
}

sharp.cache(false)
sharp.concurrency(1)

async function transform({ source, width, height, count, concurrency }: LimitImageOptions): Promise<string> {
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

process.on('message', (options: LimitImageOptions) => {
  void transform(options).then((first) => process.send?.({ first }))
})
process.on('SIGTERM', () => process.exit(0))
process.send?.({ port: 0 })
