/** How long files play in whole seconds, beside the milliseconds: 0 for what does not play. */
import type { Migration } from '../migrate.ts'

export const fileDurations: Migration = {
  name: '0009-file-durations',
  statements: (knex) => [
    knex.schema.alterTable('platform_files', (table) => {
      table.specificType('seconds', 'integer generated always as (coalesce(round(duration / 1000.0), 0)) stored')
    }),
  ],
}
