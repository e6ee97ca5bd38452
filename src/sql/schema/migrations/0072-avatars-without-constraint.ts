/**
 * The avatar of a user has no foreign key on other servers of this platform: it may name a file that is not there. A
 * trigger clears it when its file is deleted, whoever deletes the file.
 */
import type { Migration } from '../migrate.ts'

export const avatarsWithoutConstraint: Migration = {
  name: '0072-avatars-without-constraint',
  statements: (knex) => [
    knex.schema.raw('alter table platform_users drop constraint if exists platform_users_avatar_foreign'),
    knex.schema.alterTable('platform_users', (table) => table.index(['avatar'])),
    knex.schema.raw(clear),
    knex.schema.raw(`create trigger platform_files_clear after delete on platform_files
      referencing old table as gone for each statement execute function platform_clear_avatars()`),
  ],
}

/** Once per statement, also for files that a foreign key deletes. The values are no part of any history. */
const clear = `create function platform_clear_avatars() returns trigger language plpgsql as $body$
begin
  update platform_users set avatar = null where avatar in (select id from gone);
  return null;
end $body$`
