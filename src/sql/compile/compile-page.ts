/** Compiles the rows of one level: filter, search, sort and limit. The selection is applied to the result. */
import type { Query } from '../../domain/query/query.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { checkedText } from '../conditions/bind-values.ts'
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
} from '../conditions/build.ts'
import { compileFilter } from '../conditions/compile-filter.ts'
import type { Dialect, LinkedRows } from '../dialects/dialect.ts'
import { quoteName } from '../dialects/quoting.ts'
import { isTextPage, pageSizes } from '../shapes/shape.ts'
import { compileAfter } from './compile-cursor.ts'
import { compileSearch } from './compile-search.ts'
import { compileOrder, keysOf, type Order, type OrderPart } from './compile-sort.ts'
import { innerColumns } from './compile-value.ts'

export type Page = {
  readonly query: Query
  readonly link: Link | null
  /** Default sort order, used if the query has none. */
  readonly preferred: string | null
}

/**
 * What joins a level with the row around it: pairs of expressions that are equal, of which the first is of the level.
 * Given apart, they let a subquery be about the rows of all, for vendors where it does not see the row around it.
 */
export type Link = {
  /** Opens the level that is joined. */
  readonly open: () => Level
  readonly text: (level: Level) => string
  readonly sides: (level: Level) => readonly (readonly [inner: string, outer: string])[]
}

/** The page as a derived table under the alias of the level, with the columns that the outer query uses. */
export function compilePage(build: Build, level: Level, page: Page, columns: ReadonlySet<string>): string {
  const conditions = [...compileConditions(build, level, page), compileAfter(build, level, page.query)]
  const order = compileOrder(build, level, page.query.sort, page.preferred)
  if (isReadInHalves(build, page, order)) return compileHalves(build, level, { page, conditions, order, columns })
  const select = `select ${innerColumns(level, columns)} from ${tableText(build, level)}${order.joins}`
  return `(${select}${whereText(conditions)}${order.text}${compileLimit(build, page.query)}) ${level.alias}`
}

/** A page in the order of an index that the place of nulls would hide. Lists of related rows are short. */
const isReadInHalves = ({ dialect }: Build, { query: { page }, link }: Page, { parts: [first] }: Order): boolean =>
  dialect.sortsNullsApart === true &&
  link === null &&
  page.limit !== null &&
  first?.isIndexed === true &&
  first.nulls !== 'none'

type Halves = {
  readonly page: Page
  readonly conditions: readonly string[]
  readonly order: Order
  readonly columns: ReadonlySet<string>
}

/** The first rows with null in the first key and the first ones without, each by the index; the page is one of them. */
function compileHalves(build: Build, level: Level, { page: { query }, conditions, order, columns }: Halves): string {
  const { dialect } = build
  const { limit, offset } = limitsOf(build, query)
  const most = offset === null ? limit : bind(build, query, ({ page }) => Number(page.limit) + page.offset)
  // The name of no column ends with a space.
  const named = order.parts.map((part, at) => ({ ...part, name: quoteName(`sort ${at} `) }))
  const shown = [innerColumns(level, columns), ...named.map(({ sql, name }) => `${sql} as ${name}`)]
  const from = `${tableText(build, level)}${order.joins}`
  const [first, ...others] = order.parts as [OrderPart, ...OrderPart[]]
  const half = (condition: string, parts: readonly OrderPart[]): string =>
    `(select ${shown.join(', ')} from ${from}${whereText([...conditions, `${first.sql} ${condition}`])} ` +
    `order by ${keysOf(build, parts).join(', ')}${dialect.page(most, null)})`
  const halves = [half('is null', others), half('is not null', [{ ...first, nulls: 'none' }, ...others])]
  const keys = keysOf(
    build,
    named.map(({ name, ...part }) => ({ ...part, sql: name })),
  )
  return (
    `(select * from (${halves.join(' union all ')}) ${level.alias} ` +
    `order by ${keys.join(', ')}${dialect.page(limit, offset)}) ${level.alias}`
  )
}

