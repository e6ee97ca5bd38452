/** How often which clients call the operations of an API that will be turned off. */
import type { Migration } from '../migrate.ts'

export const apiUsage: Migration = {
  name: '0061-api-usage',
  statements: (knex) => [
    knex.schema.createTable('platform_api_usage', (table) => {
      table.string('operation', 64).notNullable()
      table.string('agent', 40).notNullable()
      // All zeros for callers without a user. No foreign key: the row outlives the user.
      table.uuid('user').notNullable()
      table.bigInteger('calls').notNullable()
      table.timestamp('first_call', { useTz: true }).notNullable()
      table.timestamp('last_call', { useTz: true }).notNullable()
      table.primary(['operation', 'agent', 'user'])
    }),
  ],
}
