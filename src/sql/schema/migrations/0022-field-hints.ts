/** Columns of fields for older applications: whether a field can be changed, and whether lists show it. */
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
