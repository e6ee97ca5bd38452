/** The key of a person at a provider is unique per provider: two providers may both have a person "1". */
import type { Migration } from './migration.ts'

export const identifiersByProvider: Migration = {
  name: '0093-identifiers-by-provider',
  statements: (knex) => [
    knex.schema.alterTable('platform_users', (table) => {
      table.dropUnique(['external_identifier'])
      table.unique(['external_identifier', 'provider'])
    }),
  ],
}
