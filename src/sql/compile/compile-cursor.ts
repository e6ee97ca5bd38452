/** Cursors: the values of a row in the order of its list as one text, and the condition of the rows behind such values. */
import { type CursorSort, cursorWord, toCursorSort } from '../../domain/query/cursor.ts'
import type { Query, Sort } from '../../domain/query/query.ts'
import { type Build, bind, columnText, columnType, fieldOf, integerType, type Level } from '../conditions/build.ts'
import { codecOf } from '../conditions/codec-of.ts'
import { guarded } from '../conditions/compile-filter.ts'
import { numberText } from '../conditions/compile-number.ts'
import type { Expression, SortedValue } from '../dialects/dialect.ts'
import { quoteText } from '../dialects/quoting.ts'

export function compileCursor(build: Build, level: Level, sort: readonly Sort[]): Expression {
  const { dialect } = build
  const keys = sort.map(toKey)
  const texts = keys.map((key) => guarded(build, level, key.guard, sortedValue(build, level, key).text))
  const sql = dialect.encoded([quoteText(cursorWord(keys)), ...texts])
  return { sql, json: 'text', plain: sql }
}

/** A key of the order, and the value of the row behind which the page begins. */
type CursorKey = {
  readonly sort: CursorSort
  readonly sql: string
  readonly value: string | null
  readonly hasNulls: boolean
}

/** The condition of the rows behind `query.after`; `true` without it. */
export function compileAfter(build: Build, level: Level, query: Query): string {
  if (query.after === undefined) return 'true'
  const last = query.after.length - 1
  const keys = query.after.map((value, at): CursorKey => {
    const sort = toKey(query.sort[at])
    // Nothing is behind it. Its guard is not compiled, because Postgres refuses parameters that the text does not name.
    if (at === last && value === null && isNullLast(sort)) return { sort, sql: 'null', value, hasNulls: true }
    const own = sortedValue(build, level, sort)
    const parameter = value === null ? null : own.value(bind(build, query, ({ after }) => after?.[at] ?? null))
    const { column } = fieldOf(level.collection, sort.field)
    const hasNulls = sort.guard !== undefined || column?.nullable !== false
    return { sort, sql: guarded(build, level, sort.guard, own.sql), value: parameter, hasNulls }
  })
  return build.dialect.comparesRows === true && isOneRow(keys) ? behindRow(keys) : behind(keys)
}

const toKey = (sort: Sort | undefined): CursorSort => {
  const key = sort === undefined ? null : toCursorSort(sort)
  if (key === null) throw new Error('Expected a key of a cursor to be a field of the collection')
  return key
}

/** In the form in which `compileOrder` sorts the field. */
function sortedValue(build: Build, level: Level, { field: name }: CursorSort): SortedValue {
  const { collection } = level
  const field = fieldOf(collection, name)
  const codec = codecOf(build.view, collection.name, field)
  const sql = columnText(build, level, field)
  if (codec.kind === 'number-of')
    return build.dialect.sorted(numberText(build, { sql, level, field }, codec.collection), integerType, true)
  const isKey = name === collection.primaryKey && collection.keyColumns.length > 0
  return build.dialect.sorted(sql, columnType(field), isKey)
}

/** Whether all keys have a value and one direction, so that an index over them finds the rows. */
const isOneRow = (keys: readonly CursorKey[]): boolean =>
  keys.every(
    ({ sort, value, hasNulls }) =>
      value !== null && !hasNulls && sort.descending === (keys[0]?.sort.descending ?? false),
  )

const row = (parts: readonly (string | null)[]): string =>
  parts.length === 1 ? String(parts[0]) : `(${parts.join(', ')})`

function behindRow(keys: readonly CursorKey[]): string {
  const operator = keys[0]?.sort.descending === true ? '<' : '>'
  return `${row(keys.map(({ sql }) => sql))} ${operator} ${row(keys.map(({ value }) => value))}`
}

/** Behind in the first key, or equal in it and behind in the others. */
function behind([first, ...others]: readonly CursorKey[]): string {
  if (first === undefined) return 'false'
  const further = behindOne(first)
  if (others.length === 0) return further
  const { sql, value, sort } = first
  const equal = value === null ? `${sql} is null` : `${sql} = ${value}`
  const either = [further, `(${equal} and ${behind(others)})`].filter((each) => each !== 'false').join(' or ')
  // An index finds where the rows begin by this condition alone.
  const bound = value === null || nullsFollow(first) ? '' : `${sql} ${sort.descending ? '<=' : '>='} ${value} and `
  return `(${bound}(${either}))`
}

function behindOne(key: CursorKey): string {
  const { sql, value, sort } = key
  if (value === null) return isNullLast(sort) ? 'false' : `${sql} is not null`
  const further = `${sql} ${sort.descending ? '<' : '>'} ${value}`
  return nullsFollow(key) ? `(${further} or ${sql} is null)` : further
}

const nullsFollow = ({ sort, hasNulls }: CursorKey): boolean => hasNulls && isNullLast(sort)

/** Null is greater than every value. */
const isNullLast = ({ descending, nulls }: CursorSort): boolean => (nulls ?? (descending ? 'first' : 'last')) === 'last'
