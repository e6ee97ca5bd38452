/** The doctor ends, also where a service takes a request and never answers it. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { adminPassword, createDatabase, runProgram, type Settings } from '../test-program.ts'
import type { Finding } from './findings.ts'

const sockets = new Set<Socket>()

const place = await createDatabase({ isMigrated: true })
const settings = { ...place.settings, ADMIN_PASSWORD: adminPassword, STORAGE_LOCATIONS: 'media' }
/** A server that takes connections and never answers. */
const silent = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1')
await once(silent, 'listening')
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  silent.close()
  await place.remove()
})

/** Seconds; less than the driver of a database waits for a connection. */
const timeout = 3

const late = (component: string): Finding => ({
  component,
  state: 'error',
  text: `It does not answer within ${timeout} seconds`,
  advice: 'Check whether this machine reaches it, and what else waits for it',
})

async function examine(more: Settings) {
  const started = performance.now()
  const { code, out } = await runProgram({ ...settings, ...more }, 'doctor', '--json', '--timeout', String(timeout))
  const findings = JSON.parse(out) as readonly Finding[]
  const of = (component: string) => findings.filter((each) => each.component === component)
  return { code, of, seconds: (performance.now() - started) / 1000 }
}

test('a bucket that never answers', { timeout: 240_000 }, async () => {
  const { port } = silent.address() as AddressInfo
  const { code, of, seconds } = await examine({
    STORAGE_MEDIA_DRIVER: 's3',
    STORAGE_MEDIA_BUCKET: 'files',
    STORAGE_MEDIA_KEY: 'key',
    STORAGE_MEDIA_SECRET: 'secret',
    STORAGE_MEDIA_ENDPOINT: `http://127.0.0.1:${port}`,
  })
  expect(code).toBe(1)
  expect(of('storage')).toEqual([late('storage')])
  expect(of('redis')).toEqual([{ component: 'redis', state: 'ok', text: 'Not used' }])
  expect(seconds).toBeLessThan(30)
})

/** Each file below the root is opened like a pipe that nobody writes to: the call blocks a thread, as a lost network drive does. */
const blockingOpen = (root: string, pipe: string): string => `
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const { open } = fs.promises
fs.promises.open = (path, ...more) => open(String(path).startsWith(${JSON.stringify(root)}) ? ${JSON.stringify(pipe)} : path, ...more.map((flags) => (flags === 'wx' ? 'r' : flags)))
syncBuiltinESMExports()
`

test('a folder that never answers', { timeout: 240_000 }, async () => {
  const folder = place.settings.DATA_DIR as string
  const [root, pipe, preload] = ['lost', 'pipe', 'preload.mjs'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  execFileSync('mkfifo', [pipe])
  writeFileSync(preload, blockingOpen(root, pipe))
  const { code, of, seconds } = await examine({
    STORAGE_MEDIA_ROOT: root,
    NODE_OPTIONS: `--import ${pathToFileURL(preload).href}`,
  })
  expect(code).toBe(1)
  expect(of('storage')).toEqual([late('storage')])
  expect(of('redis')).toEqual([{ component: 'redis', state: 'ok', text: 'Not used' }])
  expect(seconds).toBeLessThan(30)
})

test('a mail server, a Redis and a database that never answer', { timeout: 240_000 }, async () => {
  const { port } = silent.address() as AddressInfo
  const { code, of, seconds } = await examine({
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: `postgres://postgres@127.0.0.1:${port}/none`,
    SECRET: 's'.repeat(40),
    STORAGE_MEDIA_ROOT: join(place.settings.DATA_DIR as string, 'files'),
    EMAIL_TRANSPORT: 'smtp',
    EMAIL_SMTP_HOST: '127.0.0.1',
    EMAIL_SMTP_PORT: String(port),
    CACHE_ENABLED: 'true',
    CACHE_STORE: 'redis',
    REDIS: `redis://127.0.0.1:${port}`,
  })
  expect(code).toBe(1)
  expect([of('database'), of('mail')]).toEqual([[late('database')], [late('mail')]])
  expect(of('redis')[0]).toMatchObject({ state: 'error', text: expect.stringMatching(/^It does not answer/) })
  expect(of('storage')[0]?.state).toBe('ok')
  expect(seconds).toBeLessThan(30)
})
