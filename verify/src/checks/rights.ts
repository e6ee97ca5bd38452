/** What the restricted user may read: some rows, some fields, and nothing by a side way. */
import { asText } from '../http/text.ts'
import { aggregate, isClose } from '../model/aggregate.ts'
import { type Check, checksOf, statement, type Trial } from '../run/check.ts'
import { dataOf, expectSame, expectStatus, expectThat, Mismatch } from '../run/mismatch.ts'
import { readableFields } from '../world/fields.ts'
import { among, articlesPath, expectList, keysOf, type Row } from './listing.ts'

const as = 'reader' as const

const list = (trial: Trial, query: Row) => trial.ask(`GET ${articlesPath(trial)}`, { as, query })

const rows = checksOf('rights', 'world', [
  statement('readItems', 'a restricted user sees the items of its rule, with the fields of its rule', async (trial) => {
    const exchange = await list(trial, { sort: 'id', limit: -1 })
    const expected = trial.world.visible.map(({ id, title, views, live, author }) => ({
      id,
      title,
      views,
      live,
      author,
    }))
    expectSame(exchange, 'Other items or fields are shown', dataOf(exchange), expected)
  }),
  statement('readItems', 'filters, sorts and pages of a restricted user stay within its items', async (trial) => {
    await expectList(trial, { filter: { views: { _gt: 2 } }, limit: -1 }, as)
    await expectList(trial, { filter: { live: { _neq: true } }, limit: -1 }, as)
    await expectList(trial, { filter: { _or: [{ live: { _eq: false } }, { views: { _gte: 0 } }] }, limit: -1 }, as)
    await expectList(trial, { sort: ['-views', 'id'], limit: 4, offset: 2 }, as)
    await expectList(trial, { sort: ['title'], limit: 3, page: 2 }, as)
  }),
  statement('readItems', 'counts of a restricted user are those of its items', async (trial) => {
    const count = trial.world.visible.length
    const exchange = await list(trial, { fields: 'id', limit: 1, meta: '*' })
    expectStatus(exchange, 200)
    const { meta } = exchange.json as { readonly meta: unknown }
    expectSame(exchange, 'The counts are others', meta, { total_count: count, filter_count: count })
    const counted = await list(trial, { 'aggregate[count]': '*' })
    expectSame(counted, 'The count is another', Number(dataOf<readonly Row[]>(counted)[0]?.['count']), count)
  }),
  statement('readItems', 'aggregates of a restricted user are those of its items', async (trial) => {
    for (const name of ['sum', 'avg', 'max', 'min', 'count'] as const) {
      const exchange = await list(trial, { [`aggregate[${name}]`]: 'views' })
      const [row] = dataOf<readonly Row[]>(exchange)
      const received = (row?.[name] as Row | undefined)?.['views']
      const expected = aggregate(name, trial.world.visible, 'views')
      expectThat(exchange, `${name} of views is ${asText(expected)}`, isClose(received, expected), received)
    }
  }),
  statement('readItem', 'a hidden item is answered like one that does not exist', async (trial) => {
    const shown = new Set(trial.world.visible.map(({ id }) => id))
    const hidden = trial.world.rows.articles.filter(({ id }) => !shown.has(id))
    const missing = await trial.ask(`GET ${articlesPath(trial)}/2000000000`, { as })
    expectStatus(missing, 403)
    for (const { id } of hidden.slice(0, 4)) {
      const exchange = await trial.ask(`GET ${articlesPath(trial)}/${id}`, { as })
      expectSame(exchange, 'Another status than that of a missing item', exchange.status, missing.status)
      expectSame(exchange, 'Another body than that of a missing item', exchange.json, missing.json)
    }
  }),
  statement('readItem', 'a visible item shows only the readable fields', async (trial) => {
    for (const { id } of trial.world.visible.slice(0, 3)) {
      const exchange = await trial.ask(`GET ${articlesPath(trial)}/${id}`, { as })
      const names = Object.keys(dataOf<Row>(exchange)).toSorted()
      expectSame(exchange, 'Other fields are shown', names, [...readableFields].toSorted())
    }
  }),
])

