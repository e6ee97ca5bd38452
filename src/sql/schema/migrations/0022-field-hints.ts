/** What older applications keep about a field: whether it may be changed, and whether listings show it. */
import type { Migration } from '../migrate.ts'

export const fieldHints: Migration = {
  name: '0022-field-hints',
  statements: (knex) => [
    knex.schema.alterTable('platform_fields', (table) => {
      table.boolean('locked').notNullable().defaultTo(false)
      table.boolean('hidden_browse').notNullable().defaultTo(false)
    }),
  ],
}
