/** Collections of a batch, and the plan for each row: create, update or new key. */

import { keyOfValues, presentKeys } from '../../core/items/present-keys.ts'
import { comparableKey } from '../../core/rows/keys.ts'
import { inPath } from '../../core/rows/write-paths.ts'
import { isExact, withDigits } from '../../domain/conditions/exact-numbers.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import type { OpenedCollection } from '../wire/collections.ts'
import type { Reference } from './batch-references.ts'

export type Item = { readonly [name: string]: unknown }

/** `add`: rows whose key is taken get another one. `merge`: they update the row with that key. */
export type BatchMode = 'add' | 'merge'

/** Keys of updated, new and deleted rows, and the new key of each row whose own was not taken. */
export type TableResult = {
  readonly existing: Key[]
  readonly new: Key[]
  readonly deleted: Key[]
  readonly mapped: { [key: string]: Key }
}

/** A collection of the batch. `name`: its name in the request. */
export type Table = {
  readonly name: string
  readonly opened: OpenedCollection
  readonly collection: Collection
  readonly references: readonly Reference[]
  readonly items: readonly Item[]
  readonly result: TableResult
  /** Names of fields that were left out. */
  readonly ignored: Set<string>
  /** The keys of rows of the batch here, by the text of their keys there; null for a row that is not yet written. */
  readonly keys: Map<string, Key | null>
}

export type Tables = ReadonlyMap<string, Table>

/** A row with its position, counted from 1. `key`: of the row that it updates. */
export type Row = {
  readonly number: number
  readonly receivedKey: Key | null
  readonly key: Key | null
  readonly payload: Item
}

/** A row whose references are written when the rows exist to which they lead. */
type WaitingRow = { readonly row: Row; readonly names: readonly string[] }

/** The remaining work for a collection. `written`: the keys of the rows by their numbers. */
export type Planned = {
  readonly table: Table
  readonly rows: readonly Row[]
  readonly waiting: WaitingRow[]
  readonly written: Map<number, Key>
}

/** Finds which rows exist, and plans each row. Changes nothing. */
export async function planTable(ctx: Context, table: Table, mode: BatchMode): Promise<Planned> {
  const { collection, items } = table
  if (collection.singleton && items.length > 1)
    throw invalidPayload(table.name, `Expected at most one row for "${table.name}" but received ${items.length}`)
  const receivedKeys = items.map((item) =>
    keyOfValues(collection, (column) => withDigits(item[wireName(table, column)])),
  )
  const keys = receivedKeys.filter((key) => key !== null)
  const present = collection.singleton ? new Set<string>() : await presentKeys(ctx, collection, keys)
  const rows = items.map((payload, at) => {
    const row = { number: at + 1, receivedKey: receivedKeys[at] ?? null, key: null, payload }
    return inPath(positionOf(table, row.number), () => planRow(ctx, table, { row, present, mode }))
  })
  return { table, rows, waiting: [], written: new Map() }
}

type Planning = { readonly row: Row; readonly present: ReadonlySet<string>; readonly mode: BatchMode }

function planRow(
  ctx: Pick<Context, 'ids'>,
  { collection, keys, ...table }: Table,
  { row, present, mode }: Planning,
): Row {
  const { receivedKey: given } = row
  const payload = toFlat(collection, row.payload, table.ignored)
  if (given === null) return { ...row, payload }
  const text = comparableKey(collection, given)
  const name = wireName(table, collection.primaryKey)
  if (keys.has(text)) throw invalidPayload(name, `Expected each key once but received "${text}" twice`)
  const isThere = present.has(text)
  keys.set(text, isThere && mode === 'merge' ? given : null)
  if (isThere && mode === 'merge') return { ...row, key: given, payload }
  const { [name]: _key, ...rest } = payload
  const field = collection.fields.get(collection.primaryKey)
  if (collection.singleton || field?.column?.autoIncrement === true) return { ...row, payload: rest }
  if (!isThere) return { ...row, payload }
  if (field?.type === 'uuid' && collection.keyColumns.length === 1)
    return { ...row, payload: { ...rest, [name]: ctx.ids.uuid() } }
  throw invalidPayload(name, `Expected a key that no row has but received "${text}"`)
}

/**
 * Related rows are rows of their own in a batch. Keys in a list are left out: the rows that they name hold the reference.
 */
function toFlat(collection: Collection, item: Item, ignored: Set<string>): Item {
  const lists = Object.keys(item).filter((name) => {
    const { relation = null, column = null } = collection.fields.get(name) ?? {}
    const value = item[name]
    if (relation === null || typeof value !== 'object' || value === null || isExact(value)) return false
    if (column === null && Array.isArray(value) && value.every((each) => typeof each !== 'object' || isExact(each)))
      return true
    throw invalidPayload(
      name,
      `Expected a key for "${name}" but received related rows: they are rows of their own here`,
    )
  })
  for (const name of lists) if ((item[name] as readonly unknown[]).length > 0) ignored.add(name)
  return lists.length === 0 ? item : Object.fromEntries(Object.entries(item).filter(([name]) => !lists.includes(name)))
}

const wireName = ({ opened: { collection, scope } }: Pick<Table, 'opened'>, core: string): string =>
  scope.view.byCore.get(collection.name)?.byCore.get(core)?.name ?? core

export const positionOf = ({ name }: Pick<Table, 'name'>, number: number): string => `${name}.${number}`
