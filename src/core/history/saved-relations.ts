/** Changes of related items as a version keeps them, for editors that show them as changes. */

import { findReadGrant, isUnlimited } from '../../authz/grants.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Row } from '../../domain/ports/row-store.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import type { Collection, Schema } from '../../domain/schema/schema.ts'
import { nestedChanges } from '../rows/touched-collections.ts'

type Scope = Pick<Context, 'actor' | 'schema' | 'view'>

/**
 * The changes by field: an item, a list of items and keys, or `{create, update, delete}`. Null unless the caller may read
 * all items of each changed collection, with the fields that the changes name: rules about rows cannot be checked on
 * items that do not exist yet.
 */
export function savedRelations(scope: Scope, collection: Collection, changes: Changes): Row | null {
  const reached = reachedBy(scope.schema, collection, changes)
  if (reached?.every((each) => readsAll(scope, each)) !== true) return null
  const related = [...changes.keys()].filter((name) => changes.get(name)?.kind !== 'value')
  return toValues(scope, { collection, changes, names: related })
}

type Reached = { readonly target: Collection; readonly changes: Changes }

/** The changes of related items at any level; null where their collection is not known. */
function reachedBy(schema: Schema, collection: Collection, changes: Changes): readonly Reached[] | null {
  const reached: Reached[] = []
  for (const [name, change] of changes) {
    if (change.kind === 'value') continue
    const target = targetOf(schema, collection, name, changes)
    if (target === null) return null
    for (const item of nestedChanges(change)) {
      const below = reachedBy(schema, target, item)
      if (below === null) return null
      reached.push({ target, changes: item }, ...below)
    }
  }
  return reached
}

/** A many-to-any names its collection beside it. */
function targetOf(schema: Schema, { fields }: Collection, name: string, beside: Changes): Collection | null {
  const relation = fields.get(name)?.relation
  if (relation == null) return null
  const any = relation.kind === 'many-to-any' ? beside.get(relation.collectionField) : undefined
  const named = any?.kind === 'value' && typeof any.value === 'string' ? any.value : ''
  return schema.collections.get(relation.kind === 'many-to-any' ? named : relation.collection) ?? null
}

function readsAll({ actor, schema }: Scope, { target, changes }: Reached): boolean {
  if (isUnlimited(actor)) return true
  const grant = findReadGrant(actor, schema, target.name)
  if (grant?.rows.kind !== 'all') return false
  return [target.primaryKey, ...changes.keys()].every((name) => grant.fields.get(name)?.guard === null)
}

type Named = { readonly collection: Collection; readonly changes: Changes; readonly names?: readonly string[] }

const toValues = (scope: Scope, { collection, changes, names = [...changes.keys()] }: Named): Row =>
  Object.fromEntries(
    names.map((name) => [nameOf(scope, collection, name), toValue(scope, { collection, name, changes })]),
  )

const nameOf = ({ view }: Scope, collection: Collection, name: string): string =>
  view.byCore.get(collection.name)?.byCore.get(name)?.name ?? name

type ChangedField = { readonly collection: Collection; readonly name: string; readonly changes: Changes }

function toValue(scope: Scope, { collection, name, changes }: ChangedField): unknown {
  const change = changes.get(name)
  if (change?.kind === 'value') return change.value
  const target = targetOf(scope.schema, collection, name, changes)
  if (change === undefined || target === null) return null
  const toItem = ({ key, changes: own }: { readonly key: Key | null; readonly changes: Changes }): Row => ({
    ...(key === null ? {} : { [nameOf(scope, target, target.primaryKey)]: key }),
    ...toValues(scope, { collection: target, changes: own }),
  })
  switch (change.kind) {
    case 'one':
      return toItem(change)
    case 'replace':
      return change.items.map((item) => (item.kind === 'link' ? item.key : toItem(item)))
    case 'detail':
      return {
        create: change.create.map((each) => toValues(scope, { collection: target, changes: each })),
        update: change.update.map(toItem),
        delete: change.delete.map((each) =>
          each instanceof Map ? toValues(scope, { collection: target, changes: each }) : each,
        ),
      }
    default:
      return null
  }
}
