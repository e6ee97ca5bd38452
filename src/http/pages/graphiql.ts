/** GraphiQL: an editor for GraphQL in the browser, served from this machine alone. */
import { readFile } from 'node:fs/promises'
import type { Page } from '../app/served-generation.ts'
import { type Reply, text, withHeaders } from '../reply/reply.ts'
import type { HttpRequest } from '../request/request.ts'

const script = 'text/javascript; charset=utf-8'

/** File in the address → package, file in it, and media type. Packages do not export these files. */
const assets: { readonly [file: string]: readonly [name: string, path: string, type: string] } = {
  'react.js': ['react', 'umd/react.production.min.js', script],
  'react-dom.js': ['react-dom', 'umd/react-dom.production.min.js', script],
  'graphiql.js': ['graphiql', 'graphiql.min.js', script],
  'graphiql.css': ['graphiql', 'graphiql.min.css', 'text/css; charset=utf-8'],
}

const folder = '/graphql/assets/'

/**
 * The editor at an endpoint, for a browser that navigates to it, and the files of the editor. All other requests are
 * answered by the endpoint. The editor asks the endpoint of its own address with the cookies of the caller, so that it
 * shows the schema of the caller.
 */
export const createGraphiql = (): Page => async (path, request) => {
  if (path.startsWith(folder)) return readAsset(path.slice(folder.length))
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
  return withHeaders(text(page(base), 'text/html; charset=utf-8'), headers)
}

/** A query in the address is answered as data. */
const isNavigation = ({ headers: { accept }, query }: HttpRequest): boolean =>
  typeof accept === 'string' &&
  accept.includes('text/html') &&
  ['query', 'documentId', 'extensions'].every((name) => query[name] === undefined)

/** The styles of the editor contain its fonts. */
const headers = {
  vary: 'Accept',
  'cache-control': 'no-cache',
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self' data:; img-src 'self' data:; " +
    "base-uri 'self'; form-action 'self'; frame-ancestors 'self'; object-src 'none'",
}

async function readAsset(file: string): Promise<Reply | null> {
  if (file === 'start.js') return text(start, script)
  const [name, path, type] = (Object.hasOwn(assets, file) ? assets[file] : undefined) ?? []
  if (name === undefined || path === undefined || type === undefined) return null
  const bytes = await readFile(new URL(path, import.meta.resolve(`${name}/package.json`)))
  return withHeaders({ status: 200, body: { kind: 'bytes', bytes, type } }, { 'cache-control': 'public, max-age=3600' })
}

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
<script defer src="${base}react.js"></script>
<script defer src="${base}react-dom.js"></script>
<script defer src="${base}graphiql.js"></script>
<script defer src="${base}start.js"></script>
<script defer src="${rootOf(base)}docs/login.js"></script>
</head>
<body>
<div id="login" data-shows="The schema"></div>
<div id="graphiql"></div>
</body>
</html>
`

/** Headers, which may hold a token, are not stored in the browser. */
const start = `const root = document.getElementById('graphiql')
document.body.style.margin = '0'
document.body.style.display = 'flex'
document.body.style.flexDirection = 'column'
document.body.style.height = '100vh'
root.style.flex = '1'
root.style.minHeight = '0'
const fetcher = GraphiQL.createFetcher({ url: location.pathname })
ReactDOM.createRoot(root).render(
  React.createElement(GraphiQL, { fetcher, shouldPersistHeaders: false, isHeadersEditorEnabled: true }),
)
`
