import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDocs } from './docs.ts'
import { newSpec, oldSpec, startTestApp, type TestApp } from './test-app.ts'

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
  expect(files).toEqual(['data:,', 'viewer.js', 'start.js'])
  for (const file of files.slice(1)) expect((await get(`/docs/${file}`)).status).toBe(200)
})

test('the page complies with its content security policy', async () => {
  const { body, headers } = await get('/docs/')
  expect(body).not.toMatch(/<script>|<style>|\sstyle=|\son\w+=|https?:/)
  expect(headers.get('content-security-policy')).toContain("script-src 'self'")
})

test('both specs are served', async () => {
  expect(JSON.parse((await get('/docs/current.json')).body)).toEqual(documents[0]?.spec)
  expect(JSON.parse((await get('/docs/legacy.json')).body)).toEqual(documents[1]?.spec)
})

test('the start script shows the specs, and asks no other host', async () => {
  const told: { readonly [option: string]: unknown }[] = []
  const Scalar = { createApiReference: (_: string, options: (typeof told)[number]) => told.push(options) }
  runInNewContext((await get('/docs/start.js')).body, { Scalar })
  expect(told).toEqual([
    expect.objectContaining({
      sources: [
        { url: 'current.json', slug: 'current', title: 'The new one' },
        { url: 'legacy.json', slug: 'legacy', title: 'The old one' },
      ],
      withDefaultFonts: false,
      telemetry: false,
    }),
  ])
})

test('the viewer is the file whose version is written beside it', async () => {
  const readme = readFileSync(new URL('../../../openapi/viewer/README.md', import.meta.url), 'utf8')
  const sum = createHash('sha256')
    .update((await get('/docs/viewer.js')).body)
    .digest('hex')
  expect(readme).toContain(`SHA-256: \`${sum}\``)
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
