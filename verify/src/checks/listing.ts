import { isDeepStrictEqual } from 'node:util'
import type { Actor, Exchange } from '../http/exchange.ts'
import type { QueryValues } from '../http/query.ts'
import { asText } from '../http/text.ts'
import { type ListQuery, select } from '../model/select.ts'
import type { Trial } from '../run/check.ts'
import { dataOf, expectSame, Mismatch } from '../run/mismatch.ts'
import { type ArticleField, articleFields } from '../world/fields.ts'
import type { ArticleRow, Value } from '../world/rows.ts'

export type Row = { readonly [field: string]: unknown }

export const plainFields: readonly ArticleField[] = Object.keys(articleFields) as ArticleField[]

/** Fields whose order is known: that of other texts is the collation of the database. */
export const sortable = plainFields.filter(
  (field) => !(['label', 'data', 'uid', 'secret'] as readonly ArticleField[]).includes(field),
)

export const articlesPath = ({ world }: Trial): string => `/items/${world.names.articles}`

/** Parameters of the current generation. */
export const toQuery = ({ sort, ...rest }: ListQuery): QueryValues => ({
  ...rest,
  sort: [...(sort ?? []), ...(sort?.some((each) => /^-?id$/.test(each)) === true ? [] : ['id'])],
})

export const idsOf = (rows: readonly Row[]): readonly unknown[] => rows.map(({ id }) => id)

/** The rows of the verifier: other checks add some of their own. */
export const among = (rows: readonly { readonly id: number }[]) => ({ id: { _in: rows.map(({ id }) => id) } })

/** Keys as numbers: GraphQL and some databases write them as text. */
export const keysOf = (rows: readonly Row[]): readonly number[] => rows.map(({ id }) => Number(id))

/** Asks for a list and compares its keys, in order, with those of the model. */
export async function expectList(trial: Trial, query: ListQuery, as: Actor = 'admin'): Promise<Exchange> {
  const exchange = await trial.ask(`GET ${articlesPath(trial)}`, { as, query: { fields: 'id', ...toQuery(query) } })
  expectKeys(trial, { exchange, rows: dataOf(exchange) }, query, as)
  return exchange
}

export type ListedRows = { readonly exchange: Exchange; readonly rows: readonly Row[] }

/** Fails unless the keys are those of the model, wherever the database sorts rows without a value. */
export function expectKeys(
  { world }: Trial,
  { exchange, rows }: ListedRows,
  query: ListQuery,
  as: Actor = 'admin',
): void {
  const keys = keysOf(rows)
  const from = as === 'admin' ? world.rows.articles : world.visible
  const expected = (['nulls are largest', 'nulls are smallest'] as const).map((order) =>
    select(world.rows, query, order, from).map(({ id }) => id),
  )
  if (expected.some((each) => isDeepStrictEqual(each, keys))) return
  throw new Mismatch(`The list has other items or another order (${JSON.stringify(query)})`, {
    exchange,
    expected: expected[0],
    received: keys,
  })
}

/** The fields of an article as JSON, in one notation per kind. */
export function expectedRow(row: ArticleRow, fields: readonly ArticleField[] = plainFields): Row {
  return Object.fromEntries(fields.map((field) => [field, canonical(field, row[field])]))
}

/** Values of known fields in one notation; decimals and times differ between databases. */
export const receivedRow = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([field, value]) => [
      field,
      field in articleFields ? canonical(field as ArticleField, value as Value) : value,
    ]),
  )

function canonical(field: ArticleField, value: Value): unknown {
  if (value === null || value === undefined) return value
  switch (articleFields[field]) {
    case 'decimal':
      return Number(value)
    case 'bigInteger':
      return asText(value)
    case 'timestamp':
      return typeof value === 'string' ? new Date(value).toISOString() : value
    default:
      return value
  }
}

/** Fails unless the rows are those of the model with all their values. */
export function expectRows(exchange: Exchange, received: readonly Row[], expected: readonly ArticleRow[]): void {
  expectSame(
    exchange,
    'The values differ from those that were written',
    received.map((row) => receivedRow(row)),
    expected.map((row) => expectedRow(row)),
  )
}

export function valuesOf(trial: Trial, field: ArticleField): readonly Exclude<Value, null>[] {
  const values = trial.world.rows.articles.flatMap((row) => (row[field] === null ? [] : [row[field]]))
  return [...new Set(values)] as Exclude<Value, null>[]
}
