/** Authorized mutations as statements: rows of one shape travel together, and all or none are written. */

import type { ValueFacts } from '../../domain/conditions/resolve-value.ts'
import type { Context } from '../../domain/ports/context.ts'
import { and, type Filter, matchAll } from '../../domain/query/filter.ts'
import type { Changes, Key, Mutation } from '../../domain/query/mutation.ts'
import type { Authorized } from '../../domain/rights/authorized.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { keyValues } from '../../domain/schema/row-keys.ts'
import type { Collection, Field } from '../../domain/schema/schema.ts'
import type { Row, Write } from '../../sql/run/writes.ts'
import { forgetItems } from './forget-items.ts'
import { keyFromText, notFound } from './keys.ts'
import { runNamed } from './name-failures.ts'
import { afterCommit, forgetActors, withTransaction } from './transaction.ts'
import { atPath } from './write-paths.ts'
import { toRow, type WrittenRow } from './write-rows.ts'

type Of<Kind extends Mutation['kind']> = Authorized<Extract<Mutation, { readonly kind: Kind }>>
type LookedUp = ValueFacts['lookedUp']

/** Rows under way: all that makes them was asked for, and other work may go on before their keys are known. */
export type Created = { readonly keys: Promise<readonly Key[]> }

/** Creates the items; one statement per set of columns, and hardly ever more than one such set. */
export async function createRows(ctx: Context, mutation: Of<'create'>, at: Place): Promise<Created> {
  const { collection } = at
  const rows: WrittenRow[] = []
  for (const [index, changes] of mutation.items.entries())
    rows.push(await rowAt(ctx, changes, at, { action: 'create', index }))
  if (at.isRefused === true) throw notFound(collection.name)
  const groups = groupsOf(withDefaults(collection, rows), ({ columns }) => JSON.stringify(columns))
  const keys = allOrNone(ctx, rows.length, async (inner) => {
    const written = await Promise.all(groups.map((group) => runNamed(inner, insertOf(collection, group))))
    const found: Key[] = []
    for (const [at, group] of groups.entries()) {
      // A trigger of the database may leave rows out.
      if (written[at]?.length !== group.length) throw new TandemError({ kind: 'unprocessable', reason: leftOut })
      for (const [index, { position }] of group.entries()) {
        found[position] = keyFromText(collection, written[at]?.[index] as string)
      }
    }
    return found
  })
  ctx.later?.(keys)
  return { keys }
}

const leftOut = 'A rule of the database refuses the change'

/**
 * Where the items are in the payload. `touches`: history is written of every one. `isRefused`: nothing is created, once
 * all else that could be said of the items was said.
 */
export type Place = {
  readonly collection: Collection
  readonly lookedUp: LookedUp
  readonly paths?: readonly string[]
  readonly touches?: boolean
  readonly isRefused?: boolean
}

async function rowAt(
  ctx: Context,
  changes: Changes,
  at: Place,
  { action, index }: { readonly action: 'create' | 'update'; readonly index: number },
): Promise<WrittenRow> {
  const { collection, lookedUp } = at
  try {
    return await toRow(ctx, changes, { collection, lookedUp, action })
  } catch (error) {
    throw atPath(error, at.paths?.[index] ?? '')
  }
}

/** Gives all rows of these keys the same changes. */
export async function updateRows(
  ctx: Context,
  mutation: Of<'update'>,
  at: Place & { readonly keys: readonly Key[] },
): Promise<readonly Key[]> {
  const { collection, keys } = at
  const { columns, row, delta } = await toRow(ctx, mutation.changes, { ...at, action: 'update' })
  if (keys.length === 0) return keys
  const where = mutation.rows ?? matchAll
  await writeExactly(ctx, { kind: 'update', collection, columns, keys, row, delta, where }, keys.length)
  return keys
}

/** Gives each row its own changes; items with one key are one change, the later values winning. */
export async function updateEach(ctx: Context, mutation: Of<'update-each'>, at: Place): Promise<readonly Key[]> {
  const { collection } = at
  const items = merged(mutation.items)
  const { touches = false } = at
  const rows: (WrittenRow & { readonly key: Key; readonly rows: Filter })[] = []
  for (const item of items) {
    const { columns, row, delta } = await rowAt(ctx, item.changes, at, { action: 'update', index: item.position })
    rows.push({
      columns,
      row: { ...row, ...Object.fromEntries(keyValues(collection, item.key)) },
      delta,
      key: item.key,
      rows: item.rows,
    })
  }
  const ids = new Map<Filter, number>()
  const idOf = (filter: Filter): number => ids.get(filter) ?? (ids.set(filter, ids.size), ids.size - 1)
  // In one order, whatever the order they came in: two clients that change the same rows do not lock each other out.
  const ordered = rows.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const groups = groupsOf(ordered, (each) => JSON.stringify([idOf(each.rows), each.columns]))
  await allOrNone(ctx, items.length, async (inner) => {
    for (const group of groups) {
      const [first] = group
      if (first === undefined) continue
      const { columns, row, delta, rows: where } = first.value
      const keys = group.map(({ value }) => value.key)
      const write: Write =
        group.length === 1
          ? { kind: 'update', collection, columns, keys, row, delta, where, touches }
          : { kind: 'update-each', collection, columns, ...listsOf(group), where, touches }
      await writeExactly(inner, write, group.length)
    }
  })
  return items.map((item) => item.key)
}

