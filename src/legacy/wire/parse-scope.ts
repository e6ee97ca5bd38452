/** Where names are looked up: the schema, the part of this generation's view that the actor may know, and limits. */
import type { Context } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { isIdentityCollection } from '../../domain/schema/identity.ts'
import type { Collection, Field } from '../../domain/schema/schema.ts'
import type { FieldView } from '../../domain/schema/view.ts'

/** `view` contains what the actor may read or write; all other names do not exist for the parsers. */
export type ParseScope = Pick<Context, 'schema' | 'view' | 'limits'>

/** A field as stored and as shown by this generation. */
export type NamedField = { readonly field: Field; readonly view: FieldView }

/** Finds a collection by name; throws `collection-not-found`. */
export function collectionNamed({ schema, view }: ParseScope, name: string): Collection {
  const collection = schema.collections.get(name)
  if (collection !== undefined && view.byCore.has(name)) return collection
  throw new TandemError({ kind: 'collection-not-found', collection: name })
}

/** Finds a field by wire name; throws `field-not-found`. */
export function fieldNamed(scope: ParseScope, collection: string, name: string): NamedField {
  const target = findField(scope, collection, name)
  if (target !== null) return target
  throw new TandemError({ kind: 'field-not-found', collection, field: name })
}

/** Finds a field by wire name; null if unknown. */
export function findField(scope: ParseScope, collection: string, name: string): NamedField | null {
  const view = scope.view.byCore.get(collection)?.fields.get(name)
  const field = view === undefined ? undefined : scope.schema.collections.get(collection)?.fields.get(view.field)
  return view === undefined || field === undefined ? null : { field, view }
}

/** The target of a relational field (this generation has no many-to-any); null for other fields. */
export function relatedCollection(scope: ParseScope, field: Field): string | null {
  const { relation } = field
  if (relation === null || relation.kind === 'many-to-any') return null
  return scope.view.byCore.has(relation.collection) ? relation.collection : null
}

/** The target of a field that a path continues after; throws `not-relational` for one that leads nowhere. */
export function targetOf(scope: ParseScope, collection: string, { field, view }: NamedField): string {
  const related = relatedCollection(scope, field)
  if (related !== null) return related
  const beyond = field.relation === null || field.relation.kind === 'many-to-any' ? {} : { beyond: true as const }
  throw new TandemError({ kind: 'not-relational', collection, field: view.name, ...beyond })
}

/** The field shown as a row's key: for system rows the integer beside the uuid. */
export function keyOf(scope: ParseScope, collection: string): NamedField {
  const core = isIdentityCollection(collection) ? 'number' : scope.schema.collections.get(collection)?.primaryKey
  const view = core === undefined ? undefined : scope.view.byCore.get(collection)?.byCore.get(core)
  const field = core === undefined ? undefined : scope.schema.collections.get(collection)?.fields.get(core)
  if (view === undefined || field === undefined) {
    const name = isIdentityCollection(collection) ? 'id' : (core ?? '')
    throw new TandemError({ kind: 'field-not-found', collection, field: name })
  }
  return { field, view }
}
