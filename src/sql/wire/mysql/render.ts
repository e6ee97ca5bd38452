/**
 * Renders a statement of this program for MariaDB. Statements on the system tables are written once, in standard SQL with
 * the casts, lists and parameters of Postgres; where MariaDB says the same in other words, they are put in their place.
 * What has no such words is written as a text of its own beside the statement (`Statement.texts`).
 */
import { isDefinition, withCharset } from './definitions.ts'
import { renderItems, type Writer, wordBefore } from './expressions.ts'
import { type Item, isGroup, isSpace, itemsOf, textOf } from './tokens.ts'

/**
 * The text with `?`, and the position of the value of each: from 1 those of the statement, below 0 earlier results.
 * `instants`: the places in this order whose values are cast to instants. `returns`: whether it returns rows.
 */
export type Rendered = {
  /** The row of a list of values that is to be written for each element of a list. */
  readonly each?: EachRow
  readonly sql: string
  readonly order: readonly number[]
  readonly instants: readonly number[]
  readonly returns: boolean
}

/**
 * `values each $1 by 'id' (…)`: the SQL of a row, and the position of the list. `fields`: the place in the order whose value
 * is a field of the element, as JSON or as text. `key`: the name of the field that the server numbers if it is absent.
 */
export type EachRow = {
  readonly row: string
  readonly list: number
  readonly key: string
  readonly fields: ReadonlyMap<number, { readonly name: string; readonly isJson: boolean }>
}

/** The statements of a text, in order. */
export function renderAll(text: string): readonly Rendered[] {
  if (/^\s*(begin not atomic|create\s+(or\s+replace\s+)?(trigger|function|procedure))\b/i.test(text))
    return [{ sql: text, order: [], instants: [], returns: false }]
  const statements: Item[][] = [[]]
  for (const item of itemsOf(text)) {
    if (item === ';') statements.push([])
    else statements.at(-1)?.push(item)
  }
  return statements.filter((items) => !items.every(isSpace)).map(renderOne)
}

function renderOne(statement: readonly Item[]): Rendered {
  const first = statement.find((item) => !isSpace(item))
  const items = textOf(first).toLowerCase() === 'insert' ? withQuotedColumns(statement) : statement
  const writer: Writer = {
    order: [],
    instants: [],
    fields: new Map(),
    isDefinition: isDefinition(items, first),
    ignores: false,
    hasList: false,
  }
  const each = items.findIndex((item, at) => item === 'each' && wordBefore(items, at) === 'values')
  if (each !== -1) return renderEach(writer, items, each)
  const rendered = renderItems(writer, items).trim()
  const sql = writer.isDefinition ? withCharset(rendered) : byList(writer, deleteFrom(rendered))
  return {
    sql: writer.ignores ? sql.replace(/^insert into/i, 'insert ignore into') : sql,
    order: writer.order,
    instants: writer.instants,
    returns: isRead.test(sql) || items.some((item) => textOf(item).toLowerCase() === 'returning'),
  }
}

function renderEach(writer: Writer, items: readonly Item[], at: number): Rendered {
  const [list = '', , key = '', row] = items.slice(at + 1).filter((item) => !isSpace(item))
  const sql = renderItems(writer, items.slice(0, at)).trim()
  const each = {
    row: renderItems(writer, row === undefined ? [] : [row]),
    list: Number(textOf(list).slice(1)),
    key: textOf(key).slice(1, -1).replaceAll("''", "'"),
    fields: writer.fields,
  }
  return { sql, order: writer.order, instants: writer.instants, returns: false, each }
}

/** Names in the list of columns of an insertion may be words of the language there. */
function withQuotedColumns(items: readonly Item[]): readonly Item[] {
  const at = items.findIndex(isGroup)
  const list = items[at]
  const before = items.slice(0, Math.max(at, 0)).filter((item) => !isSpace(item))
  if (!isGroup(list) || before.some((item) => /^(select|values|with)$/i.test(textOf(item)))) return items
  return items.with(at, {
    items: list.items.map((item) => (columnWords.test(textOf(item)) ? `"${textOf(item)}"` : item)),
  })
}

const columnWords = /^(create|read|update|delete|explain)$/i

const isRead = /^(select|with|show|(explain|analyze) (format=json|analyze))\b/i

/** A table with an alias is named before it. */
const deleteFrom = (sql: string): string =>
  sql.replace(/^delete from ("[^"]+"|\w+) (?!where\b|returning\b|using\b)(\w+)(?=\s)/i, 'delete $2 from $1 $2')

/**
 * MariaDB before 11.1 reads all rows for a list in a change of one table, and locks them; in the form for several tables
 * it finds them by an index.
 */
function byList({ hasList }: Writer, sql: string): string {
  if (!hasList || /\b(limit|returning)\b/i.test(sql)) return sql
  return sql
    .replace(/^delete from ("[^"]+"|\w+)(?=\s+where\b)/i, 'delete $1 from $1')
    .replace(/^update ("[^"]+"|\w+)(?=\s+set\b)/i, 'update $1 join (select 1 as one) one')
}
