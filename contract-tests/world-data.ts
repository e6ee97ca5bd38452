/** Tables, rows and users of the world, as SQL. */
import { seedIds } from '../src/domain/schema/identity.ts'

export const password = 'correct-horse-42'

export const plainTablesSql = `
  create table authors (id serial primary key, name varchar(100) not null, email varchar(255));
  create table articles (
    id serial primary key, title varchar(255) not null, code varchar(20) unique, body text, status varchar(20) default 'draft',
    views integer default 0, featured boolean default false, published timestamptz,
    created_on timestamptz default now(), date_created timestamptz default now(),
    author integer references authors (id) on delete set null
  );
  create table comments (
    id serial primary key, article integer references articles (id) on delete cascade, text text not null, reply_to integer
  );
  create table tags (id serial primary key, name varchar(100) not null);
  create table articles_tags (
    id serial primary key, articles_id integer references articles (id) on delete cascade,
    tags_id integer references tags (id) on delete cascade
  );
  create table steps (id serial primary key, name varchar(100) not null, place integer);
  create table holds (file uuid references platform_files (id), folder uuid references platform_folders (id));
  create table about (id serial primary key, headline varchar(255), body text);
  insert into platform_collections (collection, singleton) values
    ('authors', false), ('articles', false), ('comments', false), ('tags', false), ('articles_tags', false), ('about', true);
  insert into platform_collections (collection, sort_field) values ('steps', 'place');
  insert into platform_fields (collection, field, special) values
    ('articles', 'comments', 'o2m'), ('articles', 'tags', 'm2m'), ('authors', 'articles', 'o2m');
  insert into platform_relations (many_collection, many_field, one_collection, one_field, junction_field) values
    ('articles', 'author', 'authors', 'articles', null), ('comments', 'article', 'articles', 'comments', null),
    ('articles_tags', 'articles_id', 'articles', 'tags', 'tags_id'),
    ('articles_tags', 'tags_id', 'tags', null, 'articles_id');
  update platform_collections set versioning = true where collection in ('articles', 'tags', 'about')`

/** Refuses a name, and keeps a row. */
const keepStepSql = `
  create or replace function keep_step() returns trigger language plpgsql as
    'begin if new.name is not distinct from ''Refused'' or old.name = ''Ship'' and new is null then raise exception ''kept''; end if; return coalesce(new, old); end';
  create trigger keep_step before insert or update or delete on steps for each row execute function keep_step()`

/** The tables and their trigger. */
export const tablesSql = `${plainTablesSql};${keepStepSql}`

/** Tables whose keys begin at 1 again. */
export const counting = ['authors', 'articles', 'comments', 'tags', 'articles_tags', 'about', 'steps']

/** Deleting from small tables is cheaper than truncating them. The trigger of `steps` keeps one that is named `Ship`. */
export const emptySql = `
  update steps set name = 'Gone'; delete from steps;delete from holds; delete from articles_tags; delete from comments; delete from articles;
  delete from authors; delete from tags; delete from about`

const countAnewSql = counting.map((name) => `perform setval('${name}_id_seq', 1, false)`).join(';\n  ')

export const fillSql = `
  insert into steps (name, place) values ('Plan', 1), ('Build', 2), ('Ship', 3);
  insert into authors (name, email) values ('Ann', 'ann@example.com'), ('Bo', null), ('Cy', 'cy@example.com');
  insert into articles (title, code, body, status, views, featured, published, author) values
    ('Hello', 'hello', 'The first text', 'published', 10, true, '2026-01-31T10:00:00Z', 1),
    ('World', 'world', 'The second text', 'published', 20, false, '2026-02-28T11:30:00Z', 1),
    ('Draft', 'draft', 'Not finished', 'draft', 0, false, null, 2),
    ('Tandem', 'tandem', 'About tandem', 'published', 5, false, '2026-03-01T00:00:00Z', 2),
    ('Old', 'old', 'Gone by', 'archived', 99, false, '2020-01-01T00:00:00Z', null);
  insert into comments (article, text) values (1, 'a'), (1, 'b'), (1, 'c'), (2, 'd'), (4, 'e'), (5, 'f');
  insert into tags (name) values ('red'), ('green'), ('blue');
  insert into articles_tags (articles_id, tags_id) values (1, 1), (1, 2), (2, 3);
  insert into about (headline, body) values ('About us', 'We ride tandem')`

export type Person = { readonly kind: string; readonly passwordHash: string; readonly tokenHash: string }

