/** Groups rows by their columns, so that those of one shape are one statement. */
import type { Row, Write } from '../../domain/ports/row-store.ts'
import { and, type Filter, matchAll } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Changes, RowCheck } from '../../domain/query/mutation.ts'
import type { AuthorizedMutation } from '../../domain/rights/authorized.ts'
import type { Collection, Field } from '../../domain/schema/schema.ts'
import type { WrittenRow } from './write-rows.ts'

/** Rows with keys of the client come first, so that the database gives no key that a later row of the same list brings. */
export function byBroughtKeys({ keyColumns }: Collection) {
  const keyRank = ([first]: readonly Positioned<WrittenRow>[]): number =>
    keyColumns.every((name) => first?.value.columns.includes(name)) ? 0 : 1
  return (a: readonly Positioned<WrittenRow>[], b: readonly Positioned<WrittenRow>[]) => keyRank(a) - keyRank(b)
}

export type Positioned<T> = { readonly position: number; readonly value: T }

export function groupsOf<T>(values: readonly T[], nameOf: (value: T) => string): readonly (readonly Positioned<T>[])[] {
  const groups = new Map<string, Positioned<T>[]>()
  for (const [position, value] of values.entries()) {
    const name = nameOf(value)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [{ position, value }])
    else group.push({ position, value })
  }
  return [...groups.values()]
}

export const listsOf = (
  group: readonly Positioned<WrittenRow>[],
): { readonly rows: readonly Row[]; readonly deltas: readonly Row[] } => ({
  rows: group.map(({ value }) => value.row),
  deltas: group.map(({ value }) => value.delta),
})

export function insertOf(collection: Collection, group: readonly Positioned<WrittenRow>[]): Write {
  return { kind: 'insert', collection, columns: group[0]?.value.columns ?? [], ...listsOf(group) }
}

/** Fills missing columns with their default values, so that rows with different fields have one shape. */
export function withDefaults(collection: Collection, rows: readonly WrittenRow[]): readonly WrittenRow[] {
  const used = new Set(rows.flatMap(({ columns }) => columns))
  if (rows.every(({ columns }) => columns.length === used.size)) return rows
  const fields = [...collection.fields.values()].filter(({ column }) => column !== null && used.has(column.name))
  return rows.map(({ row, delta }) => {
    const filled: Record<string, unknown> = {}
    for (const field of fields) {
      const name = field.column?.name as string
      const value = Object.hasOwn(row, name) ? row[name] : constantDefault(field)
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

/** Undefined if only the database can compute the default. */
function constantDefault({ type, column }: Field): unknown {
  if (column === null || column.autoIncrement) return undefined
  if (!column.hasDefault) return null
  return plainTypes.has(type) ? (column.defaultValue ?? undefined) : undefined
}

type Item = {
  readonly key: Key
  readonly changes: Changes
  readonly rows: Filter
  readonly after: RowCheck
  readonly position: number
}

export function merged(items: AuthorizedMutation<'update-each'>['items']): readonly Item[] {
  const byKey = new Map<Key, Item>()
  for (const [position, { key, changes, rows = matchAll, after = [] }] of items.entries()) {
    const cached = byKey.get(key)
    const item =
      cached === undefined
        ? { key, changes, rows, after, position }
        : {
            key,
            changes: new Map([...cached.changes, ...changes]),
            rows: and(cached.rows, rows),
            after: [...cached.after, ...after],
            position,
          }
    byKey.set(key, item)
  }
  return [...byKey.values()]
}
