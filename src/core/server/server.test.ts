import { expect, test } from 'vitest'
import type { ServerFacts } from '../../domain/ports/server-facts.ts'
import { createMemoryLocations } from '../../storage/test-storage.ts'
import { checkHealth, checkReadiness } from './server.ts'

const well: ServerFacts = {
  version: '1.2.3',
  publicUrl: null,
  address: () => 'http://localhost:8055',
  maxImport: 1024,
  dataDir: '/tmp',
  instance: 'one',
  isReady: () => true,
  rates: { perAddress: false, altogether: false },
  purgeAnswers: async () => {},
  leavesSetup: false,
  systemAliases: true,
  compatibleVersion: '12.2.1',
  agents: true,
  pingDatabase: async () => {},
}

const failing = (message: string) => () => Promise.reject(new Error(message))

const storage = createMemoryLocations()
const locations = [...storage.locations.keys()].map((name) => `storage-${name} ok null`)

const pingDatabase = async () => {
  throw new Error('connection refused')
}

const summary = async (server: ServerFacts) => {
  const health = await checkHealth({ server, storage })
  return [health.status, ...health.checks.map((check) => `${check.component} ${check.status} ${check.reason}`)]
}

test('a server whose parts answer is ok', async () => {
  expect(await summary(well)).toEqual(['ok', 'database ok null', 'server ok null', 'storage ok null', ...locations])
})

test('a database that does not answer is an error that names it', async () => {
  expect(await summary({ ...well, pingDatabase })).toEqual([
    'error',
    'database error connection refused',
    'server ok null',
    'storage ok null',
    ...locations,
  ])
})

test('a data folder that cannot be written is an error', async () => {
  expect((await summary({ ...well, dataDir: '/no/such/folder' }))[3]).toMatch(/^storage error ENOENT/)
})

test('a server that was asked to stop is not ready', async () => {
  expect(await summary({ ...well, isReady: () => false })).toEqual([
    'error',
    'database ok null',
    'server error stopping',
    'storage ok null',
    ...locations,
  ])
})

test('a bucket that does not answer is an error that names it, and no reason to send requests elsewhere', async () => {
  const [[name, location] = []] = storage.locations
  if (name === undefined || location === undefined) throw new Error('Expected a location')
  const broken = { ...storage, locations: new Map([[name, { ...location, stat: failing('timed out') }]]) }
  const { status, checks } = await checkHealth({ server: well, storage: broken })
  expect([status, checks.find(({ component }) => component === `storage-${name}`)]).toMatchObject([
    'error',
    { status: 'error', reason: 'timed out' },
  ])
  expect((await checkReadiness({ server: well })).status).toBe('ok')
})

test('without Redis the server works less well', async () => {
  const { status, checks } = await checkHealth({ server: { ...well, pingRedis: failing('closed') }, storage })
  expect([status, checks.at(-1)]).toMatchObject(['warn', { component: 'redis', status: 'warn', reason: 'closed' }])
})

test('a server is not ready without its database, and while it stops', async () => {
  expect((await checkReadiness({ server: { ...well, pingDatabase } })).status).toBe('error')
  expect((await checkReadiness({ server: { ...well, isReady: () => false } })).status).toBe('error')
})
