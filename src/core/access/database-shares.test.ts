import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Asker, Database, Rows, Statement } from '../../domain/ports/context.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { adminUser, userWith } from '../testing/test-context.ts'
import { createDatabaseShares } from './database-shares.ts'

// Requests that a test leaves waiting must not give up while another test runs.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const anybody: Actor = { kind: 'public', access: { ...accessOf(adminUser), admin: false } }

function accessOf(actor: Actor) {
  if (actor.kind === 'system') throw new Error('Expected somebody')
  return actor.access
}

const other: Actor = { ...(userWith([]) as Extract<Actor, { kind: 'user' }>), user: 'other' }

/** A database whose statements end when the test says so. */
function heldDatabase() {
  const running: { readonly text: string; readonly end: (error?: Error) => void }[] = []
  const begin = <T>(text: string, result: T): Promise<T> =>
    new Promise((resolve, reject) => {
      running.push({ text, end: (error) => (error === undefined ? resolve(result) : reject(error)) })
    })
  const rows: Rows = { rows: [], count: 0 }
  const db: Database & { connections: number } = {
    connections: 4,
    dialect: 'postgres',
    run: ({ text }) => begin(text, rows),
    runLast: async ({ text }) => void (await begin(text, rows)),
    transaction: async (work) => {
      await begin('transaction', rows)
      return work(db)
    },
  }
  return {
    db,
    texts: () => running.map(({ text }) => text),
    end: async (text: string, error?: Error) => {
      const at = running.findIndex((each) => each.text === text)
      running.splice(at, 1)[0]?.end(error)
      await settled()
    },
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const statement = (text: string): Statement => ({ text, values: [] })

/** Two of the four connections. */
const bounds = { part: 0.5, acquireTimeout: 60_000, timeout: 60_000 }

test('one caller gets its share, and what is beyond it waits in order; others are not held up', async () => {
  const held = heldDatabase()
  const shares = createDatabaseShares(held.db, bounds)
  const mine = shares(adminUser, '10.0.0.1')
  for (const text of ['a', 'b', 'c', 'd']) void mine.run(statement(text))
  void shares(other, '10.0.0.1').run(statement('of another'))
  expect(held.texts()).toEqual(['a', 'b', 'of another'])
  await held.end('a')
  expect(held.texts()).toEqual(['b', 'of another', 'c'])
  await held.end('b')
  await held.end('c')
  expect(held.texts()).toEqual(['of another', 'd'])
  await held.end('d')
  void mine.run(statement('e'))
  void mine.run(statement('f'))
  expect(held.texts()).toEqual(['of another', 'e', 'f'])
})

test('sessions of one user share; addresses share where nobody has an account; our own work is not counted', async () => {
  const held = heldDatabase()
  const shares = createDatabaseShares(held.db, { ...bounds, part: 0.1 })
  void shares(adminUser, '10.0.0.1').run(statement('a'))
  void shares({ ...adminUser }, '10.0.0.2').run(statement('of another session'))
  void shares(anybody, '10.0.0.1').run(statement('of nobody'))
  void shares({ ...anybody }, '10.0.0.1').run(statement('of nobody, again'))
  void shares({ ...anybody }, '10.0.0.3').run(statement('of nobody elsewhere'))
  for (const text of ['own', 'own too']) void shares({ kind: 'system' }, null).run(statement(text))
  expect(held.texts()).toEqual(['a', 'of nobody', 'of nobody elsewhere', 'own', 'own too'])
})

test('a transaction is one piece of work to its end, and what fails gives its place back', async () => {
  const held = heldDatabase()
  const mine = createDatabaseShares(held.db, { ...bounds, part: 0.1 })(adminUser, null)
  const gate = Promise.withResolvers<void>()
  const done = mine.transaction(async () => gate.promise)
  await held.end('transaction')
  const failing = mine.run(statement('a'))
  void mine.run(statement('b'))
  await settled()
  expect(held.texts()).toEqual([])
  gate.resolve()
  await done
  await settled()
  expect(held.texts()).toEqual(['a'])
  await Promise.all([expect(failing).rejects.toThrow('broken'), held.end('a', new Error('broken'))])
  expect(held.texts()).toEqual(['b'])
})

test('a caller that waits too long gets 503 and loses its turn', async () => {
  const held = heldDatabase()
  const mine = createDatabaseShares(held.db, { part: 0.1, acquireTimeout: 20, timeout: 60_000 })(adminUser, null)
  void mine.run(statement('a'))
  const waiting = mine.run(statement('b')).catch((caught: unknown) => caught)
  vi.advanceTimersByTime(20)
  const error = await waiting
  expect(error instanceof TandemError && error.failures).toEqual([
    {
      kind: 'unavailable',
      service: 'database',
      reason: 'The caller has too many requests at the same time',
      retryAfter: 1,
    },
  ])
  void mine.run(statement('c'))
  await held.end('a')
  expect(held.texts()).toEqual(['c'])
})

test.each([0.5, 1])('a read that takes too long is given up, others are not (share %d)', async (part) => {
  const held = heldDatabase()
  const given: Asker[] = []
  const db = { ...held.db, cancelReads: (asker: Asker) => void given.push(asker) }
  const shares = createDatabaseShares(db, { part, acquireTimeout: 60_000, timeout: 1000 })
  const [slow, quick, own] = [{ isGone: false }, { isGone: false }, { isGone: false }]
  const mine = shares(adminUser, null)
  void mine.run({ ...statement('slow'), asker: slow })
  void mine.run({ ...statement('quick'), asker: quick })
  void shares({ kind: 'system' }, null).run({ ...statement('of the server'), asker: own })
  await held.end('quick')
  vi.advanceTimersByTime(999)
  expect(given).toEqual([])
  vi.advanceTimersByTime(1)
  expect(given).toEqual([slow])
  expect(given[0]).toBe(slow)
})
