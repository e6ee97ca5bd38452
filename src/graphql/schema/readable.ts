/** Readable fields of collections, by wire name. */

import type { GraphQLScalarType } from 'graphql'
import { findReadGrant } from '../../authz/grants.ts'
import { memoizeByName } from '../../domain/memoize.ts'
import type { Filter } from '../../domain/query/filter.ts'
import { type FunctionName, functions } from '../../domain/query/functions.ts'
import { holdsValue } from '../../domain/schema/references.ts'
import type { Collection, Field } from '../../domain/schema/schema.ts'
import { isName } from './names.ts'
import type { SchemaFacts } from './schema-types.ts'

export type Readable = {
  readonly name: string
  readonly field: Field
  /** Rows on which the field is readable; null for all readable rows. */
  readonly guard: Filter | null
}

/** Readable fields with a valid name; empty if the collection has no type. */
export const readableFields = memoizeByName((facts: SchemaFacts, name): readonly Readable[] => {
  const view = facts.view.byCore.get(name)
  const grant = findReadGrant(facts.actor, facts.schema, name)
  if (view === undefined || grant === null || !facts.names.has(view.name)) return []
  return [...view.fields.values()].flatMap((each) => {
    const readable = grant.fields.get(each.field)
    return readable === undefined || !isName(each.name) || !isShown(facts, readable.field)
      ? []
      : [{ name: each.name, ...readable }]
  })
})

/** Whether the field is a column, or leads to items that the caller may read. */
function isShown({ actor, schema, view, names }: SchemaFacts, { column, relation }: Field): boolean {
  if (holdsValue({ column, relation })) return true
  if (relation?.kind !== 'one-to-many') return false
  const related = view.byCore.get(relation.collection)
  return related !== undefined && names.has(related.name) && findReadGrant(actor, schema, related.collection) !== null
}

/** Whether the collection can have an object type. */
export const hasType = (facts: SchemaFacts, name: string): boolean => readableFields(facts, name).length > 0

export function collectionOf({ schema }: SchemaFacts, name: string): Collection {
  const collection = schema.collections.get(name)
  if (collection === undefined) throw new Error(`No collection is named ${name}`)
  return collection
}

export const wireName = ({ view }: SchemaFacts, name: string): string => view.byCore.get(name)?.name ?? name

/** Whether the field is the whole key of its collection. */
export const isKey = ({ primaryKey, keyColumns }: Collection, { name }: Field): boolean =>
  name === primaryKey && keyColumns.length === 1

export const keyType = ({ template }: SchemaFacts): GraphQLScalarType => template.shared.get('ID') as GraphQLScalarType

export function functionsOf({ type, column, concealed, relation }: Field): readonly FunctionName[] {
  if (concealed) return []
  if (column === null) return relation?.kind === 'one-to-many' ? ['count'] : []
  const named = Object.entries(functions) as readonly (readonly [FunctionName, readonly string[]])[]
  return named.flatMap(([name, types]) => (types.includes(type) ? [name] : []))
}

/** The name of the functions of a field, unless a field has it. */
export const functionName = (name: string): string => `${name}_func`

/** The name of the field's type in the template; all concealed values have one type. */
export const templateField = ({ type, concealed }: Field): string => (concealed ? 'hash' : type)

/** The same for values, which are JSON where the database has lists and records. */
export const valueField = (field: Field): string => (field.column?.form === undefined ? templateField(field) : 'json')
