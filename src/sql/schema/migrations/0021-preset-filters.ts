/** Columns of presets for older applications: conditions as a list, and the title in other languages. */
import type { Migration } from '../migrate.ts'

export const presetFilters: Migration = {
  name: '0021-preset-filters',
  statements: (knex) => [
    knex.schema.alterTable('platform_presets', (table) => {
      table.json('filters')
      table.json('translation')
    }),
  ],
}