/** Whether a subquery in `from` does not see the row around it. */
const isBlind = ({ linked }: Dialect): boolean => linked?.total !== undefined

/** How the vendor joins the rows of the page without a derived table; undefined where it takes one. */
export const linkedOf = ({ dialect }: Build, { limit, offset }: Query['page']): Dialect['linked'] =>
  isBlind(dialect) || (limit === null && offset === 0) ? dialect.linked : undefined

/** The same rows without a derived table. */
export function compileLinked(build: Build, level: Level, page: Page): LinkedRows {
  const conditions = [...compileConditions(build, level, page), compileAfter(build, level, page.query)]
  const order = compileOrder(build, level, page.query.sort, page.preferred)
  return {
    table: `${tableText(build, level)}${order.joins}`,
    where: whereText(conditions),
    order: order.keys,
    ...limitsOf(build, page.query),
  }
}

/** Limit and offset; empty when there is neither. */
export function compileLimit(build: Build, query: Query): string {
  const { limit, offset } = limitsOf(build, query)
  return build.dialect.page(limit, offset)
}

export function limitsOf(build: Build, query: Query): Pick<LinkedRows, 'limit' | 'offset'> {
  const { limit, offset } = query.page
  return {
    limit: limit === null ? null : pageSizes.has(limit) ? String(limit) : bind(build, query, (node) => node.page.limit),
    offset:
      offset === 0 ? null : isTextPage(query.page) ? String(offset) : bind(build, query, (node) => node.page.offset),
  }
}

/** The conditions of the rows: link, filter, archive and search. */
export function compileConditions(build: Build, level: Level, page: Omit<Page, 'preferred'>): readonly string[] {
  const { query, link } = page
  const linked = (at: Level) => (link === null ? 'true' : link.text(at))
  if (query.distinct === undefined) return [linked(level), ...ownConditions(build, level, query)]
  if (link !== null && isBlind(build.dialect)) {
    return [linked(level), ...conditionsOfAll(build, level, { query, link })]
  }
  const own = (at: Level) => ({ agreed: [], conditions: [linked(at), ...ownConditions(build, at, query)] })
  return [compileDistinct(build, level, query, own)]
}

/** The conditions of the related rows of all rows around them. */
export function conditionsOfAll(
  build: Build,
  level: Level,
  { query, link }: { readonly query: Query; readonly link: Link },
): readonly string[] {
  if (query.distinct === undefined) return ownConditions(build, level, query)
  const own = (at: Level) => ({
    agreed: link.sides(at).map(([inner]) => inner),
    conditions: ownConditions(build, at, query),
  })
  return [compileDistinct(build, level, query, own)]
}

/** The conditions that do not depend on the row around them. */
const ownConditions = (build: Build, level: Level, query: Query): readonly string[] => [
  compileFilter(build, level, query.filter),
  compileArchive(build, level, query),
  query.search === null ? 'true' : compileSearch(build, level, query),
]

/** The condition for archived rows: they are excluded, or (for `only`) all others are. */
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

/** Limits the rows to the first one, in sort order, of those with equal `distinct` fields. */
function compileDistinct(
  build: Build,
  level: Level,
  query: Query,
  own: (at: Level) => { readonly agreed: readonly string[]; readonly conditions: readonly string[] },
): string {
  const inner = openLevel(build, level.collection.name)
  if (inner.collection.keyColumns.length !== 1) {
    const reason = `Expected a collection with a key of one column for the groups of "${query.collection}"`
    throw new TandemError({ kind: 'invalid-query', name: 'groups', reason })
  }
  const agreed = (query.distinct ?? []).map((name) => {
    const field = fieldOf(inner.collection, name)
    return build.dialect.comparable(columnText(build, inner, field), columnType(field))
  })
  const order = compileOrder(build, inner, query.sort, null)
  const table = `${tableText(build, inner)}${order.joins}`
  const rows = own(inner)
  const from = `${table}${whereText(rows.conditions)}`
  const first = build.dialect.firstOfEach(keyText(build, inner), [...rows.agreed, ...agreed], from, order.keys)
  return `${keyText(build, level)} in ${first}`
}
