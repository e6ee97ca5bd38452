/**
 * What a project says of its files: how they are called on disk and in addresses, and of which types they may be.
 * Uploads whose length is not known when they begin.
 */
import type { Migration } from '../migrate.ts'

export const fileSettings: Migration = {
  name: '0007-file-settings',
  statements: (knex) => [
    knex.schema.alterTable('platform_settings', (table) => {
      table.string('file_naming', 20).notNullable().defaultTo('uuid')
      table.string('asset_url_naming', 20).notNullable().defaultTo('private_hash')
      table.text('file_mimetype_whitelist')
    }),
    knex.schema.alterTable('platform_uploads', (table) => table.setNullable('length')),
  ],
}
