/** Where names are looked up: the schema, what the actor may know of this generation's view of it, and configured bounds. */
import type { Context } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { isIdentityCollection } from '../../domain/schema/identity.ts'
import type { Collection, Field } from '../../domain/schema/schema.ts'
import type { FieldView } from '../../domain/schema/view.ts'

/** `view` holds what the actor may read, or may write: a name that is not in it does not exist for the parsers. */
export type Place = Pick<Context, 'schema' | 'view' | 'limits'>

/** A field as stored, and as this generation shows it. */
export type NamedField = { readonly field: Field; readonly view: FieldView }

/** The collection of that name; throws `collection-not-found`. */
export function collectionNamed({ schema, view }: Place, name: string): Collection {
  const collection = schema.collections.get(name)
  if (collection !== undefined && view.byCore.has(name)) return collection
  throw new TandemError({ kind: 'collection-not-found', collection: name })
}

/** The field of that wire name; throws `field-not-found`. */
export function fieldNamed(place: Place, collection: string, name: string): NamedField {
  const found = findField(place, collection, name)
  if (found !== null) return found
  throw new TandemError({ kind: 'field-not-found', collection, field: name })
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
  if (view === undefined || field === undefined) {
    const name = isIdentityCollection(collection) ? 'id' : (core ?? '')
    throw new TandemError({ kind: 'field-not-found', collection, field: name })
  }
  return { field, view }
}
