/**
 * Changes of related items in content versions. They are kept as JSON in core names, in the form in which items are
 * written: an object for a related item, a list for all of them, or `{create, update, delete}`.
 */

import { isJsonObject } from '../../domain/conditions/exact-numbers.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Change, Changes, RelatedChange } from '../../domain/query/mutation.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import { joinKey, keyName } from '../../domain/schema/row-keys.ts'
import type { Collection, Field, Schema } from '../../domain/schema/schema.ts'
import type { Delta } from '../../sql/statements/versions.ts'
import { hasSingleKey } from '../rows/keys.ts'
import { nestedChanges } from '../rows/touched-collections.ts'

export function toDelta(changes: Changes): Delta {
  return Object.fromEntries([...changes].map(([name, change]) => [name, toJson(name, change)]))
}

function toJson(name: string, change: Change): unknown {
  switch (change.kind) {
    case 'value':
      return change.value
    case 'one':
      return toItem(change)
    case 'replace':
      return change.items.map((item) => (item.kind === 'link' ? item.key : toItem(item)))
    case 'detail': {
      if ((change.upsert?.length ?? 0) + (change.erase?.length ?? 0) > 0) throw notKept(name)
      return {
        create: change.create.map(toDelta),
        update: change.update.map(toItem),
        delete: change.delete.map((each) => (typeof each === 'object' ? toDelta(each) : each)),
      }
    }
    default:
      throw notKept(name)
  }
}

const notKept = (name: string) =>
  invalidPayload(name, `Expected a list of related items, or "create", "update" and "delete", for field "${name}"`)

/** The key is kept beside the values unless it is one of them. */
function toItem({ key, changes }: { readonly key: Key | null; readonly changes: Changes }): Delta {
  const values = toDelta(changes)
  return key === null || Object.values(values).includes(key) ? values : { ...values, [keyName]: key }
}

/** The fields of a related collection that the changes contain, at any level. */
export function relatedFields(schema: Schema, collection: Collection, changes: Changes): readonly Field[] {
  return [...changes].flatMap(([name, change]) => {
    const relation = collection.fields.get(name)?.relation
    if (relation == null || change.kind === 'value') return []
    const any = relation.kind === 'many-to-any' ? changes.get(relation.collectionField) : undefined
    const target = schema.collections.get(
      relation.kind === 'many-to-any'
        ? any?.kind === 'value' && typeof any.value === 'string'
          ? any.value
          : ''
        : relation.collection,
    )
    if (target === undefined) return []
    return nestedChanges(change).flatMap((item) => [
      ...[...item.keys()].flatMap((field) => target.fields.get(field) ?? []),
      ...relatedFields(schema, target, item),
    ])
  })
}

export function fromDelta(schema: Schema, collection: Collection, delta: Delta): Changes {
  const entries = Object.entries(delta).filter(([name]) => collection.fields.has(name))
  return new Map(
    entries.map(([name, value]) => [
      name,
      fromJson(value, { schema, field: collection.fields.get(name) as Field, beside: delta }),
    ]),
  )
}

type ChangedField = { readonly schema: Schema; readonly field: Field; readonly beside: Delta }

function fromJson(value: unknown, { schema, field, beside }: ChangedField): Change {
  const plain: Change = { kind: 'value', value: value as string }
  const { relation } = field
  if (relation === null || typeof value !== 'object' || value === null) return plain
  const name = relation.kind === 'many-to-any' ? beside[relation.collectionField] : relation.collection
  const target = typeof name === 'string' ? schema.collections.get(name) : undefined
  if (target === undefined) return plain
  if (relation.kind !== 'one-to-many') {
    return isJsonObject(value) ? { kind: 'one', ...fromItem(schema, target, value) } : plain
  }
  if (Array.isArray(value)) return { kind: 'replace', items: value.map((each) => fromListed(schema, target, each)) }
  const { create, update, delete: removed } = value as Delta
  return {
    kind: 'detail',
    create: listOf(create).map((each) => fromDelta(schema, target, isJsonObject(each) ? each : {})),
    update: listOf(update).map((each) => fromItem(schema, target, isJsonObject(each) ? each : {})),
    delete: listOf(removed).map((each) => (isJsonObject(each) ? fromDelta(schema, target, each) : (each as Key))),
    isLate: true,
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const fromListed = (schema: Schema, target: Collection, value: unknown): RelatedChange =>
  isJsonObject(value) ? { kind: 'write', ...fromItem(schema, target, value) } : { kind: 'link', key: value as Key }

/** The key beside the values counts; other servers only keep the key field. */
function fromItem(
  schema: Schema,
  target: Collection,
  { [keyName]: key, ...values }: Delta,
): { readonly key: Key | null; readonly changes: Changes } {
  const own = key ?? (hasSingleKey(target) ? values[target.primaryKey] : keyOfParts(target, values))
  return { key: (own ?? null) as Key | null, changes: fromDelta(schema, target, values) }
}

function keyOfParts({ keyColumns }: Collection, values: Delta): Key | null {
  const parts = keyColumns.map((name) => values[name] ?? null)
  return parts.every((part) => part !== null && typeof part !== 'object') ? joinKey(parts) : null
}
