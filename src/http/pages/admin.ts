/** `/admin`: the application that people edit in, built to static files by the workspace `admin`. */
import { readFile } from 'node:fs/promises'
import type { Page } from '../app/served-generation.ts'
import { redirect, text, withHeaders } from '../reply/reply.ts'
import { createBuiltFiles, isMissing, lasting, notBuilt, policyOf } from './built-files.ts'

const built = new URL('../../../admin/dist/', import.meta.url)

/** Pictures that are not uploaded yet come from the memory of the page. */
const policy = policyOf(' blob:')

const pageHeaders = { 'cache-control': 'no-cache', 'content-security-policy': policy }

/** The files below `assets/`; the page of the application for each other path, which it reads itself. */
export const createAdmin = (folder: URL = built): Page => {
  let page: Promise<string> | null = null
  const readAsset = createBuiltFiles(new URL('assets/', folder))
  return async (path, { headers, url }) => {
    const [, , ...rest] = path.split('/')
    // The query may tell why a login by a provider has failed.
    if (rest.length === 0) return redirect(`admin/${/\?.*/.exec(url)?.[0] ?? ''}`)
    if (rest[0] === 'assets') {
      const [, file = '', ...more] = rest
      if (more.length > 0 || !isAsset.test(file)) return null
      const reply = await readAsset(file, headers['accept-encoding'])
      return reply === null ? null : withHeaders(reply, lasting)
    }
    page ??= readFile(new URL('index.html', folder), 'utf8')
    const html = await page.catch((error: unknown) => {
      page = null
      if (isMissing(error)) return null
      throw error
    })
    if (html === null) return notBuilt('The application', 'npm run admin:build')
    // Relative to the path of the request, so that the application also works behind a path prefix.
    const base = '../'.repeat(rest.length - 1) || './'
    return withHeaders(text(html.replace('<base href="./"', `<base href="${base}"`)), pageHeaders)
  }
}

const isAsset = /^[\w-]+\.(js|css|svg)$/
