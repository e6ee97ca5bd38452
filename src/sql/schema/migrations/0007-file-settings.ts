/**
 * Project settings for files: how files are named in storage and in URLs, and which types are allowed. Also uploads
 * whose length is not known at the beginning.
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
