/** Why a write reached fewer rows than it names. */
import { forbidden, isUnlimited } from '../../authz/grants.ts'
import { explainedItems, unexplained } from '../../authz/level-demands.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import { and } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { areVisible, hasRow } from './has-row.ts'
import { hasKey, notFound } from './keys.ts'

/** The rows that a write names and does not reach. */
type MissedRows = {
  readonly action: 'update' | 'delete'
  readonly collection: Collection
  readonly keys: readonly Key[]
}

/** The error inside of a transaction, where a statement that was sent before can have failed. */
export class Unreached extends TandemError {
  readonly missed: MissedRows

  constructor(missed: MissedRows) {
    super({ kind: 'item-not-found', collection: missed.collection.name })
    this.missed = missed
  }
}

/**
 * Does the work. If it named rows that it does not reach: those that the actor may not see count as missing; for others,
 * either the right is missing or a reason that their status requires.
 */
export async function explainingUnreached<T>(
  ctx: ReadContext & Pick<Context, 'request'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof Unreached ? await explain(ctx, error.missed) : error
  }
}

async function explain(
  ctx: ReadContext & Pick<Context, 'request'>,
  { action, collection, keys }: MissedRows,
): Promise<TandemError> {
  if (isUnlimited(ctx.actor) || !(await areVisible(ctx, collection, keys))) return notFound(collection.name)
  const due = ctx.request.history?.comment == null ? explainedItems(ctx.actor, action, collection) : null
  const isDue = due !== null && (await hasRow(ctx, collection, and(hasKey(collection, keys), due)))
  return isDue ? unexplained(collection.name) : forbidden(action, collection.name)
}
