/** Shared state and helpers of the authorization of one query. */
import type { Context } from '../domain/ports/context.ts'
import type { FieldType } from '../domain/query/field-types.ts'
import type { Filter } from '../domain/query/filter.ts'
import { invalidQuery } from '../domain/rights/errors.ts'
import { forbidden, type ReadableField, type ReadGrant } from './grants.ts'

/** The inputs of an authorization decision. */
export type Scope = Pick<Context, 'schema' | 'view' | 'actor' | 'limits' | 'stopwatch'>

/** The authorization of one query. `budget` is the number of nodes that its selections may still add. */
export type AuthorizationState = Scope & { budget: number }

/** Limit of nodes in all selections of one query, after wildcards are expanded. */
export const widestSelection = 5000

/** A field of the grant. Throws `forbidden` for fields that are not readable and for presentational fields. */
export function readableField(grant: ReadGrant, name: string): ReadableField {
  const found = grant.fields.get(name)
  if (found === undefined || isPresentational(found)) throw forbidden('read', grant.collection.name, name)
  return found
}

/** Whether the field is presentational: it has no column and no relation. */
export function isPresentational({ field }: ReadableField): boolean {
  return field.column === null && field.relation === null
}

/** Whether cost limits apply to the actor. Internal queries of the server are exempt. */
export const isBounded = (actor: Scope['actor']): boolean => actor.kind !== 'system'

/** Throws `invalid-query` for the named part of the query. */
export function refuse(name: string, reason: string): never {
  throw invalidQuery(name, reason)
}

const unordered: ReadonlySet<FieldType> = new Set(['json', 'geometry', 'alias', 'hash', 'unknown'])

/** Throws for fields that cannot be sorted or grouped, and for concealed fields. */
export function assertOrdered({ field }: ReadableField, name: string): void {
  if (field.concealed) refuse(name, `Expected a field that is not concealed but received "${field.name}"`)
  if (!unordered.has(field.type) || (field.type === 'unknown' && field.column?.ordered === true)) return
  refuse(name, `Expected a field with an order but received "${field.name}" of type ${field.type}`)
}

/** The guard as a property to spread; empty when there is none. */
export function guardOf({ guard }: Pick<ReadableField, 'guard'>): { readonly guard?: Filter } {
  return guard === null ? {} : { guard }
}