const editorRole = '00000000-0000-4000-8000-0000000000e1'
const editorPolicy = '00000000-0000-4000-8000-0000000000e2'
const nobodyRole = '00000000-0000-4000-8000-0000000000e3'
const writerRole = '00000000-0000-4000-8000-0000000000e4'
export const writerPolicy = '00000000-0000-4000-8000-0000000000e5'

const chiefRole = '00000000-0000-4000-8000-0000000000e6'

/** System collections that the editor can read and, except for history, the writer can write. */
const written = [
  'users',
  'roles',
  'policies',
  'access',
  'permissions',
  'files',
  'folders',
  'presets',
  'comments',
  'notifications',
  'dashboards',
  'panels',
  'translations',
  'webhooks',
  'settings',
  'versions',
  'shares',
] as const
const history = ['activity', 'revisions'] as const

/** The only administrator, and the rows that grant its rights. */
export const administrator = {
  user: '00000000-0000-4000-8000-0000000000a1',
  role: chiefRole,
  policy: seedIds.administratorPolicy,
  access: seedIds.administratorAccess,
} as const

/** A user whose address is not allowed, and a user who must set up a second factor: keys of policy, role and user. */
const guarded = {
  elsewhere: '00000000-0000-4000-8000-0000000000e7',
  factor: '00000000-0000-4000-8000-0000000000e8',
} as const

const roles: { readonly [kind: string]: string } = {
  admin: chiefRole,
  editor: editorRole,
  nobody: nobodyRole,
  writer: writerRole,
}

export const grantsSql = `
  insert into platform_permissions (policy, collection, action, fields, permissions) values
    ('${editorPolicy}', 'articles', 'read', 'id,title,status,author', '{"status":{"_neq":"archived"}}'),
    ('${editorPolicy}', 'articles', 'create', 'title,status,body', null),
    ('${editorPolicy}', 'articles', 'update', 'title,status,featured', '{"status":{"_neq":"archived"}}'),
    ('${editorPolicy}', 'authors', 'read', 'id,name', null), ('${editorPolicy}', 'platform_versions', 'create', '*', null),
    ('${writerPolicy}', 'articles', 'share', null, null),
    ('${writerPolicy}', 'articles', 'create', '*', null), ('${writerPolicy}', 'articles', 'update', '*', null),
    ('${seedIds.publicPolicy}', 'comments', 'read', '*', null), ('${seedIds.publicPolicy}', 'comments', 'create', '*', null),
    ('${seedIds.publicPolicy}', 'comments', 'delete', null, null),
    ('${seedIds.publicPolicy}', 'platform_files', 'delete', null, '{"title":{"_eq":"Left by anybody"}}'),
    ('${seedIds.publicPolicy}', 'platform_webhooks', 'delete', null, '{"name":{"_eq":"Left by anybody"}}'),
    ('${seedIds.publicPolicy}', 'platform_presets', 'delete', null, '{"bookmark":{"_eq":"Left by anybody"}}'),
    ('${seedIds.publicPolicy}', 'platform_users', 'delete', null, '{"first_name":{"_eq":"Left by anybody"}}'),
    ('${seedIds.publicPolicy}', 'platform_roles', 'delete', null, '{"name":{"_eq":"Left by anybody"}}'),
    ('${seedIds.publicPolicy}', 'platform_folders', 'delete', null, '{"name":{"_eq":"Left by anybody"}}');
  insert into platform_permissions (policy, collection, action, fields) values
    ('${writerPolicy}', 'steps', 'update', 'place'), ('${writerPolicy}', 'platform_activity', 'update', 'comment'),  ('${writerPolicy}', 'tags', 'create', '*'), ('${writerPolicy}', 'tags', 'update', '*'), ('${writerPolicy}', 'tags', 'read', '*'),
    ${[
      ...[...written, ...history].map((name) => `('${editorPolicy}', 'platform_${name}', 'read', '*')`),
      ...written.flatMap((name) => [
        `('${writerPolicy}', 'platform_${name}', 'create', '*')`,
        `('${writerPolicy}', 'platform_${name}', 'update', '*')`,
      ]),
    ].join(', ')}`

/** Restores the tables and their metadata. */
export const modelSql = `
  do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = current_schema and tablename not like 'platform\\_%' loop
      execute format('drop table %I cascade', name);
    end loop;
  end $$;
  truncate platform_collections, platform_fields, platform_relations, platform_permissions restart identity cascade;
  ${tablesSql};
  ${grantsSql}`

