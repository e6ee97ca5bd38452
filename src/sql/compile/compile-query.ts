import { type Filter, isDynamic } from '../../domain/query/filter.ts'
import type { OperatorName } from '../../domain/query/operators.ts'
import type { Query, Selection } from '../../domain/query/query.ts'
import type { Collection, Field, Column as TableColumn } from '../../domain/schema/schema.ts'
import {
  type Build,
  bind,
  collectionOf,
  type Level,
  openLevel,
  storedType,
  tableName,
  tableText,
  whereText,
} from '../conditions/build.ts'
import { compileFilter } from '../conditions/compile-filter.ts'
import { keyCondition } from '../conditions/key-condition.ts'
import { needsScans, openScan, withScans } from '../conditions/scans.ts'
import type { ColumnType, Entry, TypedColumn } from '../dialects/dialect.ts'
import { columnList, quoteName } from '../dialects/quoting.ts'
import { pageSizes } from '../shapes/shape.ts'
import { type Mode, plainColumns, type RowForm, tagColumn, textsOf } from './columns.ts'
import { compileGroups } from './compile-aggregate.ts'
import { compileAfter } from './compile-cursor.ts'
import { compileArchive, compileConditions, compilePage, limitsOf } from './compile-page.ts'
import { compileSelection } from './compile-selection.ts'

export type CompiledText = { readonly text: string; readonly rows: RowForm }

/** The text of the statement. Its parameters are the bindings of the build. */
export function compileQuery(build: Build, query: Query, mode: Mode): CompiledText {
  const { text, rows } = compileRead(build, query, mode)
  return { text: withScans(build, text), rows }
}

function compileRead(build: Build, query: Query, mode: Mode): CompiledText {
  if (query.given !== undefined) return compileGiven(build, query)
  if (mode !== 'each' && namesOneRow(query, collectionOf(build.schema, query.collection)))
    return compileRow(build, query)
  // The first row of a page, for a row that is not named by a key.
  if (query.tag !== undefined) return compileTagged(build, compileRows(build, query, query.tag))
  if (query.overlay !== undefined) throw new Error('Only a read of one row by its key has an overlay')
  const { entries, from } =
    query.aggregation === null ? compileRows(build, query) : compileGroups(build, query, query.aggregation, null)
  if (mode === 'json') {
    return { text: build.dialect.jsonStatement(entries, from, compileCounts(build, query)), rows: { kind: 'list' } }
  }
  const plain = mode === 'each' ? null : plainColumns(entries, build.dialect)
  const hasObjects = plain !== null && plain.length > 0
  return hasObjects ? compileObjects(plain, from) : compileTexts(build, { entries, from })
}

/** Whether the query reads one row by its key or by a unique column. Such a query needs no sort, limit or array. */
function namesOneRow(query: Query, { keyColumns, fields }: Collection): boolean {
  const isPlain = query.aggregation === null && query.distinct === undefined && query.counts.length === 0
  if (!isPlain || keyColumns.length === 0 || query.page.offset > 0 || query.page.limit === 0) return false
  const conditions = query.filter.kind === 'and' ? query.filter.filters : [query.filter]
  const named = conditions.flatMap((each) => {
    const isEqual = each.kind === 'compare' && each.operator === 'eq' && each.operand.kind === 'field'
    if (!isEqual || each.values.some((value) => isDynamic(value) && value.kind !== 'numbered')) return []
    return [each.operand.field]
  })
  return (
    keyColumns.every((column) => named.includes(column)) ||
    named.some((name) => fields.get(name)?.column?.unique === true)
  )
}

/** Where other reads may wait for a read: everywhere, or where it reads few rows (`readsFewRows`); null = nowhere. */
export type Quick = 'always' | 'few-rows' | null

/**
 * Quick are columns alone, of one row, or of a short page without counts: the first in the order of the key, or one by
 * comparisons of columns, if the table is small or an index leads to few rows.
 */
