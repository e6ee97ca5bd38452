/** `/admin`: the application that people edit in, built to static files by the workspace `admin`. */
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Page } from '../app/served-generation.ts'
import { type Bytes, type Reply, redirect, text, withHeaders } from '../reply/reply.ts'

const built = new URL('../../../admin/dist/', import.meta.url)

const compress = promisify(gzip)

const types: { readonly [ending: string]: string } = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/** Styles are made in the page. Pictures that are not uploaded yet come from the memory of the page. */
const policy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' blob:; " +
  "font-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'; object-src 'none'"

/** The names of built files contain a hash of their contents. */
const assetHeaders = { 'cache-control': 'public, max-age=31536000, immutable', vary: 'Accept-Encoding' }
const pageHeaders = { 'cache-control': 'no-cache', 'content-security-policy': policy }

/** The files below `assets/`; the page of the application for each other path, which it reads itself. */
export const createAdmin = (folder: URL = built): Page => {
  let page: Promise<string> | null = null
  const packed = new Map<string, Promise<Reply | null>>()
  return async (path, { headers }) => {
    const [, , ...rest] = path.split('/')
    if (rest.length === 0) return redirect('admin/')
    if (rest[0] === 'assets') {
      const [, file = '', ...more] = rest
      if (more.length > 0 || !isName.test(file)) return null
      if (!acceptsGzip(headers['accept-encoding'])) return readAsset(folder, file)
      // As many entries as there are files: what is missing is not kept.
      const known = packed.get(file) ?? packAsset(folder, file)
      packed.set(file, known)
      const reply = await known.catch(() => null)
      if (reply === null) packed.delete(file)
      return reply
    }
    page ??= readFile(new URL('index.html', folder), 'utf8')
    const html = await page.catch((error: unknown) => {
      page = null
      if (isMissing(error)) return null
      throw error
    })
    if (html === null) return withHeaders(text(notBuilt, undefined, 503), { 'cache-control': 'no-store' })
    // Relative to the path of the request, so that the application also works behind a path prefix.
    const base = '../'.repeat(rest.length - 1) || './'
    return withHeaders(text(html.replace('<base href="./"', `<base href="${base}"`)), pageHeaders)
  }
}

const isName = /^[\w-]+\.\w+$/

const acceptsGzip = (accepted: unknown): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(typeof accepted === 'string' ? accepted : '')

async function packAsset(folder: URL, file: string): Promise<Reply | null> {
  const reply = await readAsset(folder, file)
  if (reply === null) return null
  const bytes = await compress(reply.body.bytes, { level: 9 })
  return withHeaders({ ...reply, body: { ...reply.body, bytes } }, { 'content-encoding': 'gzip' })
}

async function readAsset(folder: URL, file: string): Promise<Reply<200, Bytes> | null> {
  const ending = file.slice(file.indexOf('.') + 1)
  const type = Object.hasOwn(types, ending) ? types[ending] : undefined
  if (type === undefined) return null
  try {
    const bytes = await readFile(new URL(`assets/${file}`, folder))
    return { status: 200, body: { kind: 'bytes', bytes, type }, headers: assetHeaders }
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

const isMissing = (error: unknown): boolean => (error as { code?: string }).code === 'ENOENT'

const notBuilt = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Tandem</title></head>
<body><h1>The application is not built</h1>
<p>Build it with <code>npm run admin:build</code> in the folder of the server.</p></body>
</html>
`