/**
 * The editor reads articles that are not archived and their authors, and writes titles, statuses and the front page. The
 * writer writes articles and system collections that it cannot read. Public callers can create and delete comments. The
 * administrator has its rights through the parent of its role.
 */
export const peopleSql = (people: readonly Person[]): string => `
  insert into platform_roles (id, name, parent) values
    ('${editorRole}', 'Editor', null), ('${writerRole}', 'Writer', null), ('${nobodyRole}', 'Nobody', null),
    ('${chiefRole}', 'Chief', '${seedIds.administratorRole}');
  insert into platform_policies (id, name) values ('${editorPolicy}', 'Editor'), ('${writerPolicy}', 'Writer');
  insert into platform_access (id, role, policy) values
    (gen_random_uuid(), '${editorRole}', '${editorPolicy}'), (gen_random_uuid(), '${writerRole}', '${writerPolicy}');
  ${grantsSql};
  ${people.map(personSql).join('\n')}
  insert into platform_users (id, email, password, status)
    select gen_random_uuid(), 'inactive@example.com', password, 'draft' from platform_users where email = 'admin@example.com';
  insert into platform_policies (id, name, ip_access, enforce_tfa) values
    ('${guarded.elsewhere}', 'Elsewhere', '203.0.113.7', false), ('${guarded.factor}', 'Factor', null, true);
  insert into platform_roles (id, name) values ('${guarded.elsewhere}', 'Elsewhere'), ('${guarded.factor}', 'Factor');
  insert into platform_access (id, role, policy) select id, id, id from platform_roles where name in ('Elsewhere', 'Factor');
  insert into platform_users (id, email, password, role)
    select r.id, lower(r.name) || '@example.com', u.password, r.id from platform_roles r, platform_users u
      where r.name in ('Elsewhere', 'Factor') and u.email = 'admin@example.com'`

const personSql = ({ kind, passwordHash, tokenHash }: Person): string => `
  insert into platform_users (id, email, password, token, role, status) values
    (${kind === 'admin' ? `'${administrator.user}'` : 'gen_random_uuid()'}, '${kind}@example.com', '${passwordHash}', '${tokenHash}', '${roles[kind]}', 'active');`

/** A 16 × 16 image, and its name in storage. */
export const picture = {
  key: '00000000-0000-4000-8000-0000000000f5.png',
  bytes: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAIklEQVQ4jWN4EKDwHx82KDiAFzOMGvB/NAwOjIZBwbAIAwDIwVcfsaqIVAAAAABJRU5ErkJggg==',
    'base64',
  ),
} as const

/** Objects in the storage of the world: one that belongs to a file, and one that is free. */
export const spareObjects = { stored: '00000000-0000-4000-8000-0000000000f7.txt', free: 'brought-along.txt' } as const

/** First key of spare rows with integer keys. */
export const counted = ['permissions', 'role_levels', 'presets', 'notifications', 'activity', 'revisions'] as const
/** First number of spare rows of identity collections. */
export const numbered = ['files', 'folders', 'users', 'roles'] as const

/** Advances the sequences, so that new rows do not get the numbers of spare rows. */
const beyondSpares = (name: string, column: 'id' | 'number'): string => {
  const sequence = `pg_get_serial_sequence('platform_${name}', '${column}')::regclass`
  return `perform setval(${sequence}, greatest(1000, nextval(${sequence})))`
}

