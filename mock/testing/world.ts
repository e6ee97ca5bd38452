/** One data model with rows, for the mock and for a real server: every type, every kind of relation. */
import type { GivenRows } from '../src/api.ts'

export const tablesSql = `
  create table authors (
    id serial primary key, name varchar(40) not null unique, email varchar(80), rating numeric(6, 2), active boolean default true,
    born date
  );
  create table articles (
    id serial primary key, title varchar(40) not null, body text, status varchar(20) default 'draft', views integer default 0,
    big bigint, score double precision, price numeric, day date, at timestamp, published timestamptz, opens time,
    meta jsonb, raw json, labels text, place integer, created_on timestamptz, changed_on timestamptz,
    author integer references authors (id) on delete set null
  );
  create table comments (
    id serial primary key, body text not null, article integer references articles (id) on delete cascade,
    author integer references authors (id), reply_to integer references comments (id) on delete cascade
  );
  create table tags (word varchar(20) primary key, colour varchar(20) default 'none');
  create table articles_tags (
    id serial primary key, article integer references articles (id) on delete cascade,
    tag varchar(20) references tags (word) on delete cascade, sort integer
  );
  create table notes (id uuid primary key, text varchar(40), hidden varchar(40), owner uuid);
  create table blocks (id serial primary key, article integer references articles (id) on delete cascade, item varchar(60), collection varchar(60));
  create table prices (shop integer, item integer, amount integer not null, primary key (shop, item));
  create table about (id serial primary key, headline varchar(80) default 'Nothing yet', visits integer default 0);
  insert into platform_collections (collection, singleton, archive_field, archive_value, sort_field) values
    ('authors', false, null, null, null), ('articles', false, 'status', 'archived', null), ('comments', false, null, null, null),
    ('tags', false, null, null, null), ('articles_tags', false, null, null, 'sort'), ('notes', false, null, null, null),
    ('blocks', false, null, null, null), ('about', true, null, null, null);
  insert into platform_fields (collection, field, special) values
    ('articles', 'comments', 'o2m'), ('articles', 'tags', 'm2m'), ('articles', 'blocks', 'o2m'), ('authors', 'articles', 'o2m'),
    ('articles', 'labels', 'cast-csv'), ('articles', 'created_on', 'date-created'), ('articles', 'changed_on', 'date-updated'),
    ('notes', 'hidden', 'conceal'), ('notes', 'id', 'uuid'), ('comments', 'replies', 'o2m');
  insert into platform_fields (collection, field, validation, validation_message) values
    ('articles', 'views', '{"views":{"_gte":0}}', null), ('authors', 'email', '{"email":{"_contains":"@"}}', 'An address has an @');
  insert into platform_relations (many_collection, many_field, one_collection, one_field, junction_field, sort_field, one_deselect_action) values
    ('articles', 'author', 'authors', 'articles', null, 'place', 'nullify'), ('comments', 'article', 'articles', 'comments', null, null, 'delete'),
    ('comments', 'reply_to', 'comments', 'replies', null, null, 'nullify'),
    ('articles_tags', 'article', 'articles', 'tags', 'tag', 'sort', 'delete'), ('articles_tags', 'tag', 'tags', null, 'article', null, 'nullify'),
    ('blocks', 'article', 'articles', 'blocks', 'item', null, 'delete');
  insert into platform_relations (many_collection, many_field, one_collection, one_collection_field, one_allowed_collections, junction_field) values
    ('blocks', 'item', null, 'collection', 'tags,notes,authors', 'article');
  update platform_collections set versioning = true where collection = 'articles'`

export const noteIds = [
  '11111111-1111-4111-8111-111111111111',
  '22222222-2222-4222-8222-222222222222',
  '33333333-3333-4333-8333-333333333333',
] as const

