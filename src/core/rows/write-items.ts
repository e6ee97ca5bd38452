/** Runs authorized mutations: rows of one shape are one statement, and either all rows are written or none. */

import type { ValueFacts } from '../../domain/conditions/resolve-value.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import type { Write } from '../../domain/ports/row-store.ts'
import type { WriteLog } from '../../domain/ports/write-log.ts'
import { type Filter, matchAll } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Changes, RowCheck } from '../../domain/query/mutation.ts'
import type { AuthorizedMutation } from '../../domain/rights/authorized.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { keyValues } from '../../domain/schema/row-keys.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { forgetItems } from './forget-items.ts'
import { assertSingle } from './has-row.ts'
import { comparableKey, keyFromText, notFound } from './keys.ts'
import { runNamed } from './name-failures.ts'
import { type Checked, checksOfChanges, withRowChecks } from './row-checks.ts'
import { byBroughtKeys, groupsOf, insertOf, listsOf, merged, type Positioned, withDefaults } from './row-groups.ts'
import { keysAmong } from './seen-rows.ts'
import { afterCommit, forgetActors, withTransaction } from './transaction.ts'
import { explainingUnreached, Unreached } from './unreached.ts'
import { awaitAnswer } from './write-log.ts'
import { atPath } from './write-paths.ts'
import { toRow, type WrittenRow } from './write-rows.ts'

/** Rows that are ready to be inserted: complete and checked. */
export type Insertion = {
  readonly collection: Collection
  readonly count: number
  /** Rows of one set of columns, which are one statement. There is hardly ever more than one such set. */
  readonly groups: readonly (readonly Positioned<WrittenRow>[])[]
  /** The conditions on each row, and its path. */
  readonly after: readonly RowCheck[]
  readonly paths: readonly string[]
}

/** Makes the rows of the items, without writing them. */
export async function prepareRows(
  ctx: Context,
  mutation: AuthorizedMutation<'create'>,
  at: WriteScope,
): Promise<Insertion> {
  const { collection } = at
  const rows: WrittenRow[] = []
  for (const [index, changes] of mutation.items.entries())
    rows.push(await rowAt(ctx, changes, at, { action: 'create', index }))
  if (at.isRefused === true) throw notFound(collection.name)
  const groups = groupsOf(withDefaults(collection, rows), ({ columns }) => JSON.stringify(columns))
  const { after = [] } = mutation
  return {
    collection,
    count: rows.length,
    groups: groups.toSorted(byBroughtKeys(collection)),
    after,
    paths: at.paths ?? [],
  }
}

/**
 * Inserts the rows and returns their keys, in the order of the items. The statements are sent before the function
 * returns its promise, so that a nested write need not wait for their answers.
 */
export function insertRows(ctx: Context, insertion: Insertion, log: WriteLog): Promise<readonly Key[]> {
  const { collection, after, paths } = insertion
  if (after.every((check) => check.length === 0)) return insertAll(ctx, insertion, log)
  return withRowChecks(ctx, log, async (inner) => {
    const keys = await insertAll(inner, insertion, log)
    const checks = keys.map((key, index) => ({
      collection,
      key,
      path: paths[index] ?? '',
      sets: after[index] ?? [],
    }))
    return { done: keys, checks }
  })
}

function insertAll(ctx: Context, { collection, count, groups }: Insertion, log: WriteLog): Promise<readonly Key[]> {
  const isSingle = collection.singleton && !collection.system
  // A row of a view can turn out to have no key, and is not kept then.
  const parts = isSingle || collection.table?.kind === 'view' ? 2 : count
  return allOrNone(ctx, { parts, log }, async (inner) => {
    if (isSingle) await assertSingle(inner, collection, count)
    const written = await Promise.all(groups.map((group) => runNamed(inner, insertOf(collection, group), log)))
    const keys: Key[] = []
    for (const [at, group] of groups.entries()) {
      // A trigger of the database can skip rows.
      if (written[at]?.length !== group.length) throw new TandemError({ kind: 'unprocessable', reason: leftOut })
      for (const [index, { position }] of group.entries()) {
        keys[position] = keyFromText(collection, written[at]?.[index] as string)
      }
    }
    return keys
  })
}

