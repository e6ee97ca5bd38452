/** What the program remembers about accounts and nobody reads: failed logins, used codes, secrets to be confirmed. */
import type { Knex } from 'knex'
import type { Migration } from '../migrate.ts'

export const accountStates: Migration = {
  name: '0003-account-states',
  statements: (knex: Knex) => [
    knex.schema.createTable('platform_account_states', (table) => {
      table.uuid('user').primary().references('id').inTable('platform_users').onDelete('CASCADE')
      // In a row, since the last login that worked.
      table.integer('failed_logins').notNullable().defaultTo(0)
      table.timestamp('last_attempt', { useTz: true })
      // Step of time of the last one-time code that was accepted.
      table.bigInteger('code_step')
      table.string('pending_secret_hash', 128)
      table.timestamp('pending_until', { useTz: true })
    }),
  ],
}
