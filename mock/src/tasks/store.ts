/** What the tasks of core need from the tables: rows by collection, and writes with their consequences. */
import type { Collection } from '../../../src/domain/schema/schema.ts'
import type { Env } from '../rows/env.ts'
import { collectionOf } from '../rows/links.ts'
import { release } from '../rows/references.ts'
import { plain, toStored } from '../rows/stored.ts'
import type { StoredRow, Tables } from '../rows/tables.ts'
import { write } from '../rows/write.ts'

export type Store = ReturnType<typeof createStore>

/** The rows that a statement would answer with; their number is that of the rows it found or changed. */
export type Task = (store: Store, ...values: never[]) => readonly unknown[]

export type Tasks = { readonly [name: string]: Task }

/** Tables of the server that are no collections, and their keys. */
const internal = {
  platform_account_states: ['user'],
  platform_idempotency_keys: ['caller', 'key'],
  platform_keys: ['id'],
  platform_stored_objects: ['storage', 'key'],
  platform_sync_keys: ['kind', 'local_id'],
} as const

type Name = `platform_${string}`

/** Which rows: those with these values, or those of a test. */
export type Where = StoredRow | ((row: StoredRow) => boolean)

const toTest = (where: Where): ((row: StoredRow) => boolean) => {
  if (typeof where === 'function') return where
  const values = Object.entries(where)
  return (row) => values.every(([column, value]) => row[column] === value)
}

export function createStore(env: Env) {
  const { tables } = env
  const keyed = (name: Name): Pick<Collection, 'name' | 'keyColumns'> =>
    name in internal ? { name, keyColumns: internal[name as keyof typeof internal] } : collectionOf(env.schema, name)
  const rows = (name: Name, where: Where = {}): readonly StoredRow[] => tables.all(name).filter(toTest(where))
  return {
    clock: env.clock,
    rows,
    /** The row with that `id`. */
    row: (name: Name, id: unknown): StoredRow | undefined => tables.find(name, plain(id).toLowerCase()),
    /** Adds a row with the defaults of its columns. */
    add(name: Name, row: StoredRow): void {
      if (name in internal) return void tables.put(keyed(name), row)
      write(env, {
        kind: 'insert',
        collection: collectionOf(env.schema, name),
        columns: Object.keys(row),
        rows: [row],
        deltas: [{}],
      })
    },
    /** Changes rows. Returns them as they are then. */
    change(name: Name, where: Where, changes: StoredRow | ((row: StoredRow) => StoredRow)): readonly StoredRow[] {
      return rows(name, where).map((row) => {
        const values = typeof changes === 'function' ? changes(row) : changes
        const changed = { ...row, ...stored(env, name, values) }
        tables.put(keyed(name), changed, keyOf(tables, name, row))
        return changed
      })
    },
    /** Deletes rows, and does to those that refer to them what their constraints say. */
    remove(name: Name, where: Where): readonly StoredRow[] {
      const gone = rows(name, where).map((row) => ({ key: keyOf(tables, name, row), row }))
      if (name in internal) for (const { key } of gone) tables.remove(name, key)
      else release(env, collectionOf(env.schema, name), gone)
      return gone.map(({ row }) => row)
    },
  }
}

function keyOf(tables: Tables, name: string, row: StoredRow): string {
  const key = tables.keyOf(name, row)
  if (key === undefined) throw new Error(`The table ${name} has no such row`)
  return key
}

/** Values in the stored form of their columns. */
function stored({ schema }: Env, name: string, row: StoredRow): StoredRow {
  const fields = schema.collections.get(name)?.fields
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      const field = fields?.get(column)
      return [column, field === undefined ? value : toStored(field, value)]
    }),
  )
}

/** A stored moment as milliseconds; null = none. */
export const instant = (moment: unknown): number | null =>
  moment == null ? null : Date.parse(`${plain(moment).replace(/Z$/, '')}Z`)

export const isAfter = (moment: unknown, now: string): boolean =>
  (instant(moment) ?? Number.NEGATIVE_INFINITY) > Date.parse(now)

/** A stored moment as text with its zone; null = none. */
export const zoned = (moment: unknown): string | null => (moment == null ? null : `${plain(moment).replace(/Z$/, '')}Z`)

export const pick = <Column extends string>(
  row: StoredRow,
  columns: readonly Column[],
): { readonly [Name in Column]: unknown } =>
  Object.fromEntries(columns.map((column) => [column, row[column] ?? null])) as { readonly [Name in Column]: unknown }

export const among = (list: readonly unknown[], value: unknown): boolean =>
  value != null && list.some((each) => plain(each).toLowerCase() === plain(value).toLowerCase())
