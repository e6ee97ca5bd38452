/** Write workloads. The limit servers write the same rows in one hand-written statement without history. */
import type { Workload } from './workload.ts'

/** A pseudo-random number from 1 to `size`, derived from `n`. */
export const spread = (n: number, size: number): number => 1 + ((n * 7919) % size)

const created = { title: 'A new article', body: 'A body of ordinary length. '.repeat(20), status: 'draft', views: 1 }

/** The statement in both forms: plain columns, and one JSON text of the row. */
const bothForms = (parts: string, columns: string): Pick<Workload, 'asRows' | 'asJson'> => ({
  asRows: `${parts} select ${columns} from a`,
  asJson: `${parts} select row_to_json(r)::text as data from (select ${columns} from a) r`,
})

const threeComments = `(values ('First', 1), ('Second', 2), ('Third', 3)) x (body, likes)`
const commented = '2024-01-01T00:00:00.000Z'
const comment = (body: string, likes: number): object => ({ body, likes, created: commented })

export const writeWorkloads: readonly Workload[] = [
  {
    name: 'create one item',
    as: 'admin',
    method: 'POST',
    parameters: (n) => [created.title, created.body, created.status, created.views + n],
    path: () => '/items/articles?fields=title,body,status,views',
    body: ([title, body, status, views]) => ({ title, body, status, views }),
    answer: 'one',
    ...bothForms(
      'with a as (insert into articles (title, body, status, views) values ($1, $2, $3, $4) returning *)',
      'title, body, status, views',
    ),
    requests: 1000,
  },
  {
    name: 'patch one item',
    as: 'admin',
    method: 'PATCH',
    parameters: (n) => [spread(n, 100_000), `Changed title ${n}`],
    path: ([id]) => `/items/articles/${id}?fields=id,title,status,views`,
    body: ([, title]) => ({ title }),
    answer: 'one',
    ...bothForms('with a as (update articles set title = $2 where id = $1 returning *)', 'id, title, status, views'),
    requests: 1000,
  },
  {
    name: 'create one item with a new author, 3 comments, 2 tags',
    as: 'admin',
    method: 'POST',
    parameters: (n) => [
      `Article ${n}`,
      created.body,
      `Author ${n}`,
      `author${n}@example.org`,
      `tag a${n}`,
      `tag b${n}`,
    ],
    path: () => '/items/articles?fields=title,status,views',
    body: ([title, body, name, email, first, second]) => ({
      title,
      body,
      author: { name, email, country: 'DE' },
      comments: [comment('First', 1), comment('Second', 2), comment('Third', 3)],
      tags: [{ tags_id: { name: first } }, { tags_id: { name: second } }],
    }),
    answer: 'one',
    ...bothForms(
      `with u as (insert into authors (name, email, country) values ($3, $4, 'DE') returning id),
        a as (insert into articles (title, body, author) select $1, $2, id from u returning *),
        c as (insert into comments (article, body, likes, created) select a.id, x.body, x.likes, timestamptz '${commented}' from a, ${threeComments}),
        t as (insert into tags (name) values ($5), ($6) returning id),
        j as (insert into articles_tags (articles_id, tags_id) select a.id, t.id from a, t)`,
      'title, status, views',
    ),
    requests: 400,
  },
  {
    name: 'patch one item, its author, and a new comment',
    as: 'admin',
    method: 'PATCH',
    parameters: (n) => [spread(n, 1000), `Changed title ${n}`, 1 + ((spread(n, 1000) * 31) % 1000), `Author ${n}`],
    path: ([id]) => `/items/articles/${id}?fields=id,title,status,views`,
    body: ([, title, author, name]) => ({
      title,
      author: { id: author, name },
      comments: { create: [comment('Another', 4)], update: [], delete: [] },
    }),
    answer: 'one',
    ...bothForms(
      `with u as (update authors set name = $4 where id = $3),
        a as (update articles set title = $2, author = $3 where id = $1 returning *),
        c as (insert into comments (article, body, likes, created) values ($1, 'Another', 4, timestamptz '${commented}'))`,
      'id, title, status, views',
    ),
    requests: 400,
  },
]
