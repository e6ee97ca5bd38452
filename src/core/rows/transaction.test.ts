import { expect, test } from 'vitest'
import type { Context, Database, Rows, Statement } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { rolledBack, withTransaction, writeThenRead } from './transaction.ts'

/** A database whose transactions have already begun, and can begin any number of times. */
function counting(): { readonly ctx: Context; readonly begun: () => number } {
  let begun = 0
  const inner = { isInner: true } as Database
  const db = {
    transaction: (work: (inner: Database) => Promise<unknown>) => {
      begun += 1
      return work(inner)
    },
  }
  return { ctx: { db } as unknown as Context, begun: () => begun }
}

const conflict = (code: string): TandemError =>
  new TandemError(
    { kind: 'unavailable', service: 'database', reason: 'two stood in their way', retryAfter: 1 },
    { cause: Object.assign(new Error('conflict'), { code }) },
  )

test('a part of a transaction joins it, and fails with it', async () => {
  const { ctx, begun } = counting()
  const seen: Context[] = []
  const work = withTransaction(ctx, async (outer) => {
    await withTransaction(outer, async (part) => void seen.push(outer, part))
    throw new Error('later')
  })
  await expect(work).rejects.toThrow('later')
  expect(begun()).toBe(1)
  expect(seen[1]).toBe(seen[0])
})

test.each(['40P01', '40001'])('a transaction that the database ended with %s is repeated as a whole', async (code) => {
  const { ctx, begun } = counting()
  let parts = 0
  const result = await withTransaction(ctx, (outer) =>
    withTransaction(outer, async () => {
      parts += 1
      if (parts < 3) throw conflict(code)
      return parts
    }),
  )
  expect([result, parts, begun()]).toEqual([3, 3, 3])
})

test('a transaction is repeated a bounded number of times, and only after conflicts', async () => {
  const again = counting()
  await expect(withTransaction(again.ctx, () => Promise.reject(conflict('40P01')))).rejects.toThrow('unavailable')
  expect(again.begun()).toBe(12)
  const once = counting()
  await expect(withTransaction(once.ctx, () => Promise.reject(conflict('23505')))).rejects.toThrow('unavailable')
  expect(once.begun()).toBe(1)
})

test('what is undone is repeated after a conflict, but not as a part of a transaction', async () => {
  const { ctx, begun } = counting()
  let attempts = 0
  const work = () => {
    attempts += 1
    return attempts < 3 ? Promise.reject(conflict('40P01')) : Promise.resolve(attempts)
  }
  expect([await rolledBack(ctx, work), begun()]).toEqual([3, 3])
  const part = counting()
  const inner = { ...part.ctx, db: { ...part.ctx.db, isInner: true } } as unknown as Context
  await expect(rolledBack(inner, () => Promise.reject(conflict('40P01')))).rejects.toThrow('unavailable')
  expect(part.begun()).toBe(1)
})

type Options = { readonly runAfter?: Database['runAfter']; readonly refuses?: boolean }

/** A database that records what it runs, and answers with the text of the statement. */
function recording({ runAfter, refuses = false }: Options = {}): { readonly ctx: Context; readonly log: string[] } {
  const log: string[] = []
  const runAs =
    (place: string) =>
    async ({ text }: Statement): Promise<Rows> => {
      log.push(`${place}: ${text}`)
      return { rows: [text], count: 1 }
    }
  const transaction = async (work: (inner: Database) => Promise<unknown>): Promise<unknown> => {
    const after = async (statement: Statement): Promise<Rows> => {
      await runAs('with the commit')(statement)
      return (runAfter as NonNullable<Database['runAfter']>)(statement)
    }
    const inner = { isInner: true, run: runAs('inside'), ...(runAfter === undefined ? {} : { runAfter: after }) }
    const result = await work(inner as unknown as Database)
    if (refuses) throw new Error('The commit is refused')
    log.push('committed')
    return result
  }
  return { ctx: { db: { run: runAs('alone'), transaction }, actor: { kind: 'system' } } as unknown as Context, log }
}

const statement = (text: string): Statement => ({ text, values: [] })

const steps = (isLong: boolean) => ({
  isLong,
  write: async ({ db }: Context) => (await db.run(statement('write'))).rows[0],
  read: async ({ db }: Context, written: unknown) => {
    const first = await db.run(statement('read'))
    return [written, first.rows[0], (await db.run(statement('more'))).rows[0]]
  },
})

const echo = async ({ text }: Statement): Promise<Rows> => ({ rows: [text], count: 1 })

test('the first read goes with the commit, and later ones run after it', async () => {
  const { ctx, log } = recording({ runAfter: echo })
  expect(await writeThenRead(ctx, steps(true))).toEqual(['write', 'read', 'more'])
  expect(log).toEqual(['inside: write', 'with the commit: read', 'committed', 'alone: more'])
})

test('where no read can go with the commit, and after a lost connection, it runs after the commit', async () => {
  const plain = recording()
  expect(await writeThenRead(plain.ctx, steps(true))).toEqual(['write', 'read', 'more'])
  expect(plain.log).toEqual(['inside: write', 'committed', 'alone: read', 'alone: more'])
  const lost = recording({
    runAfter: () =>
      Promise.reject(new TandemError({ kind: 'unavailable', service: 'database', reason: 'lost', retryAfter: 1 })),
  })
  expect(await writeThenRead(lost.ctx, steps(true))).toEqual(['write', 'read', 'more'])
  expect(lost.log).toEqual(['inside: write', 'with the commit: read', 'committed', 'alone: read', 'alone: more'])
})

test('a short write has no transaction, and a part of a transaction reads in it', async () => {
  const short = recording({ runAfter: echo })
  await writeThenRead(short.ctx, steps(false))
  expect(short.log).toEqual(['alone: write', 'alone: read', 'alone: more'])
  const part = recording()
  await writeThenRead({ ...part.ctx, db: { ...part.ctx.db, isInner: true } } as unknown as Context, steps(true))
  expect(part.log).toEqual(['alone: write', 'alone: read', 'alone: more'])
})

test('nothing is read after a commit that was refused', async () => {
  const { ctx, log } = recording({ refuses: true })
  await expect(writeThenRead(ctx, steps(true))).rejects.toThrow('refused')
  expect(log).toEqual(['inside: write'])
})
