/** Namespaces of the key of a person at a login provider, which requests to log out there repeat (SAML). */
import type { Migration } from './migration.ts'

export const nameQualifiers: Migration = {
  name: '0115-name-qualifiers',
  statements: (knex) => [
    knex.schema.alterTable('platform_provider_sessions', (table) => {
      // Of the provider (NameQualifier), and of this server (SPNameQualifier).
      table.string('qualifier', 255)
      table.string('own_qualifier', 255)
    }),
  ],
}
