/** The database of the benchmark, seeded once and kept until its definition changes. */
import { createHash } from 'node:crypto'
import { ask, isMariaDb } from './ask.ts'

/** What the two vendors spell in different ways. */
type Words = {
  readonly serial: string
  readonly instant: string
  readonly analyze: string
  /** Rows `n` with the numbers from one to another. */
  readonly series: (from: number, to: number) => string
  readonly after: (day: string, minutes: string) => string
  readonly newline: string
}

const postgres: Words = {
  serial: 'serial',
  instant: 'timestamptz',
  analyze: 'analyze',
  series: (from, to) => `generate_series(${from}, ${to}) n`,
  after: (day, minutes) => `timestamptz '${day}T00:00:00Z' + (${minutes} * interval '1 minute')`,
  newline: 'chr(10)',
}

/** MariaDB and MySQL. */
const mariadb: Words = {
  serial: 'int auto_increment',
  instant: 'timestamp(6)',
  analyze: 'analyze table authors, categories, articles, comments, tags, articles_tags',
  series: (from, to) =>
    `(select s.seq + ${from - 1} as n from json_table(concat('[0', repeat(',0', ${to - from}), ']'), '$[*]' columns (seq for ordinality)) s) n`,
  after: (day, minutes) => `timestamp '${day} 00:00:00' + interval (${minutes}) minute`,
  newline: 'char(10 using utf8mb4)',
}

const tables = ({ serial, instant }: Words): string => `
create table authors (id ${serial} primary key, name varchar(100) not null, email varchar(120) not null, country varchar(2) not null);
create table categories (id ${serial} primary key, name varchar(60) not null);
create table articles (
  id ${serial} primary key,
  title varchar(200) not null,
  body text not null,
  status varchar(20) not null default 'draft',
  views integer not null default 0,
  rating real,
  featured boolean not null default false,
  published ${instant},
  author integer,
  category integer,
  foreign key (author) references authors (id),
  foreign key (category) references categories (id)
);
create table comments (
  id ${serial} primary key,
  article integer not null,
  body text not null,
  likes integer not null default 0,
  approved boolean not null default true,
  created ${instant} not null,
  foreign key (article) references articles (id)
);
create table tags (id ${serial} primary key, name varchar(40) not null);
create table articles_tags (
  id ${serial} primary key,
  articles_id integer not null,
  tags_id integer not null,
  foreign key (articles_id) references articles (id),
  foreign key (tags_id) references tags (id)
);`

const rows = ({ series, after, newline, analyze }: Words): string => `
insert into authors (name, email, country)
  select 'Author ' || n, 'author' || n || '@example.com', substr('DEFRITESPLSENLPTDKFI', 1 + 2 * (n % 10), 2)
  from ${series(1, 1000)};
insert into categories (name) select 'Category ' || n from ${series(1, 20)};
insert into articles (title, body, status, views, rating, featured, published, author, category)
  select 'Article number ' || n,
         repeat('Lorem "ipsum" dolor sit amet, ' || n || ' consectetur adipiscing elit.' || ${newline}, 32),
         case when n % 5 < 3 then 'published' when n % 5 = 3 then 'draft' else 'review' end,
         (n * 7919) % 50000, (n % 50) / 10.0, n % 10 = 0,
         ${after('2020-01-01', 'n * 17')},
         1 + (n * 31) % 1000, 1 + n % 20
  from ${series(1, 100_000)};
insert into comments (article, body, likes, approved, created)
  select 1 + (n * 13) % 100000, 'Comment ' || n || ' on this article', n % 100, n % 7 <> 0,
         ${after('2021-01-01', 'n * 3')}
  from ${series(1, 500_000)};
insert into tags (name) select 'tag-' || n from ${series(1, 200)};
insert into articles_tags (articles_id, tags_id)
  select 1 + floor(n / 3), 1 + (n * 17) % 200 from ${series(0, 299_999)};
create index articles_published_desc_id on articles (published desc, id);
create index articles_author on articles (author);
create index articles_category on articles (category);
create index comments_article_id on comments (article, id);
create index articles_tags_articles_id on articles_tags (articles_id);
create index articles_tags_tags_id on articles_tags (tags_id);
${analyze};`

/** Additional tables that no workload uses: `count` tables with ten columns each. */
const extraTables = (count: number, { serial }: Words): string =>
  Array.from(
    { length: count },
    (_, n) =>
      `create table extra_${n} (id ${serial} primary key, ${columns}, parent integer, foreign key (parent) references authors (id));`,
  ).join('\n')

const columns = Array.from({ length: 9 }, (_, n) => `c${n} ${n % 2 ? 'integer' : 'varchar(80)'}`).join(', ')

/**
 * Creates or finds the database with `collections` tables on the server of `adminUrl`. Returns its connection string. Its
 * name contains `label` and a hash of the definition.
 */
export async function createWorld(adminUrl: string, collections: number, label = ''): Promise<string> {
  const words = isMariaDb(adminUrl) ? mariadb : postgres
  const definition = [tables(words), rows(words), extraTables(Math.max(0, collections - 6), words)].join('\n')
  const name = `tandem_bench_${collections}${label}_${createHash('sha256').update(definition).digest('hex').slice(0, 8)}`
  const url = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href
  if (!(await databasesOf(adminUrl)).includes(name)) {
    process.stderr.write(`Making ${name} …\n`)
    await ask(adminUrl, `create database ${name}`)
    await ask(url, definition)
  }
  return url
}

async function databasesOf(adminUrl: string): Promise<readonly unknown[]> {
  const text = isMariaDb(adminUrl)
    ? 'select schema_name as name from information_schema.schemata'
    : 'select datname as name from pg_database'
  return (await ask(adminUrl, text)).map(({ name }) => name)
}