export const rows: GivenRows = {
  authors: [
    { id: 1, name: 'Ann', email: 'ann@example.com', rating: '4.50', active: true, born: '1970-05-01' },
    { id: 2, name: 'Bo', email: null, rating: '3.25', active: false, born: '1985-12-31' },
    { id: 3, name: 'cy', email: 'cy@example.com', rating: null, active: null, born: null },
    { id: 4, name: 'Émile', email: 'e%_\\@example.com', rating: '-1.10', active: true, born: '2001-02-28' },
  ],
  articles: [
    {
      id: 1,
      title: 'Hello',
      body: 'The first text',
      status: 'published',
      views: 10,
      big: '9007199254740993',
      score: 1.5,
      price: '10.50',
      day: '2026-01-31',
      at: '2026-01-31T10:00:00',
      published: '2026-01-31T10:00:00Z',
      opens: '08:30:00',
      meta: { b: 1, a: [1, 2] },
      raw: { z: null, a: 1 },
      labels: ['red', 'Green'],
      place: 2,
      created_on: '2026-01-01T00:00:00Z',
      changed_on: null,
      author: 1,
    },
    {
      id: 2,
      title: 'World',
      body: '',
      status: 'published',
      views: 20,
      big: '-5',
      score: -0.25,
      price: '0.100',
      day: '2026-02-28',
      at: '2026-02-28T23:59:59.5',
      published: '2026-02-28T11:30:00.123Z',
      opens: '23:59:59',
      meta: [1, 2, 3],
      raw: [],
      labels: [],
      place: 1,
      created_on: '2026-01-02T00:00:00Z',
      changed_on: '2026-01-03T00:00:00Z',
      author: 1,
    },
    {
      id: 3,
      title: 'draft',
      body: null,
      status: 'draft',
      views: 0,
      big: null,
      score: null,
      price: null,
      day: null,
      at: null,
      published: null,
      opens: null,
      meta: null,
      raw: null,
      labels: null,
      place: null,
      created_on: null,
      changed_on: null,
      author: 2,
    },
    {
      id: 4,
      title: 'Tandem 100%',
      body: 'About tandem_s',
      status: 'archived',
      views: 5,
      big: '5',
      score: 1e21,
      price: '1234567.891',
      day: '2024-02-29',
      at: '2024-02-29T00:00:00',
      published: '2024-02-29T00:00:00Z',
      opens: '00:00:00',
      meta: {},
      raw: 'text',
      labels: ['blue'],
      place: 3,
      created_on: '2026-01-04T00:00:00Z',
      changed_on: null,
      author: 4,
    },
    {
      id: 5,
      title: 'Old',
      body: 'Gone by',
      status: null,
      views: 99,
      big: '20',
      score: 0,
      price: '7',
      day: '1999-12-31',
      at: '1999-12-31T12:00:00',
      published: '1999-12-31T12:00:00Z',
      opens: '12:00:00',
      meta: 5,
      raw: 5,
      labels: ['red'],
      place: 2,
      created_on: '2020-01-01T00:00:00Z',
      changed_on: null,
      author: null,
    },
  ],
  comments: [
    { id: 1, body: 'a', article: 1, author: 1, reply_to: null },
    { id: 2, body: 'b', article: 1, author: 2, reply_to: 1 },
    { id: 3, body: 'c', article: 2, author: null, reply_to: null },
    { id: 4, body: 'd', article: 4, author: 2, reply_to: null },
    { id: 5, body: 'e', article: null, author: 3, reply_to: 4 },
  ],
  tags: [
    { word: 'blue', colour: 'blue' },
    { word: 'green', colour: null },
    { word: 'red', colour: 'none' },
  ],
  articles_tags: [
    { id: 1, article: 1, tag: 'red', sort: 2 },
    { id: 2, article: 1, tag: 'blue', sort: 1 },
    { id: 3, article: 2, tag: 'green', sort: null },
  ],
  notes: [
    { id: noteIds[0], text: 'one', hidden: 'secret', owner: null },
    { id: noteIds[1], text: null, hidden: null, owner: null },
  ],
  blocks: [
    { id: 1, article: 1, item: 'red', collection: 'tags' },
    { id: 2, article: 1, item: noteIds[0], collection: 'notes' },
    { id: 3, article: 2, item: '2', collection: 'authors' },
    { id: 4, article: 2, item: '77', collection: 'authors' },
  ],
  prices: [
    { shop: 1, item: 1, amount: 10 },
    { shop: 1, item: 2, amount: 20 },
    { shop: 2, item: 1, amount: 10 },
  ],
  about: [{ id: 1, headline: 'About us', visits: 3 }],
}

const counted = ['authors', 'articles', 'comments', 'articles_tags', 'blocks', 'about']

/** A function of the database, because it plans its statements once and not at every call. */
export const restoringSql = (name: string, block: string): string =>
  `create function ${name}() returns void language plpgsql as $restore$ ${block} $restore$`

export function rowsSql(): string {
  const names = Object.keys(rows)
  const inserts = names.map((name) => {
    const columns = (rows[name] ?? []).map((row) =>
      'labels' in row && Array.isArray(row['labels']) ? { ...row, labels: row['labels'].join(',') } : row,
    )
    return `insert into ${name} select * from json_populate_recordset(null::${name}, '${JSON.stringify(columns).replaceAll("'", "''")}')`
  })
  const numbers = counted.map(
    (name) => `perform setval('${name}_id_seq', ${Math.max(...(rows[name] ?? []).map(({ id }) => Number(id)))})`,
  )
  const deletes = names.toReversed().map((name) => `delete from ${name}`)
  // Deleting from small tables is cheaper than truncating them.
  return `begin ${deletes.join('; ')}; ${[...inserts, ...numbers].join('; ')}; end`
}
