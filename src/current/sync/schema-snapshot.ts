/** Takes snapshots: the data model as a document that is identical wherever the model is. */

import { isDeepStrictEqual } from 'node:util'
import type { MetadataWindow } from '../../core/model/readable-model.ts'
import { isAdded } from '../../domain/schema/added-fields.ts'
import { referenceColumns } from '../../domain/schema/references.ts'
import type { Collection, Field, Schema } from '../../domain/schema/schema.ts'
import { compareTexts } from '../../domain/sorted-names.ts'
import type { components } from '../../generated/current.ts'
import { relationDefaults, serializeCollection, serializeField, serializeRelation } from '../model/model-output.ts'
import { inOwnOrder } from './deep-diff.ts'

export type Snapshot = Omit<components['schemas']['SchemaSnapshot'], 'directus' | 'systemFields'>

/** A snapshot with what tools of the platform look for. */
export const withPlatformKeys = (snapshot: Snapshot, compatibleVersion: string) => ({
  ...snapshot,
  relations: snapshot.relations.map((each) =>
    each.meta === null ? withSortedKeys({ ...each, meta: usualRow(each) }) : each,
  ),
  directus: compatibleVersion,
  systemFields: [],
})

/** The settings that a foreign key has without a row of metadata. */
export const usualRow = ({ collection, field, related_collection: related }: RelationName) => ({
  ...relationDefaults,
  many_collection: collection,
  many_field: field,
  one_collection: related ?? null,
})

type RelationName = Pick<Snapshot['relations'][number], 'collection' | 'field' | 'related_collection'>

/** An entry of a snapshot, read key by key. */
export type Entry = { readonly [key: string]: unknown }

export type Part = 'collections' | 'fields' | 'relations'

export const parts = ['collections', 'fields', 'relations'] as const

/** Version of the format of a whole data model. */
export const snapshotVersion = 1

/**
 * Format version of a partial snapshot. Clients that know only whole snapshots refuse it and so delete nothing outside
 * it.
 */
export const partialVersion = 2

export const isPartial = ({ version }: Snapshot): boolean => version === partialVersion

/** PostgreSQL and the embedded database count as one vendor, because their snapshots are interchangeable. */
export const vendor = 'postgres'

const everything: MetadataWindow = { shows: () => true, mask: (row) => row }

/** Takes the snapshot, which has no form for foreign keys of several columns; `platform` is the version of the server. */
export function takeSnapshot(schema: Schema, platform: string): Snapshot {
  const own = [...schema.collections.values()].filter(({ system }) => !system)
  const fields = [...schema.collections.values()].flatMap((collection) =>
    [...collection.fields.values()]
      .filter((field) => (!collection.system || isAdded(field)) && referenceColumns(field) === null)
      .map((field) => toField(schema, collection, field)),
  )
  const fieldKeys = new Set(fields.map((field) => entryKey(field)))
  const relations = schema.relations
    .filter(({ manyCollection: collection, manyField: field }) => fieldKeys.has(entryKey({ collection, field })))
    .map((relation) => {
      const { meta, ...rest } = serializeRelation(schema, relation, everything)
      return { ...rest, meta: withoutKeys(meta, ['id', 'system']) }
    })
  return {
    version: snapshotVersion,
    platform,
    vendor,
    collections: own.map(toCollection).toSorted(byAddress).map(withSortedKeys),
    fields: fields.toSorted(byAddress).map(withSortedKeys),
    relations: relations.toSorted(byAddress).map(withSortedKeys),
  }
}

function toCollection(collection: Collection) {
  const { schema, meta, ...rest } = serializeCollection(collection, everything)
  const shown = { ...rest, meta: withoutKeys(meta, ['system']) }
  if (schema === null || schema === undefined) return shown
  return { ...shown, schema: schema.comment == null ? { name: collection.name } : { ...schema } }
}

function toField(schema: Schema, collection: Collection, field: Field) {
  const { schema: columnSchema, meta, ...rest } = serializeField(schema, collection, field, everything)
  const shown = { ...rest, meta: withoutKeys(meta, ['id', 'system']) }
  if (columnSchema === null || columnSchema === undefined) return shown
  // The type of the column is the database's own, and so are its words.
  const { allowed_values: _words, ...column } = columnSchema
  return { ...shown, schema: column.has_auto_increment === true ? { ...column, default_value: null } : column }
}

function withoutKeys<Row extends object>(row: Row | null | undefined, keys: readonly string[]): Row | null {
  if (row === null || row === undefined) return null
  return Object.fromEntries(Object.entries(row).filter(([key]) => !keys.includes(key))) as Row
}

type EntryAddress = { readonly collection: string; readonly field?: string }

/** A unique name of an entry. */
export const entryKey = ({ collection, field }: EntryAddress): string =>
  field === undefined ? collection : `${collection}.${field}`

/** The field on the other side of a relation, which lists its rows; none for a relation without one. */
export const otherSideOf = ({ related_collection: collection, meta }: Snapshot['relations'][number]) =>
  collection == null || meta?.one_field == null ? [] : [{ collection, field: meta.one_field }]

const sizes = ['max_length', 'numeric_precision', 'numeric_scale'] as const

/** Sizes of a column that the user chooses, by the type of the field. */
export const chosenSizes = (type: unknown): readonly (typeof sizes)[number][] =>
  type === 'string' || type === 'hash'
    ? ['max_length']
    : type === 'decimal'
      ? ['numeric_precision', 'numeric_scale']
      : []

/** The other sizes, which the vendor chooses. */
export const vendorSizes = (type: unknown): readonly (typeof sizes)[number][] =>
  sizes.filter((size) => !chosenSizes(type).includes(size))

/** The order of entries. */
export const byAddress = (left: EntryAddress, right: EntryAddress): number =>
  compareTexts(left.collection, right.collection) || compareTexts(left.field ?? '', right.field ?? '')

/** Sorts all keys alphabetically, but those whose order is that of choices. */
export function withSortedKeys<T>(value: T): T {
  return sortKeys(value, '') as T
}

function sortKeys(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((each) => sortKeys(each, ''))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value)
  const entries = name === inOwnOrder ? members : members.toSorted(([left], [right]) => compareTexts(left, right))
  return Object.fromEntries(entries.map(([key, each]) => [key, sortKeys(each, key)]))
}

/** Whether two settings say the same, also in the order of their choices. */
export const isSameSetting = (before: unknown, after: unknown): boolean =>
  isDeepStrictEqual(before, after) && JSON.stringify(withSortedKeys(before)) === JSON.stringify(withSortedKeys(after))
