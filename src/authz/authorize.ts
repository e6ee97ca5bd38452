/** The only maker of `Authorized<T>`: from what was asked to what the actor may do, as data. */
import type { Authorized } from '../domain/authorized.ts'
import { type Filter, matchAll } from '../domain/filter.ts'
import type { Mutation } from '../domain/mutation.ts'
import type { Query } from '../domain/query.ts'
import { restrictMutation, type WriteScope } from './restrict-mutation.ts'
import { restrictQuery } from './restrict-query.ts'
import type { Scope } from './walk.ts'

export type { Scope, WriteScope }

/**
 * Expands wildcards, adds row filters and guards at every level, and refuses what the actor may not read.
 * Throws `forbidden` (missing and not allowed alike), or `invalid-query` named `fields`, `filter`,
 * `sort`, `search`, `aggregate`, `group` or `distinct` for what the types of the fields rule out.
 * `within` narrows the rows by a condition of our own (a key), which needs no right to its field.
 */
export function authorizeQuery(scope: Scope, query: Query, within: Filter = matchAll): Authorized<Query> {
  return restrictQuery(scope, query, within) as Authorized<Query>
}

/**
 * Merges presets, refuses fields outside the rules and payloads that break a condition, and adds the
 * rows that may be changed. A `write-singleton` must have been turned into a create or update.
 */
export function authorizeMutation(scope: WriteScope, mutation: Mutation): Authorized<Mutation> {
  return restrictMutation(scope, mutation) as Authorized<Mutation>
}
