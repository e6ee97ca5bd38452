/** Checks written rows against the conditions of permissions on their related rows, after all writes of a mutation. */
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import type { PendingCheck, WriteLog } from '../../domain/ports/write-log.ts'
import { type Filter, or } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import type { RowAlternative, RowCheck } from '../../domain/query/mutation.ts'
import { type Failure, TandemError } from '../../domain/rights/errors.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { keysAmong } from './seen-rows.ts'
import { withTransaction } from './transaction.ts'
import { atPath } from './write-paths.ts'

export type Checked = { readonly key: Key; readonly path: string; readonly after: RowCheck | undefined }

/** Does the work and runs the checks of its rows. A nested write runs them at its end. */
export async function withRowChecks<T>(
  ctx: Context,
  log: WriteLog,
  work: (inner: Context) => Promise<{ readonly done: T; readonly checks: readonly PendingCheck[] }>,
): Promise<T> {
  if (log.deferred !== null) {
    const { done, checks } = await work(ctx)
    log.deferred.checks.push(...checks)
    return done
  }
  return withTransaction(ctx, async (inner) => {
    const { done, checks } = await work(inner)
    await runChecks(inner, checks)
    return done
  })
}

/**
 * The checks of rows that are going to be changed. Only rules that match a row as it is count for it, so where a rule is
 * one of several, the rows are locked and compared first.
 */
export async function checksOfChanges(
  ctx: Context,
  collection: Collection,
  items: readonly Checked[],
): Promise<readonly PendingCheck[]> {
  const checked = items.filter(({ after }) => after !== undefined && after.length > 0)
  const choices = checked.filter(({ after }) => after?.some((set) => set.length > 1))
  const matching = new Map<Filter, ReadonlySet<string>>()
  if (choices.length > 0) {
    const keys = choices.map(({ key }) => key)
    await ctx.rows.lock(ctx, collection, { keys, foreign: [], fields: [] })
    for (const rows of new Set(choices.flatMap(({ after = [] }) => after.flat().map((each) => each.rows))))
      matching.set(
        rows,
        rows.kind === 'all' ? new Set(keys.map(String)) : await keysAmong(ctx, collection, { keys, rows }),
      )
  }
  const counts = (key: Key, set: readonly RowAlternative[], { rows }: RowAlternative): boolean =>
    set.length === 1 || matching.get(rows)?.has(String(key)) === true
  return checked.map(({ after = [], ...item }) => ({
    ...item,
    collection,
    sets: after.map((set) => set.filter((each) => counts(item.key, set, each))),
  }))
}

/** Throws the failures of the first row that breaks a condition. */
export async function runChecks(ctx: ReadContext, pending: readonly PendingCheck[]): Promise<void> {
  const groups = Map.groupBy(
    pending.flatMap((each) => each.sets.map((set) => ({ ...each, set }))),
    ({ collection, set }) => JSON.stringify([collection.name, set.map(({ after }) => after)]),
  )
  for (const group of groups.values()) {
    const [first] = group
    if (first === undefined) continue
    const { collection, set } = first
    const rows = or(...set.map(({ after }) => after))
    if (rows.kind === 'all') continue
    const met = await keysAmong(ctx, collection, { keys: [...new Set(group.map(({ key }) => key))], rows })
    const broken = group.find(({ key }) => !met.has(String(key)))
    if (broken !== undefined) throw atPath(await failureOf(ctx, broken), broken.path)
  }
}

/** Names the fields of the conditions that do not hold. Values of related rows are left out. */
async function failureOf(
  ctx: ReadContext,
  { collection, key, set }: PendingCheck & { readonly set: readonly RowAlternative[] },
): Promise<TandemError> {
  const failures: Failure[] = []
  for (const { after, message, type = 'eq' } of set) {
    for (const part of after.kind === 'and' ? after.filters : [after]) {
      if ((await keysAmong(ctx, collection, { keys: [key], rows: part })).size > 0) continue
      const field = fieldOf(part) ?? ''
      if (failures.some((each) => 'field' in each && each.field === field)) continue
      failures.push({ kind: 'failed-validation', field, type, ...(message == null ? {} : { message }) })
    }
  }
  const [first = { kind: 'failed-validation', field: '', type: 'eq' } as const, ...rest] = failures
  return new TandemError([first, ...rest])
}

function fieldOf(filter: Filter): string | null {
  switch (filter.kind) {
    case 'related':
      return filter.field
    case 'compare':
      return filter.operand.field
    case 'and':
    case 'or':
      return filter.filters.map(fieldOf).find((name) => name !== null) ?? null
    case 'not':
      return fieldOf(filter.filter)
    default:
      return null
  }
}
