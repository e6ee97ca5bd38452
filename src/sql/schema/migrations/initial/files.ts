/** Folders, files, their transformed images, and what storage contains of them. */
import { identity, instant, refersTo, type Tables } from './columns.ts'

export const fileTables: Tables = {
  platform_folders: (table) => {
    identity(table)
    table.string('name', 255).notNullable()
    // What the folder holds: applications keep folders of files apart from others.
    table.string('type', 64).notNullable().defaultTo('files')
    refersTo(table.uuid('parent').index(), 'platform_folders.id', 'SET NULL')
  },
  platform_files: (table, knex) => {
    identity(table)
    table.string('storage', 255).notNullable()
    table.string('filename_disk', 255)
    table.string('filename_download', 255).notNullable()
    table.string('private_hash', 16).unique()
    table.string('title', 255)
    table.string('type', 255)
    refersTo(table.uuid('folder').index(), 'platform_folders.id', 'SET NULL')
    refersTo(table.uuid('uploaded_by').index(), 'platform_users.id', 'SET NULL')
    instant(table, 'created_on').notNullable().defaultTo(knex.fn.now())
    refersTo(table.uuid('modified_by').index(), 'platform_users.id', 'SET NULL')
    instant(table, 'modified_on').notNullable().defaultTo(knex.fn.now())
    instant(table, 'uploaded_on')
    table.string('charset', 50)
    table.bigInteger('filesize')
    table.integer('width')
    table.integer('height')
    table.integer('duration')
    table.string('checksum', 64)
    table.string('embed', 200)
    table.text('description')
    table.text('location')
    table.json('tags')
    table.json('metadata')
    table.integer('focal_point_x')
    table.integer('focal_point_y')
    table.string('tus_id', 64)
    table.json('tus_data')
    // The duration in whole seconds, in addition to milliseconds; 0 for files without a duration.
    table.specificType('seconds', 'integer generated always as (coalesce(round(duration / 1000.0), 0)) stored')
    table.unique(['storage', 'filename_disk'])
  },
  /** The transformed images of each file, in order of creation. */
  platform_variants: (table, knex) => {
    refersTo(table.uuid('file').notNullable(), 'platform_files.id', 'CASCADE')
    table.string('key', 255).notNullable()
    instant(table, 'made').notNullable().defaultTo(knex.fn.now())
    table.primary(['file', 'key'])
  },
  /** The journal that keeps rows and stored objects consistent: objects being written, and objects without a row. */
  platform_stored_objects: (table, knex) => {
    table.string('storage', 255).notNullable()
    table.string('key', 255).notNullable()
    table.boolean('doomed').notNullable().defaultTo(false)
    instant(table, 'since').notNullable().defaultTo(knex.fn.now())
    table.primary(['storage', 'key'])
  },
  /** Resumable uploads: their progress, and the segments received so far. */
  platform_uploads: (table) => {
    table.uuid('id').primary()
    // Null: an upload without a user; it can be continued by anyone who knows its id.
    refersTo(table.uuid('owner').index(), 'platform_users.id', 'CASCADE')
    table.uuid('file').notNullable()
    table.boolean('replaces').notNullable()
    // Null: not known at the beginning.
    table.bigInteger('length')
    table.bigInteger('received').notNullable().defaultTo(0)
    table.json('metadata').notNullable()
    instant(table, 'touched').notNullable()
    instant(table, 'expires').notNullable().index()
  },
  platform_upload_segments: (table) => {
    refersTo(table.uuid('upload').notNullable(), 'platform_uploads.id', 'CASCADE')
    table.bigInteger('start').notNullable()
    table.string('storage', 255).notNullable()
    table.string('key', 255).notNullable()
    table.primary(['upload', 'start'])
    table.unique(['storage', 'key'])
  },
}
