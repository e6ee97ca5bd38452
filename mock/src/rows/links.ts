import type { Collection, Field, Schema } from '../../../src/domain/schema/schema.ts'
import type { Env } from './env.ts'
import { plain } from './stored.ts'
import type { StoredRow, Tables } from './tables.ts'

export type Level = { readonly collection: Collection; readonly row: StoredRow }

export function collectionOf(schema: Schema, name: string): Collection {
  const collection = schema.collections.get(name)
  if (collection === undefined) throw new Error(`No collection is named ${name}`)
  return collection
}

export function fieldOf(collection: Collection, name: string): Field {
  const field = collection.fields.get(name)
  if (field === undefined) throw new Error(`Collection ${collection.name} has no field ${name}`)
  return field
}

export function valueOf({ collection, row }: Level, name: string): unknown {
  const { column } = fieldOf(collection, name)
  return column === null ? null : (row[column.name] ?? null)
}

export function keyedRow(tables: Tables, collection: Collection, value: unknown): StoredRow | undefined {
  if (collection.keyColumns.length === 1) return tables.find(collection.name, plain(value))
  return tables.all(collection.name).find((row) => plain(row[collection.primaryKey]) === plain(value))
}

/** The rows of `target` that a field of the row leads to. */
export function relatedRows(env: Env, level: Level, field: Field, target: string): readonly Level[] {
  const { relation } = field
  if (relation === null) throw new Error(`Field ${level.collection.name}.${field.name} is not a relation`)
  const collection = collectionOf(env.schema, target)
  if (relation.kind === 'one-to-many') {
    const key = level.row[level.collection.primaryKey] ?? null
    if (key === null) return []
    const rows = env.tables
      .all(target)
      .filter((row) => row[relation.foreignKey] != null && plain(row[relation.foreignKey]) === plain(key))
    return rows.map((row) => ({ collection, row }))
  }
  const key = valueOf(level, relation.relation.manyField)
  if (key === null) return []
  if (relation.kind === 'many-to-any' && valueOf(level, relation.collectionField) !== target) return []
  const row =
    relation.kind === 'many-to-any' ? env.tables.find(target, plain(key)) : keyedRow(env.tables, collection, key)
  return row === undefined ? [] : [{ collection, row }]
}

/** The rows of a collection that refer to this row by a field of theirs. */
export const referringRows = (env: Env, level: Level, collection: Collection, by: string): readonly Level[] =>
  env.tables
    .all(collection.name)
    .map((row) => ({ collection, row }))
    .filter((each) =>
      relatedRows(env, each, fieldOf(collection, by), level.collection.name).some(({ row }) => row === level.row),
    )
