/** `/` for browsers: what runs here, and where to go from it. Other clients get the answer of the operation. */

import type { Page } from '../app/served-generation.ts'
import { text, withHeaders } from '../reply/reply.ts'

/** `legacy`: the title of the document of the version-8 API, if that is served as well. */
export const createFrontPage = ({ legacy }: { readonly legacy: string | null }): Page => {
  const page = frontPage(legacy)
  return async (path, { headers: { accept } }) => {
    if (path !== '/' || typeof accept !== 'string' || !accept.includes('text/html')) return null
    return withHeaders(text(page), headers)
  }
}

const headers = {
  vary: 'Accept',
  'cache-control': 'no-cache',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
}

const legacyCard = (title: string): string => `<li><h3>Version 8</h3>
<p>The API of older clients, with the project in the path, over the same rows, users and files.</p>
<p><code>GET /_/items/…</code> <code>POST /_/gql</code></p>
<p><a href="docs/?urls.primaryName=${encodeURIComponent(title)}">Reference</a></p></li>`

const apis = (legacy: string | null): string => `<section aria-labelledby="apis">
<h2 id="apis">APIs</h2>
<ul class="cards">
<li><h3>Current</h3>
<p>REST with filters, nested relations, aggregates, files and versions.</p>
<p><code>GET /items/…</code></p>
<p><a href="docs/">Reference</a></p></li>
${legacy === null ? '' : legacyCard(legacy)}
<li><h3>GraphQL</h3>
<p>An editor with completion and documentation, for the schema that you may use.</p>
<p><a href="graphql">GraphiQL</a> <a href="graphql/system">System collections</a></p></li>
<li><h3>Your specification</h3>
<p>OpenAPI and SDL of your own collections, with their fields and types, for generators of clients.</p>
<p><a href="server/specs/oas">OpenAPI</a> <a href="server/specs/graphql">SDL</a></p></li>
</ul>
</section>
`

const nextSteps = `<section aria-labelledby="next">
<h2 id="next">Next steps</h2>
<p><a href="docs/guide/">The guide</a> has examples in both generations.</p>
<ol>
<li>Get a token, and ask with it:
<pre><code id="curl">curl /auth/login</code></pre></li>
<li>Write the types of your collections for the SDK, in the folder of the server: <code id="types">npm run tandem -- types</code></li>
<li>Let visitors read: a permission of the public policy, <code>POST /permissions</code>. <a href="docs/#/permissions/createPermission">How</a></li>
<li>Bring a project along: <code>npm run tandem -- import directus --help</code></li>
</ol>
</section>
`

const frontPage = (legacy: string | null): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tandem</title>
<link rel="icon" type="image/svg+xml" href="docs/icon.svg">
<link rel="stylesheet" href="docs/login.css">
<link rel="stylesheet" href="docs/front.css">
<script defer src="docs/front.js"></script>
<script defer src="docs/login.js"></script>
</head>
<body>
<div id="login" data-shows="This page"></div>
<main>
<header>
<img src="docs/icon.svg" alt="" width="64" height="64">
<h1 id="project">Tandem</h1>
<p class="lead">This server mirrors a SQL database into REST and GraphQL${legacy !== null ? ', in two API generations at once' : ''}. Every table is a collection.</p>
<p id="facts"></p>
</header>
<section aria-labelledby="yours">
<h2 id="yours">Collections</h2>
<ul id="collections" class="chips"></ul>
<p id="none" hidden>No collection is shown. Log in to see those that you may read, or <a href="docs/#/collections/createCollection">create one</a>.</p>
</section>
${apis(legacy)}${nextSteps}<footer><a href="server/info">Server</a> <a href="server/health">Health</a> <a href="server/ping">Ping</a></footer>
</main>
</body>
</html>
`

/** Its source is sent to the browser, so that it cannot use anything outside itself. */
export function frontScript(): void {
  const page = document
  const root = new URL('..', (page.currentScript as HTMLScriptElement).src)
  const at = (id: string): HTMLElement => page.getElementById(id) as HTMLElement
  const read = async (path: string): Promise<unknown> => {
    const response = await fetch(new URL(path, root))
    return response.ok ? ((await response.json()) as { readonly data: unknown }).data : null
  }
  const base = root.href.replace(/\/$/, '')
  at('curl').textContent = [
    `TOKEN=$(curl -s ${base}/auth/login -H 'Content-Type: application/json' \\`,
    `  -d '{"email":"…","password":"…"}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `curl -H "Authorization: Bearer $TOKEN" ${base}/users/me`,
  ].join('\n')
  at('types').textContent = `npm run tandem -- types --url ${base} --token TOKEN --output schema.d.ts`
  const showFacts = async (): Promise<void> => {
    const info = (await read('server/info')) as {
      readonly project?: { readonly project_name?: string; readonly project_descriptor?: string | null }
      readonly version?: string
    } | null
    const { project_name: name, project_descriptor: descriptor } = info?.project ?? {}
    if (name !== undefined) {
      at('project').textContent = name
      document.title = `${name} – Tandem`
    }
    at('facts').textContent = [descriptor, info?.version === undefined ? null : `Version ${info.version}`]
      .filter((each) => typeof each === 'string' && each !== '')
      .join(' · ')
  }
  /** After the login box knows who asks. Visitors may not read the data model; the schema of GraphQL names what they see. */
  const showCollections = async (): Promise<void> => {
    const query = '{ __schema { queryType { fields { name type { kind } } } } }'
    const response = await fetch(new URL('graphql', root), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ query }),
    })
    type Shape = { data?: { __schema?: { queryType?: { fields: readonly { readonly name: string }[] } } } }
    const { data } = (await response.json()) as Shape
    const names = (data?.__schema?.queryType?.fields ?? [])
      .map(({ name }) => name)
      .filter((name) => !/(_by_id|_by_version|_aggregated)$/.test(name) && name !== '_empty')
    at('none').hidden = names.length > 0
    at('collections').replaceChildren(
      ...names.slice(0, 60).map((name) => {
        const link = document.createElement('a')
        link.href = new URL(`items/${encodeURIComponent(name)}?limit=25`, root).href
        link.textContent = name
        const entry = document.createElement('li')
        entry.append(link)
        return entry
      }),
    )
  }
  at('login').addEventListener('login', () => void showCollections())
  void showFacts()
}

