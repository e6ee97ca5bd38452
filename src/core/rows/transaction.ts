/** Transactions of core, what is done after their commit, and reads that go with it. */
import type { Context, Effect, Rows, Statement } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { repeated } from '../../sql/errors/conflicts.ts'
import { withoutHiddenNames } from './hide-names.ts'
import { explainingUnreached } from './unreached.ts'

type TransactionWork<T> = (inner: Context) => Promise<T>

/**
 * Commits when `work` resolves, rolls back when it rejects. `work` uses the inner ctx only and changes nothing but the
 * database, because a deadlock repeats it. Inside a transaction `work` becomes a part of that transaction and fails with
 * it: a caller that continues after a failed part uses `inOneAttempt`.
 */
export async function withTransaction<T>(ctx: Context, work: TransactionWork<T>): Promise<T> {
  if (ctx.db.isInner === true) return work(ctx)
  // A part of a batch, which is written as if it were alone (`withSavepoints`).
  if (ctx.effects !== undefined) return explainingUnreached(ctx, () => committed(ctx, work))
  return withEffects(ctx, (outer) => explainingUnreached(ctx, () => repeated(() => inOneAttempt(outer, work))))
}

/** A transaction that is never repeated; inside a transaction, a savepoint. */
export async function inOneAttempt<T>(ctx: Context, work: TransactionWork<T>): Promise<T> {
  if (ctx.effects !== undefined) return committed(ctx, work)
  return withEffects(ctx, (outer) => inOneAttempt(outer, work))
}

/** Deferred constraints are checked at the commit. */
async function committed<T>(ctx: Context, work: TransactionWork<T>): Promise<T> {
  let isDone = false
  try {
    return await ctx.db.transaction(async (db) => {
      const done = await work({ ...ctx, db })
      isDone = true
      return done
    })
  } catch (error) {
    throw isDone ? withoutHiddenNames(ctx, error) : error
  }
}

/** Does the work in a transaction that is rolled back: to see what a write would do. A conflict repeats it, as above. */
export async function rolledBack<T>(ctx: Context, work: TransactionWork<T>): Promise<T> {
  return ctx.db.isInner === true ? rolledBackOnce(ctx, work) : repeated(() => rolledBackOnce(ctx, work))
}

async function rolledBackOnce<T>({ effects: _effects, ...ctx }: Context, work: TransactionWork<T>): Promise<T> {
  let done: { readonly result: T } | undefined
  const over = new Error('The work is undone')
  try {
    await ctx.db.transaction(async (db) => {
      done = { result: await work({ ...ctx, db, effects: new Set() }) }
      throw over
    })
  } catch (error) {
    if (error !== over || done === undefined) throw error
  }
  return (done as { readonly result: T }).result
}

async function withEffects<T>(ctx: Context, work: TransactionWork<T>): Promise<T> {
  const effects = new Set<Effect>()
  const done = await work({ ...ctx, effects })
  for (const effect of effects) await effect(ctx)
  return done
}

/** Runs the effect after the commit of the outermost transaction, once however often it is given; at once outside of one. */
export async function afterCommit(ctx: Context, effect: Effect): Promise<void> {
  if (ctx.effects !== undefined) ctx.effects.add(effect)
  else if (ctx.db.isInner === true) throw new Error('A transaction with effects is opened by withTransaction')
  else await effect(ctx)
}

/** Makes other requests see changed rights. */
export const forgetActors: Effect = (ctx) => ctx.forgetActors()

type Steps<Written, Read> = {
  /** Whether the write is a transaction of several statements. */
  readonly isLong: boolean
  readonly write: (inner: Context) => Promise<Written>
  readonly read: (reader: Context, written: Written) => Promise<Read>
}

/**
 * Writes, and reads what was committed. After a long write, the statement that `read` runs before it first waits is sent
 * with the commit: a message costs more than a read by a key. Inside a transaction, the read is a part of it.
 */
export async function writeThenRead<Written, Read>(
  ctx: Context,
  { isLong, write, read }: Steps<Written, Read>,
): Promise<Read> {
  if (!isLong || ctx.db.isInner === true) return read(ctx, await write(ctx))
  const { promise: committed, resolve, reject } = Promise.withResolvers<void>()
  committed.catch(() => undefined)
  try {
    const { reading } = await withTransaction(ctx, async (inner) => {
      const written = await write(inner)
      const reader = createReader({ ctx, inner, committed })
      const result = read(reader.ctx, written)
      reader.waitFromNowOn()
      // The caller gets its failure when the transaction has ended.
      result.catch(() => undefined)
      return { reading: result }
    })
    resolve()
    return await reading
  } catch (error) {
    reject(error)
    throw error
  }
}

type Reader = { readonly ctx: Context; readonly inner: Context; readonly committed: Promise<void> }

/** A context whose statements see what is committed. At first they are sent with the commit, later ones after it. */
function createReader({ ctx, inner, committed }: Reader) {
  const { db } = inner
  let isFirst = true
  const runLater = async (statement: Statement): Promise<Rows> => {
    await committed
    return ctx.db.run(statement)
  }
  const run = (statement: Statement): Promise<Rows> => {
    if (!isFirst || db.runAfter === undefined) return runLater(statement)
    return db.runAfter(statement).catch((error: unknown) => {
      // The transaction has taken place, but its connection is lost.
      if (error instanceof TandemError && error.failures[0].kind === 'unavailable') return runLater(statement)
      throw error
    })
  }
  const waitFromNowOn = (): void => {
    isFirst = false
  }
  return { ctx: { ...ctx, db: { ...ctx.db, run } }, waitFromNowOn }
}
