/** Resumable uploads: their progress, and the segments received so far. */
import type { Migration } from '../migrate.ts'

export const uploads: Migration = {
  name: '0006-uploads',
  statements: (knex) => [
    knex.schema.createTable('platform_uploads', (table) => {
      table.uuid('id').primary()
      // Null: an upload without a user; it can be continued by anyone who knows its id.
      table.uuid('owner').references('id').inTable('platform_users').onDelete('CASCADE')
      table.uuid('file').notNullable()
      table.boolean('replaces').notNullable()
      table.bigInteger('length').notNullable()
      table.bigInteger('received').notNullable().defaultTo(0)
      table.json('metadata').notNullable()
      table.timestamp('touched', { useTz: true }).notNullable()
      table.timestamp('expires', { useTz: true }).notNullable().index()
      table.index(['owner'])
    }),
    knex.schema.createTable('platform_upload_segments', (table) => {
      table.uuid('upload').notNullable().references('id').inTable('platform_uploads').onDelete('CASCADE')
      table.bigInteger('start').notNullable()
      table.string('storage', 255).notNullable()
      table.string('key', 255).notNullable()
      table.primary(['upload', 'start'])
      table.unique(['storage', 'key'])
    }),
    knex.schema.raw(forget),
    knex.schema.raw(`create trigger platform_upload_segments_forget after delete on platform_upload_segments
      for each row execute function platform_forget_segment()`),
  ],
}

/** When an upload is completed, expires or is cancelled, its segments are recorded for deletion after the commit. */
const forget = `create function platform_forget_segment() returns trigger language plpgsql as $body$
begin
  insert into platform_stored_objects (storage, key, doomed) values (old.storage, old.key, true)
    on conflict (storage, key) do update set doomed = true;
  perform pg_notify('tandem', '{"topic":"files"}');
  return null;
end $body$`
