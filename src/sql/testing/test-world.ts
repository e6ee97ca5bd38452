/**
 * The common test world: authors, articles with every field type and an archive, comments, tags through a junction,
 * blocks of a page through a many-to-any, a tree of categories, a singleton, and an unregistered table. Tests may add
 * to it but never change it.
 */

export const world = {
  /** Keys of the rows of `regions`, which are uuids. */
  regions: { north: '11111111-1111-4111-8111-111111111111', south: '22222222-2222-4222-8222-222222222222' },
} as const

const tables = `
create table regions (
  id uuid primary key,
  name varchar(100) not null
);
create table authors (
  id serial primary key,
  name varchar(100) not null,
  email varchar(255) unique,
  age integer,
  region uuid references regions (id) on delete set null,
  mentor integer references authors (id) on delete set null,
  secret varchar(255)
);
create table categories (
  id serial primary key,
  name varchar(100) not null,
  parent integer references categories (id) on delete cascade
);
create table articles (
  id serial primary key,
  status varchar(20) not null default 'draft',
  sort integer,
  title varchar(200) not null,
  body text,
  author integer references authors (id) on delete set null,
  category integer references categories (id) on delete set null,
  featured boolean not null default false,
  views integer not null default 0,
  reads bigint,
  rating real,
  price numeric(10, 5),
  published_on date,
  published_at time,
  embargo timestamp,
  date_created timestamptz,
  date_updated timestamptz,
  user_created uuid references platform_users (id) on delete set null,
  user_updated uuid references platform_users (id) on delete set null,
  image uuid references platform_files (id) on delete set null,
  metadata json,
  options jsonb,
  keywords text,
  token uuid,
  payload bytea,
  languages text[],
  address inet
);
create table comments (
  id bigserial primary key,
  article integer not null references articles (id) on delete cascade,
  author integer references authors (id) on delete set null,
  body text not null,
  approved boolean not null default false
);
create table tags (
  name varchar(50) primary key,
  color varchar(20)
);
create table articles_tags (
  id serial primary key,
  article integer references articles (id) on delete cascade,
  tag varchar(50) references tags (name) on delete cascade,
  sort integer
);
create table headings (id serial primary key, text varchar(200) not null);
create table paragraphs (id serial primary key, text text not null);
create table pages (id serial primary key, slug varchar(100) not null unique);
create table pages_blocks (
  id serial primary key,
  page integer references pages (id) on delete cascade,
  item varchar(255),
  collection varchar(64),
  sort integer
);
create table homepage (id serial primary key, headline varchar(200), featured_article integer references articles (id));
create table ledger (id serial primary key, amount numeric(12, 2) not null, entered timestamptz not null default now());
`

const metadata = `
insert into platform_collections (collection, archive_field, archive_value, unarchive_value, sort_field, singleton, accountability, note) values
  ('authors', null, null, null, null, false, 'all', 'Who writes'),
  ('articles', 'status', 'archived', 'draft', 'sort', false, 'all', null),
  ('comments', null, null, null, null, false, 'activity', null),
  ('categories', null, null, null, null, false, null, null),
  ('regions', null, null, null, null, false, 'all', null),
  ('tags', null, null, null, null, false, 'all', null),
  ('articles_tags', null, null, null, null, false, 'all', null),
  ('headings', null, null, null, null, false, 'all', null),
  ('paragraphs', null, null, null, null, false, 'all', null),
  ('pages', null, null, null, null, false, 'all', null),
  ('pages_blocks', null, null, null, null, false, 'all', null),
  ('homepage', null, null, null, null, true, 'all', null);

insert into platform_fields (collection, field, special, sort, validation, validation_message) values
  ('authors', 'articles', 'o2m', 1, null, null),
  ('authors', 'students', 'o2m', 2, null, null),
  ('authors', 'secret', 'hash,conceal', 3, null, null),
  ('authors', 'email', null, 4, '{"email":{"_contains":"@"}}', 'Expected an address'),
  ('categories', 'children', 'o2m', 1, null, null),
  ('categories', 'articles', 'o2m', 2, null, null),
  ('articles', 'comments', 'o2m', 1, null, null),
  ('articles', 'tags', 'm2m', 2, null, null),
  ('articles', 'date_created', 'date-created', 3, null, null),
  ('articles', 'date_updated', 'date-updated', 4, null, null),
  ('articles', 'user_created', 'user-created', 5, null, null),
  ('articles', 'user_updated', 'user-updated', 6, null, null),
  ('articles', 'image', 'file', 7, null, null),
  ('articles', 'metadata', 'cast-json', 8, null, null),
  ('articles', 'options', 'cast-json', 9, null, null),
  ('articles', 'keywords', 'cast-csv', 10, null, null),
  ('articles', 'token', 'uuid', 11, null, null),
  ('articles', 'divider', 'alias,no-data', 12, null, null),
  ('regions', 'id', 'uuid', 1, null, null),
  ('regions', 'authors', 'o2m', 2, null, null),
  ('tags', 'articles', 'm2m', 1, null, null),
  ('pages', 'blocks', 'm2a', 1, null, null);
insert into platform_fields (collection, field, type, interface, options, sort) values
  ('articles', 'status', 'status', 'status', '{"status_mapping":{
    "published":{"name":"Published","published":true,"soft_delete":false},
    "draft":{"name":"Draft","published":false,"soft_delete":false},
    "archived":{"name":"Archived","published":false,"soft_delete":true}}}', 13);

insert into platform_relations (many_collection, many_field, one_collection, one_field, one_collection_field, one_allowed_collections, junction_field, sort_field, one_deselect_action) values
  ('articles', 'author', 'authors', 'articles', null, null, null, null, 'nullify'),
  ('authors', 'mentor', 'authors', 'students', null, null, null, null, 'nullify'),
  ('authors', 'region', 'regions', 'authors', null, null, null, null, 'nullify'),
  ('categories', 'parent', 'categories', 'children', null, null, null, null, 'nullify'),
  ('articles', 'category', 'categories', 'articles', null, null, null, null, 'nullify'),
  ('comments', 'article', 'articles', 'comments', null, null, null, null, 'delete'),
  ('articles_tags', 'article', 'articles', 'tags', null, null, 'tag', 'sort', 'delete'),
  ('articles_tags', 'tag', 'tags', 'articles', null, null, 'article', null, 'delete'),
  ('pages_blocks', 'page', 'pages', 'blocks', null, null, 'item', 'sort', 'delete'),
  ('pages_blocks', 'item', null, null, 'collection', 'headings,paragraphs', 'page', null, 'nullify');
`

