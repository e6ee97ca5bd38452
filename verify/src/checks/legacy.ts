/** The legacy API shows the same rows as the current one. */
import type { Actor, Exchange } from '../http/exchange.ts'
import type { QueryValues } from '../http/query.ts'
import type { ListQuery } from '../model/select.ts'
import { type Check, checksOf, statement, type Trial } from '../run/check.ts'
import { dataOf, expectSame, expectStatus } from '../run/mismatch.ts'
import { createDraft, draftsPath, draftsTitled, expectGone, expectStored } from './drafts.ts'
import { expectKeys, type Row } from './listing.ts'

const project = '/_'
const legacyArticles = ({ world }: Trial): string => `${project}/items/${world.names.articles}`
const legacyDrafts = (trial: Trial): string => `${project}${draftsPath(trial)}`

/** A list by the legacy API, compared with the model by its query in the current notation. */
async function expectLegacy(trial: Trial, query: QueryValues, same: ListQuery, as: Actor = 'admin'): Promise<Exchange> {
  const exchange = await trial.ask(`GET ${legacyArticles(trial)}`, {
    as,
    query: { fields: 'id', sort: 'id', limit: -1, ...query },
  })
  expectKeys(trial, { exchange, rows: dataOf(exchange) }, { limit: -1, ...same }, as)
  return exchange
}

/** Operators of the legacy API, with the same filter of the current one. */
const filters: readonly (readonly [legacy: QueryValues, current: ListQuery['filter'] & object])[] = [
  [{ 'filter[views][eq]': '4' }, { views: { _eq: 4 } }],
  [{ 'filter[views]': '4' }, { views: { _eq: 4 } }],
  [{ 'filter[views][neq]': '4' }, { views: { _neq: 4 } }],
  [{ 'filter[views][lt]': '4' }, { views: { _lt: 4 } }],
  [{ 'filter[views][lte]': '4' }, { views: { _lte: 4 } }],
  [{ 'filter[views][gt]': '4' }, { views: { _gt: 4 } }],
  [{ 'filter[views][gte]': '4' }, { views: { _gte: 4 } }],
  [{ 'filter[views][in]': '1,4' }, { views: { _in: [1, 4] } }],
  [{ 'filter[views][nin]': '1,4' }, { views: { _nin: [1, 4] } }],
  [{ 'filter[views][between]': '2,6' }, { views: { _between: [2, 6] } }],
  [{ 'filter[views][nbetween]': '2,6' }, { views: { _nbetween: [2, 6] } }],
  [{ 'filter[views][null]': '1' }, { views: { _null: true } }],
  [{ 'filter[views][nnull]': '1' }, { views: { _nnull: true } }],
  [{ 'filter[title][contains]': 'wood' }, { title: { _contains: 'wood' } }],
  [{ 'filter[title][ncontains]': 'wood' }, { title: { _ncontains: 'wood' } }],
  [{ 'filter[author.name][eq]': 'Ann' }, { author: { name: { _eq: 'Ann' } } }],
  [
    { 'filter[views][gt]': '2', 'filter[title][contains]': 'wood' },
    { views: { _gt: 2 }, title: { _contains: 'wood' } },
  ],
]

type Meta = { readonly result_count: number; readonly total_count: number; readonly filter_count: number }

const reading = checksOf('legacy', 'world', [
  statement('legacy readItems', 'filters find the same items as those of the current API', async (trial) => {
    for (const [legacy, filter] of filters) await expectLegacy(trial, legacy, { filter })
  }),
  statement('legacy readItems', 'sorts, pages and search find the same items', async (trial) => {
    await expectLegacy(trial, { sort: '-title' }, { sort: ['-title'] })
    await expectLegacy(trial, { sort: 'views,id' }, { sort: ['views', 'id'] })
    await expectLegacy(trial, { limit: 5, offset: 3 }, { limit: 5, offset: 3 })
    await expectLegacy(trial, { limit: 5, page: 2 }, { limit: 5, page: 2 })
    await expectLegacy(trial, { q: 'wood' }, { search: 'wood' })
  }),
  statement('legacy readItems', 'items have the same values, and related items are nested', async (trial) => {
    const { rows } = trial.world
    const query = { fields: 'id,title,views,rating,live,day,uid,data,author.name', sort: 'id', limit: -1 }
    const exchange = await trial.ask(`GET ${legacyArticles(trial)}`, { query })
    const expected = rows.articles.map(({ id, title, views, rating, live, day, uid, data, author }) => {
      const name = rows.authors.find((each) => each.id === author)?.name
      // The legacy API shows booleans without a value as false.
      return {
        id,
        title,
        views,
        rating,
        live: live ?? false,
        day,
        uid,
        data,
        author: name === undefined ? null : { name },
      }
    })
    expectSame(exchange, 'The values are others', dataOf(exchange), expected)
  }),
  statement('legacy readItems', 'counts are those of the filter', async (trial) => {
    const { length } = trial.world.rows.articles
    const exchange = await trial.ask(`GET ${legacyArticles(trial)}`, {
      query: { meta: '*', limit: 2, 'filter[live][eq]': 'true' },
    })
    expectStatus(exchange, 200)
    const { result_count, total_count, filter_count } = (exchange.json as { readonly meta: Meta }).meta
    expectSame(
      exchange,
      'The counts are others',
      [result_count, total_count, filter_count],
      [2, length, trial.world.visible.length],
    )
  }),
  statement('legacy readItem', 'an item is read by its key, a missing one is refused with 404', async (trial) => {
    const [row] = trial.world.rows.articles
    const exchange = await trial.ask(`GET ${legacyArticles(trial)}/${row?.id ?? 0}`, {
      query: { fields: 'id,title' },
    })
    expectSame(exchange, 'The item has other values', dataOf(exchange), { id: row?.id, title: row?.title })
    const missing = await trial.ask(`GET ${legacyArticles(trial)}/2000000000`)
    const { error } = (missing.json ?? {}) as { readonly error?: { readonly code?: number } }
    expectSame(missing, 'A missing item is not refused', [missing.status, error?.code], [404, 203])
  }),
])

