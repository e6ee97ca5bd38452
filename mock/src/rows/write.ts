/** Writes rows, and checks what a database checks: required values, unique values and references. */
import type { Delete, Insert, Row, Update, UpdateEach, Write } from '../../../src/domain/ports/row-store.ts'
import type { Filter } from '../../../src/domain/query/filter.ts'
import { keyOfRow } from '../../../src/domain/schema/row-keys.ts'
import type { Collection, Field } from '../../../src/domain/schema/schema.ts'
import { textOf } from './compare.ts'
import type { Env } from './env.ts'
import { isTrue, matches } from './filter.ts'
import { assertReferences, release, renamed } from './references.ts'
import { duplicate, missingValue } from './refusals.ts'
import { plain, toStored } from './stored.ts'
import type { StoredRow } from './tables.ts'

/** Columns of the system's tables whose values are unique together. */
const uniqueTogether: { readonly [table: string]: readonly (readonly string[])[] } = {
  platform_fields: [['collection', 'field']],
  platform_relations: [['many_collection', 'many_field']],
  platform_translations: [['key', 'language']],
  platform_versions: [['collection', 'item', 'key']],
  platform_role_levels: [['role', 'collection', 'status']],
}

/** Returns the keys of the written rows. If the write is refused, nothing is written. */
export function write(env: Env, input: Write): readonly string[] {
  const mark = env.tables.mark()
  try {
    return writeRows(env, input)
  } catch (error) {
    env.tables.rollback(mark)
    throw error
  }
}

function writeRows(env: Env, write: Write): readonly string[] {
  switch (write.kind) {
    case 'insert':
      return insert(env, write)
    case 'update':
      return update(env, write.collection, changesOf(write), write.where)
    case 'update-each':
      return update(env, write.collection, changesOfEach(write), write.where)
    case 'delete':
      return remove(env, write)
    default:
      return write satisfies never
  }
}

function insert(env: Env, { collection, columns, rows }: Insert): readonly string[] {
  const names = new Set(columns)
  const written = rows.map((sent) => {
    const full = Object.fromEntries(
      columnsOf(collection).map((field) => {
        const { name } = field.column
        return [name, names.has(name) ? toStored(field, sent[name]) : defaultOf(env, collection, field)]
      }),
    )
    const row = withComputed(collection, named(collection, full))
    assertRow(env, collection, row, null)
    return { key: env.tables.put(collection, row), row }
  })
  for (const { row } of written) {
    assertReferences(env, collection, row, null)
    for (const { column } of columnsOf(collection)) {
      if (column.autoIncrement && names.has(column.name))
        env.tables.pass(collection.name, column.name, Number(row[column.name]))
    }
  }
  return written.map(({ key }) => key)
}

type ColumnField = Field & { readonly column: NonNullable<Field['column']> }

const columnsOf = ({ fields }: Collection): readonly ColumnField[] =>
  [...fields.values()].filter((field): field is ColumnField => field.column !== null)

function defaultOf({ tables, clock, uuid }: Env, { name: collection }: Collection, field: ColumnField): unknown {
  const { column } = field
  if (column.autoIncrement) return toStored(field, tables.next(collection, column.name))
  if (column.defaultValue !== null) return toStored(field, typed(field, column.defaultValue))
  const expression = column.defaultExpression?.toLowerCase() ?? ''
  if (/^(now\(\)|current_timestamp|transaction_timestamp|localtimestamp|current_date)/.test(expression)) {
    const now = clock().toISOString()
    return toStored(field, field.type === 'time' ? now.slice(11, -1) : now)
  }
  return /^(gen_random_uuid|uuid_generate_v4)\(\)/.test(expression) ? uuid() : null
}

