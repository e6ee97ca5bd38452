/**
 * An index for static tokens that are stored in plain text until their first use replaces them with a hash. The index
 * contains a hash, so that the time of a look-up reveals nothing of a token. Stored hashes are excluded by their form.
 */
import type { Migration } from '../migrate.ts'

export const plainTokens: Migration = {
  name: '0010-plain-tokens',
  statements: (knex) => [
    knex.schema.raw(
      `create index platform_users_plain_token on platform_users (hashtextextended(token, 0)) where token !~ '^[A-Za-z0-9_-]{43}$'`,
    ),
  ],
}
