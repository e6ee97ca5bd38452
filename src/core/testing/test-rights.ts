/**
 * A world with different rights: an administrator, a manager of users and rights, and an editor, each with a session.
 */

import type { Context } from '../../domain/ports/context.ts'
import { seedIds } from '../../domain/schema/identity.ts'
import { createTestDatabase, textFor } from '../../sql/testing/test-database.ts'
import { loadAccess } from '../access/load-access.ts'
import { createTestContext } from './test-context.ts'

/** An id with the given last two digits. */
export const key = (last: string): string => `00000000-0000-4000-8000-0000000000${last}`

/** An administrator through its parent role. */
export const chief = key('a1')
/** A child of the administrators' role. */
export const chiefRole = key('b1')
/** Manages users and rights. */
export const manager = key('a2')
/** Has the manager's policy. */
export const managerRole = key('b2')
/** All permissions on users and rights, reading titles of published articles, creating articles with a title. */
export const managerPolicy = key('c2')
/** Updates titles of articles. */
export const editor = key('a3')
/** Has the editor's policy. */
export const editorRole = key('b3')
export const editorPolicy = key('c3')
/** Has no policy. */
export const spareRole = key('b4')

/** The collections that the manager may write. */
export const managed = ['users', 'roles', 'policies', 'access', 'permissions', 'settings']

/** The tables of rights and all that refer to them. */
const referringSql = `
  with recursive referring (id) as (
    select unnest(array['platform_users', 'platform_roles', 'platform_policies', 'platform_access',
      'platform_permissions', 'platform_sessions']::regclass[])::oid
    union select c.conrelid from pg_constraint c join referring r on c.confrelid = r.id where c.contype = 'f')
  select id::regclass::text as name from referring`

const referringOnMariaDb = `
  with recursive referring (name) as (
    select table_name from information_schema.tables where table_schema = database() and table_name in
      ('platform_users', 'platform_roles', 'platform_policies', 'platform_access', 'platform_permissions', 'platform_sessions')
    union select k.table_name from information_schema.key_column_usage k join referring r
      on k.referenced_table_name = r.name where k.table_schema = database())
  select name from referring`

/** Deleting from small tables is cheaper than truncating them. Without triggers, their order does not matter. */
const emptied = (tables: readonly string[]): string => `
  set session_replication_role = replica;
  ${tables.map((name) => `delete from ${name}`).join(';\n')};
  set session_replication_role = origin`

const rows = `
  insert into platform_settings (project_name) values ('Test');
  insert into platform_roles (id, name, parent) values
    ('${seedIds.administratorRole}', 'Administrator', null), ('${chiefRole}', 'Chief', '${seedIds.administratorRole}'),
    ('${managerRole}', 'Manager', null), ('${editorRole}', 'Editor', null), ('${spareRole}', 'Spare', null);
  insert into platform_policies (id, name, admin_access, app_access) values
    ('${seedIds.administratorPolicy}', 'Administrator', true, true), ('${seedIds.publicPolicy}', 'Public', false, false),
    ('${managerPolicy}', 'Manager', false, false), ('${editorPolicy}', 'Editor', false, false);
  insert into platform_access (id, role, policy) values
    ('${seedIds.administratorAccess}', '${seedIds.administratorRole}', '${seedIds.administratorPolicy}'),
    ('${key('d2')}', '${managerRole}', '${managerPolicy}'), ('${key('d3')}', '${editorRole}', '${editorPolicy}');
  insert into platform_permissions (policy, collection, action, fields, permissions) values
    ${managed
      .flatMap((name) =>
        ['create', 'read', 'update', 'delete'].map(
          (action) => `('${managerPolicy}', 'platform_${name}', '${action}', '*', null)`,
        ),
      )
      .join(', ')},
    ('${managerPolicy}', 'articles', 'read', 'id,title', '{"status":{"_eq":"published"}}'),
    ('${managerPolicy}', 'articles', 'create', 'title', null),
    ('${editorPolicy}', 'articles', 'update', 'title', null);
  insert into platform_users (id, email, password, role) values
    ('${chief}', 'chief@example.com', 'x', '${chiefRole}'), ('${manager}', 'manager@example.com', 'x', '${managerRole}'),
    ('${editor}', 'editor@example.com', 'x', '${editorRole}');
  insert into platform_sessions (id, token_hash, "user", expires) values
    ('${key('e1')}', 'one', '${chief}', '2037-01-01'), ('${key('e2')}', 'two', '${manager}', '2037-01-01'),
    ('${key('e3')}', 'three', '${editor}', '2037-01-01')`

const worldSql = `create table articles (id serial primary key, title text, status text);
  create table firms (id serial primary key, name text);
  alter table platform_users add column firm integer references firms (id) on delete cascade;
  insert into firms (name) values ('Firm')`

export type RightsWorld = {
  readonly run: (text: string) => Promise<readonly unknown[]>
  readonly reset: () => Promise<void>
  readonly as: (user: string, role: string, ip?: string) => Promise<Context>
  /** Number of invalidations of cached actors since the reset. */
  readonly forgotten: () => number
  readonly close: () => Promise<void>
}

export async function openRightsWorld(): Promise<RightsWorld> {
  const { db, loadSchema, close } = await createTestDatabase({ sql: worldSql })
  let forgotten = 0
  const forgetActors = async (): Promise<void> => void (forgotten += 1)
  const base = createTestContext(db, await loadSchema(), {
    forgetActors,
    ids: { uuid: () => crypto.randomUUID(), token: (length) => 'x'.repeat(length) },
  })
  const run = async (text: string): Promise<readonly unknown[]> =>
    (await db.transaction((inner) => inner.run({ text: textFor(db, text), values: [] }))).rows
  const referring = (await run(db.dialect.startsWith('mysql') ? referringOnMariaDb : referringSql)) as readonly {
    readonly name: string
  }[]
  const resetSql = `${emptied(referring.map(({ name }) => name))}; ${rows}`
  return {
    run,
    async reset() {
      await run(resetSql)
      forgotten = 0
    },
    async as(user, role, ip = '192.0.2.1') {
      const who = { kind: 'user', user, role } as const
      const { access, roles } = await loadAccess(db, base.schema, who, ip)
      return { ...base, actor: { ...who, access, roles, session: null }, request: { ...base.request, ip } }
    },
    forgotten: () => forgotten,
    close,
  }
}
