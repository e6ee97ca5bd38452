/** Order, pages, fields, counts and search of lists. */
import type { AskOptions } from '../http/client.ts'
import { select } from '../model/select.ts'
import { type Check, checksOf, statement, type Trial } from '../run/check.ts'
import { dataOf, expectSame, expectStatus, expectThat } from '../run/mismatch.ts'
import type { ArticleField } from '../world/fields.ts'
import {
  among,
  articlesPath,
  expectedRow,
  expectList,
  expectRows,
  keysOf,
  plainFields,
  type Row,
  receivedRow,
  sortable,
} from './listing.ts'

const list = (trial: Trial, query: NonNullable<AskOptions['query']>) =>
  trial.ask(`GET ${articlesPath(trial)}`, { query: { sort: 'id', ...query } })

const sorting = checksOf('lists', 'world', [
  statement('readItems', 'items are sorted by the named fields, both ways', async (trial) => {
    for (const field of sortable) {
      await expectList(trial, { sort: [field, 'id'], limit: -1 })
      await expectList(trial, { sort: [`-${field}`, 'id'], limit: -1 })
    }
  }),
  statement('readItems', 'items are sorted by several fields', async (trial) => {
    await expectList(trial, { sort: ['views', '-title', 'id'], limit: -1 })
    await expectList(trial, { sort: ['live', '-views', '-id'], limit: -1 })
  }),
  statement('readItems', 'items are sorted by the primary key if nothing is named', async (trial) => {
    const exchange = await trial.ask(`GET ${articlesPath(trial)}`, { query: { fields: 'id', limit: -1 } })
    const expected = trial.world.rows.articles.map(({ id }) => id)
    expectSame(exchange, 'The default order is that of the key', keysOf(dataOf(exchange)), expected)
  }),
  statement('readItems', 'items are sorted by a field of a related item', async (trial) => {
    const { articles, authors } = trial.world.rows
    const filter = { author: { _nnull: true } }
    const nameOf = (key: unknown): string => authors.find(({ id }) => id === key)?.name ?? ''
    const exchange = await list(trial, { fields: 'id', filter, sort: '-author.name,id', limit: -1 })
    const expected = articles
      .filter(({ author }) => author !== null)
      .toSorted((a, b) => -nameOf(a.author).localeCompare(nameOf(b.author)) || a.id - b.id)
    expectSame(exchange, 'The order is not that of the related field', keysOf(dataOf(exchange)), keysOf(expected))
  }),
])

const paging = checksOf('lists', 'world', [
  statement('readItems', 'pages add up to the whole, whatever their size', async (trial) => {
    const count = trial.world.rows.articles.length
    for (const limit of [5, 7]) {
      for (let offset = 0; offset < count + limit; offset += limit) await expectList(trial, { limit, offset })
      for (let page = 1; page <= Math.ceil(count / limit) + 1; page += 1) await expectList(trial, { limit, page })
    }
  }),
  statement('readItems', 'limit and offset have their limits', async (trial) => {
    await expectList(trial, { limit: 0 })
    await expectList(trial, { limit: 1 })
    await expectList(trial, { limit: -1 })
    await expectList(trial, { limit: 3, offset: 21 })
    await expectList(trial, { limit: 4, offset: 1, page: 2 })
    await expectList(trial, { limit: 3, page: 2, sort: ['-views', 'id'], filter: { live: { _eq: true } } })
  }),
  statement('readItems', 'impossible pages are refused with 400', async (trial) => {
    for (const query of [
      { limit: 'x' },
      { limit: -2 },
      { offset: -1 },
      { page: -1 },
      { page: 'x' },
      { limit: '1.5' },
    ]) {
      expectStatus(await list(trial, query), 400)
    }
  }),
])

/** `data` and `meta` of a list with counts. */
type Counted = { readonly data: readonly Row[]; readonly meta: { readonly [count: string]: unknown } }

const counting = checksOf('lists', 'world', [
  statement('readItems', 'counts are those of the filter, whatever the page', async (trial) => {
    const { rows } = trial.world
    for (const filter of [{}, { views: { _gt: 4 } }, { live: { _null: true } }, { author: { name: { _eq: 'Bob' } } }]) {
      const exchange = await list(trial, { fields: 'id', filter, limit: 2, meta: '*' })
      expectStatus(exchange, 200)
      const filterCount = select(rows, { filter, limit: -1 }, 'nulls are largest').length
      const { meta, data } = exchange.json as Counted
      const expected = { total_count: rows.articles.length, filter_count: filterCount }
      expectSame(exchange, 'The counts are wrong', meta, expected)
      expectSame(exchange, 'The page has another size', data.length, Math.min(2, filterCount))
    }
  }),
  statement('readItems', 'only the counts that are asked for are given', async (trial) => {
    const one = await list(trial, { fields: 'id', limit: 1, meta: 'filter_count' })
    expectSame(one, 'The counts are wrong', (one.json as Counted).meta, {
      filter_count: trial.world.rows.articles.length,
    })
    const none = await list(trial, { fields: 'id', limit: 1 })
    expectSame(none, 'There are keys beside `data`', Object.keys(none.json as object), ['data'])
  }),
  statement('readItems', 'search finds text in all text fields, ignoring case', async (trial) => {
    for (const search of ['wood', 'ALP', 'hidden-amber', 'Zür', '50% off', 'be_ta', 'nowhere']) {
      await expectList(trial, { search, limit: -1 })
    }
    await expectList(trial, { search: 'alp', filter: { views: { _gt: 0 } }, limit: -1 })
  }),
])

