import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../app/test-app.ts'
import { createGraphiql } from './graphiql.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem-graphiql-'))
const empty = mkdtempSync(join(tmpdir(), 'tandem-graphiql-'))
/** No text: each byte must come as it is. */
const font = Buffer.from([0, 1, 0, 0, 0xff, 0xfe, 0xc3, 0x28])
let app: TestApp
let unbuilt: TestApp
beforeAll(async () => {
  writeFileSync(join(folder, 'graphiql.js'), 'console.log("Hello")')
  writeFileSync(join(folder, 'codicon-AB_1-x.ttf'), font)
  app = await startTestApp({}, {}, { pages: { graphql: createGraphiql(pathToFileURL(`${folder}/`)) } })
  unbuilt = await startTestApp({}, {}, { pages: { graphql: createGraphiql(pathToFileURL(`${empty}/`)) } })
})
afterAll(async () => {
  await app.close()
  await unbuilt.close()
  for (const each of [folder, empty]) rmSync(each, { recursive: true })
})

const navigate = (path: string, by = app) => fetch(by.url + path, { headers: { accept: 'text/html' } })

test.each([
  ['/graphql', 'graphql/assets/'],
  ['/graphql/', 'assets/'],
  ['/graphql/system', 'assets/'],
  ['/graphql/system/', '../assets/'],
])('%s is the page of the editor, whose files are at %s', async (path, base) => {
  const response = await navigate(path)
  expect(response.status).toBe(200)
  expect(await response.text()).toContain(`<script type="module" src="${base}graphiql.js"></script>`)
  const policy = response.headers.get('content-security-policy')
  expect(policy).toMatch(/^default-src 'self'; .*; font-src 'self' data:; /)
  expect(policy).not.toMatch(/script-src|unsafe-eval|blob:/)
})

test('files with a hash in their names are kept, the named script is asked for again', async () => {
  const asset = await fetch(`${app.url}/graphql/assets/codicon-AB_1-x.ttf`)
  expect(asset.headers.get('content-type')).toBe('font/ttf')
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(Buffer.from(await asset.arrayBuffer())).toEqual(font)
  const named = await fetch(`${app.url}/graphql/assets/graphiql.js`)
  expect(named.headers.get('cache-control')).toBe('no-cache')
  expect(await named.text()).toBe('console.log("Hello")')
})

test('where it is not built, the page says how it is', async () => {
  const response = await navigate('/graphql', unbuilt)
  expect(response.status).toBe(503)
  expect(await response.text()).toContain('npm run graphiql:build')
})
