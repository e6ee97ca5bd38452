/** Compiles the sort order. The primary key is always the last key, so that pages do not overlap. */
import type { Sort, SortStep } from '../../domain/query/query.ts'
import type { Collection, Field } from '../../domain/schema/schema.ts'
import {
  type Build,
  bind,
  columnText,
  columnType,
  fieldOf,
  integerType,
  keyText,
  type Level,
  openLevel,
  rowKeyText,
  tableText,
  textType,
  whereText,
} from '../conditions/build.ts'
import { codecOf } from '../conditions/codec-of.ts'
import { compileFilter, guarded } from '../conditions/compile-filter.ts'
import { compileFunction, compileJson } from '../conditions/compile-function.ts'
import { fieldLinkText } from '../conditions/compile-link.ts'
import { numberText } from '../conditions/compile-number.ts'
import type { ColumnType } from '../dialects/dialect.ts'

/**
 * `text` begins with ` order by`; `keys` are its parts, and `parts` what they are made of; `joins` go after the table of the
 * level.
 */
export type Order = {
  readonly text: string
  readonly keys: readonly string[]
  readonly parts: readonly OrderPart[]
  readonly joins: string
}

/** `isIndexed`: an index of the table begins with this column. */
export type OrderPart = {
  readonly sql: string
  readonly descending: boolean
  readonly nulls: 'first' | 'last' | 'none' | undefined
  readonly isIndexed: boolean
}

type Operand = Extract<Sort, { kind: 'field' | 'function' }>

/** The order: that of the query, else by the field `preferred`, else the default of the collection, else by the key. */
export function compileOrder(build: Build, level: Level, sort: readonly Sort[], preferred: string | null): Order {
  const joins: string[] = []
  const parts: OrderPart[] = []
  let isTotal = false
  for (const each of sort.length > 0 ? sort : defaultSort(level, preferred)) {
    if (each.kind === 'aggregate')
      throw new Error('Expected a sort key other than an aggregate: the rows are not grouped')
    const sql = keyOf(build, level, { sort: each, joins })
    parts.push({ sql, descending: each.descending, ...placeOf(build, level, { sort: each, sql }) })
    isTotal ||= isPrimaryKey(level, each)
  }
  if (!isTotal) {
    const descending = isIndexReadBackwards(build, parts)
    parts.push(...lastKeys(level.collection).map((name) => lastKey(build, level, { name, descending })))
  }
  const keys = keysOf(build, parts)
  return { text: keys.length === 0 ? '' : ` order by ${keys.join(', ')}`, keys, parts, joins: joins.join('') }
}

export const keysOf = ({ dialect }: Build, parts: readonly OrderPart[]): readonly string[] =>
  parts.map(({ sql, descending, nulls }) => dialect.orderBy(sql, descending, nulls))

/** The place of nulls, if the column of the table can hold them. */
function placeOf(
  build: Build,
  level: Level,
  { sort, sql }: { readonly sort: Sort; readonly sql: string },
): Pick<OrderPart, 'nulls' | 'isIndexed'> {
  const isOwn = sort.kind === 'field' && sort.path.length === 0 && sort.guard === undefined
  const field = isOwn ? level.collection.fields.get(sort.field) : undefined
  if (field?.column == null) return { nulls: sort.nulls, isIndexed: false }
  const isIndexed = field.column.leadsIndex === true && sql === columnText(build, level, field)
  return { nulls: field.column.nullable ? sort.nulls : 'none', isIndexed }
}

/** The key; without one all columns that have an order, since rows that agree in them need none. */
function lastKeys({ keyColumns, fields }: Collection): readonly string[] {
  if (keyColumns.length > 0) return keyColumns
  return [...fields.values()].flatMap(({ name, type, column }) =>
    column === null || type === 'geometry' ? [] : [name],
  )
}

/** A key column contains no nulls, so their position need not be stated. */
function lastKey(
  build: Build,
  level: Level,
  { name, descending }: { readonly name: string; readonly descending: boolean },
): OrderPart {
  const nulls = level.collection.keyColumns.length > 0 ? 'none' : undefined
  return { sql: ownText(build, level, name), descending, nulls, isIndexed: false }
}

/** Where an index has to be read in one direction, a key that ascends behind descending ones would need all rows sorted. */
const isIndexReadBackwards = ({ dialect }: Build, parts: readonly OrderPart[]): boolean =>
  dialect.readsIndexOneWay === true && parts[0]?.isIndexed === true && parts.every(({ descending }) => descending)