/** Ways to learn something of a field that the user may not read. */
const sideWays: readonly (readonly [name: string, query: Row])[] = [
  ['fields', { fields: 'id,secret' }],
  ['fields', { fields: 'id,label' }],
  ['filter', { filter: { secret: { _starts_with: 'hidden' } } }],
  ['filter', { filter: { _or: [{ id: { _gt: 0 } }, { secret: { _nnull: true } }] } }],
  ['sort', { sort: 'secret' }],
  ['sort', { sort: '-rating,id' }],
  ['aggregate', { 'aggregate[min]': 'secret' }],
  ['aggregate', { 'aggregate[count]': 'secret' }],
  ['aggregate', { 'aggregate[sum]': 'rating' }],
  ['groupBy', { 'aggregate[count]': '*', groupBy: 'secret' }],
  ['alias', { alias: { shown: 'secret' }, fields: 'id,shown' }],
  ['function', { fields: 'id,year(day)' }],
  ['function in a filter', { filter: { 'year(day)': { _eq: 2025 } } }],
  ['related field', { fields: 'id,author.secret' }],
  ['related filter', { filter: { author: { secret: { _nnull: true } } } }],
  ['related sort', { sort: 'author.secret' }],
  ['way back', { fields: 'id,author.articles.secret' }],
  [
    'deep filter',
    { fields: 'author.articles.id', deep: { author: { articles: { _filter: { secret: { _nnull: true } } } } } },
  ],
  ['deep sort', { fields: 'author.articles.id', deep: { author: { articles: { _sort: ['secret'] } } } }],
  ['unreadable relation', { fields: 'id,tags.tag.name' }],
]

const fields = checksOf('rights', 'world', [
  ...sideWays.map(([name, query]) =>
    statement('readItems', `an unreadable field is refused by ${name}: ${JSON.stringify(query)}`, async (trial) =>
      expectStatus(await list(trial, query), 403),
    ),
  ),
  statement('readItems', 'search looks only into readable fields', async (trial) => {
    for (const search of ['hidden-amber', 'pseudonym', 'ALPINE']) {
      const exchange = await list(trial, { fields: 'id', search, limit: -1 })
      expectSame(exchange, 'Items are found by an unreadable field', keysOf(dataOf(exchange)), [])
    }
    const exchange = await list(trial, { fields: 'id', search: 'wood', sort: 'id', limit: -1 })
    const expected = trial.world.visible.filter(({ title }) => title.includes('wood'))
    expectSame(exchange, 'Other items are found', keysOf(dataOf(exchange)), keysOf(expected))
  }),
  statement('readItems', 'related items are those that the user may read', async (trial) => {
    const { names, visible, rows } = trial.world
    const exchange = await trial.ask(`GET /items/${names.authors}`, {
      as,
      query: {
        fields: '*,articles.*',
        sort: 'id',
        deep: { articles: { _sort: ['id'] } },
        filter: among(rows.authors),
      },
    })
    const received = dataOf<readonly Row[]>(exchange)
    const keys = received.map(({ articles }) => keysOf(articles as readonly Row[]))
    const expected = rows.authors.map(({ id }) => keysOf(visible.filter(({ author }) => author === id)))
    expectSame(exchange, 'Other related items are shown', keys, expected)
    noSecret(exchange.text, exchange)
  }),
  statement('readItems', 'users without a token see nothing', async (trial) => {
    for (const path of [articlesPath(trial), `${articlesPath(trial)}/${trial.world.visible[0]?.id ?? 1}`]) {
      expectStatus(await trial.ask(`GET ${path}`, { as: 'public' }), 401, 403)
    }
    const headers = { authorization: 'Bearer nobody-has-this-token' }
    expectStatus(await trial.ask(`GET ${articlesPath(trial)}`, { as: 'public', headers }), 401, 403)
  }),
  statement('readItems', 'collections without a permission are refused', async (trial) => {
    const { names } = trial.world
    for (const collection of [names.tags, names.links, names.settings, names.notes]) {
      expectStatus(await trial.ask(`GET /items/${collection}`, { as }), 403)
    }
  }),
])

/** Fails if a text contains a value of a field that the restricted user may not read. */
export function noSecret(text: string, exchange: Parameters<typeof expectStatus>[0]): void {
  const leak = /hidden-\w+-\d+|pseudonym-\d/.exec(text)
  if (leak === null) return
  throw new Mismatch('An unreadable value is shown', { exchange, expected: 'no unreadable value', received: leak[0] })
}

export const rightsChecks: readonly Check[] = [...rows, ...fields]