const others = checksOf('legacy', 'world', [
  statement('legacy readItems', 'a restricted user sees its items and fields and no others', async (trial) => {
    const as = 'reader' as const
    await expectLegacy(trial, {}, {}, as)
    await expectLegacy(
      trial,
      { 'filter[views][gt]': '2', sort: '-views,id' },
      { filter: { views: { _gt: 2 } }, sort: ['-views', 'id'] },
      as,
    )
    const all = await trial.ask(`GET ${legacyArticles(trial)}`, { as, query: { sort: 'id', limit: -1 } })
    const expected = trial.world.visible.map(({ id, title, views, live, author }) => ({
      id,
      title,
      views,
      live,
      author,
    }))
    expectSame(all, 'Other fields are shown', dataOf(all), expected)
    for (const query of [
      { fields: 'id,secret' },
      { sort: 'secret' },
      { 'filter[secret][nnull]': '1' },
    ] as readonly QueryValues[]) {
      expectStatus(await trial.ask(`GET ${legacyArticles(trial)}`, { as, query }), 400, 403)
    }
    const hidden = trial.world.rows.articles.find(({ live }) => live !== true)
    expectStatus(await trial.ask(`GET ${legacyArticles(trial)}/${hidden?.id ?? 0}`, { as }), 404)
    expectStatus(await trial.ask(`GET ${legacyArticles(trial)}`, { as: 'public' }), 401, 403)
  }),
  statement('legacy createItems', 'what one API writes the other one reads', async (trial) => {
    const title = trial.mark()
    const created = await trial.ask(`POST ${legacyDrafts(trial)}`, {
      body: { title, views: 3, notes: [{ text: 'one' }] },
    })
    const { id } = dataOf<{ readonly id: number }>(created)
    await expectStored(trial, id, { title, views: 3 }, created)
    const updated = await trial.ask(`PATCH ${legacyDrafts(trial)}/${id}`, { body: { views: 4 } })
    expectStatus(updated, 200)
    await expectStored(trial, id, { title, views: 4 }, updated)
    const changed = await trial.ask(`PATCH ${draftsPath(trial)}/${id}`, { body: { label: 'new' } })
    const read = await trial.ask(`GET ${legacyDrafts(trial)}/${id}`, { query: { fields: 'label,views' } })
    expectSame(changed, 'The legacy API shows other values', dataOf<Row>(read), { label: 'new', views: 4 })
    expectStatus(await trial.ask(`DELETE ${legacyDrafts(trial)}/${id}`), 204)
    await expectGone(trial, id)
  }),
  statement('legacy updateItem', 'forbidden and impossible writes are refused', async (trial) => {
    const title = trial.mark()
    const { id } = await createDraft(trial, { title, live: true, views: 1 })
    const as = 'reader' as const
    expectStatus(await trial.ask(`PATCH ${legacyDrafts(trial)}/${id}`, { as, body: { views: 2 } }), 400, 403)
    expectStatus(await trial.ask(`DELETE ${legacyDrafts(trial)}/${id}`, { as }), 403)
    const refused = trial.mark()
    const body = [{ title: refused }, { title: refused, views: 'many' }]
    expectStatus(await trial.ask(`POST ${legacyDrafts(trial)}`, { body }), 400, 422)
    await expectStored(trial, id, { title, views: 1 })
    expectSame(null, 'A part of a refused write is stored', await draftsTitled(trial, refused), [])
  }),
])

export const legacyChecks: readonly Check[] = [...reading, ...others]