const fields = checksOf('lists', 'world', [
  statement('readItems', 'items have the values that were written', async (trial) => {
    const exchange = await list(trial, { fields: plainFields, limit: -1 })
    expectRows(exchange, dataOf(exchange), trial.world.rows.articles)
  }),
  statement('readItems', 'items have the fields that are asked for and no others', async (trial) => {
    const { articles } = trial.world.rows
    for (const field of plainFields) {
      const names: readonly ArticleField[] = field === 'id' ? ['id'] : ['id', field]
      const exchange = await list(trial, { fields: names, limit: 3 })
      const expected = articles.slice(0, 3).map((row) => expectedRow(row, names))
      expectSame(
        exchange,
        'The fields or values are others',
        dataOf<readonly Row[]>(exchange).map(receivedRow),
        expected,
      )
    }
  }),
  statement('readItems', 'a star is every field, relations as keys', async (trial) => {
    const exchange = await list(trial, { fields: '*', limit: 3 })
    const names = [...plainFields, 'author', 'tags'].toSorted()
    for (const row of dataOf<readonly Row[]>(exchange)) {
      expectSame(exchange, 'The fields are others', Object.keys(row).toSorted(), names)
    }
  }),
  statement('readItems', 'related items are nested as asked', async (trial) => {
    const { articles, authors, tags } = trial.world.rows
    const exchange = await list(trial, {
      fields: 'id,author.name,tags.tag.name',
      deep: { tags: { _sort: ['tag'] } },
      limit: -1,
    })
    const expected = articles.map((row) => ({
      id: row.id,
      author: row.author === null ? null : { name: authors.find(({ id }) => id === row.author)?.name },
      tags: row.tags
        .toSorted((a, b) => a - b)
        .map((key) => ({ tag: { name: tags.find(({ id }) => id === key)?.name } })),
    }))
    expectSame(exchange, 'The related items are others', dataOf(exchange), expected)
  }),
  statement(
    'readItems',
    'the other side of a relation lists its items, with filter, sort and limit of its own',
    async (trial) => {
      const { names, rows } = trial.world
      const deep = { articles: { _filter: { views: { _gt: 2 } }, _sort: ['-id'], _limit: 2 } }
      const exchange = await trial.ask(`GET /items/${names.authors}`, {
        query: { fields: 'id,articles.id', sort: 'id', deep, filter: among(rows.authors) },
      })
      const expected = rows.authors.map(({ id }) => ({
        id,
        articles: rows.articles
          .filter((row) => row.author === id && Number(row.views ?? 0) > 2)
          .toReversed()
          .slice(0, 2)
          .map((row) => ({ id: row.id })),
      }))
      expectSame(exchange, 'The related items are others', dataOf(exchange), expected)
    },
  ),
  statement('readItems', 'fields have other names by alias', async (trial) => {
    const exchange = await list(trial, { fields: 'id,headline', alias: { headline: 'title' }, limit: 3 })
    const expected = trial.world.rows.articles.slice(0, 3).map(({ id, title }) => ({ id, headline: title }))
    expectSame(exchange, 'The alias has other values', dataOf(exchange), expected)
  }),
  statement('readItems', 'unknown fields are refused with 403', async (trial) => {
    for (const query of [
      { fields: 'nothing' },
      { sort: 'nothing' },
      { fields: 'author.nothing' },
      { groupBy: 'nothing' },
    ]) {
      expectStatus(await list(trial, query), 403)
    }
  }),
  statement('readItems', 'an exported list has the same items', async (trial) => {
    const json = await list(trial, { fields: 'id,title', limit: -1, export: 'json' })
    const expected = trial.world.rows.articles.map(({ id, title }) => ({ id, title }))
    expectSame(json, 'The exported items are others', json.json, expected)
    const csv = await list(trial, { fields: 'id,title', limit: -1, export: 'csv' })
    const lines = csv.text.trim().split(/\r?\n/)
    expectThat(
      csv,
      'The CSV has a line per item and one for the names',
      lines.length === expected.length + 1,
      lines.length,
    )
  }),
])

export const listChecks: readonly Check[] = [...sorting, ...paging, ...counting, ...fields]
