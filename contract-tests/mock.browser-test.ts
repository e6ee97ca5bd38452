/** The packaged mock in Chromium, behind MSW's service worker: a page reads, writes and is refused, without a server. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserOptions } from './browser.ts'

const mock = join(import.meta.dirname, '../mock')
const msw = dirname(createRequire(import.meta.url).resolve('msw/package.json'))

const column = (field: string, type: string, schema: object) => ({
  collection: 'books',
  field,
  type,
  meta: { collection: 'books', field },
  schema: { name: field, table: 'books', data_type: type, ...schema },
})
const schema = {
  collections: [{ collection: 'books', meta: { collection: 'books' }, schema: { name: 'books' } }],
  fields: [
    column('id', 'integer', { is_primary_key: true, has_auto_increment: true, is_nullable: false }),
    column('title', 'string', { max_length: 20 }),
  ],
  relations: [],
}

/** A page that puts what it was answered into its title. */
const source = `import { createMock } from '${join(mock, 'dist/mock.js')}'
import { setupWorker } from 'msw/browser'
const mock = createMock({ schema: ${JSON.stringify(schema)}, url: location.origin, rows: { books: [{ title: 'One' }] } })
await setupWorker(...mock.handlers).start({ quiet: true })
const ask = async (path, method, body) => {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(path, { method, ...(body && { body: JSON.stringify(body), headers }) })
  return [answer.status, await answer.json()]
}
window.answers = [
  await ask('/items/books', 'POST', { title: 'Two' }),
  await ask('/items/books?filter[title][_eq]=Two&fields=id', 'GET'),
  await ask('/_/items/books?sort=-id&fields=title', 'GET'),
  await ask('/graphql', 'POST', { query: '{ books(sort: ["id"]) { title } }' }),
  (await ask('/items/books', 'POST', { title: 'x'.repeat(21) }))[0],
]
document.title = 'done'`

let site: Server
let origin: string
let browser: Browser

beforeAll(async () => {
  execFileSync(process.execPath, [join(mock, 'build.ts')])
  const made = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? id : null),
        load: (id) => (id === 'entry' ? source : null),
      },
    ],
    build: { write: false, target: 'es2023', rollupOptions: { input: 'entry' }, modulePreload: false },
  })
  const [output] = [made].flat()
  if (output === undefined || !('output' in output)) throw new Error('nothing was built')
  const scripts = new Map(output.output.map((part) => [`/${part.fileName}`, part.type === 'chunk' ? part.code : '']))
  const [entry] = scripts.keys()
  scripts.set('/mockServiceWorker.js', readFileSync(join(msw, 'lib/mockServiceWorker.js'), 'utf8'))
  site = createServer((req, res) => {
    const script = scripts.get(req.url ?? '')
    res.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript')
    res.end(script ?? `<!doctype html><link rel="icon" href="data:,"><script type="module" src="${entry}"></script>`)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => site.once('listening', resolve))
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  browser = await chromium.launch(browserOptions())
})
afterAll(async () => {
  await browser?.close()
  site?.close()
})

test('a page reads what it wrote in both generations and GraphQL, and a wrong value is refused', async () => {
  const page = await browser.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.goto(origin)
  await page.waitForFunction(() => document.title === 'done').catch(() => undefined)
  expect(faults).toEqual([])
  expect(await page.evaluate(() => (window as unknown as { answers: unknown }).answers)).toEqual([
    [200, { data: { id: 2, title: 'Two' } }],
    [200, { data: [{ id: 2 }] }],
    [200, { data: [{ title: 'Two' }, { title: 'One' }] }],
    [200, { data: { books: [{ title: 'One' }, { title: 'Two' }] } }],
    400,
  ])
})
