/** `/docs/guide`: the guide, built to static files by the workspace `docs`; and `/llms.txt`, which is built with it. */
import type { Page } from '../app/served-generation.ts'
import { redirect, withHeaders } from '../reply/reply.ts'
import type { HttpRequest } from '../request/request.ts'
import { type BuiltFiles, createBuiltFiles, lasting, notBuilt, policyOf } from './built-files.ts'

const built = new URL('../../../docs/dist/', import.meta.url)

/** The address that the guide is built for (docs/.vitepress/config.ts). */
const builtBase = '/docs/guide/'

const pageHeaders = { 'cache-control': 'no-cache', 'content-security-policy': policyOf() }

/** The guide below `/docs/guide`, and its texts for language models at the root. */
export type Guide = { readonly page: Page; readonly models: Page }

/** Pages are files without their ending; `/docs/guide/` is the first page. */
export const createGuide = (folder: URL = built): Guide => {
  const filesFor = memoizeLast((prefix: string) =>
    createBuiltFiles(folder, (text) =>
      prefix === '' ? text : text.replaceAll(builtBase, () => `${prefix}${builtBase}`),
    ),
  )
  const read = (file: string, request: HttpRequest) =>
    filesFor(prefixOf(request))(file, request.headers['accept-encoding'])
  return {
    page: async (path, request) => {
      const file = path.slice(builtBase.length)
      // Relative, so that it also works behind a path prefix.
      if (path === builtBase.slice(0, -1)) return redirect('guide/')
      const name = file === '' || file.endsWith('/') ? `${file}index.html` : file
      const reply = (await read(name, request)) ?? (await read(`${file}.html`, request))
      if (reply === null) return file === '' ? notBuilt('The guide', 'npm run docs:build') : null
      return withHeaders(reply, hasHash.test(file) ? lasting : pageHeaders)
    },
    models: async (path, request) => {
      const reply = await read(path.slice(1), request)
      return reply === null ? null : withHeaders(reply, pageHeaders)
    },
  }
}

const hasHash = /^assets\/.+\.[\w-]{8}\.(lean\.)?\w+$/

/** The path of the public address: where the server is mounted, or what a proxy takes away. */
const prefixOf = ({ origin }: HttpRequest): string => new URL(origin).pathname.replace(/\/$/, '')

/** One entry: a server has one public address. */
const memoizeLast = (make: (prefix: string) => BuiltFiles): ((prefix: string) => BuiltFiles) => {
  let last: { readonly prefix: string; readonly files: BuiltFiles } | null = null
  return (prefix) => {
    if (last?.prefix !== prefix) last = { prefix, files: make(prefix) }
    return last.files
  }
}