export const frontStyle = `
:root { color-scheme: light dark; --back: #f6f7fb; --card: #fff; --line: #e0e3eb; --text: #1d2433; --soft: #566075; --main: #4a3aff; --code: #eef0f6; }
@media (prefers-color-scheme: dark) {
  :root { --back: #10131a; --card: #171b24; --line: #2c3340; --text: #eceff5; --soft: #a9b2c3; --main: #a79fff; --code: #222836; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.6 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 3rem 1.25rem 4rem; }
header { margin-bottom: 2.5rem; }
h1 { margin: .6rem 0 .2rem; font-size: clamp(2rem, 5vw, 2.9rem); line-height: 1.15; letter-spacing: -.02em; overflow-wrap: anywhere; }
h2 { margin: 2.4rem 0 .8rem; font-size: 1.25rem; }
h3 { margin: 0 0 .3rem; font-size: 1.05rem; }
p { margin: 0 0 .6rem; }
.lead { max-width: 40rem; font-size: 1.15rem; color: var(--soft); }
#facts, footer { color: var(--soft); font-size: .92rem; }
a { color: var(--main); text-underline-offset: .2em; }
a:focus-visible { outline: 2px solid var(--main); outline-offset: 3px; border-radius: 3px; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 1rem; margin: 0; padding: 0; list-style: none; }
.cards li { display: flex; flex-direction: column; padding: 1.1rem 1.2rem; border: 1px solid var(--line); border-radius: 12px; background: var(--card); }
.cards p { color: var(--soft); font-size: .95rem; }
.cards p:last-child { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: auto 0 0; font-weight: 600; }
.chips { display: flex; flex-wrap: wrap; gap: .5rem; margin: 0; padding: 0; list-style: none; }
.chips a { display: block; padding: .25rem .8rem; border: 1px solid var(--line); border-radius: 99px; background: var(--card); text-decoration: none; }
.chips a:hover { border-color: var(--main); }
code { padding: .1em .35em; border-radius: 5px; background: var(--code); font: .88em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { margin: .5rem 0; padding: .9rem 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; background: var(--code); }
pre code { padding: 0; background: none; overflow-wrap: normal; }
ol { padding-left: 1.3rem; }
ol li { margin-bottom: .7rem; }
footer { display: flex; gap: 1.2rem; margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); }
`

/** Two wheels on one frame. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#4a3aff"/><g fill="none" stroke="#fff" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"><circle cx="18" cy="41" r="9"/><circle cx="46" cy="41" r="9"/><path d="M18 41 26 23h14l6 18M26 23l10 18h10M22 23h8M40 23v-5h5"/></g></svg>
`

/** `/favicon.ico`, which browsers ask for where no page names an icon: beside JSON and pictures. */
export const favicon: Page = async (path) => (path === '/favicon.ico' ? text(icon, 'image/svg+xml') : null)
