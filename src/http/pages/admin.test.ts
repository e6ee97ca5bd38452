import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../app/test-app.ts'
import { createAdmin } from './admin.ts'

const script = 'console.log("Hello")\n'.repeat(100)
const folder = mkdtempSync(join(tmpdir(), 'tandem-admin-'))
const empty = mkdtempSync(join(tmpdir(), 'tandem-admin-'))
let app: TestApp
let unbuilt: TestApp
beforeAll(async () => {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<html><head><base href="./" /></head></html>')
  writeFileSync(join(folder, 'secret.js'), 'secret')
  writeFileSync(join(folder, 'assets/index-AB_1-x.js'), script)
  app = await startTestApp({}, {}, { pages: { admin: createAdmin(pathToFileURL(`${folder}/`)) } })
  unbuilt = await startTestApp({}, {}, { pages: { admin: createAdmin(pathToFileURL(`${empty}/`)) } })
})
afterAll(async () => {
  await app.close()
  await unbuilt.close()
  for (const each of [folder, empty]) rmSync(each, { recursive: true })
})

const get = async (path: string, by = app) => {
  const response = await fetch(by.url + path, { redirect: 'manual' })
  return { status: response.status, headers: response.headers, body: await response.text() }
}

test.each([
  ['/admin/', './'],
  ['/admin/login', './'],
  ['/admin/content/articles', '../'],
  ['/admin/content/articles/1', '../../'],
])('%s is the page of the application, whose files are at %s', async (path, base) => {
  const { status, headers, body } = await get(path)
  expect([status, body]).toEqual([200, `<html><head><base href="${base}" /></head></html>`])
  expect(headers.get('cache-control')).toBe('no-cache')
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:;/,
  )
})

test.each(['', '?reason=INVALID_PROVIDER'])('/admin%s leads to the application, with its query', async (query) => {
  const { status, headers } = await get(`/admin${query}`)
  expect([status, headers.get('location')]).toEqual([302, `admin/${query}`])
})

/** The bytes as they are sent, which `fetch` would decompress. */
const asset = (accepted?: string) =>
  new Promise<{ readonly encoding: string | undefined; readonly kept: string | undefined; readonly bytes: Buffer }>(
    (resolve, reject) => {
      const headers = accepted === undefined ? {} : { 'accept-encoding': accepted }
      request(`${app.url}/admin/assets/index-AB_1-x.js`, { headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        const { 'content-encoding': encoding, 'cache-control': kept } = response.headers
        response.on('end', () => resolve({ encoding, kept, bytes: Buffer.concat(chunks) }))
      })
        .on('error', reject)
        .end()
    },
  )

test('files are compressed where the client takes it, and kept for a year', async () => {
  for (const accepted of ['gzip, deflate', 'br;q=1, gzip;q=0.8']) {
    const { encoding, kept, bytes } = await asset(accepted)
    expect([encoding, kept]).toEqual(['gzip', 'public, max-age=31536000, immutable'])
    expect(gunzipSync(bytes).toString()).toBe(script)
  }
  for (const accepted of [undefined, 'identity', 'gzip;q=0']) {
    const { encoding, bytes } = await asset(accepted)
    expect([encoding, bytes.toString()]).toEqual([undefined, script])
  }
})

test.each([
  '/admin/assets/missing.js',
  '/admin/assets/..%2Fsecret.js',
  '/admin/assets/../secret.js/x',
  '/admin/assets/',
  '/admin/assets/a/b.js',
  '/admin/assets/index.html',
])('%s is not a file', async (path) => {
  const { body } = await get(path)
  expect(body).not.toBe('secret')
  if (!path.includes('../')) expect((await get(path)).status).toBe(404)
})

test('without a build the page says how to make one', async () => {
  const { status, headers, body } = await get('/admin/', unbuilt)
  expect([status, headers.get('cache-control')]).toEqual([503, 'no-store'])
  expect(body).toContain('npm run admin:build')
})
