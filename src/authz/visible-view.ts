/** Views without the names that an actor may not use: parsers report these names as unknown. */
import { entryOf, memoizeBy } from '../domain/memoize.ts'
import type { Actor } from '../domain/rights/actor.ts'
import { isIdentityCollection } from '../domain/schema/identity.ts'
import type { Collection, Schema } from '../domain/schema/schema.ts'
import type { CollectionView, View } from '../domain/schema/view.ts'
import { coversField, findReadGrant, isUnlimited } from './grants.ts'

type Scope = { readonly actor: Actor; readonly schema: Schema; readonly view: View }

/** The view for reads: only the collections and fields that the actor may read. */
export const visibleView = oncePerRights(({ actor, schema, view }) =>
  withFields(view, (name) => findReadGrant(actor, schema, name)?.fields ?? null),
)

/**
 * The view for writes: all collections, each with its key and the fields that a rule of the actor names. Values are
 * parsed before permissions are checked: without this view, a parse error would reveal that a hidden field exists.
 */
export const writableView = oncePerRights(({ actor, schema, view }) =>
  withFields(view, (name) => {
    const collection = schema.collections.get(name)
    return collection === undefined ? null : namedFields(actor, collection)
  }),
)

const naming: readonly string[] = ['create', 'read', 'update']

/** The key and the fields that a rule of the actor for reads or writes names. */
export function namedFields(actor: Actor, { name, fields, keyColumns }: Collection): ReadonlySet<string> {
  const rules = actor.kind === 'system' ? [] : actor.access.rules
  const speaking = rules.filter((rule) => rule.collection === name && naming.includes(rule.action))
  const keys = isIdentityCollection(name) ? ['id', 'number'] : keyColumns
  return new Set([
    ...keys,
    ...[...fields.values()].flatMap((field) => (speaking.some((rule) => coversField(rule, field)) ? [field.name] : [])),
  ])
}

/** Memoizes `make` by access, schema and view. Actors without limits get the complete view. */
function oncePerRights(make: (scope: Scope) => View): (scope: Scope) => View {
  const viewsOf = memoizeBy<object, WeakMap<View, View>>(() => new WeakMap())
  return ({ actor, schema, view }) =>
    actor.kind === 'system' || isUnlimited(actor)
      ? view
      : entryOf(viewsOf(actor.access), view, () => make({ actor, schema, view }))
}

/** The view with a subset of fields per collection. A collection for which `fieldsOf` returns null is left out. */
function withFields(view: View, fieldsOf: (collection: string) => { has(field: string): boolean } | null): View {
  const collections: CollectionView[] = []
  for (const each of view.byCore.values()) {
    const kept = fieldsOf(each.collection)
    if (kept === null) continue
    const fields = [...each.fields.values()].filter(({ field }) => kept.has(field))
    collections.push({
      name: each.name,
      collection: each.collection,
      fields: new Map(fields.map((field) => [field.name, field])),
      byCore: new Map(fields.map((field) => [field.field, field])),
    })
  }
  return {
    ...view,
    collections: new Map(collections.map((each) => [each.name, each])),
    byCore: new Map(collections.map((each) => [each.collection, each])),
  }
}
