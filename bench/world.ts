/** The database of the benchmark, seeded once and kept until its definition changes. */
import { createHash } from 'node:crypto'
import { Client } from 'pg'

const tables = `
create table authors (id serial primary key, name varchar(100) not null, email varchar(120) not null, country varchar(2) not null);
create table categories (id serial primary key, name varchar(60) not null);
create table articles (
  id serial primary key,
  title varchar(200) not null,
  body text not null,
  status varchar(20) not null default 'draft',
  views integer not null default 0,
  rating real,
  featured boolean not null default false,
  published timestamptz,
  author integer references authors (id),
  category integer references categories (id)
);
create table comments (
  id serial primary key,
  article integer not null references articles (id),
  body text not null,
  likes integer not null default 0,
  approved boolean not null default true,
  created timestamptz not null
);
create table tags (id serial primary key, name varchar(40) not null);
create table articles_tags (
  id serial primary key,
  articles_id integer not null references articles (id),
  tags_id integer not null references tags (id)
);`

const rows = `
insert into authors (name, email, country)
  select 'Author ' || n, 'author' || n || '@example.com', (array['DE','FR','IT','ES','PL','SE','NL','PT','DK','FI'])[1 + n % 10]
  from generate_series(1, 1000) n;
insert into categories (name) select 'Category ' || n from generate_series(1, 20) n;
insert into articles (title, body, status, views, rating, featured, published, author, category)
  select 'Article number ' || n,
         repeat('Lorem "ipsum" dolor sit amet, ' || n || ' consectetur adipiscing elit.' || chr(10), 32),
         (array['published','published','published','draft','review'])[1 + n % 5],
         (n * 7919) % 50000, (n % 50) / 10.0, n % 10 = 0,
         timestamptz '2020-01-01T00:00:00Z' + (n * interval '17 minutes'),
         1 + (n * 31) % 1000, 1 + n % 20
  from generate_series(1, 100000) n;
insert into comments (article, body, likes, approved, created)
  select 1 + (n * 13) % 100000, 'Comment ' || n || ' on this article', n % 100, n % 7 <> 0,
         timestamptz '2021-01-01T00:00:00Z' + (n * interval '3 minutes')
  from generate_series(1, 500000) n;
insert into tags (name) select 'tag-' || n from generate_series(1, 200) n;
insert into articles_tags (articles_id, tags_id)
  select 1 + n / 3, 1 + (n * 17) % 200 from generate_series(0, 299999) n;
create index on articles (published desc, id);
create index on articles (author);
create index on articles (category);
create index on comments (article, id);
create index on articles_tags (articles_id);
create index on articles_tags (tags_id);
analyze;`

/** Additional tables that no workload uses: `count` tables with ten columns each. */
const extraTables = (count: number): string =>
  Array.from(
    { length: count },
    (_, n) => `create table extra_${n} (id serial primary key, ${columns}, parent integer references authors (id));`,
  ).join('\n')

const columns = Array.from({ length: 9 }, (_, n) => `c${n} ${n % 2 ? 'integer' : 'varchar(80)'}`).join(', ')

/**
 * Creates or finds the database with `collections` tables on the server of `adminUrl`. Returns its connection string. Its
 * name contains `label` and a hash of the definition.
 */
export async function createWorld(adminUrl: string, collections: number, label = ''): Promise<string> {
  const definition = [tables, rows, extraTables(Math.max(0, collections - 6))].join('\n')
  const name = `tandem_bench_${collections}${label}_${createHash('sha256').update(definition).digest('hex').slice(0, 8)}`
  const url = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href
  const admin = new Client({ connectionString: adminUrl })
  await admin.connect()
  const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [name])
  if (rowCount === 0) {
    process.stderr.write(`Making ${name} …\n`)
    await admin.query(`create database ${name}`)
    await fill(url, definition)
  }
  await admin.end()
  return url
}

async function fill(url: string, definition: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(definition)
  await client.end()
}
