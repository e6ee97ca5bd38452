/** Relations from the side of one field. */
import type { Collection, Model, Relation } from './model.ts'
import { attachmentSide } from './system-fields.ts'

/** The collection that a many-to-one field refers to; null for other fields, and for what the user does not see. */
export function toOneOf(model: Model, collection: string, field: string): Collection | null {
  const relation = sideOf(model, collection, field)
  return relation?.related_collection == null ? null : (model.collections.get(relation.related_collection) ?? null)
}

export type ToMany = {
  /** The collection with the foreign key. */
  readonly many: Collection
  readonly manyField: string
  /** Of the rows of a junction: the field of the other side. */
  readonly junction: { readonly field: string; readonly related: Collection | null; readonly any: Any | null } | null
  readonly sortField: string | null
}

/** Of a many-to-any: where the name of the collection is, and which ones it may be. */
export type Any = { readonly collectionField: string; readonly allowed: readonly Collection[] }

/** What a one-to-many, many-to-many or many-to-any field shows; null for other fields. */
export function toManyOf(model: Model, collection: string, field: string): ToMany | null {
  const relation = model.relations.find(({ meta }) => meta?.one_collection === collection && meta.one_field === field)
  const many = relation === undefined ? undefined : model.collections.get(relation.collection)
  if (relation === undefined || many === undefined) return null
  const { junction_field: named = null, sort_field: sortField = null } = relation.meta ?? {}
  const other = named ?? attachmentSide(collection, field)
  const junction = other === null ? null : { field: other, ...otherSide(model, relation, other) }
  return { many, manyField: relation.field, junction, sortField }
}

function otherSide(model: Model, { collection }: Relation, field: string) {
  const other = sideOf(model, collection, field)
  const collectionField = other?.meta?.one_collection_field ?? null
  return {
    related: other?.related_collection == null ? null : (model.collections.get(other.related_collection) ?? null),
    any: collectionField === null ? null : { collectionField, allowed: anyOf(model, collection, field) },
  }
}

const sideOf = (model: Model, collection: string, field: string): Relation | undefined =>
  model.relations.find((each) => each.collection === collection && each.field === field)

/** The collections whose items a many-to-any field may hold; none for other fields. */
export function anyOf(model: Model, collection: string, field: string): readonly Collection[] {
  const { one_allowed_collections: allowed } = sideOf(model, collection, field)?.meta ?? {}
  return (allowed ?? []).flatMap((name) => model.collections.get(name) ?? [])
}
