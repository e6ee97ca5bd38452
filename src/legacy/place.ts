/** Where names are looked up: the schema, this generation's view of it, what the actor may read, and configured bounds. */
import { findReadGrant, forbidden, isUnlimited, rulesFor } from '../authz/grants.ts'
import type { Action } from '../domain/actor.ts'
import type { Context } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import { isIdentityCollection } from '../domain/identity.ts'
import type { Collection, Field } from '../domain/schema.ts'
import type { FieldView } from '../domain/view.ts'

export type Place = Pick<Context, 'schema' | 'view' | 'limits' | 'actor'>

/** A field as stored, and as this generation shows it. */
export type NamedField = { readonly field: Field; readonly view: FieldView }

/** The collection of an items path, or the failure of one that is unknown or not reachable there. */
export function userCollection(place: Place, name: string): Collection {
  const collection = place.schema.collections.get(name)
  if (collection?.system === true) throw new TandemError({ kind: 'system-collection', collection: name })
  if (collection === undefined || !place.view.byCore.has(name)) {
    throw new TandemError({ kind: 'collection-not-found', collection: name })
  }
  return collection
}

/**
 * The collection of an items path that is written. For an actor without a right to this action one that does
 * not exist is refused like one that does, whatever the request holds.
 */
export function writtenCollection(place: Place, name: string, action: Action): Collection {
  const { actor, schema, view } = place
  const isSystem = schema.collections.get(name)?.system === true
  const isThere = view.byCore.has(name) && rulesFor(actor, name, action).length > 0
  if (!isUnlimited(actor) && !isSystem && !isThere) throw forbidden(action, name)
  return userCollection(place, name)
}

/** A system collection that this generation has. */
export function systemCollection({ schema }: Place, name: string): Collection {
  const collection = schema.collections.get(name)
  if (collection?.system !== true) throw new TandemError({ kind: 'collection-not-found', collection: name })
  return collection
}

/** A collection that the actor may read; whether the request may name it is decided before. */
export function readableCollection(place: Place, name: string): Collection {
  const collection = place.schema.collections.get(name)
  if (collection === undefined || !place.view.byCore.has(name)) {
    throw new TandemError({ kind: 'collection-not-found', collection: name })
  }
  if (findReadGrant(place.actor, place.schema, name) === null) throw forbidden('read', name)
  return collection
}

/** The field of that wire name; one that may not be read is as if it did not exist, its type and relations too. */
export function fieldNamed(place: Place, collection: string, name: string): NamedField {
  const found = findField(place, collection, name)
  const grant = findReadGrant(place.actor, place.schema, collection)
  if (found === null || grant?.fields.has(found.field.name) !== true)
    throw new TandemError({ kind: 'field-not-found', collection, field: name })
  return found
}

/** Whether the actor may read the field of some rows. */
export function isReadable({ actor, schema }: Place, collection: string, { name }: Field): boolean {
  return findReadGrant(actor, schema, collection)?.fields.has(name) === true
}

/** The field of that wire name, or null. */
export function findField(place: Place, collection: string, name: string): NamedField | null {
  const view = place.view.byCore.get(collection)?.fields.get(name)
  const field = view === undefined ? undefined : place.schema.collections.get(collection)?.fields.get(view.field)
  return view === undefined || field === undefined ? null : { field, view }
}

/** Where a relational field leads in this generation, which knows no many-to-any; null for any other field. */
export function relatedCollection(place: Place, field: Field): string | null {
  const { relation } = field
  if (relation === null || relation.kind === 'many-to-any') return null
  return place.view.byCore.has(relation.collection) ? relation.collection : null
}

/** The field that this generation shows as a row's key: the integer beside the uuid of an identity row. */
export function keyOf(place: Place, collection: string): NamedField {
  const core = isIdentityCollection(collection) ? 'number' : place.schema.collections.get(collection)?.primaryKey
  const view = core === undefined ? undefined : place.view.byCore.get(collection)?.byCore.get(core)
  const field = core === undefined ? undefined : place.schema.collections.get(collection)?.fields.get(core)
  if (view === undefined || field === undefined) throw new TandemError({ kind: 'collection-not-found', collection })
  return { field, view }
}
