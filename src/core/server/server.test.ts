import { expect, test } from 'vitest'
import type { ServerFacts } from '../../domain/ports/context.ts'
import { checkHealth } from './server.ts'

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
  pingDatabase: async () => {},
}

const pingDatabase = async () => {
  throw new Error('connection refused')
}

const summary = async (server: ServerFacts) => {
  const health = await checkHealth({ server })
  return [health.status, ...health.checks.map((check) => `${check.component} ${check.status} ${check.reason}`)]
}

test('a server whose parts answer is ok', async () => {
  expect(await summary(well)).toEqual(['ok', 'database ok null', 'storage ok null', 'server ok null'])
})

test('a database that does not answer is an error that names it', async () => {
  expect(await summary({ ...well, pingDatabase })).toEqual([
    'error',
    'database error connection refused',
    'storage ok null',
    'server ok null',
  ])
})

test('a data folder that cannot be written is an error', async () => {
  expect((await summary({ ...well, dataDir: '/no/such/folder' }))[2]).toMatch(/^storage error ENOENT/)
})

test('a server that was asked to stop is not ready', async () => {
  expect(await summary({ ...well, isReady: () => false })).toEqual([
    'error',
    'database ok null',
    'storage ok null',
    'server error stopping',
  ])
})
