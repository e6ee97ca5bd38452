/** Internal state of accounts: failed logins, used one-time codes, unconfirmed secrets. */
import type { Knex } from 'knex'
import type { Migration } from '../migrate.ts'

export const accountStates: Migration = {
  name: '0003-account-states',
  statements: (knex: Knex) => [
    knex.schema.createTable('platform_account_states', (table) => {
      table.uuid('user').primary().references('id').inTable('platform_users').onDelete('CASCADE')
      // Consecutive failures since the last successful login.
      table.integer('failed_logins').notNullable().defaultTo(0)
      table.timestamp('last_attempt', { useTz: true })
      // Time step of the last accepted one-time code.
      table.bigInteger('code_step')
      table.string('pending_secret_hash', 128)
      table.timestamp('pending_until', { useTz: true })
    }),
  ],
}
