/**
 * The triggers in the language of MariaDB, and what stands there for indexes on expressions, for locks without a table and
 * for notifications.
 */
import type { Knex } from 'knex'
import { instant } from './columns.ts'

export const psmTriggers = (knex: Knex): readonly Knex.SchemaBuilder[] => [
  knex.schema.raw('alter table platform_users add column address varchar(128) as (lower(email)) stored unique'),
  knex.schema.raw(
    `alter table platform_role_levels add column place varchar(64) as (coalesce(status, '')) stored, add unique (role, collection, place)`,
  ),
  knex.schema.createTable('platform_announcements', (table) => {
    table.bigIncrements('id')
    table.string('channel', 64).notNullable()
    table.text('payload').notNullable()
    instant(table, 'at').notNullable().defaultTo(knex.fn.now()).index()
  }),
  // A transaction that has locked the row of a name holds the lock of that name.
  knex.schema.createTable('platform_locks', (table) => {
    table.string('name', 128).primary()
    // Nodes of a Galera cluster see a conflict only in rows that are changed, not in those that are locked.
    table.bigInteger('turn').notNullable().defaultTo(0)
  }),
  knex.schema.raw(
    `insert into platform_locks (name) values ('access'), ('history'), ('users'), ('roles'), ('relations')`,
  ),
  // Ends of keys and shares may be beyond 2038, where the type `timestamp` ends.
  ...[
    ['platform_keys', 'expires'],
    ['platform_shares', 'date_start'],
    ['platform_shares', 'date_end'],
  ].map(([table, column]) => knex.schema.raw(`alter table ${table} modify ${column} datetime(6) null`)),
  ...fill(knex, 'platform_users', 'external_identifier'),
  ...fill(knex, 'platform_roles', 'external_id'),
  ...fileTriggers(knex),
]

const fileTriggers = (knex: Knex): readonly Knex.SchemaBuilder[] => [
  knex.schema.raw(`create trigger platform_files_forget after update on platform_files for each row begin
  if old.filename_disk is not null and not (new.storage = old.storage and new.filename_disk <=> old.filename_disk) then
    ${doom('filename_disk')}
  end if;
end`),
  knex.schema.raw(`create trigger platform_files_clear after delete on platform_files for each row begin
  update platform_users set avatar = null where avatar = old.id;
  if old.filename_disk is not null then
    ${doom('filename_disk')}
  end if;
end`),
  knex.schema.raw(`create trigger platform_upload_segments_forget after delete on platform_upload_segments for each row begin
  ${doom('key')}
end`),
  // Rows that a foreign key deletes call no trigger.
  knex.schema.raw(`create trigger platform_uploads_forget before delete on platform_uploads for each row
  delete from platform_upload_segments where upload = old.id`),
]

const fill = (knex: Knex, table: string, column: string): readonly Knex.SchemaBuilder[] => [
  knex.schema.raw(`create trigger ${table}_name before insert on ${table} for each row
  set new.${column} = coalesce(new.${column}, new.id)`),
]

const doom = (key: string): string => `insert into platform_stored_objects (storage, "key", doomed)
      values (old.storage, old.${key === 'key' ? '"key"' : key}, true) on duplicate key update doomed = true;
    insert into platform_announcements (channel, payload) values ('tandem', '{"topic":"files"}');`
