/**
 * The workloads. Each is a request to Tandem, and the same query for the limit servers as SQL with numbered parameters:
 * `asRows` returns columns, `asJson` one JSON text.
 */
import type { Workload } from './workload.ts'
import { spread, writeWorkloads } from './writes.ts'

const iso = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const articleColumns =
  'a.id, a.title, a.body, a.status, a.views, a.rating, a.featured, a.published, a.author, a.category'
const articleJson = articleColumns.replace('a.published', `${iso('a.published')} as published`)
const narrow = 'a.id, a.title, a.status, a.views, a.published, a.author'
const narrowJson = narrow.replace('a.published', `${iso('a.published')} as published`)
const list = (inner: string): string => `select coalesce(json_agg(r), '[]')::text as data from (${inner}) r`

const nestedPage = `select * from articles where status = 'published' and views > $1 order by published desc, id limit 25`
const nestedColumns = (published: string, comments: string): string => `a.id, a.title, a.views, ${published},
  (select row_to_json(x) from (select u.id, u.name from authors u where u.id = a.author) x) as author,
  (select row_to_json(x) from (select c.id, c.name from categories c where c.id = a.category) x) as category,
  (select coalesce(json_agg(x), '[]') from (select c.id, c.body, c.likes, ${iso('c.created')} as created
     from comments c where c.article = a.id ${comments} order by c.id limit 5) x) as comments,
  (select coalesce(json_agg(x), '[]') from (select
     (select row_to_json(y) from (select t.id, t.name from tags t where t.id = j.tags_id) y) as tags_id
     from articles_tags j where j.articles_id = a.id order by j.id limit 100) x) as tags`
const nestedFields =
  'id,title,views,published,author.id,author.name,category.id,category.name,' +
  'comments.id,comments.body,comments.likes,comments.created,tags.tags_id.id,tags.tags_id.name'
const nestedPath = (parameters: readonly (string | number)[]): string =>
  `/items/articles?fields=${nestedFields}&filter[status][_eq]=published&filter[views][_gt]=${parameters[0]}` +
  '&sort=-published&limit=25&deep[comments][_limit]=5&deep[comments][_sort]=id&deep[tags][_sort]=id'
const nested = (comments: string): Pick<Workload, 'asRows' | 'asJson'> => ({
  asRows: `select ${nestedColumns('a.published', comments)} from (${nestedPage}) a`,
  asJson: list(`select ${nestedColumns(`${iso('a.published')} as published`, comments)} from (${nestedPage}) a`),
})

export const workloads: readonly Workload[] = [
  {
    name: 'one item',
    as: 'admin',
    method: 'GET',
    parameters: (n) => [spread(n, 100_000)],
    path: ([id]) => `/items/articles/${id}?fields=id,title,body,status,views,rating,featured,published,author,category`,
    answer: 'one',
    asRows: `select ${articleColumns} from articles a where a.id = $1`,
    asJson: `select row_to_json(r)::text as data from (select ${articleJson} from articles a where a.id = $1) r`,
    requests: 4000,
  },
  {
    name: '25 filtered and sorted',
    as: 'admin',
    method: 'GET',
    parameters: (n) => [spread(n, 25_000)],
    path: ([views]) =>
      `/items/articles?fields=id,title,status,views,published,author&filter[status][_eq]=published&filter[views][_gt]=${views}&sort=-published&limit=25`,
    answer: 'many',
    asRows: `select ${narrow} from articles a where a.status = 'published' and a.views > $1 order by a.published desc, a.id limit 25`,
    asJson: list(
      `select ${narrowJson} from (select * from articles where status = 'published' and views > $1 order by published desc, id limit 25) a`,
    ),
    requests: 2500,
  },
  {
    name: '25 with author, category, 5 comments, tags',
    as: 'admin',
    method: 'GET',
    parameters: (n) => [spread(n, 25_000)],
    path: nestedPath,
    answer: 'many',
    ...nested(''),
    requests: 800,
  },
  {
    name: '1,000 wide rows',
    as: 'admin',
    method: 'GET',
    parameters: (n) => [spread(n, 90_000)],
    path: ([id]) =>
      `/items/articles?fields=id,title,body,status,views,rating,featured,published,author,category&filter[id][_gte]=${id}&sort=id&limit=1000`,
    answer: 'many',
    asRows: `select ${articleColumns} from articles a where a.id >= $1 order by a.id limit 1000`,
    asJson: list(`select ${articleJson} from articles a where a.id >= $1 order by a.id limit 1000`),
    requests: 60,
  },
  {
    name: 'nested 25 as a non-admin, row filters on two collections',
    as: 'editor',
    method: 'GET',
    parameters: (n) => [spread(n, 25_000)],
    path: nestedPath,
    answer: 'many',
    ...nested('and c.approved = true'),
    requests: 800,
  },
  {
    name: 'filter through a relation, both counts',
    as: 'admin',
    method: 'GET',
    parameters: (n) => [spread(n, 1000)],
    path: ([author]) =>
      `/items/articles?fields=id,title,status,views,published,author&filter[author][email][_eq]=author${author}@example.com&sort=id&limit=25&meta=total_count,filter_count`,
    answer: 'many',
    asRows: `select ${narrow} from articles a where exists (select 1 from authors u where u.id = a.author and u.email = 'author' || $1::text || '@example.com') order by a.id limit 25`,
    asJson: list(
      `select ${narrowJson} from (select * from articles a where exists (select 1 from authors u where u.id = a.author and u.email = 'author' || $1::text || '@example.com') order by a.id limit 25) a`,
    ),
    counts: {
      text: `select (select count(*)::int from articles) as total_count, (select count(*)::int from articles a where exists (select 1 from authors u where u.id = a.author and u.email = 'author' || $1::text || '@example.com')) as filter_count`,
      parameters: [0],
    },
    requests: 800,
  },
  ...writeWorkloads,
]
