/** Settings that later servers of the platform have: the state of a collection, and whether a search looks at a field. */
import type { Migration } from '../migrate.ts'

export const modelAdditions: Migration = {
  name: '0071-model-additions',
  statements: (knex) => [
    knex.schema.alterTable('platform_collections', (table) => {
      table.string('status', 255).notNullable().defaultTo('active')
      table.integer('autosave_revision_interval')
    }),
    knex.schema.alterTable('platform_fields', (table) => {
      table.boolean('searchable').notNullable().defaultTo(true)
    }),
  ],
}
