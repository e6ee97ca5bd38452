/** Names that tools for configuration give to rows, to find the same row on every server. */
import { instant } from './initial/columns.ts'
import type { Migration } from './migration.ts'

export const syncKeys: Migration = {
  name: '0095-sync-keys',
  statements: (knex) => [
    knex.schema.createTable('platform_sync_keys', (table) => {
      table.string('kind', 100).notNullable()
      table.string('local_id', 255).notNullable()
      table.string('sync_id', 255).notNullable()
      instant(table, 'created').notNullable()
      table.primary(['kind', 'local_id'])
      table.unique(['kind', 'sync_id'])
    }),
  ],
}
