import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSpec, oldSpec, startTestApp, type TestApp } from '../app/test-app.ts'
import { createDocs } from './docs.ts'
import { filterOperations } from './docs-plugins.ts'

const documents = [
  { name: 'current', spec: { ...newSpec, info: { title: 'The new one', version: '1' } } },
  { name: 'legacy', spec: { ...oldSpec, info: { title: 'The old one', version: '1' } } },
]
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({}, {}, { pages: { docs: createDocs(documents) } })
})
afterAll(() => app.close())

const get = async (path: string) => {
  const response = await fetch(app.url + path, { redirect: 'manual' })
  return { status: response.status, headers: response.headers, body: await response.text() }
}

test('/docs serves a page and all of its files', async () => {
  const first = await get('/docs')
  expect([first.status, first.headers.get('location')]).toEqual([302, 'docs/'])
  const page = await get('/docs/')
  const files = [...page.body.matchAll(/(?:href|src)="([^"]+)"/g)].map((match) => match[1])
  expect(files).toEqual([
    'icon.svg',
    'swagger-ui.css',
    'docs.css',
    'login.css',
    'swagger-ui-bundle.js',
    'swagger-ui-standalone-preset.js',
    'start.js',
    'login.js',
  ])
  for (const file of files) expect((await get(`/docs/${file}`)).status).toBe(200)
})

test('the page complies with its content security policy', async () => {
  const { body, headers } = await get('/docs/')
  expect(body).not.toMatch(/<script>|<style>|\sstyle=|\son\w+=|https?:/)
  expect(headers.get('content-security-policy')).toContain("script-src 'self'")
})

test('both specs are served and can be selected', async () => {
  expect(JSON.parse((await get('/docs/current.json')).body)).toEqual(documents[0]?.spec)
  expect(JSON.parse((await get('/docs/legacy.json')).body)).toEqual(documents[1]?.spec)
  expect((await get('/docs/start.js')).body).toContain(
    'urls: [{"url":"current.json","name":"The new one"},{"url":"legacy.json","name":"The old one"},{"url":"../server/specs/oas","name":"Your collections"}]',
  )
})

test('the start script runs in a browser: it configures the viewer with the specs and the filter', async () => {
  const options: { urls: unknown; filter: boolean; plugins: (() => { fn: { opsFilter: unknown } })[] }[] = []
  const viewer = Object.assign((config: (typeof options)[number]) => options.push(config), {
    presets: { apis: 'apis' },
  })
  runInNewContext((await get('/docs/start.js')).body, { SwaggerUIBundle: viewer, SwaggerUIStandalonePreset: 'preset' })
  expect(options).toHaveLength(1)
  expect([options[0]?.filter, options[0]?.urls]).toEqual([
    true,
    [
      { url: 'current.json', name: 'The new one' },
      { url: 'legacy.json', name: 'The old one' },
      { url: '../server/specs/oas', name: 'Your collections' },
    ],
  ])
  expect(options[0]?.plugins[0]?.().fn.opsFilter).toBeTypeOf('function')
})

test('nothing else is served', async () => {
  for (const path of [
    '/docs/package.json',
    '/docs/../package.json',
    '/docs/a/b',
    '/docs/__proto__',
    '/docs/%2e%2e/package.json',
  ]) {
    expect((await get(path)).status).toBe(404)
  }
  expect((await fetch(`${app.url}/docs/`, { method: 'POST' })).status).toBe(404)
})

/** The part of an immutable list of maps that the filter uses. */
type Entry = { get(key: string): unknown; set(key: string, value: unknown): Entry }
const map = (values: { readonly [key: string]: unknown }): Entry => ({
  get: (key) => values[key],
  set: (key, value) => map({ ...values, [key]: value }),
})
type List = {
  readonly items: readonly Entry[]
  readonly size: number
  map(change: (item: Entry) => Entry): List
  filter(keep: (item: Entry) => boolean): List
}
const list = (items: readonly Entry[]): List => ({
  items,
  size: items.length,
  map: (change) => list(items.map(change)),
  filter: (keep) => list(items.filter(keep)),
})
const operation = (method: string, path: string, operationId: string, summary: string) =>
  map({ method, path, operation: map({ operationId, summary }) })

const found: readonly (readonly [string, readonly string[]])[] = [
  ['items', ['/items/{collection}', '/items/{collection}/{id}']],
  ['READITEM ', ['/items/{collection}', '/items/{collection}/{id}']],
  ['get items one', ['/items/{collection}/{id}']],
  ['sign in', ['/auth/login']],
  ['nothing such', []],
]
test.each(found)('the filter box finds "%s" in method, path, operationId and summary', (phrase, paths) => {
  const tags = list([
    map({
      operations: list([
        operation('get', '/items/{collection}', 'readItems', 'Read many'),
        operation('get', '/items/{collection}/{id}', 'readItem', 'Read one'),
      ]),
    }),
    map({ operations: list([operation('post', '/auth/login', 'login', 'Sign in')]) }),
  ])
  const left = filterOperations(tags, phrase) as unknown as List
  expect(left.items.flatMap((tag) => (tag.get('operations') as List).items.map((each) => each.get('path')))).toEqual(
    paths,
  )
})
