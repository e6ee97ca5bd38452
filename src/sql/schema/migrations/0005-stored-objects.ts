/** The journal that keeps rows and stored objects consistent: objects being written, and objects without a row. */
import type { Migration } from '../migrate.ts'

export const storedObjects: Migration = {
  name: '0005-stored-objects',
  statements: (knex) => [
    knex.schema.createTable('platform_stored_objects', (table) => {
      table.string('storage', 255).notNullable()
      table.string('key', 255).notNullable()
      table.boolean('doomed').notNullable().defaultTo(false)
      table.timestamp('since', { useTz: true }).notNullable().defaultTo(knex.fn.now())
      table.primary(['storage', 'key'])
    }),
    knex.schema.alterTable('platform_files', (table) => {
      table.unique(['storage', 'filename_disk'])
    }),
    knex.schema.raw(forget),
    knex.schema.raw(`create trigger platform_files_forget after delete or update of storage, filename_disk
      on platform_files for each row execute function platform_forget_object()`),
  ],
}

/** When a row is deleted or gets new contents, its old object is recorded for deletion after the commit. */
const forget = `create function platform_forget_object() returns trigger language plpgsql as $body$
begin
  if old.filename_disk is null then return null; end if;
  if tg_op = 'UPDATE' and new.storage = old.storage and new.filename_disk is not distinct from old.filename_disk then
    return null;
  end if;
  insert into platform_stored_objects (storage, key, doomed) values (old.storage, old.filename_disk, true)
    on conflict (storage, key) do update set doomed = true;
  perform pg_notify('tandem', '{"topic":"files"}');
  return null;
end $body$`
