import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../app/test-app.ts'
import { createDocs } from './docs.ts'
import { createGuide } from './guide.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem-guide-'))
const empty = mkdtempSync(join(tmpdir(), 'tandem-guide-'))
const page = '<a href="/docs/guide/start">Start</a>'
const served = (at: string) => {
  const guide = createGuide(pathToFileURL(`${at}/`))
  return { docs: createDocs([], guide.page), 'llms.txt': guide.models }
}
let app: TestApp
let unbuilt: TestApp
beforeAll(async () => {
  for (const part of ['assets', 'concepts']) mkdirSync(join(folder, part))
  writeFileSync(join(folder, 'index.html'), page)
  writeFileSync(join(folder, 'concepts/rights.html'), 'Rights')
  writeFileSync(join(folder, 'concepts/rights.md'), '# Rights')
  writeFileSync(join(folder, 'assets/app.AB_1-xyz.js'), 'app')
  writeFileSync(join(folder, 'assets/first.js'), 'first')
  writeFileSync(join(folder, 'llms.txt'), '# Tandem')
  app = await startTestApp({}, {}, { pages: served(folder) })
  unbuilt = await startTestApp({}, {}, { pages: served(empty) })
})
afterAll(async () => {
  await app.close()
  await unbuilt.close()
  for (const each of [folder, empty]) rmSync(each, { recursive: true })
})

const get = async (url: string) => {
  const response = await fetch(url, { redirect: 'manual' })
  const header = (name: string) => response.headers.get(name)
  return { status: response.status, header, body: await response.text() }
}

test('/docs/guide leads to the first page', async () => {
  const { status, header } = await get(`${app.url}/docs/guide`)
  expect([status, header('location')]).toEqual([302, 'guide/'])
})

test.each([
  ['/docs/guide/', page, 'text/html; charset=utf-8', 'no-cache'],
  ['/docs/guide/concepts/rights', 'Rights', 'text/html; charset=utf-8', 'no-cache'],
  ['/docs/guide/concepts/rights.md', '# Rights', 'text/markdown; charset=utf-8', 'no-cache'],
  ['/docs/guide/assets/first.js', 'first', 'text/javascript; charset=utf-8', 'no-cache'],
  [
    '/docs/guide/assets/app.AB_1-xyz.js',
    'app',
    'text/javascript; charset=utf-8',
    'public, max-age=31536000, immutable',
  ],
  ['/llms.txt', '# Tandem', 'text/plain; charset=utf-8', 'no-cache'],
])('%s is served', async (path, text, type, cache) => {
  const { status, header, body } = await get(app.url + path)
  expect([status, body, header('content-type'), header('cache-control')]).toEqual([200, text, type, cache])
  if (cache === 'no-cache')
    expect(header('content-security-policy')).toMatch(/^default-src 'self'; style-src 'self' 'unsafe-inline';/)
})

test.each([
  '/docs/guide/missing',
  '/docs/guide/concepts',
  '/docs/guide/concepts/',
  '/docs/guide/..%2Fpackage.json',
  '/docs/guide//etc/passwd',
  '/docs/guide/assets',
])('%s is no page', async (path) => {
  expect((await get(app.url + path)).status).toBe(404)
})

test('below a path prefix the pages name it', async () => {
  const named = await startTestApp({ publicUrl: 'https://example.com/data' }, {}, { pages: served(folder) })
  try {
    const { status, body } = await get(`${named.url}/docs/guide/`)
    expect([status, body]).toEqual([200, '<a href="/data/docs/guide/start">Start</a>'])
  } finally {
    await named.close()
  }
})

test('without a build the page says how to make one', async () => {
  const { status, header, body } = await get(`${unbuilt.url}/docs/guide/`)
  expect([status, header('cache-control')]).toEqual([503, 'no-store'])
  expect(body).toContain('npm run docs:build')
})