/** The default of a JSON column is text. */
function typed({ type }: Field, value: string | number | boolean): unknown {
  if (type !== 'json' || typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** The columns that the system's tables compute. */
function withComputed({ name }: Collection, row: StoredRow): StoredRow {
  return name === 'platform_files' ? { ...row, seconds: Math.round(Number(row['duration'] ?? 0) / 1000) } : row
}

const externalIds: { readonly [collection: string]: string } = {
  platform_users: 'external_identifier',
  platform_roles: 'external_id',
}

/** New users and roles have their own key as external id until they are given another one. */
function named({ name }: Collection, row: StoredRow): StoredRow {
  const column = externalIds[name]
  return column === undefined || row[column] != null ? row : { ...row, [column]: row['id'] }
}

type Change = { readonly key: string; readonly columns: readonly string[]; readonly row: Row }

const changesOf = ({ keys, columns, row }: Update): readonly Change[] =>
  keys.map((key) => ({ key: keyText(key), columns, row }))

const changesOfEach = ({ collection, columns, rows }: UpdateEach): readonly Change[] =>
  rows.map((row) => ({ key: keyText(keyOfRow(collection, row)), columns, row }))

/** The keys of rows are texts; those of a uuid in lower case. */
const keyText = (key: string | number): string => plain(key)

function update(env: Env, collection: Collection, changes: readonly Change[], where: Filter): readonly string[] {
  const written: { readonly key: string; readonly row: StoredRow; readonly before: StoredRow }[] = []
  for (const { key, columns, row } of changes) {
    const before = env.tables.find(collection.name, key)
    if (before === undefined || !isTrue(matches(env, { collection, row: before }, where))) continue
    const set = columnsOf(collection).flatMap((field) =>
      columns.includes(field.column.name)
        ? [[field.column.name, toStored(field, row[field.column.name])] as const]
        : [],
    )
    const after = withComputed(collection, { ...before, ...Object.fromEntries(set) })
    assertRow(env, collection, after, before)
    written.push({ key: env.tables.put(collection, after, key), row: after, before })
  }
  for (const { row, before } of written) {
    assertReferences(env, collection, row, before)
    renamed(env, collection, before, row)
  }
  return written.map(({ key }) => key)
}

function remove(env: Env, { collection, keys, where }: Delete): readonly string[] {
  const removed = keys.map(keyText).flatMap((key) => {
    const row = env.tables.find(collection.name, key)
    return row !== undefined && isTrue(matches(env, { collection, row }, where)) ? [{ key, row }] : []
  })
  release(env, collection, removed)
  return removed.map(({ key }) => key)
}

/** Required values, then the key, then other unique values. */
function assertRow(env: Env, collection: Collection, row: StoredRow, before: StoredRow | null): void {
  const columns = columnsOf(collection)
  for (const field of columns) {
    if (!field.column.nullable && row[field.column.name] === null) throw missingValue(collection, field)
  }
  assertKey(env, collection, row, before)
  for (const field of columns) {
    const { name, unique } = field.column
    const value = row[name]
    if (!unique || value === null || value === before?.[name] || collection.keyColumns.includes(name)) continue
    const taken = env.tables
      .all(collection.name)
      .some((each) => each !== before && each[name] !== null && textOf(field, each[name]) === textOf(field, value))
    if (taken) throw duplicate(collection, [name], [textOf(field, value)])
  }
  for (const names of uniqueTogether[collection.name] ?? []) assertTogether(env, collection, row, { before, names })
}

type Together = { readonly before: StoredRow | null; readonly names: readonly string[] }

function assertTogether(env: Env, collection: Collection, row: StoredRow, { before, names }: Together): void {
  const values = names.map((name) => row[name])
  if (values.includes(null)) return
  const isTaken = (each: StoredRow): boolean => each !== before && names.every((name, at) => each[name] === values[at])
  if (env.tables.all(collection.name).some(isTaken)) throw duplicate(collection, names, values.map(plain))
}

function assertKey({ tables }: Env, collection: Collection, row: StoredRow, before: StoredRow | null): void {
  if (collection.keyColumns.length === 0) return
  const key = keyOfRow(collection, row)
  if (before !== null && key === keyOfRow(collection, before)) return
  if (tables.find(collection.name, key) === undefined) return
  throw duplicate(
    collection,
    collection.keyColumns,
    collection.keyColumns.map((name) => plain(row[name])),
  )
}
