/** What older applications keep in a preset: conditions as a list, and its title in other languages. */
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
