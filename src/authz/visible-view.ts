/** What is not allowed is as if it did not exist: the names that a parser may find for an actor. */
import type { Actor } from '../domain/actor.ts'
import { isIdentityCollection } from '../domain/identity.ts'
import type { Collection, Schema } from '../domain/schema.ts'
import type { CollectionView, View } from '../domain/view.ts'
import { covers, findReadGrant, isUnlimited } from './grants.ts'

type Scope = { readonly actor: Actor; readonly schema: Schema; readonly view: View }

/** The view of those who read: without the collections and fields that the actor may not read. */
export const visibleView = oncePerRights(({ actor, schema, view }) =>
  withFields(view, (name) => findReadGrant(actor, schema, name)?.fields ?? null),
)

/**
 * The view of those who write: all collections, each with the fields that a rule of the actor speaks of, and with
 * its key. Without it a value of the wrong form, which is refused before rights are, would tell that there is a field.
 */
export const writableView = oncePerRights(({ actor, schema, view }) =>
  withFields(view, (name) => {
    const collection = schema.collections.get(name)
    return collection === undefined ? null : namedFields(actor, collection)
  }),
)

const naming: readonly string[] = ['create', 'read', 'update']

function namedFields(actor: Actor, { name, fields, keyColumns }: Collection): ReadonlySet<string> {
  const rules = actor.kind === 'system' ? [] : actor.access.rules
  const speaking = rules.filter((rule) => rule.collection === name && naming.includes(rule.action))
  const keys = isIdentityCollection(name) ? ['id', 'number'] : keyColumns
  return new Set([...keys, ...[...fields.keys()].filter((field) => speaking.some((rule) => covers(rule, field)))])
}

/** Made once for equal rights; nothing is hidden from those without limits. */
function oncePerRights(make: (scope: Scope) => View): (scope: Scope) => View {
  const byRights = new WeakMap<object, WeakMap<View, View>>()
  return ({ actor, schema, view }) => {
    if (actor.kind === 'system' || isUnlimited(actor)) return view
    const known = byRights.get(actor.access) ?? new WeakMap<View, View>()
    byRights.set(actor.access, known)
    const found = known.get(view) ?? make({ actor, schema, view })
    known.set(view, found)
    return found
  }
}

/** The view with the fields that it is to have of each collection; null leaves the collection out. */
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
