/** Writes rows for development and tests. A row that exists already, by its natural key, is updated. */

import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../domain/ports/context.ts'
import type { Row } from '../../domain/ports/row-store.ts'
import { compare, type Filter, type Value } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import { ownFields, rowsOf } from '../../domain/query/rows-of.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import type { Collection, Field, Schema } from '../../domain/schema/schema.ts'
import { createItems, updateItem } from '../items/items.ts'
import { inReferenceOrder, type Referring } from '../items/reference-order.ts'
import { readAsServer } from '../rows/has-row.ts'
import { withTransaction } from '../rows/transaction.ts'
import { type SeedTable, withTypes } from './seed-files.ts'

type Values = { readonly [field: string]: unknown }

export type SeedCounts = {
  readonly collection: string
  readonly created: number
  readonly updated: number
  readonly same: number
}

/** Writes all rows in one transaction, related collections first. Throws `invalid-payload` with file and row. */
export function seedItems(ctx: Context, files: readonly SeedTable[]): Promise<readonly SeedCounts[]> {
  return withTransaction(ctx, async (inner) => {
    const seeds = files.map((table) => toSeed(ctx.schema, withTypes(table, ctx.schema)))
    const counts: SeedCounts[] = []
    for (const seed of inReferenceOrder(seeds, ([first]) => first as Seed)) counts.push(await seedTable(inner, seed))
    return counts
  })
}

type Seed = Referring & { readonly table: SeedTable }

function toSeed({ collections }: Schema, table: SeedTable): Seed {
  const collection = collections.get(table.collection)
  if (collection === undefined || collection.system || collection.table === null) {
    throw refusal(
      table.file,
      `Expected a file named after a collection of the project but received "${table.collection}"`,
    )
  }
  const references = [...collection.fields.values()].flatMap(({ relation, column }) =>
    relation?.kind === 'many-to-one' ? [{ to: [relation.collection], isNullable: column?.nullable === true }] : [],
  )
  return { collection, references, table }
}

async function seedTable(ctx: Context, { collection, table }: Seed): Promise<SeedCounts> {
  const key = naturalKey(collection, table)
  const counts = { created: 0, updated: 0, same: 0 }
  for (const [at, row] of table.rows.entries()) {
    const location = `${table.file}: row ${at + 1}`
    counts[await seedRow(ctx, collection, { key, row, location })] += 1
  }
  return { collection: table.collection, ...counts }
}

/** The primary key, or else the first unique field, that every row has. */
function naturalKey(collection: Collection, { file, rows }: SeedTable): string {
  const unique = [...collection.fields.values()].filter(({ column }) => column?.unique === true).map(({ name }) => name)
  const candidates = [...new Set(collection.keyColumns.length === 1 ? [collection.primaryKey, ...unique] : unique)]
  const keyName = candidates.find((name) => rows.every((row) => (row[name] ?? null) !== null))
  if (keyName !== undefined) return keyName
  const [names, last] = [candidates.slice(0, -1).join(', '), candidates.at(-1)]
  const expected =
    last === undefined
      ? 'a collection with a unique field'
      : `a value of ${names === '' ? '' : `${names} or `}${last} in every row`
  throw refusal(file, `Expected ${expected}, to find the rows that exist already`)
}

type SeedRow = { readonly key: string; readonly row: Values; readonly location: string }

async function seedRow(
  ctx: Context,
  collection: Collection,
  { key, row, location }: SeedRow,
): Promise<'created' | 'updated' | 'same'> {
  const values: { [field: string]: unknown } = {}
  for (const [name, value] of Object.entries(row)) {
    const field = collection.fields.get(name)
    if (field?.column == null)
      throw refusal(location, `Expected a field of "${collection.name}" but received "${name}"`)
    values[name] = await resolved(ctx, field, { value, location })
  }
  const [present] = await findRows(ctx, collection, { [key]: values[key] })
  const changed =
    present === undefined
      ? values
      : Object.fromEntries(Object.entries(values).filter(([name, value]) => !isSame(present[name], value)))
  if (present !== undefined && Object.keys(changed).length === 0) return 'same'
  if (present === undefined) await createItems(ctx, collection.name, [changed])
  else await updateItem(ctx, collection.name, present[collection.primaryKey] as Key, changed)
  return present === undefined ? 'created' : 'updated'
}

/** Exact numbers are stored as texts. */
const isSame = (stored: unknown, input: unknown): boolean =>
  isDeepStrictEqual(stored ?? null, input ?? null) ||
  (typeof stored === 'string' && typeof input === 'number' && stored === String(input))

/** An object in the place of a reference stands for the row that has these values. */
async function resolved(
  ctx: Context,
  { relation, name }: Field,
  { value, location }: { value: unknown; location: string },
): Promise<unknown> {
  if (relation?.kind !== 'many-to-one' || typeof value !== 'object' || value === null) return value
  const related = ctx.schema.collections.get(relation.collection)
  const wanted = value as Values
  const unknown = Object.keys(wanted).find((each) => related?.fields.get(each)?.column == null)
  if (related === undefined || unknown !== undefined) {
    throw refusal(location, `Expected fields of "${relation.collection}" for "${name}" but received "${unknown ?? ''}"`)
  }
  const existing = await findRows(ctx, related, wanted)
  if (existing.length === 1) return existing[0]?.[related.primaryKey]
  const received = `${existing.length === 0 ? 'none' : 'several'} with ${JSON.stringify(wanted)}`
  throw refusal(location, `Expected one row of "${relation.collection}" for "${name}" but found ${received}`)
}

/** At most two rows with these values. */
function findRows(ctx: Context, collection: Collection, values: Values): Promise<readonly Row[]> {
  const stored = [...collection.fields.values()].filter(({ column }) => column !== null)
  const filters = Object.entries(values).map(
    ([field, value]): Filter => compare(field, value === null ? 'null' : 'eq', value === null ? [] : [value as Value]),
  )
  const selection = ownFields(...stored.map(({ name }) => name))
  return readAsServer(ctx, rowsOf(collection.name, selection, { filter: { kind: 'and', filters }, limit: 2 }))
}

const refusal = (location: string, reason: string): Error => invalidPayload(location, `${location}: ${reason}`)