function keyOf(
  build: Build,
  level: Level,
  { sort, joins }: { readonly sort: Exclude<Sort, { kind: 'aggregate' }>; readonly joins: string[] },
): string {
  if (sort.kind === 'random') return build.dialect.random
  if (sort.kind !== 'listed') return compileKey(build, level, { sort, joins, at: 0 })
  const { dialect } = build
  const isComposite = level.collection.keyColumns.length > 1
  const column = isComposite ? textType : columnType(fieldOf(level.collection, level.collection.primaryKey))
  const list = dialect.castList(
    bind(build, sort, ({ keys }) => keys),
    column,
  )
  const key = isComposite ? rowKeyText(build, level) : dialect.comparable(keyText(build, level), column)
  const { sql, join } = dialect.positionIn(key, list, { column, alias: `${level.alias}p` })
  joins.push(join)
  return sql
}

function defaultSort(level: Level, preferred: string | null): readonly Sort[] {
  const name = preferred ?? level.collection.sortField
  const field = name === null ? undefined : level.collection.fields.get(name)
  return field === undefined || field.column === null
    ? []
    : [{ kind: 'field', path: [], field: field.name, descending: false }]
}

const isPrimaryKey = (level: Level, sort: Sort): boolean =>
  sort.kind === 'field' &&
  sort.path.length === 0 &&
  sort.guard === undefined &&
  level.collection.keyColumns.length === 1 &&
  sort.field === level.collection.primaryKey

/** `least`: the key is the minimum of several values. */
type SortPath = { readonly sort: Operand; readonly joins: string[]; readonly at: number; readonly least?: boolean }

/** Joins to-one steps to the level. From the first to-many step on, a row is sorted by the minimum of its related values. */
function compileKey(build: Build, level: Level, path: SortPath): string {
  const step = path.sort.path[path.at]
  if (step === undefined) return guarded(build, level, path.sort.guard, operandText(build, level, path))
  const field = fieldOf(level.collection, step.field)
  const inner = openLevel(build, step.collection)
  const conditions = [fieldLinkText(build, level, inner, field), ...stepConditions(build, level, inner, step)]
  if (field.relation?.kind !== 'one-to-many') {
    path.joins.push(
      ` left join ${tableText(build, inner)} on ${conditions.filter((each) => each !== 'true').join(' and ')}`,
    )
    return compileKey(build, inner, { ...path, at: path.at + 1 })
  }
  const joins: string[] = []
  const key = compileKey(build, inner, { ...path, joins, at: path.at + 1, least: true })
  const leaf = leafType(build, path.sort)
  return `(select ${build.dialect.aggregates.min(key, leaf)} from ${tableText(build, inner)}${joins.join('')}${whereText(conditions)})`
}

function stepConditions(build: Build, level: Level, inner: Level, step: SortStep): readonly string[] {
  const conditions: string[] = []
  if (step.guard !== undefined) conditions.push(compileFilter(build, level, step.guard))
  if (step.filter !== undefined) conditions.push(compileFilter(build, inner, step.filter))
  return conditions
}

/** The type whose minimum is taken: integer for functions, text for types that can only be sorted as text. */
function leafType(build: Build, sort: Operand): ColumnType {
  const collection = build.schema.collections.get(sort.path.at(-1)?.collection ?? '')
  const field = collection?.fields.get(sort.field)
  if (sort.kind === 'function' && sort.function === 'json') return textType
  if (sort.kind === 'function' || field === undefined) return integerType
  return field.type === 'json' ? textType : columnType(field)
}

function operandText(build: Build, level: Level, { sort, least = false }: SortPath): string {
  if (sort.kind === 'function' && sort.function === 'json') {
    return compileJson(build, { level, field: sort.field, form: least ? 'text' : 'order' }, [sort, (node) => node])
  }
  return sort.kind === 'function' ? compileFunction(build, level, sort) : ownText(build, level, sort.field)
}

/** The sort expression of a column. A key that is shown as a number is sorted by the number, wherever it stands. */
function ownText(build: Build, level: Level, name: string): string {
  const field = fieldOf(level.collection, name)
  const codec = codecOf(build.view, level.collection.name, field)
  if (codec.kind === 'number-of')
    return numberText(build, { sql: columnText(build, level, field), level, field }, codec.collection)
  const isKey = name === level.collection.primaryKey && level.collection.keyColumns.length > 0
  return isKey ? keyText(build, level) : comparableText(build, level, field)
}

/** Types of the database's own are ordered by it, other values as filters compare them. */
function comparableText(build: Build, level: Level, field: Field): string {
  const text = columnText(build, level, field)
  const isOwn = field.type === 'unknown' || field.column?.values !== undefined
  return isOwn && field.column?.ordered === true ? text : build.dialect.comparable(text, columnType(field))
}
