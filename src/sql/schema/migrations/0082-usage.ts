/** How often which clients use which operations and fields. */
import type { Migration } from './migration.ts'

export const usage: Migration = {
  name: '0082-usage',
  statements: (knex) => [
    knex.schema.createTable('platform_usage', (table) => {
      table.string('client', 64).notNullable()
      table.string('generation', 16).notNullable()
      table.string('operation', 64).notNullable()
      table.string('access', 8).notNullable()
      // Names of a collection and of fields; empty for a call.
      table.string('path', 255).notNullable()
      table.bigInteger('calls').notNullable()
      table.timestamp('first_call', { useTz: true }).notNullable()
      table.timestamp('last_call', { useTz: true }).notNullable()
      table.primary(['client', 'generation', 'operation', 'access', 'path'])
    }),
  ],
}
