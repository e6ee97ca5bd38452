/** Turns the differences of two snapshots into changes for core, as far as they are not derived from the database. */

import { isDeepStrictEqual } from 'node:util'
import type { FieldChange } from '../../core/model/change-fields.ts'
import type { CollectionChange, CollectionDraft } from '../../core/model/collections.ts'
import type { RelationDraft } from '../../core/model/relation-row.ts'
import type { ModelChanges } from '../../core/model/schema-sync.ts'
import type { FieldAddress } from '../../domain/schema/schema.ts'
import type { components } from '../../generated/current.ts'
import { parseCollection, parseField, parseRelation } from '../model/model-input.ts'
import { refuse } from './schema-given.ts'
import { chosenSizes, entryKey, isSameSetting, type Snapshot } from './schema-snapshot.ts'

type Schemas = components['schemas']
type CollectionEntry = Schemas['SnapshotCollection']
type FieldEntry = Schemas['SnapshotField']
type RelationEntry = Schemas['RelationInput']

/** The differences that can be changed. */
export function changesBetween(present: Snapshot, wanted: Snapshot): ModelChanges {
  const collections = pairUp<CollectionEntry>(present.collections, wanted.collections)
  const fields = pairUp<FieldEntry>(present.fields, wanted.fields)
  const relations = pairUp<RelationEntry>(present.relations, wanted.relations)
  const replaced = collections.kept.find(({ before, after }) => isFolder(before) !== isFolder(after))
  if (replaced !== undefined) {
    const { collection } = replaced.after
    refuse(`Expected "${collection}" to stay ${isFolder(replaced.before) ? 'a folder' : 'a table'}`, 'diff.collections')
  }
  const removed = new Set(collections.removed.map(({ collection }) => collection))
  const added = new Set(collections.added.map(({ collection }) => collection))
  const refitted = fields.kept.filter(({ before, after }) => isAlias(before) !== isAlias(after))
  const redirected = relations.kept.filter(({ before, after }) => isElsewhere(before, after))
  const own = fields.added.filter((entry) => !isOnlyOtherSide(entry))
  return {
    removedRelations: [...relations.removed, ...redirected.map(({ before }) => before)].map(toAddress),
    removedFields: [...fields.removed, ...refitted.map(({ before }) => before)]
      .filter(({ collection }) => !removed.has(collection))
      .map(toAddress),
    removedCollections: [...removed],
    newCollections: collections.added.map((entry) =>
      toCollectionDraft(
        entry,
        own.filter(({ collection }) => collection === entry.collection),
      ),
    ),
    changedCollections: collections.kept.flatMap(toCollectionChange),
    newFields: own.filter(({ collection }) => !added.has(collection)).map(toFieldChange),
    changedFields: fields.kept.filter(({ before, after }) => isAlias(before) === isAlias(after)).flatMap(changeOfField),
    newRelations: relations.added.map(toRelationDraft),
    changedRelations: relations.kept
      .filter(({ before, after }) => !isElsewhere(before, after))
      .flatMap(changeOfRelation),
  }
}

/** The first remaining difference; defaults are ignored because databases report them in their own notation. */
export function leftoverOf(present: Snapshot, wanted: Snapshot): string | null {
  const changes = changesBetween(present, wanted)
  const missing = [...changes.newCollections.map(({ name }) => name), ...changes.newFields.map(nameOfChange)]
  const surplus = [...changes.removedCollections, ...changes.removedFields.map(entryKey)]
  const columns = changes.changedFields.filter(({ collection, draft }) => {
    const isSameField = (entry: FieldEntry): boolean => entry.collection === collection && entry.field === draft.name
    const before = present.fields.find(isSameField)
    const after = wanted.fields.find(isSameField)
    return draft.type !== undefined && firmKeys.some((key) => before?.schema?.[key] !== after?.schema?.[key])
  })
  const relations = [...changes.newRelations, ...changes.removedRelations].map(entryKey)
  const left = [...missing, ...surplus, ...columns.map(nameOfChange), ...relations][0]
  return left === undefined ? null : `"${left}" could not be made what the diff says`
}

const nameOfChange = ({ collection, draft }: FieldChange): string => `${collection}.${draft.name}`

type BeforeAndAfter<T> = { readonly before: T; readonly after: T }
type EntryPairs<T> = {
  readonly removed: readonly T[]
  readonly added: readonly T[]
  readonly kept: readonly BeforeAndAfter<T>[]
}

function pairUp<T extends { readonly collection: string; readonly field?: string }>(
  present: readonly T[],
  wanted: readonly T[],
): EntryPairs<T> {
  const before = new Map(present.map((entry) => [entryKey(entry), entry]))
  const after = new Map(wanted.map((entry) => [entryKey(entry), entry]))
  return {
    removed: present.filter((entry) => !after.has(entryKey(entry))),
    added: wanted.filter((entry) => !before.has(entryKey(entry))),
    kept: wanted.flatMap((entry) => {
      const cached = before.get(entryKey(entry))
      return cached === undefined ? [] : [{ before: cached, after: entry }]
    }),
  }
}

const toAddress = ({ collection, field }: FieldAddress): FieldAddress => ({ collection, field })

const isFolder = ({ schema }: CollectionEntry): boolean => schema == null
const isAlias = ({ schema }: FieldEntry): boolean => schema == null

