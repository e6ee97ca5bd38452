/** References: what rows refer to, and what becomes of rows that refer to deleted ones. */

import { memoizeBy } from '../../../src/domain/memoize.ts'
import { clearedReferences } from '../../../src/domain/model/system-collections.ts'
import { keyOfRow } from '../../../src/domain/schema/row-keys.ts'
import type { Collection, Relation, Schema } from '../../../src/domain/schema/schema.ts'
import type { Env } from './env.ts'
import { collectionOf, keyedRow } from './links.ts'
import { badReference } from './refusals.ts'
import { plain } from './stored.ts'
import type { StoredRow } from './tables.ts'

type Bound = Relation & { readonly oneCollection: string; readonly constraint: NonNullable<Relation['constraint']> }

const boundOf = memoizeBy((schema: Schema): readonly Bound[] => {
  const held = schema.relations.filter((each): each is Bound => each.constraint !== null && each.oneCollection !== null)
  // Databases check constraints in the order in which they were made.
  const placeOf = ({ manyCollection, manyField }: Bound): number =>
    [...(schema.collections.get(manyCollection)?.fields.keys() ?? [])].indexOf(manyField)
  return held.toSorted((left, right) => placeOf(left) - placeOf(right))
})

/** Throws where a changed reference of the row leads to no row. */
export function assertReferences(env: Env, collection: Collection, row: StoredRow, before: StoredRow | null): void {
  for (const { manyCollection, manyField, oneCollection, constraint } of boundOf(env.schema)) {
    const value = row[manyField] ?? null
    if (manyCollection !== collection.name || value === null || value === before?.[manyField]) continue
    if (keyedRow(env.tables, collectionOf(env.schema, oneCollection), value) !== undefined) continue
    throw badReference(
      { table: collection.name, constraint: constraint.name, field: manyField, system: collection.system },
      plain(value),
    )
  }
}

type Keyed = { readonly key: string; readonly row: StoredRow }

/** Deletes the rows, and does to the rows that refer to them what their constraints say. */
export function release(env: Env, collection: Collection, rows: readonly Keyed[]): void {
  for (const { key } of rows) env.tables.remove(collection.name, key)
  const held: (() => void)[] = []
  const gone = new Set(rows.map(({ row }) => plain(row[collection.primaryKey])))
  for (const relation of boundOf(env.schema)) {
    if (relation.oneCollection !== collection.name) continue
    const many = collectionOf(env.schema, relation.manyCollection)
    const referring = referringTo(env, relation, gone)
    if (referring.length === 0) continue
    const action = relation.constraint.onDelete.toUpperCase()
    if (action === 'CASCADE') release(env, many, referring)
    else if (action === 'SET NULL' || action === 'SET DEFAULT')
      for (const each of referring) clear(env, relation, many, each)
    else held.push(() => assertFree(env, { relation, many, collection, gone }))
  }
  for (const relation of env.schema.relations) {
    if (relation.oneCollection !== collection.name || !isCleared(relation)) continue
    const many = collectionOf(env.schema, relation.manyCollection)
    for (const each of referringTo(env, relation, gone)) clear(env, relation, many, each)
  }
  for (const check of held) check()
}

/** References without a constraint that the server clears by a trigger. */
const isCleared = ({ manyCollection, manyField }: ForeignKey): boolean =>
  clearedReferences.has(`${manyCollection}.${manyField}`)

type ForeignKey = Pick<Relation, 'manyCollection' | 'manyField'>

function referringTo(env: Env, { manyCollection, manyField }: ForeignKey, keys: ReadonlySet<string>): readonly Keyed[] {
  const many = collectionOf(env.schema, manyCollection)
  return env.tables
    .all(manyCollection)
    .filter((row) => row[manyField] !== null && keys.has(plain(row[manyField])))
    .map((row) => ({ key: keyOfRow(many, row), row }))
}

function clear(env: Env, { manyField }: ForeignKey, many: Collection, { key, row }: Keyed): void {
  const field = many.fields.get(manyField)
  env.tables.put(many, { ...row, [manyField]: field?.column?.defaultValue ?? null }, key)
}

type Held = {
  readonly relation: Bound
  readonly many: Collection
  readonly collection: Collection
  readonly gone: ReadonlySet<string>
}

function assertFree(env: Env, { relation, many, collection, gone }: Held): void {
  const [first] = referringTo(env, relation, gone)
  if (first === undefined) return
  const reference = {
    table: many.name,
    constraint: relation.constraint.name,
    field: collection.primaryKey,
    system: many.system,
  }
  throw badReference(reference, plain(first.row[relation.manyField]))
}

/** Rows that refer to a changed key. */
export function renamed(env: Env, collection: Collection, before: StoredRow, after: StoredRow): void {
  const [old, key] = [before[collection.primaryKey], after[collection.primaryKey]]
  if (old === key) return
  for (const relation of boundOf(env.schema)) {
    if (relation.oneCollection !== collection.name) continue
    const many = collectionOf(env.schema, relation.manyCollection)
    for (const each of referringTo(env, relation, new Set([plain(old)]))) {
      if (relation.constraint.onUpdate.toUpperCase() !== 'CASCADE')
        throw badReference(
          { table: many.name, constraint: relation.constraint.name, field: collection.primaryKey, system: many.system },
          plain(old),
        )
      env.tables.put(many, { ...each.row, [relation.manyField]: key }, each.key)
    }
  }
}
