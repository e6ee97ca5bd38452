/** Parses the values of an item, and those of related items, into changes. */
import { hasSingleKey } from '../../core/rows/keys.ts'
import { inPath } from '../../core/rows/write-paths.ts'
import { isJsonObject, withDigits } from '../../domain/conditions/exact-numbers.ts'
import { withStoredNames } from '../../domain/conditions/renamed-values.ts'
import { memoizeBy } from '../../domain/memoize.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Change, Changes, RelatedChange } from '../../domain/query/mutation.ts'
import { invalidPayload, type TandemError } from '../../domain/rights/errors.ts'
import { withoutTarget } from '../../domain/schema/hidden-target.ts'
import { manyColumnsOf } from '../../domain/schema/references.ts'
import { keyName } from '../../domain/schema/row-keys.ts'
import type { Collection, Field, FieldRelation } from '../../domain/schema/schema.ts'
import { findCollection } from '../../domain/schema/view.ts'
import { fieldNamed, type ParseScope } from './parse-scope.ts'

export type Item = { readonly [name: string]: unknown }

/** Parses the values of an item. Values stay raw; core converts them for their columns. */
export function toChanges(item: Item, level: Level): Changes {
  const { collection, scope, depth } = level
  const deepest = scope.limits.depth
  if (depth > deepest) throw invalid(undefined, `Expected at most ${deepest} levels of related items`)
  const changes = new Map<string, Change>()
  for (const [name, value] of Object.entries(item)) {
    // The key as one value identifies the row and is not a value of the row.
    if (name === keyName && !collection.fields.has(name)) continue
    if (isIgnored(scope, collection.name, name)) continue
    const field = fieldNamed(scope, collection.name, name)
    changes.set(field.name, toChange(value, field, item, level))
  }
  return changes
}

function isIgnored({ view, ignored }: ParseScope, collection: string, name: string): boolean {
  if (ignored === undefined || view.byCore.get(collection)?.fields.has(name) === true) return false
  ignored.add(name)
  return true
}

type Level = { readonly collection: Collection; readonly scope: ParseScope; readonly depth: number }

const keepsNumbers: ReadonlySet<Field['type']> = new Set(['json', 'unknown'])

function toChange(value: unknown, { name, relation, type }: Field, item: Item, level: Level): Change {
  const { scope } = level
  if (relation?.kind === 'many-to-any') {
    if (isJsonObject(value)) return toAny(value, { name, relation }, item, level)
  } else if (relation !== null) {
    const collection = scope.schema.collections.get(relation.collection)
    if (collection !== undefined && relation.kind === 'many-to-one' && isJsonObject(value)) {
      return toOne(value, name, collection, level)
    }
    if (collection !== undefined && relation.kind === 'one-to-many') {
      const inner = { ...level, collection }
      const change = hidingTarget(level, name, collection, () => toMany(value, ownersOf(relation), inner))
      if (change !== null) return change
    }
  }
  const { codec } = scope.view.byCore.get(level.collection.name)?.byCore.get(name) ?? {}
  // Within JSON and lists a number keeps its digits as a number.
  const stored = withStoredNames(keepsNumbers.has(type) ? value : withDigits(value), codec)
  const isName = typeof stored === 'string' && collectionFields(level.collection).has(name)
  const named = isName ? (findCollection(scope.view, stored)?.collection ?? stored) : stored
  return { kind: 'value', value: named as Extract<Change, { kind: 'value' }>['value'] }
}

/** The fields that name the collection of a related item. */
const collectionFields = memoizeBy(({ fields }: Collection): ReadonlySet<string> => {
  const relations = [...fields.values()].map(({ relation }) => relation)
  return new Set(relations.flatMap((each) => (each?.kind === 'many-to-any' ? [each.collectionField] : [])))
})

type AnyField = { readonly name: string; readonly relation: Extract<FieldRelation, { readonly kind: 'many-to-any' }> }

/** The object has the fields of the collection that the item beside it names. */
function toAny(value: Item, { name, relation }: AnyField, item: Item, level: Level): Change {
  const { collection, scope } = level
  const { collectionField, allowed } = relation
  const beside = scope.view.byCore.get(collection.name)?.byCore.get(collectionField)?.name ?? collectionField
  const named = item[beside]
  const namedCollection = typeof named === 'string' ? findCollection(scope.view, named) : undefined
  const isKnown =
    namedCollection !== undefined && namedCollection.hidden !== true && allowed.includes(namedCollection.collection)
  const target = isKnown ? scope.schema.collections.get(namedCollection.collection) : undefined
  if (target === undefined) {
    const shown = allowed.map((each) => scope.view.byCore.get(each)).filter((each) => each?.hidden !== true)
    const words = shown.map((each) => `"${each?.name}"`).join(', ')
    throw invalid(beside, `Expected one of ${words || 'its collections'} for "${beside}" beside an object`)
  }
  return toOne(value, name, target, level)
}

