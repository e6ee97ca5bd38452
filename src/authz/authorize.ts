/** Authorization: turns a query or mutation into the part that the actor may do. The only maker of `Authorized<T>`. */

import { type Filter, matchAll } from '../domain/query/filter.ts'
import type { Mutation } from '../domain/query/mutation.ts'
import type { Query } from '../domain/query/query.ts'
import type { Authorized } from '../domain/rights/authorized.ts'
import type { Scope } from './grants.ts'
import { restrictMutation, type WriteScope } from './restrict-mutation.ts'
import { restrictQuery } from './restrict-query.ts'

export type { Scope, WriteScope }

/**
 * Expands wildcards, adds row filters and field guards at every level, and rejects fields that the actor may not read.
 * Throws `forbidden`, both for names that do not exist and for names that are not allowed. Throws `invalid-query`
 * named `fields`, `filter`, `sort`, `search`, `aggregate`, `group` or `distinct` where the type of a field does not fit.
 * `within` is a condition of the server (such as a key). It needs no permission on its fields.
 */
export function authorizeQuery(scope: Scope, query: Query, within: Filter = matchAll): Authorized<Query> {
  scope.stopwatch?.leave('parse')
  const authorized = restrictQuery(scope, query, within) as Authorized<Query>
  scope.stopwatch?.leave('authorize')
  return authorized
}

/**
 * Merges presets into the payload, rejects fields and values that the rules do not allow, and restricts the rows
 * that are changed. A `write-singleton` must be turned into a create or an update first.
 */
export function authorizeMutation(scope: WriteScope, mutation: Mutation): Authorized<Mutation> {
  return restrictMutation(scope, mutation) as Authorized<Mutation>
}

/** Throws what the authorization of the mutation throws, before rows are looked up or written in another way. */
export function assertMutation(scope: WriteScope, mutation: Mutation): void {
  restrictMutation(scope, mutation)
}
