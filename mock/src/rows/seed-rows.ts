/** Puts given rows into the tables. */
import { automaticValue } from '../../../src/core/rows/automatic-values.ts'
import { toStored as toChecked } from '../../../src/core/rows/values.ts'
import type { Collection, Field, Schema } from '../../../src/domain/schema/schema.ts'
import type { GivenRows } from '../api.ts'
import type { Env } from './env.ts'
import { write } from './write.ts'

/** Throws for a row that does not fit its collection. References are checked when all rows are there. */
export function putRows(env: Env, givenRows: GivenRows): void {
  const lax = { ...env, schema: withoutReferences(env.schema) }
  for (const [name, rows] of Object.entries(givenRows)) {
    const collection = env.schema.collections.get(name)
    if (collection?.table == null) throw new Error(`The schema has no collection "${name}", for which rows are given`)
    for (const row of rows) putRow(lax, collection, row)
    countOn(env, collection)
  }
}

const withoutReferences = (schema: Schema): Schema => ({ ...schema, relations: [] })

function putRow(env: Env, collection: Collection, input: { readonly [field: string]: unknown }): void {
  const row: Record<string, unknown> = {}
  const ctx = { actor: { kind: 'system' as const }, clock: env.clock, ids: { uuid: env.uuid, token: () => '' } }
  for (const name of Object.keys(input)) {
    if (!collection.fields.has(name))
      throw new Error(`The collection "${collection.name}" has no field "${name}", for which a row has a value`)
  }
  for (const field of collection.fields.values()) {
    assertPlain(collection, field, input[field.name])
    if (field.column === null) continue
    const value = input[field.name] === undefined ? automaticValue(ctx, field, 'create', undefined) : input[field.name]
    if (value === undefined) continue
    // A database computes it; a given value is kept.
    row[field.column.name] = field.column.generated
      ? value
      : toChecked({ name: collection.name, system: false }, field, value)
  }
  write(env, { kind: 'insert', collection, columns: Object.keys(row), rows: [row], deltas: [{}] })
}

/** Rows within rows are refused; lists of keys, as answers have them, follow from the rows of the related collection. */
function assertPlain({ name }: Collection, { name: field, relation }: Field, value: unknown): void {
  const isNested = Array.isArray(value) ? value.some(isRow) : isRow(value)
  if (relation === null || !isNested) return
  const where = relation.kind === 'many-to-one' ? 'with its key here' : 'with references to this row'
  throw new Error(
    `The field "${name}.${field}" of a given row contains rows. Give them as rows of their own collection, ${where}`,
  )
}

const isRow = (value: unknown): boolean => typeof value === 'object' && value !== null

/** Counted keys go on after the greatest one. */
function countOn({ tables }: Env, collection: Collection): void {
  for (const { column } of collection.fields.values()) {
    if (column?.autoIncrement !== true) continue
    const numbers = tables.all(collection.name).map((row) => Number(row[column.name] ?? 0))
    tables.count(collection.name, column.name, Math.max(0, ...numbers))
  }
}
