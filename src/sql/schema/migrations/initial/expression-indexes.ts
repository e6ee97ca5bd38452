/** Indexes on expressions, where the database has them. */
import type { Knex } from 'knex'

export const expressionIndexes = (knex: Knex): readonly Knex.SchemaBuilder[] => [
  // Addresses are unique without regard to case.
  knex.schema.raw('create unique index platform_users_address on platform_users (lower(email))'),
  // For static tokens that are stored in plain text until their first use replaces them with a hash. The index contains
  // a hash, so that the time of a look-up reveals nothing of a token. Stored hashes are excluded by their form.
  knex.schema.raw(
    `create index platform_users_plain_token on platform_users (hashtextextended(token, 0)) where token !~ '^[A-Za-z0-9_-]{43}$'`,
  ),
  // One row for each status of a collection, and one for collections without a status.
  knex.schema.raw(
    "create unique index platform_role_levels_place on platform_role_levels (role, collection, coalesce(status, ''))",
  ),
]
