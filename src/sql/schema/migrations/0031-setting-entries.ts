/** Settings of older applications, by key and value. The server stores them without using them. */
import type { Migration } from '../migrate.ts'

export const settingEntries: Migration = {
  name: '0031-setting-entries',
  statements: (knex) => [knex.schema.alterTable('platform_settings', (table) => table.json('entries'))],
}
