/** Triggers that keep stored objects and avatars consistent with files, also for changes by other clients. */
import type { Knex } from 'knex'

export const fileTriggers = (knex: Knex): readonly Knex.SchemaBuilder[] => [
  knex.schema.raw(forgetObject),
  knex.schema.raw(`create trigger platform_files_forget after delete or update of storage, filename_disk
    on platform_files for each row execute function platform_forget_object()`),
  knex.schema.raw(forgetSegment),
  knex.schema.raw(`create trigger platform_upload_segments_forget after delete on platform_upload_segments
    for each row execute function platform_forget_segment()`),
  knex.schema.raw(clearAvatars),
  knex.schema.raw(`create trigger platform_files_clear after delete on platform_files
    referencing old table as gone for each statement execute function platform_clear_avatars()`),
]

/** When a row is deleted or gets new contents, its old object is recorded for deletion after the commit. */
const forgetObject = `create function platform_forget_object() returns trigger language plpgsql as $body$
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

/** When an upload is completed, expires or is cancelled, its segments are recorded for deletion after the commit. */
const forgetSegment = `create function platform_forget_segment() returns trigger language plpgsql as $body$
begin
  insert into platform_stored_objects (storage, key, doomed) values (old.storage, old.key, true)
    on conflict (storage, key) do update set doomed = true;
  perform pg_notify('tandem', '{"topic":"files"}');
  return null;
end $body$`

/** Once per statement, also for files that a foreign key deletes. The values are no part of any history. */
const clearAvatars = `create function platform_clear_avatars() returns trigger language plpgsql as $body$
begin
  update platform_users set avatar = null where avatar in (select id from gone);
  return null;
end $body$`