export function quickOf(query: Query, collection: Collection): Quick {
  const hasColumnsOnly = query.selection.every(
    (selected) => selected.kind === 'constant' || (selected.kind === 'field' && hasColumn(collection, selected.field)),
  )
  if (!hasColumnsOnly || query.locked === true || query.overlay !== undefined || query.given !== undefined) return null
  if (namesOneRow(query, collection)) return 'always'
  const { filter, sort, page, search, aggregation, distinct, counts } = query
  const isShort = page.limit !== null && page.limit <= quickPage && pageSizes.has(page.limit)
  const isPlain = search === null && aggregation === null && distinct === undefined && counts.length === 0
  if (!isShort || !isPlain) return null
  const isInOrder = filter.kind === 'all' && sort.length === 0 && collection.sortField === null
  if (isInOrder && page.offset === 0) return 'always'
  const sortsColumns = sort.every((each) => each.kind === 'field' && each.path.length === 0 && each.guard === undefined)
  return sortsColumns && comparesColumns(filter, collection) ? 'few-rows' : null
}

const hasColumn = ({ fields }: Collection, name: string): boolean => fields.get(name)?.column != null

/** Whether the filter compares only columns of the row, and none by a part of a text, which may be long. */
function comparesColumns(filter: Filter, collection: Collection): boolean {
  switch (filter.kind) {
    case 'all':
    case 'none':
      return true
    case 'and':
    case 'or':
      return filter.filters.every((each) => comparesColumns(each, collection))
    case 'not':
      return comparesColumns(filter.filter, collection)
    case 'compare': {
      const { operand, operator, values } = filter
      const isColumn = operand.kind === 'field' && operand.as === undefined && hasColumn(collection, operand.field)
      return isColumn && comparisons.has(operator) && !values.some((each) => isDynamic(each) && each.kind === 'reached')
    }
    case 'related':
      return false
    default:
      return filter satisfies never
  }
}

const comparisons: ReadonlySet<OperatorName> = new Set<OperatorName>([
  ...(['eq', 'neq', 'in', 'nin', 'null', 'nnull'] as const),
  ...(['lt', 'lte', 'gt', 'gte', 'between', 'nbetween'] as const),
])

const quickPage = 50

function compileRow(build: Build, query: Query): CompiledText {
  const all = () => {
    const same = openLevel(build, query.collection)
    const condition = whereText(compileConditions(build, same, { query, link: null }))
    return { level: same, from: `${tableText(build, same)}${condition}` }
  }
  const level = { ...openLevel(build, query.collection), ...(needsScans(build, query, 'one') ? { all } : {}) }
  const entries = compileSelection(build, level, query.selection)
  const conditions = compileConditions(build, level, { query, link: null })
  const where = whereText([...conditions, compileAfter(build, level, query)])
  const rows = query.overlay === undefined ? tableText(build, level) : compileOverlay(build, level, query)
  if (query.tag !== undefined) {
    const lock = query.locked === true ? ' for update' : ''
    const tag = compileSelection(build, level, query.tag)
    return compileTagged(build, { entries, tag, from: `${rows}${where}${lock}` })
  }
  const plain = plainColumns(entries, build.dialect)
  if (plain !== null && plain.length > 0) return compileObjects(plain, `${rows}${where}`)
  return { text: build.dialect.jsonRowStatement(entries, `${rows}${where}`), rows: { kind: 'row' } }
}

/** The given rows that match, as columns; the last column is their position in the list. */
function compileGiven(build: Build, query: Query): CompiledText {
  const { dialect } = build
  const level = openLevel(build, query.collection)
  build.tables.push(level.collection.name)
  const rows = bind(build, query, ({ given }) => `[${given?.rows.join(',')}]`)
  const from = dialect.recordset({
    table: tableName(level.collection),
    alias: level.alias,
    rows,
    columns: typedColumns(level.collection),
  })
  const entries = compileSelection(build, level, query.selection)
  const where = whereText(compileConditions(build, level, { query, link: null }))
  const position = { key: 'n', sql: dialect.recordsetPosition(level.alias) }
  return compileTexts(build, { entries, from: `${from}${where}`, last: position })
}

/** The page of the query, and the entries that are selected from it. */
function compileRows(build: Build, query: Query, tagged: Selection = []): Tagged {
  const level = openLevel(build, query.collection)
  const columns = new Set<string>()
  const page = () => compilePage(build, level, { query, link: null, preferred: null }, columns)
  const compile = (outer: Level) => ({
    entries: compileSelection(build, outer, query.selection),
    tag: compileSelection(build, outer, tagged),
  })
  if (!needsScans(build, query, 'several')) return { ...compile({ ...level, columns }), from: page() }
  const { scan, all } = openScan(build, level, () => `select * from ${page()}`)
  return { ...compile({ ...level, columns, all }), from: tableText(build, { ...level, scan }) }
}

