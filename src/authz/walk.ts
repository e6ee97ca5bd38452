/** What every part of authorizing one query shares. */
import type { Context } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import type { FieldType } from '../domain/field-types.ts'
import type { Filter } from '../domain/filter.ts'
import { forbidden, type ReadableField, type ReadGrant } from './grants.ts'

/** What a decision depends on. */
export type Scope = Pick<Context, 'schema' | 'view' | 'actor' | 'limits'>

/** One query being authorized. `budget` counts down the nodes that its selection may still grow to. */
export type Walk = Scope & { budget: number }

/** Nodes of all selections of one query together, after wildcards are expanded. */
export const widestSelection = 5000

/** The field, or throws `forbidden`; a presentational field counts as missing. */
export function readableField(grant: ReadGrant, name: string): ReadableField {
  const found = grant.fields.get(name)
  if (found === undefined || isPresentational(found)) throw forbidden('read', grant.collection.name, name)
  return found
}

/** True for fields that hold and lead to nothing. */
export function isPresentational({ field }: ReadableField): boolean {
  return field.column === null && field.relation === null
}

/** Throws `invalid-query`. */
export function refuse(name: string, reason: string): never {
  throw new TandemError({ kind: 'invalid-query', name, reason })
}

const unordered: ReadonlySet<FieldType> = new Set(['json', 'geometry', 'alias', 'hash', 'unknown'])

/** Refuses fields whose values cannot be put in order or told apart, and hidden ones. */
export function assertOrdered({ field }: ReadableField, name: string): void {
  if (field.concealed) refuse(name, `Expected a field that is not concealed but received "${field.name}"`)
  if (!unordered.has(field.type)) return
  refuse(name, `Expected a field with an order but received "${field.name}" of type ${field.type}`)
}

/** The guard as a property, absent where there is none. */
export function guardOf({ guard }: Pick<ReadableField, 'guard'>): { readonly guard?: Filter } {
  return guard === null ? {} : { guard }
}