/** The other side of a relation is created and deleted with it. */
const isOnlyOtherSide = (entry: FieldEntry): boolean => isAlias(entry) && entry.meta == null

const isElsewhere = (before: RelationEntry, after: RelationEntry): boolean =>
  (before.related_collection ?? null) !== (after.related_collection ?? null)

function toCollectionDraft(entry: CollectionEntry, fields: readonly FieldEntry[]): CollectionDraft {
  const { collection, meta = null, schema = null } = entry
  for (const field of fields) assertCanBeMade(field)
  const inOrder = fields.toSorted((left, right) => positionOf(left) - positionOf(right))
  if (schema !== null && !inOrder.some((field) => field.schema?.is_primary_key === true)) {
    refuse(`Expected a primary key among the fields of "${collection}"`, 'diff.fields')
  }
  return { ...parseCollection({ collection, meta, schema }), fields: inOrder.map((field) => parseField(field)) }
}

/** Sorts the primary key first, then by the position in applications. */
const positionOf = ({ schema, meta }: FieldEntry): number =>
  schema?.is_primary_key === true ? -Infinity : (meta?.sort ?? Number.MAX_SAFE_INTEGER)

function assertCanBeMade({ collection, field, schema }: FieldEntry): void {
  if (schema?.is_generated !== true) return
  refuse(`Expected no new field that the database computes but "${collection}.${field}" is one`, 'diff.fields')
}

function toCollectionChange({ before, after }: BeforeAndAfter<CollectionEntry>): readonly CollectionChange[] {
  if (isDeepStrictEqual(before.meta, after.meta)) return []
  const { meta } = parseCollection({ collection: after.collection, meta: after.meta ?? null })
  return [{ name: after.collection, meta: changedKeys(before.meta ?? null, meta ?? null) }]
}

/** Keeps only changed keys, so that the history shows nothing else. */
function changedKeys(before: object | null, after: object | null): { readonly [key: string]: unknown } | null {
  if (after === null) return null
  if (before === null) return { ...after }
  const cache = new Map<string, unknown>(Object.entries(before))
  return Object.fromEntries(Object.entries(after).filter(([key, value]) => !isSameSetting(cache.get(key), value)))
}

function toFieldChange(entry: FieldEntry): FieldChange {
  assertCanBeMade(entry)
  return { collection: entry.collection, draft: parseField(entry) }
}

/** Column properties that core can change. */
const columnKeys = [
  'default_value',
  'is_nullable',
  'is_unique',
  'is_indexed',
  'is_primary_key',
  'has_auto_increment',
  'comment',
] as const

/** Those that databases do not report in their own notation. */
const firmKeys = ['is_nullable', 'is_unique', 'is_indexed', 'is_primary_key', 'has_auto_increment'] as const

function changeOfField({ before, after }: BeforeAndAfter<FieldEntry>): readonly FieldChange[] {
  const { collection, field } = after
  const isMetaSame = isSameSetting(before.meta ?? null, after.meta ?? null)
  const isColumnSame = before.type === after.type && isSameColumn(before, after)
  if (isMetaSame && isColumnSame) return []
  if (before.schema?.is_generated !== after.schema?.is_generated) {
    refuse(`Expected "${collection}.${field}" to stay computed by the database, or not`, 'diff.fields')
  }
  const { meta, ...column } = parseField(after)
  const written = meta == null ? null : changedKeys(before.meta ?? null, meta)
  const draft = {
    ...(isColumnSame ? { name: field } : column),
    ...(isMetaSame ? {} : { meta: written === null ? null : withSpecial(written, after) }),
  }
  return [{ collection, draft }]
}

/** The flags determine the type, so every change includes them. */
const withSpecial = (meta: { readonly [key: string]: unknown }, { meta: all }: FieldEntry) => ({
  ...meta,
  special: all?.special ?? null,
})

function isSameColumn({ schema: before }: FieldEntry, { schema: after, type }: FieldEntry): boolean {
  if (before == null || after == null) return true
  return [...columnKeys, ...chosenSizes(type)].every((key) =>
    isDeepStrictEqual(before[key] ?? null, after[key] ?? null),
  )
}

function toRelationDraft(entry: RelationEntry): RelationDraft {
  const { schema } = entry
  const draft = parseRelation({
    ...entry,
    related_collection: entry.related_collection ?? null,
    schema: schema ?? null,
  })
  const name = schema?.constraint_name
  if (draft.constraint == null || name == null || !/^\w{1,63}$/.test(name))
    return { ...draft, meta: draft.meta ?? null }
  return { ...draft, constraint: { ...draft.constraint, name }, meta: draft.meta ?? null }
}

function changeOfRelation({ before, after }: BeforeAndAfter<RelationEntry>): readonly RelationDraft[] {
  const { constraint, meta, ...address } = toRelationDraft(after)
  const relationDraft = toRelationDraft(before)
  const isMetaSame = isDeepStrictEqual(relationDraft.meta, meta)
  const isKeySame = isDeepStrictEqual(relationDraft.constraint, constraint)
  if (isMetaSame && isKeySame) return []
  return [
    {
      ...address,
      ...(isKeySame ? {} : { constraint: constraint ?? null }),
      ...(isMetaSame ? {} : { meta: meta ?? null }),
    },
  ]
}
