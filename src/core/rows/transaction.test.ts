import { expect, test } from 'vitest'
import type { Context, Database } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { rolledBack, withTransaction } from './transaction.ts'

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
  expect(again.begun()).toBe(4)
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
