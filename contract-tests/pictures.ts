/** Generates test images, and inspects responses with images. */
import sharp, { type Sharp } from 'sharp'
import { userKinds, type World } from './world.ts'

type Kind = (typeof userKinds)[number]

/** A 400 × 200 image: left half red, right half blue. */
export const twoHalves = (): Sharp => {
  const half = { width: 200, height: 200, channels: 3, background: '#ff0000' } as const
  const whole = sharp({ create: { ...half, width: 400, background: '#0000ff' } })
  return whole.composite([{ input: { create: half }, left: 0, top: 0 }])
}

/** A 400 × 200 image of noise. */
export const detailed = (): Sharp =>
  sharp({
    create: {
      width: 400,
      height: 200,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })

/** Facts about a response: status, and format and size of its image. */
export type Measured = {
  readonly status: number
  readonly format: string
  readonly size: readonly [width: number, height: number]
  readonly bytes: Buffer
  readonly headers: Headers
}

/** Sends a request as a user. A body is sent unchanged if it is text or bytes, otherwise as JSON. */
export function ask(
  world: World,
  request: string,
  { as = 'admin', body, headers = {} }: { as?: Kind; body?: unknown; headers?: { [name: string]: string } } = {},
): Promise<Response> {
  const [method = 'GET', path = '/'] = request.split(' ')
  const token = world.tokens[as]
  const isForm = body instanceof FormData
  return fetch(new URL(path, world.url), {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  })
}

/** Metadata of the image in a response. The library reports AVIF as HEIF. */
export async function measure(answer: Promise<Response> | Response): Promise<Measured> {
  const response = await answer
  const bytes = Buffer.from(await response.arrayBuffer())
  if (!response.ok) throw new Error(`Expected a picture but received ${response.status}: ${bytes.toString()}`)
  const { format, width, height } = await sharp(bytes).metadata()
  const { status, headers } = response
  return { status, format: format === 'heif' ? 'avif' : format, size: [width, height], bytes, headers }
}

/** The colour of a pixel; black for bars. */
export async function colourAt({ bytes }: Measured, left: number, top: number): Promise<string> {
  const [red = 0, green = 0, blue = 0] = await sharp(bytes)
    .flatten({ background: '#000' })
    .toColourspace('srgb')
    .extract({ left, top, width: 1, height: 1 })
    .raw()
    .toBuffer()
  const most = Math.max(red, green, blue)
  if (most < 40) return 'black'
  if (Math.min(red, green, blue) > 200) return 'white'
  return most === red ? 'red' : most === green ? 'green' : 'blue'
}

export function formOf(bytes: Buffer, filename: string, values: { readonly [name: string]: string } = {}): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(values)) form.set(name, value)
  const type = filename.endsWith('.txt') ? 'text/plain' : ''
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), filename)
  return form
}

/** The JPEG with IPTC records, given by their numbers. */
export function withIptc(jpeg: Buffer, records: readonly (readonly [record: number, text: string])[]): Buffer {
  const data = Buffer.concat(
    records.map(([record, text]) => {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(Buffer.byteLength(text))
      return Buffer.concat([Buffer.from([0x1c, 2, record]), length, Buffer.from(text)])
    }),
  )
  const size = Buffer.alloc(4)
  size.writeUInt32BE(data.length)
  const padding = Buffer.alloc(data.length % 2)
  const content = Buffer.concat([
    Buffer.from('Photoshop 3.0\0'),
    Buffer.from('8BIM\x04\x04\0\0', 'latin1'),
    size,
    data,
    padding,
  ])
  const length = Buffer.alloc(2)
  length.writeUInt16BE(content.length + 2)
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xed]), length, content, jpeg.subarray(2)])
}
