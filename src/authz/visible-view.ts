/** What is not allowed is as if it did not exist: the names that a parser may find for an actor. */
import type { Actor } from '../domain/actor.ts'
import type { Schema } from '../domain/schema.ts'
import type { CollectionView, View } from '../domain/view.ts'
import { findReadGrant, isUnlimited } from './grants.ts'

type Scope = { readonly actor: Actor; readonly schema: Schema; readonly view: View }

const byRights = new WeakMap<object, WeakMap<View, View>>()

/** The view without the collections and fields that the actor may not read; made once for equal rights. */
export function visibleView({ actor, schema, view }: Scope): View {
  if (actor.kind === 'system' || isUnlimited(actor)) return view
  const known = byRights.get(actor.access) ?? new WeakMap<View, View>()
  byRights.set(actor.access, known)
  const found = known.get(view) ?? restrict({ actor, schema, view })
  known.set(view, found)
  return found
}

function restrict({ actor, schema, view }: Scope): View {
  const collections: CollectionView[] = []
  for (const each of view.byCore.values()) {
    const grant = findReadGrant(actor, schema, each.collection)
    if (grant === null) continue
    const fields = [...each.fields.values()].filter(({ field }) => grant.fields.has(field))
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