const rows = `
insert into regions values ('${world.regions.north}', 'North'), ('${world.regions.south}', 'South');
insert into authors (id, name, email, age, region, mentor, secret) values
  (1, 'Ann', 'ann@example.com', 61, '${world.regions.north}', null, 'hash-of-ann'),
  (2, 'Bob', 'bob@example.com', 34, '${world.regions.north}', 1, null),
  (3, 'Cyd', 'cyd@example.com', null, '${world.regions.south}', 1, null),
  (4, 'Élodie O''Neil', null, 29, null, 2, null);
insert into categories (id, name, parent) values (1, 'World', null), (2, 'Europe', 1), (3, 'Iceland', 2), (4, 'Sports', null);
insert into articles (id, status, sort, title, body, author, category, featured, views, reads, rating, price,
    published_on, published_at, embargo, date_created, metadata, options, keywords, token, payload, languages, address) values
  (1, 'published', 3, 'Glaciers melt', 'Ice turns to water.', 1, 3, true, 120, 9007199254740993, 4.5, 12.50000,
    '2024-01-31', '08:30:00', '2024-02-01 09:00:00', '2024-01-30T10:15:30.123Z', '{"pages": 3, "tags": ["ice", "sea"]}',
    '{"a": [1, 2]}', 'ice,water', '33333333-3333-4333-8333-333333333333', '\\x68690a', '{en,is}', '10.0.0.1'),
  (2, 'published', 1, 'Cup final', 'Two teams, one cup.', 2, 4, false, 300, 12, 3.25, 0.10000,
    '2024-03-15', '23:59:59', null, '2024-03-14T23:00:00Z', '[1, 2, 3]', null, 'cup', null, null, null, null),
  (3, 'draft', 2, 'Untold "story"', null, 1, 2, false, 0, null, null, null,
    null, null, null, '2024-05-01T00:00:00Z', null, null, null, null, null, null, null),
  (4, 'archived', 4, 'Old 100% news_', 'Back\\slash and ümlaut', 3, 1, false, 7, 5, 1, 99999.99999,
    '1999-12-31', '00:00:00', '1999-12-31 23:59:59', '1999-12-31T23:59:59.999Z', '{}', '{}', '', null, null, null, null),
  (5, 'published', null, 'Nobody wrote this', 'An article without author.', null, null, true, 42, 1, 5, 10.00000,
    '2024-12-24', '12:00:00', null, '2024-12-24T12:00:00Z', null, null, 'a,b,c', null, null, null, null);
insert into comments (id, article, author, body, approved) values
  (1, 1, 2, 'Well said', true), (2, 1, 3, 'I disagree', false), (3, 1, null, 'Anonymous here', true),
  (4, 2, 1, 'What a game', true), (5, 5, 4, 'Who did?', true);
insert into tags values ('ice', 'blue'), ('sea', 'green'), ('sport', 'red'), ('unused', null);
insert into articles_tags (id, article, tag, sort) values (1, 1, 'sea', 2), (2, 1, 'ice', 1), (3, 2, 'sport', 1), (4, 4, 'ice', 1);
insert into headings (id, text) values (1, 'Welcome'), (2, 'Goodbye');
insert into paragraphs (id, text) values (1, 'Once upon a time'), (2, 'The end');
insert into pages (id, slug) values (1, 'home'), (2, 'empty');
insert into pages_blocks (id, page, item, collection, sort) values
  (1, 1, '1', 'headings', 1), (2, 1, '1', 'paragraphs', 2), (3, 1, '2', 'headings', 3), (4, 1, null, null, 4);
insert into homepage (id, headline, featured_article) values (1, 'Hello', 1);
insert into ledger (id, amount, entered) values (1, 10.50, '2024-01-01T00:00:00Z'), (2, -3.25, '2024-01-02T00:00:00Z');
select setval(pg_get_serial_sequence(name, 'id'), 100) from unnest(array['authors', 'categories', 'articles', 'comments',
  'articles_tags', 'headings', 'paragraphs', 'pages', 'pages_blocks', 'homepage', 'ledger']) as name;
`

/** Tables, metadata and rows; new rows get keys from 101 on. */
export const worldSql = `${tables}${metadata}${rows}`
