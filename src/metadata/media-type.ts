/** Detects the media type of a file from its contents. */

/** Number of bytes at the start that are inspected. */
export const headSize = 4100

/** Container types: detection cannot see what is inside, so the client's type is used. */
const containers: ReadonlySet<string> = new Set([
  'application/zip',
  'application/gzip',
  'application/xml',
  'application/x-cfb',
  'application/ogg',
])

export const imageTypes: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/tiff',
  'image/avif',
])

const mediaType = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/

export const isMediaType = (text: string): boolean => mediaType.test(text)

export const isMedia = (type: string): boolean => /^(?:audio|video)\/|^application\/ogg$/.test(type)

/**
 * Media type of a file with this beginning. The type given by the client is used only if the contents do not contradict
 * it. An image type, for example, always requires image contents.
 */
export async function detectType(head: Uint8Array, declared: string): Promise<string> {
  const text = isMediaType(declared) ? declared : 'application/octet-stream'
  // Loaded by the first upload, to save memory on servers without uploads.
  const { fileTypeFromBuffer, supportedMimeTypes } = await import('file-type')
  // The detector returns some types with a parameter.
  const seen = (await fileTypeFromBuffer(head).catch(() => undefined))?.mime.replace(/;.*/, '')
  const type = seen ?? (isFarTiff(head) ? 'image/tiff' : undefined)
  if (type !== undefined && !containers.has(type)) return type
  if (text === 'image/svg+xml') return isSvg(head) ? text : (type ?? plainType(head))
  const isDetectable = wouldBeRecognised(text, supportedMimeTypes)
  if (type !== undefined) return isDetectable && !isPackage(text) ? type : text
  return isDetectable ? plainType(head) : text
}

/** Whether detection would have recognised the type. */
const wouldBeRecognised = (type: string, names: ReadonlySet<string>): boolean =>
  !type.startsWith('text/') && (/^(image|audio|video|font)\//.test(type) || names.has(type))

/** Document types that are archives or XML inside. */
const isPackage = (type: string): boolean =>
  /^application\/(vnd\.|epub|java-archive|x-cfb|msword|gzip|zip|ogg)/.test(type) || type.endsWith('+xml')

/** The charset of the beginning of a file: `us-ascii`, `utf-8` or `binary`. */
export function charsetOf(head: Uint8Array): 'us-ascii' | 'utf-8' | 'binary' {
  if (head.length === 0 || !isText(head)) return 'binary'
  if (head.every((byte) => byte < 0x80)) return 'us-ascii'
  try {
    // The last character may be incomplete.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return 'utf-8'
  } catch {
    return 'binary'
  }
}

/** Whether a file is a TIFF whose directory lies behind the pixels, which the detector does not recognise. */
function isFarTiff(head: Uint8Array): boolean {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  const order = bytes.toString('latin1', 0, 4)
  if (order !== 'II*\0' && order !== 'MM\0*') return false
  return (
    bytes.length >= headSize && (order === 'II*\0' ? bytes.readUInt32LE(4) : bytes.readUInt32BE(4)) >= bytes.length - 2
  )
}

const isSvg = (head: Uint8Array): boolean => /<svg[\s>]/i.test(Buffer.from(head).toString('latin1'))

/** Whether text contains no control characters except white space. */
const isText = (head: Uint8Array): boolean =>
  head.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d)

const plainType = (head: Uint8Array): string => (isText(head) ? 'text/plain' : 'application/octet-stream')

/**
 * Whether a list of patterns such as `image/*` contains a type.
 * @example isAllowedType('image/png', ['image/*']) // true
 */
export const isAllowedType = (type: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => {
    const [kind = '', name = ''] = pattern.toLowerCase().split('/', 2)
    const [ownKind = '', ownName = ''] = type.toLowerCase().split('/', 2)
    return (kind === '*' || kind === ownKind) && (name === '*' || name === ownName)
  })