/** Rows of system collections that grant no rights, so they can be changed and deleted. Examples in the specs use their keys. */
export const spareSql = `
  delete from platform_users where id = '00000000-0000-4000-8000-0000000000f1' or email in ('new@example.com', 'mary@example.com', 'alan@example.com', 'katherine@example.com', 'one@example.com', 'two@example.com', 'registered@example.com');
  delete from platform_users where email in ('chief@example.com', 'left@example.com', 'held@example.com');
  update platform_policies set admin_access = true where id = '${administrator.policy}';
  delete from platform_account_states; update platform_users set tfa_secret = null;
  delete from platform_roles where id = '00000000-0000-4000-8000-0000000000f2' or name in ('Author', 'Reviewer', 'Translator', 'One', 'Two', 'Left by anybody');
  delete from platform_policies where id = '00000000-0000-4000-8000-0000000000f3' or name in ('Write articles', 'Read articles', 'Review comments', 'Writing', 'One', 'Two');
  delete from platform_folders; delete from platform_presets; delete from platform_comments;
  delete from platform_versions; delete from platform_shares;
  delete from platform_webhooks;
  delete from platform_dashboards; delete from platform_translations; delete from platform_activity;
  update platform_settings set project_descriptor = null, public_registration = true,
    public_registration_email_filter = '{"email":{"_nends_with":"@unwelcome.example"}}';
  delete from platform_uploads; delete from platform_files; delete from platform_stored_objects; delete from platform_folders; delete from platform_presets; delete from platform_comments;
  update platform_settings set project_name = 'Tandem', project_color = '#6644FF',
    entries = '[{"id":1,"key":"project_url","value":null,"gone":true}]';
  update platform_settings set project_descriptor = null,
    storage_asset_presets = '[{"key": "thumbnail", "width": 8, "height": 8, "fit": "cover", "format": "webp", "quality": 60}]';
  insert into platform_files (id, number, private_hash, storage, filename_disk, filename_download, type, filesize, width, height, uploaded_on)
    values ('00000000-0000-4000-8000-0000000000f5', 905, 'bicycle00000hash', 'local', '${picture.key}', 'bicycle.png', 'image/png', ${picture.bytes.length}, 16, 16, '2026-01-31T10:00:00Z');
  insert into platform_users (id, number, email, first_name, external_identifier) values ('00000000-0000-4000-8000-0000000000f1', 906, 'spare@example.com', 'Spare', '00u-spare'),
    ('00000000-0000-4000-8000-0000000000d8', 908, 'left@example.com', 'Left by anybody', null);
  insert into platform_roles (id, number, name, external_id) values ('00000000-0000-4000-8000-0000000000f2', 906, 'Spare', '00g-spare'),
    ('00000000-0000-4000-8000-0000000000d8', 908, 'Left by anybody', null);
  insert into platform_users (id, number, email, role) values ('00000000-0000-4000-8000-0000000000d7', 909, 'held@example.com', '00000000-0000-4000-8000-0000000000f2');
  insert into platform_role_levels (id, collection, role) values (901, 'comments', '00000000-0000-4000-8000-0000000000f2'), (902, 'steps', '00000000-0000-4000-8000-0000000000f2');
  insert into platform_policies (id, name) values ('00000000-0000-4000-8000-0000000000f3', 'Spare');
  insert into platform_access (id, role, policy, sort) values ('00000000-0000-4000-8000-0000000000f4', '00000000-0000-4000-8000-0000000000f2', '00000000-0000-4000-8000-0000000000f3', 1);
  insert into platform_permissions (id, policy, collection, action, fields) values (901, '00000000-0000-4000-8000-0000000000f3', 'tags', 'read', '*');
  insert into platform_files (id, number, storage, filename_disk, filename_download, title, type, filesize) values
    ('00000000-0000-4000-8000-0000000000f7', 907, 'local', '${spareObjects.stored}', 'notes.txt', 'Notes', 'text/plain', 5);
  insert into platform_files (id, number, storage, filename_download, title) values ('00000000-0000-4000-8000-0000000000e0', 908, 'local', 'left.txt', 'Left by anybody');
  insert into platform_folders (id, number, name) values ('00000000-0000-4000-8000-0000000000e0', 908, 'Left by anybody');
  insert into platform_files (id, number, storage, filename_download, title) values ('00000000-0000-4000-8000-0000000000d9', 909, 'local', 'held.txt', 'Held');
  insert into platform_folders (id, number, name, parent) values ('00000000-0000-4000-8000-0000000000f6', 906, 'Spare', null),
    ('00000000-0000-4000-8000-0000000000d9', 909, 'Held', '00000000-0000-4000-8000-0000000000f6');
  insert into holds (file, folder) values ('00000000-0000-4000-8000-0000000000d9', '00000000-0000-4000-8000-0000000000d9');
  insert into platform_uploads (id, owner, file, replaces, length, metadata, touched, expires) values
    ('00000000-0000-4000-8000-0000000000ec', '${administrator.user}', '00000000-0000-4000-8000-0000000000ff', false, 11, '{"filename_download":"notes.txt"}', now(), now() + interval '1 hour');
  insert into platform_presets (id, bookmark, collection) values (901, 'Spare', 'tags'), (908, 'Left by anybody', 'tags');
  insert into platform_comments (id, collection, item, comment) values ('00000000-0000-4000-8000-0000000000f7', 'articles', '1', 'Well said');
  insert into platform_notifications (id, recipient, subject) values (901, '00000000-0000-4000-8000-0000000000f1', 'Spare');
  insert into platform_dashboards (id, name) values ('00000000-0000-4000-8000-0000000000f8', 'Spare');
  insert into platform_panels (id, dashboard, type, position_x, position_y, width, height)
    values ('00000000-0000-4000-8000-0000000000f9', '00000000-0000-4000-8000-0000000000f8', 'label', 1, 1, 4, 4);
  insert into platform_translations (id, language, key, value) values ('00000000-0000-4000-8000-0000000000fa', 'en-US', 'spare', 'Spare');
  insert into platform_webhooks (id, name, status, url, collections, actions, "user", secret) values
    (901, 'Spare', 'inactive', 'https://example.com/hook', 'articles', 'create',
      (select id from platform_users where email = 'writer@example.com'), 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
    (908, 'Left by anybody', 'inactive', 'https://example.com/hook', 'tags', 'create', null, null);
  insert into platform_webhook_deliveries (id, webhook, event, position, type, collection, item, row_hash, body, state, created) values
    (901, 901, 'msg_2ncBYBVcR6RMhYjVRjbB7w', 1, 'items.create', 'articles', '1', 'a', '{}', 'dead', now());
  insert into platform_versions (id, key, name, collection, item, delta) values
    ('00000000-0000-4000-8000-0000000000fb', 'draft', 'Draft', 'articles', '1', '{"title":"Hello, draft"}'),
    ('00000000-0000-4000-8000-0000000000ef', 'other', null, 'articles', '1', null),
    ('00000000-0000-4000-8000-0000000000ed', 'draft', null, 'about', '1', '{"headline":"About you"}'),
    ('00000000-0000-4000-8000-0000000000ee', 'draft', null, 'authors', '1', null);
  insert into platform_shares (id, name, collection, item, user_created, password) values
    ('00000000-0000-4000-8000-0000000000fc', 'Spare', 'articles', '1', '${administrator.user}', null),
    ('00000000-0000-4000-8000-0000000000fd', 'With a password', 'articles', '1', '${administrator.user}',
      (select password from platform_users where email = 'admin@example.com'));
  delete from platform_sync_keys;
  insert into platform_sync_keys (kind, local_id, sync_id, created) values
    ('roles', '5d1bd4a2-9fcb-4d29-95e3-9eb3c13ca2f1', '_sync_editors', '2026-03-14T09:26:53Z');
  delete from platform_keys;
  insert into platform_keys (id, "user", name, prefix, hash, created) values
    ('00000000-0000-4000-8000-0000000000e1', '${administrator.user}', 'Spare', 'tk_c3BhcmUh', 'spare', '2026-03-14T09:26:53Z');
  insert into platform_activity (id, action, collection, item) values (901, 'update', 'articles', '1'),
    (902, 'create', 'platform_files', '00000000-0000-4000-8000-0000000000f7'),
    (904, 'create', 'platform_users', '00000000-0000-4000-8000-0000000000f1'), (905, 'create', 'platform_webhooks', '901');
  insert into platform_activity_seen (id, activity, "user", seen_on) values (901, 901, '00000000-0000-4000-8000-0000000000f1', '2019-05-01T10:00:00Z');
  insert into platform_activity (id, action, collection, item, comment) values (903, 'comment', 'articles', '1', 'Well said');
  insert into platform_revisions (id, activity, collection, item, data, delta)
    values (901, 901, 'articles', '1', '{"id":1,"title":"Hello"}', '{"title":"Hello"}'),
      (902, 902, 'platform_files', '00000000-0000-4000-8000-0000000000f7', '{"title":"Notes","filesize":5}', '{"title":"Notes"}'),
      (906, 904, 'platform_users', '00000000-0000-4000-8000-0000000000f1', '{"first_name":"Spare"}', '{"first_name":"Spare"}'),
      (907, 905, 'platform_webhooks', '901', '{"status":"active"}', '{"status":"active"}'),
      (903, 901, 'articles', '3', '{"id":3,"code":"world"}', '{"code":"world"}'),
      (904, 901, 'articles', '3', '{"id":3,"author":999999}', '{"author":999999}'),
      (905, 901, 'platform_users', '${administrator.user}', '{"status":"suspended"}', '{"status":"suspended"}')`

const beyondSql = [
  ...counted.map((name) => beyondSpares(name, 'id')),
  ...numbered.map((name) => beyondSpares(name, 'number')),
].join(';\n')

/** A function of the database, because it plans its statements once and not at every call. */
export const restoreSql = `
  create or replace function restore_world() returns void language plpgsql as
    $restore$ begin ${emptySql}; ${countAnewSql}; ${fillSql}; ${spareSql}; ${beyondSql}; end $restore$;`

/** Restores all rows; the tables must be as `tablesSql` makes them. */
export const resetSql = 'select restore_world()'
