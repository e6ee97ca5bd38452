/** Files of an application that is built into a folder: compressed where the client takes it, and read once. */
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type Bytes, type Reply, withHeaders } from '../reply/reply.ts'

const compress = promisify(gzip)

const types: { readonly [ending: string]: string } = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  ttf: 'font/ttf',
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  yaml: 'text/plain; charset=utf-8',
  yml: 'text/plain; charset=utf-8',
  service: 'text/plain; charset=utf-8',
}

/** `accepted` is the header Accept-Encoding. Null: there is no such file. */
export type BuiltFiles = (file: string, accepted: unknown) => Promise<Reply<200, Bytes> | null>

/** `edit` changes the text of each file that is one. `file` is a relative path of plain names. */
export const createBuiltFiles = (folder: URL, edit: (text: string) => string = (text) => text): BuiltFiles => {
  const packed = new Map<string, Promise<Reply<200, Bytes> | null>>()
  const read = async (file: string): Promise<Reply<200, Bytes> | null> => {
    const ending = file.slice(file.lastIndexOf('.') + 1)
    const type = Object.hasOwn(types, ending) ? types[ending] : undefined
    if (type === undefined) return null
    try {
      const bytes = await readFile(new URL(file, folder))
      const isText = !/^(image|font)\//.test(type) || ending === 'svg'
      return { status: 200, body: { kind: 'bytes', bytes: isText ? Buffer.from(edit(String(bytes))) : bytes, type } }
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }
  return async (file, accepted) => {
    if (!isPlain.test(file)) return null
    if (!acceptsGzip(accepted) || /\.(png|webp)$/.test(file)) return withVary(await read(file))
    // The cache is bounded by the number of files: missing files are not cached.
    const reply = packed.get(file) ?? read(file).then(pack)
    packed.set(file, reply)
    const answer = await reply.catch(() => null)
    if (answer === null) packed.delete(file)
    return answer
  }
}

const isPlain = /^([\w-]+\/)*[\w@-]+(\.[\w-]+)+$/

const acceptsGzip = (accepted: unknown): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(typeof accepted === 'string' ? accepted : '')

const withVary = (reply: Reply<200, Bytes> | null): Reply<200, Bytes> | null =>
  reply === null ? null : { ...reply, headers: { ...reply.headers, vary: 'Accept-Encoding' } }

async function pack(reply: Reply<200, Bytes> | null): Promise<Reply<200, Bytes> | null> {
  if (reply === null) return null
  const bytes = await compress(reply.body.bytes, { level: 9 })
  return withVary({ ...reply, body: { ...reply.body, bytes }, headers: { 'content-encoding': 'gzip' } })
}

/** Whether a file could not be read because it is not there. */
export const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'EISDIR', 'ENOTDIR'].includes(String((error as { code?: string }).code))

/** The names of built files contain a hash of their contents. */
export const lasting = { 'cache-control': 'public, max-age=31536000, immutable' }

/** The policy of built pages. Styles are made in them. `media` are further sources of images and media, `fonts` of fonts. */
export const policyOf = (media = '', fonts = ''): string =>
  [
    "default-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data:${media}`,
    `media-src 'self'${media}`,
    `font-src 'self'${fonts}`,
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'self'",
    "object-src 'none'",
  ].join('; ')

/** The page in place of what is not built. `command` builds it. */
export const notBuilt = (title: string, command: string): Reply =>
  withHeaders(
    {
      status: 503,
      body: {
        kind: 'text',
        type: 'text/html; charset=utf-8',
        text: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Tandem</title></head>
<body><h1>${title} is not built</h1>
<p>Build it with <code>${command}</code> in the folder of the server.</p></body>
</html>
`,
      },
    },
    { 'cache-control': 'no-store' },
  )
