/** The duration of files in whole seconds, in addition to milliseconds; 0 for files without a duration. */
import type { Migration } from '../migrate.ts'

export const fileDurations: Migration = {
  name: '0009-file-durations',
  statements: (knex) => [
    knex.schema.alterTable('platform_files', (table) => {
      table.specificType('seconds', 'integer generated always as (coalesce(round(duration / 1000.0), 0)) stored')
    }),
  ],
}
