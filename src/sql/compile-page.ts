/** The rows of one level: filtered, searched, ordered and cut, before anything is made of them. */
import type { Query } from '../domain/query.ts'
import { checkedText } from './bind-values.ts'
import {
  type Build,
  bind,
  columnText,
  columnType,
  fieldOf,
  keyText,
  type Level,
  openLevel,
  tableText,
  whereText,
} from './build.ts'
import { compileFilter } from './compile-filter.ts'
import { compileSearch } from './compile-search.ts'
import { compileOrder } from './compile-sort.ts'
import { innerColumns } from './compile-value.ts'
import { pageSizes } from './shape.ts'

/** What a page is made of. `link` ties its rows to an outer row. */
export type Page = {
  readonly query: Query
  readonly link: ((level: Level) => string) | null
  /** Orders the rows when the query does not say. */
  readonly preferred: string | null
}

/** The page as a derived table under the level's own alias, with the columns that the outer level uses. */
export function compilePage(build: Build, level: Level, page: Page, columns: ReadonlySet<string>): string {
  const conditions = compileConditions(build, level, page)
  const order = compileOrder(build, level, page.query.sort, page.preferred)
  const select = `select ${innerColumns(build, level, columns)} from ${tableText(build, level)}${order.joins}`
  return `(${select}${whereText(conditions)}${order.text}${compileLimit(build, page.query)}) ${level.alias}`
}

/** Limit and offset; nothing where there is none. */
export function compileLimit(build: Build, query: Query): string {
  const { limit, offset } = query.page
  return build.dialect.page(
    limit === null ? null : pageSizes.has(limit) ? String(limit) : bind(build, query, (node) => node.page.limit),
    offset === 0 ? null : bind(build, query, (node) => node.page.offset),
  )
}

/** Which rows count: the link, the filter, the archive and the search. */
export function compileConditions(build: Build, level: Level, page: Omit<Page, 'preferred'>): readonly string[] {
  const { query } = page
  const own = (at: Level) => [
    page.link === null ? 'true' : page.link(at),
    compileFilter(build, at, query.filter),
    compileArchive(build, at, query),
    query.search === null ? 'true' : compileSearch(build, at, query),
  ]
  return query.distinct === undefined ? own(level) : [compileDistinct(build, level, query, own)]
}

/** Rows that are neither archived nor, when only archived ones are asked for, anything else. */
export function compileArchive(build: Build, level: Level, query: Query): string {
  const { archive } = level.collection
  if (query.archive.kind === 'all' || archive === null) return 'true'
  const field = fieldOf(level.collection, archive.field)
  const type = columnType(field)
  const column = build.dialect.comparable(columnText(build, level, field), type)
  const list = (values: (node: Query) => readonly string[]) =>
    build.dialect.isOneOf(column, build.dialect.castList(bind(build, query, values), type))
  if (query.archive.kind === 'live') return `(${column} is null or not (${list(() => archive.archived)}))`
  return list((node) => (node.archive.kind === 'only' ? node.archive.values.map(checkedText) : []))
}

/** The first row, in the sort order, of those that agree in the fields of `distinct`. */
function compileDistinct(build: Build, level: Level, query: Query, own: (at: Level) => readonly string[]): string {
  const inner = openLevel(build, level.collection.name)
  const agreed = (query.distinct ?? []).map((name) => {
    const field = fieldOf(inner.collection, name)
    return build.dialect.comparable(columnText(build, inner, field), columnType(field))
  })
  const order = compileOrder(build, inner, query.sort, null)
  const table = `${tableText(build, inner)}${order.joins}`
  const first = build.dialect.firstOfEach(keyText(build, inner), agreed, `${table}${whereText(own(inner))}`, order.keys)
  return `${keyText(build, level)} in ${first}`
}
