import { asText } from '../http/text.ts'
import { aggregate, aggregates, isClose } from '../model/aggregate.ts'
import { type Filter, matches } from '../model/select.ts'
import { type Check, checksOf, statement, type Trial } from '../run/check.ts'
import { dataOf, expectSame, expectStatus, expectThat } from '../run/mismatch.ts'
import type { ArticleField } from '../world/fields.ts'
import type { ArticleRow } from '../world/rows.ts'
import { articlesPath, type Row } from './listing.ts'

const numeric: readonly ArticleField[] = ['views', 'rating', 'price']

async function expectAggregates(trial: Trial, filter: Filter): Promise<void> {
  const { rows } = trial.world
  const matching = rows.articles.filter((row) => matches(filter, row, rows))
  for (const name of aggregates) {
    const exchange = await trial.ask(`GET ${articlesPath(trial)}`, {
      query: { filter, [`aggregate[${name}]`]: numeric },
    })
    const [first = {}] = dataOf<readonly Row[]>(exchange)
    const received = (first[name] ?? {}) as Row
    for (const field of numeric) {
      const expected = aggregate(name, matching, field)
      expectThat(
        exchange,
        `${name} of ${field} is ${asText(expected)}`,
        isClose(received[field], expected),
        received[field],
      )
    }
  }
}

function groups(rows: readonly ArticleRow[], field: ArticleField): readonly (readonly [unknown, number])[] {
  const counts = new Map<unknown, number>()
  for (const row of rows) counts.set(row[field], (counts.get(row[field]) ?? 0) + 1)
  return [...counts].toSorted(([a], [b]) => String(a).localeCompare(String(b)))
}

export const aggregateChecks: readonly Check[] = checksOf('lists', 'world', [
  statement('readItems', 'aggregates are those of all items', (trial) => expectAggregates(trial, {})),
  statement('readItems', 'aggregates are those of the filtered items', (trial) =>
    expectAggregates(trial, { views: { _gt: 3 } }),
  ),
  statement('readItems', 'items are counted', async (trial) => {
    for (const [filter, count] of [
      [{}, trial.world.rows.articles.length],
      [{ live: { _eq: true } }, trial.world.visible.length],
    ] as const) {
      const exchange = await trial.ask(`GET ${articlesPath(trial)}`, { query: { filter, 'aggregate[count]': '*' } })
      const [first] = dataOf<readonly Row[]>(exchange)
      expectSame(exchange, 'The count is wrong', Number(first?.['count']), count)
    }
  }),
  statement('readItems', 'groups have one row per value, with its count', async (trial) => {
    for (const field of ['live', 'views'] as const) {
      const exchange = await trial.ask(`GET ${articlesPath(trial)}`, {
        query: { 'aggregate[count]': 'id', groupBy: field, limit: -1 },
      })
      const received = dataOf<readonly Row[]>(exchange)
        .map((row) => [row[field], Number((row['count'] as Row | undefined)?.['id'])] as const)
        .toSorted(([a], [b]) => String(a).localeCompare(String(b)))
      expectSame(exchange, 'The groups are others', received, groups(trial.world.rows.articles, field))
    }
  }),
  statement('readItems', 'unknown aggregates are refused with 400, unknown fields with 403', async (trial) => {
    expectStatus(await trial.ask(`GET ${articlesPath(trial)}`, { query: { 'aggregate[median]': 'views' } }), 400)
    expectStatus(await trial.ask(`GET ${articlesPath(trial)}`, { query: { 'aggregate[max]': 'nothing' } }), 403)
  }),
])