const toOne = (value: Item, field: string, target: Collection, level: Level): Change => ({
  kind: 'one',
  ...hidingTarget(level, field, target, () => toRelated(value, { ...level, collection: target })),
})

/** The fields of a related item that point to its owner. */
const ownersOf = ({ foreignKey, relation }: ManyRelation): readonly string[] => [
  ...new Set([foreignKey, ...manyColumnsOf(relation)]),
]

type ManyRelation = Extract<FieldRelation, { readonly kind: 'one-to-many' }>

/** Parses a related item, without the fields that point to its owner; without a key it is created. */
function toRelated(item: Item, level: Level, owners: readonly string[] = []): { key: Key | null; changes: Changes } {
  const { collection, depth } = level
  const key = withDigits(hasSingleKey(collection) ? item[collection.primaryKey] : item[keyName])
  const own = Object.fromEntries(Object.entries(item).filter(([name]) => !owners.includes(name)))
  // The depth limit also applies inside, although those values are not used.
  const isNested = owners.some((name) => isJsonObject(item[name]))
  const changes = new Map(toChanges(isNested ? item : own, { ...level, depth: depth + 1 }))
  for (const name of owners) changes.delete(name)
  return { key: isKey(key) ? key : null, changes }
}

/** A list replaces all related items; `{create, update, delete}` changes some; anything else is invalid. */
function toMany(value: unknown, owners: readonly string[], level: Level): Change | null {
  if (value === null) return { kind: 'replace', items: [] }
  /** A nested item belongs to its owner, regardless of its own field. */
  const toChild = (item: unknown) => toRelated(toItem(item), level, owners)
  if (Array.isArray(value)) {
    const items = value.map(withDigits).map((each: unknown, index): RelatedChange => {
      if (isKey(each)) return { kind: 'link', key: each }
      return { kind: 'write', ...inPath(String(index), () => toChild(each)) }
    })
    return { kind: 'replace', items }
  }
  if (!isJsonObject(value)) return null
  const { create = [], update = [], delete: remove = [], ...rest } = value
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined)
    throw invalid(unknown, `Expected "create", "update" and "delete" but received "${unknown}"`)
  return {
    kind: 'detail',
    create: toList(create, 'create').map((each, index) => inPath(`create.${index}`, () => toChild(each)).changes),
    update: toList(update, 'update').map((each, index) => {
      const item = inPath(`update.${index}`, () => toChild(each))
      if (item.key === null && hasSingleKey(level.collection)) throw invalid('update', unnamed(level.collection))
      return item
    }),
    delete: toList(remove, 'delete')
      .map(withDigits)
      .map((each, index) => {
        if (isKey(each)) return each
        if (hasSingleKey(level.collection)) throw invalid('delete', 'Expected a list of primary keys for "delete"')
        return inPath(`delete.${index}`, () => toChild(each)).changes
      }),
  }
}

/** Parses a related item. If its collection is hidden from the caller, errors name only the field. */
function hidingTarget<T>({ collection, scope }: Level, field: string, target: Collection, work: () => T): T {
  try {
    return inPath(field, work)
  } catch (error) {
    if (scope.view.byCore.get(target.name)?.hidden !== true) throw error
    throw withoutTarget(error, target.name, { collection: collection.name, field })
  }
}

function toList(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw invalid(name, `Expected a list for "${name}"`)
}

/** Describes why an item could not be identified. */
const unnamed = ({ primaryKey }: Collection): string => `Expected the primary key "${primaryKey}" in each of "update"`

export const isKey = (value: unknown): value is Key =>
  (typeof value === 'string' && value !== '') || (typeof value === 'number' && Number.isFinite(value))

export const invalid = (name: string | undefined, reason: string): TandemError => invalidPayload(name ?? null, reason)

export function toItem(value: unknown, name?: string): Item {
  if (isJsonObject(value)) return value
  throw invalid(name, name === undefined ? 'Expected an object for each item' : `Expected an object for "${name}"`)
}
