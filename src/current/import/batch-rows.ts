/** Writes the rows of one collection of a batch; references lead to the keys that the rows of the batch get. */
import { commentsCollection } from '../../core/guards/guard-comments.ts'
import { writeComments } from '../../core/history/mentions.ts'
import { singletonKey, writeItems } from '../../core/items/items.ts'
import { keyOfValues, presentKeys } from '../../core/items/present-keys.ts'
import { comparableKey, toKey } from '../../core/rows/keys.ts'
import { inOneAttempt } from '../../core/rows/transaction.ts'
import { atPath } from '../../core/rows/write-paths.ts'
import { isExact, withDigits } from '../../domain/conditions/exact-numbers.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Mutation } from '../../domain/query/mutation.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import type { Opened } from '../wire/collections.ts'
import { parseChanges, parseCreate, parseSingleton } from '../wire/mutation.ts'
import { cyclicReferences, type Reference } from './batch-order.ts'

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

/** A collection of the batch. `given`: its name in the request. */
export type Table = {
  readonly given: string
  readonly opened: Opened
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
type Row = { readonly number: number; readonly given: Key | null; readonly key: Key | null; readonly payload: Item }

/** A row whose references are written when the rows exist to which they lead. */
type Waiting = { readonly row: Row; readonly names: readonly string[] }

/** What is left to do for a collection. `written`: the keys of the rows by their numbers. */
export type Planned = {
  readonly table: Table
  readonly rows: readonly Row[]
  readonly waiting: Waiting[]
  readonly written: Map<number, Key>
}

/** Number of rows per write. */
const batchSize = 500

/** Looks which rows exist, and decides what becomes of each. Changes nothing. */
export async function planTable(ctx: Context, table: Table, mode: BatchMode): Promise<Planned> {
  const { collection, items } = table
  if (collection.singleton && items.length > 1)
    throw invalidPayload(table.given, `Expected at most one row for "${table.given}" but received ${items.length}`)
  const nameOf = wireNames(table)
  const given = items.map((item) => keyOfValues(collection, (column) => withDigits(item[nameOf(column)])))
  const keys = given.filter((key) => key !== null)
  const present = collection.singleton ? new Set<string>() : await presentKeys(ctx, collection, keys)
  const rows = items.map((payload, at) => {
    const row = { number: at + 1, given: given[at] ?? null, key: null, payload }
    return locate(table, row.number, () => planRow(ctx, table, { row, present, mode }))
  })
  return { table, rows, waiting: [], written: new Map() }
}

type Planning = { readonly row: Row; readonly present: ReadonlySet<string>; readonly mode: BatchMode }

function planRow(
  ctx: Pick<Context, 'ids'>,
  { collection, keys, ...table }: Table,
  { row, present, mode }: Planning,
): Row {
  const { given } = row
  const payload = toFlat(collection, row.payload, table.ignored)
  if (given === null) return { ...row, payload }
  const text = comparableKey(collection, given)
  const name = wireNames({ collection, ...table })(collection.primaryKey)
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

const wireNames =
  ({ collection, opened }: Pick<Table, 'collection' | 'opened'>) =>
  (core: string): string =>
    [...(opened.place.view.byCore.get(collection.name)?.fields ?? [])].find(([, { field }]) => field === core)?.[0] ??
    core

/** Writes the rows. References to rows that are not yet written wait. */
export async function writeTable(ctx: Context, plan: Planned, tables: Tables): Promise<void> {
  const { table, rows } = plan
  for (let at = 0; at < rows.length; at += batchSize) {
    const resolved = rows
      .slice(at, at + batchSize)
      .map((row) => locate(table, row.number, () => withReferences(plan, row, tables)))
    for (const [row, key] of await writeRows(ctx, table, resolved)) {
      // Rows of tables without a key have none that could be named.
      if (key === undefined) continue
      plan.written.set(row.number, key)
      note(table, row, key)
    }
  }
}

function withReferences({ table, waiting }: Planned, row: Row, tables: Tables): Row {
  const payload = { ...row.payload }
  const names: string[] = []
  for (const reference of table.references) {
    const { name, isNullable } = reference
    const found = keyHere(reference, row.payload, tables)
    if (found === undefined) continue
    if (found !== null) payload[name] = found
    else if (isNullable) {
      delete payload[name]
      names.push(name)
    } else throw cyclicReferences([table])
  }
  if (names.length > 0) waiting.push({ row, names })
  return { ...row, payload }
}

/** The key of the row of the batch that a value names; undefined for any other row, null if it is not yet written. */
function keyHere({ name, targetOf }: Reference, item: Item, tables: Tables): Key | null | undefined {
  const value = withDigits(item[name])
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const target = tables.get(targetOf(item) ?? '')
  if (target === undefined) return undefined
  try {
    return target.keys.get(comparableKey(target.collection, toKey(target.collection, value)))
  } catch {
    return undefined
  }
}

/** Writes rows together. If they fail, they are written one by one to find the invalid one. */
async function writeRows(ctx: Context, table: Table, rows: readonly Row[]): Promise<readonly Written[]> {
  try {
    return await inOneAttempt(ctx, (inner) => writeTogether(inner, table, rows))
  } catch (error) {
    if (!(error instanceof TandemError)) throw error
    const written: Written[] = []
    for (const row of rows) {
      const one = () => inOneAttempt(ctx, (inner) => writeTogether(inner, table, [row]))
      written.push(...(await located(table, row.number, one)))
    }
    return written
  }
}

type Written = readonly [row: Row, key: Key | undefined]

async function writeTogether(ctx: Context, table: Table, rows: readonly Row[]): Promise<readonly Written[]> {
  const { collection, opened } = table
  if (collection.singleton) return writeOnly(ctx, table, rows)
  const write = collection.name === commentsCollection ? writeComments : writeItems
  const created = rows.filter(({ key }) => key === null)
  const updated = rows.filter((row): row is Row & { readonly key: Key } => row.key !== null)
  const keys =
    created.length === 0
      ? []
      : await write(
          ctx,
          parseCreate(
            created.map(({ payload }) => payload),
            collection,
            opened,
          ),
        )
  if (updated.length > 0) await write(ctx, updates(table, updated))
  return [...created.map((row, at) => [row, keys[at]] as const), ...updated.map((row) => [row, row.key] as const)]
}

const updates = ({ collection, opened }: Table, rows: readonly { key: Key; payload: Item }[]): Mutation => ({
  kind: 'update-each',
  collection: collection.name,
  items: rows.map(({ key, payload }) => ({ key, changes: parseChanges(payload, { ...opened, collection }) })),
})

async function writeOnly(
  ctx: Context,
  { collection, opened }: Table,
  rows: readonly Row[],
): Promise<readonly Written[]> {
  const [row] = rows
  if (row === undefined) return []
  const before = await singletonKey(ctx, collection.name)
  const [key] = await writeItems(ctx, parseSingleton(row.payload, collection, opened))
  return [[{ ...row, key: before }, before ?? key] as const]
}

function note({ collection, keys, result }: Table, { given, key: before }: Row, key: Key): void {
  if (before === null) result.new.push(key)
  else result.existing.push(key)
  if (given === null) return
  const text = comparableKey(collection, given)
  keys.set(text, key)
  if (comparableKey(collection, key) !== text) result.mapped[String(given)] = key
}

export async function writeWaiting(ctx: Context, plan: Planned, tables: Tables): Promise<void> {
  const { table, waiting, written } = plan
  for (const { row, names } of waiting) {
    const key = written.get(row.number)
    if (key === undefined)
      throw invalidPayload(placeOf(table, row.number), 'Expected a key of a row that refers to later rows')
    const references = table.references.filter(({ name }) => names.includes(name))
    const values = references.flatMap((each) => [
      [each.name, keyHere(each, row.payload, tables)],
      ...(each.beside === null ? [] : [[each.beside, row.payload[each.beside]]]),
    ])
    const payload = Object.fromEntries(values) as Item
    await located(table, row.number, () => writeItems(ctx, updates(table, [{ key, payload }])))
  }
}

const placeOf = ({ given }: Pick<Table, 'given'>, number: number): string => `${given}.${number}`

function locate<T>(table: Pick<Table, 'given'>, number: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw atPath(error, placeOf(table, number))
  }
}

async function located<T>(table: Table, number: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw atPath(error, placeOf(table, number))
  }
}