export const leftOut = 'A trigger or rule of the database rejects the change'

/**
 * The paths of the items in the payload. `touches`: history is written for every item. `isRefused`: all items are
 * checked, then the mutation is rejected.
 */
export type WriteScope = {
  readonly collection: Collection
  readonly lookedUp: ValueFacts['lookedUp']
  readonly paths?: readonly string[]
  readonly touches?: boolean
  readonly isRefused?: boolean
}

async function rowAt(
  ctx: Context,
  changes: Changes,
  at: WriteScope,
  { action, index }: { readonly action: 'create' | 'update'; readonly index: number },
): Promise<WrittenRow> {
  const { collection, lookedUp } = at
  try {
    return await toRow(ctx, changes, { collection, lookedUp, action })
  } catch (error) {
    throw atPath(error, at.paths?.[index] ?? '')
  }
}

/** Applies the same changes to all rows with these keys. */
export async function updateRows(
  ctx: Context,
  mutation: AuthorizedMutation<'update'>,
  at: WriteScope & { readonly keys: readonly Key[]; readonly log: WriteLog },
): Promise<readonly Key[]> {
  const { collection, keys, log } = at
  const { columns, row, delta } = await toRow(ctx, mutation.changes, { ...at, action: 'update' })
  if (keys.length === 0) return keys
  const where = mutation.rows ?? matchAll
  const write: Write = { kind: 'update', collection, columns, keys, row, delta, where }
  const checked = keys.map((key) => ({ key, path: '', after: mutation.after }))
  await changeChecked(ctx, { collection, checked, log }, (inner) => writeExactly(inner, write, { keys, log }))
  return keys
}

/** Changes rows, and checks the conditions on them before and after. */
async function changeChecked(
  ctx: Context,
  at: { readonly collection: Collection; readonly checked: readonly Checked[]; readonly log: WriteLog },
  work: (inner: Context) => Promise<void>,
): Promise<void> {
  if (at.checked.every(({ after = [] }) => after.length === 0)) return work(ctx)
  await withRowChecks(ctx, at.log, async (inner) => {
    const checks = await checksOfChanges(inner, at.collection, at.checked)
    return { done: await work(inner), checks }
  })
}

/** Applies own changes to each row. Several items with one key are merged; later values win. */
export async function updateEach(
  ctx: Context,
  mutation: AuthorizedMutation<'update-each'>,
  at: WriteScope & { readonly log: WriteLog },
): Promise<readonly Key[]> {
  const { collection, log } = at
  const items = merged(mutation.items)
  const groups = await groupedUpdates(ctx, items, at)
  const checked = items.map(({ key, after, position }) => ({ key, after, path: at.paths?.[position] ?? '' }))
  const writeGroups = async (inner: Context): Promise<void> => {
    for (const group of groups) await writeGroup(inner, group, at)
  }
  await changeChecked(ctx, { collection, checked, log }, (inner) =>
    allOrNone(inner, { parts: items.length, log }, writeGroups),
  )
  return items.map((item) => item.key)
}

type UpdatedRow = WrittenRow & { readonly key: Key; readonly rows: Filter }
type UpdateGroup = readonly Positioned<UpdatedRow>[]

