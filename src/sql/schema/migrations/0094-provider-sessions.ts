/** What sessions that a login provider has opened need of the session there: to end with it, and to live with its token. */
import { instant, refersTo } from './initial/columns.ts'
import type { Migration } from './migration.ts'

export const providerSessions: Migration = {
  name: '0094-provider-sessions',
  statements: (knex) => [
    knex.schema.createTable('platform_provider_sessions', (table) => {
      refersTo(table.uuid('session').primary(), 'platform_sessions.id', 'CASCADE')
      table.string('provider', 128).notNullable()
      // Key of the person there, and its format (SAML).
      table.string('subject', 255).notNullable()
      table.string('format', 255)
      // Name of the session there (sid, SessionIndex).
      table.string('name', 255)
      // Refresh token of the provider, sealed.
      table.text('token')
      // Nobody else renews the token until then.
      instant(table, 'renewing')
      table.index(['subject', 'provider'])
    }),
  ],
}
