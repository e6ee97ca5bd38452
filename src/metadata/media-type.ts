/** What a file is, by its contents. */

/** Bytes at the beginning that are looked at. */
export const headSize = 4100

/** Types that a detector sees only the outside of: what is in them is known by the client alone. */
const containers: ReadonlySet<string> = new Set([
  'application/zip',
  'application/gzip',
  'application/xml',
  'application/x-cfb',
  'application/ogg',
])

/** Types of images that metadata is read of. */
export const imageTypes: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/tiff',
  'image/avif',
])

const mediaType = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/

/** Whether a text can be a media type. */
export const isMediaType = (text: string): boolean => mediaType.test(text)

/** Whether a type is one of audio or video. */
export const isMedia = (type: string): boolean => /^(?:audio|video)\/|^application\/ogg$/.test(type)

/**
 * The media type of contents that begin like this. What the client says counts only where contents do
 * not contradict it: nothing is an image because it is called one.
 */
export async function detectType(head: Uint8Array, declared: string): Promise<string> {
  const said = isMediaType(declared) ? declared : 'application/octet-stream'
  // Loaded by the first upload: servers that take none do without its memory.
  const { fileTypeFromBuffer, supportedMimeTypes } = await import('file-type')
  // Some are found together with a parameter.
  const seen = (await fileTypeFromBuffer(head).catch(() => undefined))?.mime.replace(/;.*/, '')
  const found = seen ?? (isFarTiff(head) ? 'image/tiff' : undefined)
  if (found !== undefined && !containers.has(found)) return found
  if (said === 'image/svg+xml') return isSvg(head) ? said : (found ?? plainType(head))
  const isDetectable = wouldBeRecognised(said, supportedMimeTypes)
  if (found !== undefined) return isDetectable && !isPackage(said) ? found : said
  return isDetectable ? plainType(head) : said
}

/** Whether contents of the type would have been recognised. */
const wouldBeRecognised = (type: string, known: ReadonlySet<string>): boolean =>
  !type.startsWith('text/') && (/^(image|audio|video|font)\//.test(type) || known.has(type))

/** Documents that are archives or XML inside. */
const isPackage = (type: string): boolean =>
  /^application\/(vnd\.|epub|java-archive|x-cfb|msword|gzip|zip|ogg)/.test(type) || type.endsWith('+xml')

/** How the beginning of contents reads: `us-ascii`, `utf-8` or `binary`. */
export function charsetOf(head: Uint8Array): 'us-ascii' | 'utf-8' | 'binary' {
  if (head.length === 0 || !isText(head)) return 'binary'
  if (head.every((byte) => byte < 0x80)) return 'us-ascii'
  try {
    // A character may be cut at the end of what is looked at.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return 'utf-8'
  } catch {
    return 'binary'
  }
}

/** A TIFF whose directory comes after what is looked at: most programs write it behind the pixels, where the detector wants to see it. */
function isFarTiff(head: Uint8Array): boolean {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  const order = bytes.toString('latin1', 0, 4)
  if (order !== 'II*\0' && order !== 'MM\0*') return false
  return (
    bytes.length >= headSize && (order === 'II*\0' ? bytes.readUInt32LE(4) : bytes.readUInt32BE(4)) >= bytes.length - 2
  )
}

const isSvg = (head: Uint8Array): boolean => /<svg[\s>]/i.test(Buffer.from(head).toString('latin1'))

/** Text holds no control characters but white space. */
const isText = (head: Uint8Array): boolean =>
  head.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d)

const plainType = (head: Uint8Array): string => (isText(head) ? 'text/plain' : 'application/octet-stream')

/**
 * Whether a list of patterns such as `image/*` allows a type.
 * @example isAllowedType('image/png', ['image/*']) // true
 */
export const isAllowedType = (type: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => {
    const [kind = '', name = ''] = pattern.toLowerCase().split('/', 2)
    const [ownKind = '', ownName = ''] = type.toLowerCase().split('/', 2)
    return (kind === '*' || kind === ownKind) && (name === '*' || name === ownName)
  })
