/** Tables, rows and people of the world, as SQL. */
import { seedIds } from '../src/domain/identity.ts'

/** Of every user of the world. */
export const password = 'correct-horse-42'

export const tablesSql = `
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
  create table about (id serial primary key, headline varchar(255), body text);
  insert into platform_collections (collection, singleton) values
    ('authors', false), ('articles', false), ('comments', false), ('tags', false), ('articles_tags', false), ('about', true);
  insert into platform_fields (collection, field, special) values
    ('articles', 'comments', 'o2m'), ('articles', 'tags', 'm2m'), ('authors', 'articles', 'o2m');
  insert into platform_relations (many_collection, many_field, one_collection, one_field, junction_field) values
    ('articles', 'author', 'authors', 'articles', null), ('comments', 'article', 'articles', 'comments', null),
    ('articles_tags', 'articles_id', 'articles', 'tags', 'tags_id'),
    ('articles_tags', 'tags_id', 'tags', null, 'articles_id')`

export const rowsSql = `
  truncate authors, articles, comments, tags, articles_tags, about restart identity cascade;
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
const writerPolicy = '00000000-0000-4000-8000-0000000000e5'

const roles: { readonly [kind: string]: string } = {
  admin: seedIds.administratorRole,
  editor: editorRole,
  nobody: nobodyRole,
  writer: writerRole,
}

const grantsSql = `
  insert into platform_permissions (policy, collection, action, fields, permissions) values
    ('${editorPolicy}', 'articles', 'read', 'id,title,status,author', '{"status":{"_neq":"archived"}}'),
    ('${editorPolicy}', 'articles', 'create', 'title,status,body', null),
    ('${editorPolicy}', 'articles', 'update', 'title,status,featured', '{"status":{"_neq":"archived"}}'),
    ('${editorPolicy}', 'authors', 'read', 'id,name', null),
    ('${writerPolicy}', 'articles', 'create', '*', null), ('${writerPolicy}', 'articles', 'update', '*', null),
    ('${seedIds.publicPolicy}', 'comments', 'read', '*', null), ('${seedIds.publicPolicy}', 'comments', 'create', '*', null),
    ('${seedIds.publicPolicy}', 'comments', 'delete', null, null)`

/** Puts the tables back as they were, and what the system knows about them. */
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
 * The editor reads what is not archived and its authors, and writes titles, statuses and the front page. The writer
 * writes articles that it cannot read. Whoever has no token may comment, and take comments away.
 */
export const peopleSql = (people: readonly Person[]): string => `
  insert into platform_roles (id, name) values
    ('${editorRole}', 'Editor'), ('${writerRole}', 'Writer'), ('${nobodyRole}', 'Nobody');
  insert into platform_policies (id, name) values ('${editorPolicy}', 'Editor'), ('${writerPolicy}', 'Writer');
  insert into platform_access (id, role, policy) values
    (gen_random_uuid(), '${editorRole}', '${editorPolicy}'), (gen_random_uuid(), '${writerRole}', '${writerPolicy}');
  ${grantsSql};
  ${people.map(personSql).join('\n')}
  insert into platform_users (id, email, password, status)
    select gen_random_uuid(), 'inactive@example.com', password, 'draft' from platform_users where email = 'admin@example.com'`

const personSql = ({ kind, passwordHash, tokenHash }: Person): string => `
  insert into platform_users (id, email, password, token, role, status) values
    (gen_random_uuid(), '${kind}@example.com', '${passwordHash}', '${tokenHash}', '${roles[kind]}', 'active');`
