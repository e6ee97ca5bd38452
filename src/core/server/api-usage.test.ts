import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Actor } from '../../domain/rights/actor.ts'
import { addCalls, type Calls, noUser, readCalls } from '../../sql/statements/operation/api-usage.ts'
import { createTestDatabase, silentLog } from '../../sql/testing/test-database.ts'
import { agentOf, createApiUsage, usageBounds } from './api-usage.ts'

const database = await createTestDatabase({ sql: '' })
afterAll(() => database.close())
beforeEach(() => database.db.run({ text: 'delete from platform_api_usage', values: [] }))

const user = '66666666-6666-4666-8666-666666666666'
const request = { id: 'r', ip: null, userAgent: 'axios/1.7.2', origin: null }
const actor = { kind: 'user', user } as unknown as Actor
const nobody = { kind: 'public' } as unknown as Actor
let now = new Date('2026-01-01T00:00:00Z')
const open = () => createApiUsage(database.db, { log: silentLog, clock: () => now })

const rows = async () =>
  (await readCalls(database.db)).map(({ operation, agent, user: by, calls }) => [operation, agent, by, calls])

const agents: readonly (readonly [string | null, string])[] = [
  [null, 'unknown'],
  ['', 'unknown'],
  ['node', 'node'],
  ['axios/1.7.2', 'axios'],
  ['curl/8.5.0', 'curl'],
  ['python-requests/2.31', 'python-requests'],
  ['Gatsby Source (v3)', 'Gatsby'],
  ['Mozilla/5.0 (X11; Linux) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36', 'Chrome'],
  ['Mozilla/5.0 (Macintosh) AppleWebKit/605.1 (KHTML, like Gecko) Version/17 Safari/605.1', 'Safari'],
  ['Mozilla/5.0 Chrome/120.0 Safari/537.36 Edg/120.0', 'Edg'],
  ['ann@example.com', 'unknown'],
  ["'; drop table x", 'unknown'],
  ['a'.repeat(5000), 'unknown'],
]

test.each(agents)('the program of %j is %s', (userAgent, agent) => {
  expect(agentOf(userAgent)).toBe(agent)
})

test('calls are added up per operation, program and user, on all replicas', async () => {
  const replicas = [open(), open()]
  for (const each of replicas) {
    each.note({ actor, request }, 'readItems')
    each.note({ actor, request: { ...request, userAgent: 'axios/0.9' } }, 'readItems')
    each.note({ actor: nobody, request }, 'readItems')
    now = new Date(now.getTime() + 60_000)
  }
  await Promise.all(replicas.map((each) => each.flush()))
  for (const each of replicas) await each.close()
  expect(await rows()).toEqual([
    ['readItems', 'axios', user, '4'],
    ['readItems', 'axios', noUser, '2'],
  ])
  const [first] = await readCalls(database.db)
  expect([first?.first, first?.last, first?.email]).toEqual(['2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z', null])
})

test('an unavailable database loses no calls', async () => {
  let isDown = true
  const run: typeof database.db.run = (statement) =>
    isDown ? Promise.reject(new Error('down')) : database.db.run(statement)
  const usage = createApiUsage({ run }, { log: silentLog, clock: () => now })
  usage.note({ actor, request }, 'readItems')
  await usage.flush()
  usage.note({ actor, request }, 'readItems')
  isDown = false
  await usage.close()
  expect(await rows()).toEqual([['readItems', 'axios', user, '2']])
})

test('thousands of programs are kept as a limited number', async () => {
  const usage = open()
  const count = usageBounds.clients + 50
  for (let at = 0; at < count; at += 1) {
    usage.note({ actor, request: { ...request, userAgent: `x${at}` } }, 'readItems')
  }
  await usage.close()
  const found = await rows()
  expect(found).toHaveLength(usageBounds.clients + 1)
  expect(found[0]).toEqual(['readItems', 'other', noUser, '50'])
})

test('a full table still counts known clients, and further ones together', async () => {
  const callsOf = (agent: string, operation = 'readItems'): Calls => {
    const time = now.toISOString()
    return { operation, agent, user, calls: 1, first: time, last: time }
  }
  await addCalls(database.db, [callsOf('a'), callsOf('b')], 3)
  await addCalls(database.db, [callsOf('a'), callsOf('c'), callsOf('d'), callsOf('e'), callsOf('f', 'readUsers')], 3)
  const found = await rows()
  expect(found.filter(([, agent]) => agent === 'a')).toEqual([['readItems', 'a', user, '2']])
  expect(found.filter(([, agent]) => agent === 'other').reduce((sum, [, , , calls]) => sum + Number(calls), 0)).toBe(3)
  expect(found.reduce((sum, [, , , calls]) => sum + Number(calls), 0)).toBe(7)
})