/** The rows to write; those with the same columns and the same condition are one statement. */
async function groupedUpdates(
  ctx: Context,
  items: ReturnType<typeof merged>,
  at: WriteScope,
): Promise<readonly UpdateGroup[]> {
  const rows: UpdatedRow[] = []
  for (const item of items) {
    const { columns, row, delta } = await rowAt(ctx, item.changes, at, { action: 'update', index: item.position })
    rows.push({
      columns,
      row: { ...row, ...Object.fromEntries(keyValues(at.collection, item.key)) },
      delta,
      key: item.key,
      rows: item.rows,
    })
  }
  const ids = new Map<Filter, number>()
  const idOf = (filter: Filter): number => ids.get(filter) ?? (ids.set(filter, ids.size), ids.size - 1)
  // Rows are locked in one order, so that clients with the same rows do not deadlock.
  const ordered = rows.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  return groupsOf(ordered, (each) => JSON.stringify([idOf(each.rows), each.columns]))
}

async function writeGroup(
  ctx: Context,
  group: UpdateGroup,
  { collection, log, touches = false }: WriteScope & { readonly log: WriteLog },
): Promise<void> {
  const [first] = group
  if (first === undefined) return
  const { columns, row, delta, rows: where } = first.value
  const keys = group.map(({ value }) => value.key)
  const write: Write =
    group.length === 1
      ? { kind: 'update', collection, columns, keys, row, delta, where, touches }
      : { kind: 'update-each', collection, columns, ...listsOf(group), where, touches }
  await writeExactly(ctx, write, { keys, log })
}

export async function deleteRows(
  ctx: Context,
  mutation: AuthorizedMutation<'delete'>,
  { collection, keys, log }: { readonly collection: Collection; readonly keys: readonly Key[]; readonly log: WriteLog },
): Promise<readonly Key[]> {
  if (keys.length === 0) return keys
  const write: Write = { kind: 'delete', collection, keys, where: mutation.rows ?? matchAll }
  if (collection.system) {
    await writeExactly(ctx, write, { keys, log })
    return keys
  }
  const sharesGone = await allOrNone(ctx, { parts: 2, log }, async (inner) => {
    await writeExactly(inner, write, { keys, log })
    return forgetItems(inner, collection, keys)
  })
  if (sharesGone) await afterCommit(ctx, forgetActors)
  return keys
}

/**
 * Runs several statements in one transaction, also one statement whose effect must be undone if it reaches too few
 * rows. A nested write already has a transaction.
 */
function allOrNone<T>(
  ctx: Context,
  { parts, log }: { readonly parts: number; readonly log: WriteLog },
  work: (inner: Context) => Promise<T>,
): Promise<T> {
  return parts <= 1 || log.deferred !== null ? work(ctx) : withTransaction(ctx, work)
}

function writeExactly(
  ctx: Context,
  write: Write,
  { keys, log }: { readonly keys: readonly Key[]; readonly log: WriteLog },
): Promise<void> {
  const { collection } = write
  const action = write.kind === 'delete' ? 'delete' : 'update'
  const all = async (inner: Context): Promise<void> => {
    const reached = await runNamed(inner, write, log)
    if (reached.length === keys.length) return
    const reachedKeys = new Set(reached.map((key) => comparableKey(collection, key)))
    const missed = keys.filter((key) => !reachedKeys.has(comparableKey(collection, key)))
    if (await areDropped(inner, write, missed)) throw new TandemError({ kind: 'unprocessable', reason: leftOut })
    throw new Unreached({ action, collection, keys: missed })
  }
  const written = () => allOrNone(ctx, { parts: keys.length, log }, all)
  const isPart = ctx.db.isInner === true || log.deferred !== null
  return awaitAnswer(log, isPart ? written() : explainingUnreached(ctx, written))
}

/** Rows that the caller may change, but that the database left as they were, were dropped by a trigger or a rule. */
async function areDropped(ctx: ReadContext, write: Write, keys: readonly Key[]): Promise<boolean> {
  if (write.kind === 'insert' || keys.length === 0) return false
  try {
    return (await keysAmong(ctx, write.collection, { keys, rows: write.where })).size === keys.length
  } catch {
    // A later statement of a nested write has ended the transaction. The missing rows are reported instead.
    return false
  }
}
