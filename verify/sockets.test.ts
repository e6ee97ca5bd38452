/** The checks of batches and sockets: against a server that has both, and against ones that do wrong. */
import { afterAll, expect, test } from 'vitest'
import { openOwnDatabase } from '../contract-tests/own-database.ts'
import { openProxy, type Tamper } from './mutants/proxy.ts'
import { flavors } from './src/flavor/flavors.ts'
import { titleOf } from './src/run/check.ts'
import { openSession } from './src/session/session.ts'

const cheap = { HASH_MEMORY_COST: '8', HASH_TIME_COST: '1', HASH_PARALLELISM: '1', LOGIN_STALL_TIME: '0ms' }

const server = await openOwnDatabase(
  'create table own (id serial primary key, word text); insert into own (word) values (1)',
  {
    ...cheap,
    WEBSOCKETS_ENABLED: 'true',
    VALIDATE_RESPONSES: 'false',
  },
)
const proxy = await openProxy(server.url)
const session = await openSession({
  url: server.url,
  adminToken: server.adminToken,
  flavor: flavors.tandem,
  readOnly: false,
  budget: 20_000,
  specText: null,
  signal: new AbortController().signal,
})
afterAll(async () => {
  expect(await session.close()).toEqual([])
  await proxy.close()
  await server.close()
})

async function failed(only: readonly string[], url = server.url): Promise<readonly string[]> {
  const outcomes = await session.visit({ url, only, bail: false, concurrency: 2, seed: 1, runs: 1 })
  expect(outcomes.length).toBeGreaterThan(0)
  return outcomes.flatMap(({ check, failure }) => (failure === null ? [] : [`${titleOf(check)}: ${failure.message}`]))
}

test('a server that does right passes, and its own rows are as they were', async () => {
  const { hasBatch, hasSockets, hasSubscriptions } = session.deployment
  expect([hasBatch, hasSockets, hasSubscriptions]).toEqual([true, true, true])
  expect(await failed(['runBatch', 'a socket', 'a subscription'])).toEqual([])
  expect(await server.rows('select * from own')).toEqual([{ id: 1, word: '1' }])
})

type Operations = { readonly operations: readonly { readonly method?: string }[] }

/** Runs the operations of a batch without its transaction. */
const without =
  (member: string): Tamper =>
  (request, forward) => {
    if (request.path !== '/batch' || request.body === null) return forward(request)
    const { [member]: _left, ...body } = JSON.parse(request.body.toString()) as { readonly [name: string]: unknown }
    return forward({ ...request, body: Buffer.from(JSON.stringify(body)) })
  }

/** Does what it can: the first two operations, whatever becomes of the rest. */
const inParts: Tamper = async (request, forward) => {
  if (request.path !== '/batch' || request.body === null) return forward(request)
  const { operations } = JSON.parse(request.body.toString()) as Operations
  if (operations.length > 2)
    await forward({ ...request, body: Buffer.from(JSON.stringify({ operations: operations.slice(0, 2) })) })
  return forward(request)
}

const withoutKey: Tamper = (request, forward) => {
  const headers = new Headers(request.headers)
  headers.delete('idempotency-key')
  return forward({ ...request, headers })
}

test.for<[string, Tamper, string]>([
  ['writes a dry run', without('dry_run'), 'a dry run'],
  ['writes a failing batch in parts', inParts, 'a failing operation'],
  ['forgets keys', withoutKey, 'sent again with its key'],
])('a server that %s is found', async ([, tamper, name]) => {
  proxy.plant(tamper)
  expect(await failed([name], proxy.url)).toHaveLength(1)
  proxy.plant(null)
})

test('a deployment without sockets is found to have none', async () => {
  const without = await server.openReplica({ WEBSOCKETS_ENABLED: 'false' })
  const other = await openSession({
    url: without.url,
    adminToken: server.adminToken,
    flavor: flavors.tandem,
    readOnly: true,
    budget: 20_000,
    specText: null,
    signal: new AbortController().signal,
  })
  expect([other.deployment.hasSockets, other.deployment.hasSubscriptions]).toEqual([false, false])
  await other.close()
})
