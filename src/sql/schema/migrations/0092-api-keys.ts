import { instant, refersTo } from './initial/columns.ts'
import type { Migration } from './migration.ts'

export const apiKeys: Migration = {
  name: '0092-api-keys',
  statements: (knex) => [
    knex.schema.createTable('platform_keys', (table) => {
      table.uuid('id').primary()
      refersTo(table.uuid('user').notNullable().index(), 'platform_users.id', 'CASCADE')
      table.string('name', 100).notNullable()
      table.string('prefix', 16).notNullable()
      table.string('hash', 64).notNullable().unique()
      // Ids of policies, separated by commas; null for all rights of the user.
      table.text('policies')
      table.integer('max_requests')
      table.integer('max_cost')
      instant(table, 'expires')
      instant(table, 'created').notNullable()
      instant(table, 'last_used')
    }),
  ],
}
