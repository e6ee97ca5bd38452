/** GraphiQL: an editor for GraphQL in the browser, built to static files by the workspace `graphiql`. */
import { access } from 'node:fs/promises'
import type { Page } from '../app/served-generation.ts'
import { type Reply, text, withHeaders } from '../reply/reply.ts'
import type { HttpRequest } from '../request/request.ts'
import { createBuiltFiles, lasting, notBuilt, policyOf } from './built-files.ts'

const usual = new URL('../../../graphiql/dist/', import.meta.url)

/** The files that the page names. The names of all others contain a hash of their contents. */
const named: ReadonlySet<string> = new Set(['graphiql.js', 'graphiql.css'])

const folder = '/graphql/assets/'

/**
 * The editor at an endpoint, for a browser that navigates to it, and the files of the editor. All other requests are
 * answered by the endpoint. The editor asks the endpoint of its own address with the cookies of the caller, so that it
 * shows the schema of the caller.
 */
export const createGraphiql = (built = usual): Page => {
  const files = createBuiltFiles(built)
  return async (path, request) => {
    if (!path.startsWith(folder)) return openEditor(built, path, request)
    const file = path.slice(folder.length)
    const reply = await files(file, request.headers['accept-encoding'])
    return reply === null ? null : withHeaders(reply, named.has(file) ? { 'cache-control': 'no-cache' } : lasting)
  }
}

async function openEditor(built: URL, path: string, request: HttpRequest): Promise<Reply | null> {
  const endpoint = /^\/graphql(\/system)?\/?$/.exec(path)
  if (endpoint === null || !isNavigation(request)) return null
  // Addresses are relative to the page, so that it also works behind a path prefix.
  const isBelow = endpoint[1] !== undefined || path.endsWith('/')
  const base =
    endpoint[1] === undefined
      ? isBelow
        ? 'assets/'
        : 'graphql/assets/'
      : path.endsWith('/')
        ? '../assets/'
        : 'assets/'
  const isBuilt = await access(new URL('graphiql.js', built)).then(
    () => true,
    () => false,
  )
  if (!isBuilt) return notBuilt('GraphiQL', 'npm run graphiql:build')
  return withHeaders(text(page(base), 'text/html; charset=utf-8'), headers)
}

/** A query in the address is answered as data. */
const isNavigation = ({ headers: { accept }, query }: HttpRequest): boolean =>
  typeof accept === 'string' &&
  accept.includes('text/html') &&
  ['query', 'documentId', 'extensions'].every((name) => query[name] === undefined)

/** The styles of the editor contain its fonts. */
const policy = policyOf('', ' data:')

const headers = { vary: 'Accept', 'cache-control': 'no-cache', 'content-security-policy': policy }

/** Of the whole server, as the page sees it. */
const rootOf = (base: string): string => base.replace(/^graphql\/assets\/$/, './').replace(/assets\/$/, '../')

const page = (base: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tandem GraphQL</title>
<link rel="icon" type="image/svg+xml" href="${rootOf(base)}docs/icon.svg">
<link rel="stylesheet" href="${base}graphiql.css">
<link rel="stylesheet" href="${rootOf(base)}docs/login.css">
<script type="module" src="${base}graphiql.js"></script>
<script defer src="${rootOf(base)}docs/login.js"></script>
</head>
<body>
<div id="login" data-shows="The schema"></div>
<div id="graphiql"></div>
</body>
</html>
`