type Tagged = { readonly entries: readonly Entry[]; readonly tag: readonly Entry[]; readonly from: string }

/** The row as columns; the last column is the content tag. */
function compileTagged(build: Build, { entries, tag, from }: Tagged): CompiledText {
  const last = { key: tagColumn, sql: build.dialect.contentTag(tag) }
  const plain = plainColumns(entries, build.dialect)
  if (plain !== null && plain.length > 0) return compileObjects([...plain, last], from)
  return compileTexts(build, { entries, from, last })
}

type Column = Pick<Entry, 'key' | 'sql'>

const compileObjects = (columns: readonly Column[], from: string): CompiledText => ({
  text: `select ${columnList(columns)} from ${from}`,
  rows: { kind: 'objects' },
})

/** `last`: a column that is no part of the row. */
function compileTexts(
  { dialect }: Build,
  { entries, from, last }: { readonly entries: readonly Entry[]; readonly from: string; readonly last?: Column },
): CompiledText {
  const texts = entries.map((entry, index) => ({ key: `c${index}`, sql: dialect.columnText(entry) }))
  const columns = last === undefined ? texts : [...texts, last]
  // MariaDB has no rows without columns.
  const list = columns.length === 0 ? '1' : columnList(columns)
  return { text: `select ${list} from ${from}`, rows: textsOf(entries) }
}

const typedColumns = ({ fields }: Collection): readonly TypedColumn[] =>
  [...fields.values()].flatMap((field) => {
    const { column } = field
    return column === null
      ? []
      : [{ column: quoteName(column.name), name: column.name, type: sizedType(field, column) }]
  })

function sizedType(field: Field, { precision, scale }: TableColumn): ColumnType {
  const type = storedType(field)
  return type.type !== 'decimal' || precision === null ? type : { ...type, digits: `${precision}, ${scale ?? 0}` }
}

/** The row with that key under the alias of the level, with the values of the overlay, if any. */
function compileOverlay(build: Build, level: Level, query: Query): string {
  const stored = openLevel(build, query.collection)
  const { dialect } = build
  return dialect.overlaid({
    table: tableText(build, stored),
    stored: stored.alias,
    alias: level.alias,
    condition: keyCondition(build, stored.collection, {
      prefix: `${stored.alias}.`,
      many: false,
      bound: (part) => bind(build, query, (node) => part(node.overlay?.key ?? '')),
    }),
    row: bind(build, query, (node) => JSON.stringify(node.overlay?.row)),
    columns: typedColumns(stored.collection),
  })
}

/** The rows that the count `filtered` counts, without their values. */
export function compileFiltered(build: Build, query: Query): string {
  const level = openLevel(build, query.collection)
  const conditions = compileConditions(build, level, { query, link: null })
  return `select 1 as n from ${tableText(build, level)}${whereText(conditions)}`
}

function compileCounts(build: Build, query: Query): readonly Entry[] {
  return [...new Set(query.counts)].map((key) => {
    const level = openLevel(build, query.collection)
    const conditions =
      key !== 'total'
        ? compileConditions(build, level, { query, link: null })
        : [
            query.rows === undefined ? 'true' : compileFilter(build, level, query.rows),
            compileArchive(build, level, query),
          ]
    const counted = `(select count(*) from ${tableText(build, level)}${whereText(conditions)})`
    const sql = key === 'total' ? counted : compileFilteredCount(build, query, counted)
    return { key, sql, json: 'json' }
  })
}

/** The last page has counted the rows: those on it and those before it. Other pages leave it to a second read. */
function compileFilteredCount(build: Build, query: Query, counted: string): string {
  if (query.aggregation !== null || query.after !== undefined || query.page.limit === null) return counted
  const { limit, offset } = limitsOf(build, query)
  const onPage = offset === null ? 'count(*)' : `count(*) + ${offset}`
  const isLast = `count(*) < ${limit}${offset === null ? '' : ' and count(*) > 0'}`
  return `case when ${isLast} then ${onPage} else ${counted} end`
}