/** Deletes the rows of these keys. */
export async function deleteRows(
  ctx: Context,
  mutation: Of<'delete'>,
  { collection, keys }: { readonly collection: Collection; readonly keys: readonly Key[] },
): Promise<readonly Key[]> {
  if (keys.length === 0) return keys
  const write: Write = { kind: 'delete', collection, keys, where: mutation.rows ?? matchAll }
  if (collection.system) {
    await writeExactly(ctx, write, keys.length)
    return keys
  }
  const sharesGone = await allOrNone(ctx, 2, async (inner) => {
    await writeExactly(inner, write, keys.length)
    return forgetItems(inner, collection, keys)
  })
  if (sharesGone) await afterCommit(ctx, forgetActors)
  return keys
}

/**
 * Several statements, or one whose effect must be undone when it reaches too few rows, are a transaction; within a
 * piece of work that has a journal they are part of its own.
 */
function allOrNone<T>(ctx: Context, parts: number, work: (inner: Context) => Promise<T>): Promise<T> {
  return parts <= 1 || ctx.journal !== undefined ? work(ctx) : withTransaction(ctx, work)
}

async function writeExactly(ctx: Context, write: Write, count: number): Promise<void> {
  const written = allOrNone(ctx, count, async (inner) => {
    const reached = await runNamed(inner, write)
    if (reached.length !== count) throw notFound(write.collection.name)
  })
  if (ctx.later === undefined) await written
  else ctx.later(written)
}

type Placed<T> = { readonly position: number; readonly value: T }

function groupsOf<T>(values: readonly T[], nameOf: (value: T) => string): readonly (readonly Placed<T>[])[] {
  const groups = new Map<string, Placed<T>[]>()
  for (const [position, value] of values.entries()) {
    const name = nameOf(value)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [{ position, value }])
    else group.push({ position, value })
  }
  return [...groups.values()]
}

const listsOf = (
  group: readonly Placed<WrittenRow>[],
): { readonly rows: readonly Row[]; readonly deltas: readonly Row[] } => ({
  rows: group.map(({ value }) => value.row),
  deltas: group.map(({ value }) => value.delta),
})

function insertOf(collection: Collection, group: readonly Placed<WrittenRow>[]): Write {
  return { kind: 'insert', collection, columns: group[0]?.value.columns ?? [], ...listsOf(group) }
}

/** What one row leaves out and another does not is filled with the column's default, so that their shapes agree. */
function withDefaults(collection: Collection, rows: readonly WrittenRow[]): readonly WrittenRow[] {
  const used = new Set(rows.flatMap(({ columns }) => columns))
  if (rows.every(({ columns }) => columns.length === used.size)) return rows
  const fields = [...collection.fields.values()].filter(({ column }) => column !== null && used.has(column.name))
  return rows.map(({ row, delta }) => {
    const filled: Record<string, unknown> = {}
    for (const field of fields) {
      const name = field.column?.name as string
      const value = Object.hasOwn(row, name) ? row[name] : knownDefault(field)
      if (value !== undefined) filled[name] = value
    }
    return { columns: Object.keys(filled), row: filled, delta }
  })
}

const plainTypes: ReadonlySet<string> = new Set([
  'string',
  'text',
  'integer',
  'bigInteger',
  'float',
  'decimal',
  'boolean',
])

/** Undefined where only the database can say. */
function knownDefault({ type, column }: Field): unknown {
  if (column === null || column.autoIncrement) return undefined
  if (!column.hasDefault) return null
  return plainTypes.has(type) ? (column.defaultValue ?? undefined) : undefined
}

type Item = { readonly key: Key; readonly changes: Changes; readonly rows: Filter; readonly position: number }

function merged(items: Of<'update-each'>['items']): readonly Item[] {
  const byKey = new Map<Key, Item>()
  for (const [position, { key, changes, rows = matchAll }] of items.entries()) {
    const known = byKey.get(key)
    const item =
      known === undefined
        ? { key, changes, rows, position }
        : { key, changes: new Map([...known.changes, ...changes]), rows: and(known.rows, rows), position }
    byKey.set(key, item)
  }
  return [...byKey.values()]
}
