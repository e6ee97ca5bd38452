/** Lists of articles, computed from the rows of the verifier. */
import { asText } from '../http/text.ts'
import { type ArticleField, articleFields } from '../world/fields.ts'
import type { ArticleRow, AuthorRow, Rows, TagRow, Value } from '../world/rows.ts'
import { type OperatorName, passes } from './operators.ts'
import { compare } from './values.ts'

export type Filter = { readonly [key: string]: unknown }

export type ListQuery = {
  readonly filter?: Filter
  readonly search?: string
  readonly sort?: readonly string[]
  readonly limit?: number
  readonly offset?: number
  readonly page?: number
}

/** Databases differ in where rows without a value are sorted. */
export type NullOrder = 'nulls are largest' | 'nulls are smallest'

export function matches(filter: Filter, row: ArticleRow, rows: Rows): boolean {
  return Object.entries(filter).every(([name, condition]) => {
    if (name === '_and') return (condition as readonly Filter[]).every((each) => matches(each, row, rows))
    if (name === '_or') return (condition as readonly Filter[]).some((each) => matches(each, row, rows))
    if (name === 'author') return authorMatches(condition as Filter, row, rows)
    if (name === 'tags') return tagsMatch(condition as Filter, row, rows)
    const call = /^(year|month)\((\w+)\)$/.exec(name)
    if (call !== null) return partMatches(String(call[1]), row[call[2] as ArticleField], condition as Filter)
    return plainMatches(condition as Filter, row[name as ArticleField], name as ArticleField)
  })
}

const plainMatches = (condition: Filter, value: Value, field: ArticleField): boolean =>
  Object.entries(condition).every(([operator, operand]) =>
    passes(operator as OperatorName, value, operand as Value, articleFields[field]),
  )

function partMatches(part: string, value: Value, condition: Filter): boolean {
  const text = value === null ? null : asText(value)
  const number = text === null ? null : Number(part === 'year' ? text.slice(0, 4) : text.slice(5, 7))
  return Object.entries(condition).every(([operator, operand]) =>
    passes(operator as OperatorName, number, operand as Value, 'integer'),
  )
}

function authorMatches(condition: Filter, row: ArticleRow, { authors }: Rows): boolean {
  const author = authors.find(({ id }) => id === row.author)
  return Object.entries(condition).every(([name, each]) => {
    if (name.startsWith('_')) return passes(name as OperatorName, row.author, each as Value, 'integer')
    return author !== undefined && textMatches(each as Filter, author[name as keyof AuthorRow])
  })
}

/** Of tags, only conditions on the name: `{_some: {tag: {name: …}}}`, `{_none: …}`, or without either. */
function tagsMatch(condition: Filter, row: ArticleRow, { tags }: Rows): boolean {
  const holds = (inner: unknown): boolean => {
    const { name } = (inner as { readonly tag: { readonly name: Filter } }).tag
    return tags.some((tag: TagRow) => row.tags.includes(tag.id) && textMatches(name, tag.name))
  }
  if ('_none' in condition) return !holds(condition['_none'])
  return holds(condition['_some'] ?? condition)
}

const textMatches = (condition: Filter, value: Value): boolean =>
  Object.entries(condition).every(([operator, operand]) =>
    passes(operator as OperatorName, value, operand as Value, typeof value === 'number' ? 'integer' : 'text'),
  )

/** Text in any text field, ignoring case. Only for words that are no number and no uuid. */
export const contains = (search: string, row: ArticleRow): boolean =>
  (['title', 'label', 'secret'] as const).some((field) =>
    asText(row[field] ?? '')
      .toLowerCase()
      .includes(search.toLowerCase()),
  )

/** The rows that match, sorted (by `id` in the end) and paged. */
export function select(rows: Rows, query: ListQuery, order: NullOrder, from = rows.articles): readonly ArticleRow[] {
  const { filter = {}, search, sort = [], limit = 100, offset = 0, page } = query
  const matching = from
    .filter((row) => matches(filter, row, rows) && (search === undefined || contains(search, row)))
    .toSorted((a, b) => compareRows(a, b, [...sort, 'id'], order))
  const start = page !== undefined && page > 0 ? (page - 1) * limit : offset
  return limit === -1 ? matching.slice(offset) : matching.slice(start, start + limit)
}

function compareRows(a: ArticleRow, b: ArticleRow, sort: readonly string[], order: NullOrder): number {
  for (const each of sort) {
    const field = each.replace(/^-/, '') as ArticleField
    const compared = compareValues(a[field], b[field], field, order)
    if (compared !== 0) return each.startsWith('-') ? -compared : compared
  }
  return 0
}

function compareValues(a: Value, b: Value, field: ArticleField, order: NullOrder): number {
  if (a === null && b === null) return 0
  const nullIs = order === 'nulls are largest' ? 1 : -1
  if (a === null) return nullIs
  if (b === null) return -nullIs
  return compare(articleFields[field], a, b)
}
