/** What of a collection a caller may read, in the names of the wire. */
import { findReadGrant } from '../authz/grants.ts'
import type { Filter } from '../domain/query/filter.ts'
import { type FunctionName, functions } from '../domain/query/functions.ts'
import type { Collection, Field } from '../domain/schema/schema.ts'
import { isName } from './names.ts'
import type { SchemaPlace } from './served-schema.ts'

export type Readable = {
  readonly name: string
  readonly field: Field
  /** The rows on which the field may be read; null = all that may be read. */
  readonly guard: Filter | null
}

const known = new WeakMap<SchemaPlace, Map<string, readonly Readable[]>>()

/** The fields that may be read and can have a name; none where the collection has no type. */
export function readableFields(place: SchemaPlace, name: string): readonly Readable[] {
  const own = known.get(place) ?? new Map<string, readonly Readable[]>()
  known.set(place, own)
  const found = own.get(name) ?? findReadable(place, name)
  own.set(name, found)
  return found
}

function findReadable(place: SchemaPlace, name: string): readonly Readable[] {
  const view = place.view.byCore.get(name)
  const grant = findReadGrant(place.actor, place.schema, name)
  if (view === undefined || grant === null || !place.names.has(view.name)) return []
  return [...view.fields.values()].flatMap((each) => {
    const readable = grant.fields.get(each.field)
    return readable === undefined || !isName(each.name) || !isShown(place, readable.field)
      ? []
      : [{ name: each.name, ...readable }]
  })
}

/** A column, or related items of which the caller may read something. */
function isShown({ actor, schema, view, names }: SchemaPlace, { column, relation }: Field): boolean {
  if (column !== null) return true
  if (relation?.kind !== 'one-to-many') return false
  const related = view.byCore.get(relation.collection)
  return related !== undefined && names.has(related.name) && findReadGrant(actor, schema, related.collection) !== null
}

/** Whether items of the collection can be objects of a type. */
export const hasType = (place: SchemaPlace, name: string): boolean => readableFields(place, name).length > 0

/** The collection of that core name. */
export function collectionOf({ schema }: SchemaPlace, name: string): Collection {
  const collection = schema.collections.get(name)
  if (collection === undefined) throw new Error(`No collection is named ${name}`)
  return collection
}

/** The name that the wire knows a collection by. */
export const wireName = ({ view }: SchemaPlace, name: string): string => view.byCore.get(name)?.name ?? name

/** Whether the field is the whole key of its collection. */
export const isKey = ({ primaryKey, keyColumns }: Collection, { name }: Field): boolean =>
  name === primaryKey && keyColumns.length === 1

/** What can be computed of a field. */
export function functionsOf({ type, column, concealed, relation }: Field): readonly FunctionName[] {
  if (concealed) return []
  if (column === null) return relation?.kind === 'one-to-many' ? ['count'] : []
  const named = Object.entries(functions) as readonly (readonly [FunctionName, readonly string[]])[]
  return named.flatMap(([name, types]) => (types.includes(type) ? [name] : []))
}

/** The name under which functions of a field stand, unless a field has it. */
export const functionName = (name: string): string => `${name}_func`

/** What the template calls the field's type: concealed values are all of one kind. */
export const templateField = ({ type, concealed }: Field): string => (concealed ? 'hash' : type)
