/** Settings by key and value that the server keeps for older applications, and does not use itself. */
import type { Migration } from '../migrate.ts'

export const settingEntries: Migration = {
  name: '0031-setting-entries',
  statements: (knex) => [knex.schema.alterTable('platform_settings', (table) => table.json('entries'))],
}
