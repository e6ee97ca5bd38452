/**
 * Renders a statement of this program for MariaDB. Statements on the system tables are written once, in standard SQL with
 * the casts, lists and parameters of Postgres; where MariaDB says the same in other words, they are put in their place.
 * What has no such words is written as a text of its own beside the statement (`Statement.texts`).
 */
import { longText } from '../../dialects/mysql/types.ts'
import { definitionType, isDefinition, withCharset } from './definitions.ts'
import { type Group, type Item, isGroup, isSpace, isWord, itemsOf, textOf } from './tokens.ts'

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

type Writer = {
  readonly order: number[]
  readonly instants: number[]
  readonly fields: Map<number, { readonly name: string; readonly isJson: boolean }>
  readonly isDefinition: boolean
  /** Rows that are there already are left as they are. */
  ignores: boolean
  /** Whether a condition compares with a list. */
  hasList: boolean
}

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

/** A rendered part, and the position after it. */
type Part = readonly [sql: string, next: number]

function renderItems(writer: Writer, items: readonly Item[]): string {
  const out: string[] = []
  let clause = ''
  for (let at = 0; at < items.length; ) {
    const [sql, end] = renderPart(writer, items, { at, out })
    if (clauses.has(sql)) clause = sql
    out.push(sql)
    if (clause === 'select') out.push(nameOf(sql, items, end))
    at = end
  }
  return out.join('')
}

const clauses: ReadonlySet<string> = new Set(['select', 'from'])

/** A column that is cast keeps its name in the answer. */
function nameOf(sql: string, items: readonly Item[], end: number): string {
  const column = /^cast\((?:\w+\.)?("[^"]+"|\w+) as \w+\)$/.exec(sql)?.[1]
  const after = textOf(items[isSpace(items[end]) ? end + 1 : end])
  return column !== undefined && (after === ',' || after === 'from') ? ` as ${column}` : ''
}

type RenderState = { readonly at: number; readonly out: string[] }

function renderPart(writer: Writer, items: readonly Item[], { at, out }: RenderState): Part {
  const item = items[at] as Item
  if (isWord(item)) {
    const special = keywords[item.toLowerCase()]?.(writer, items, { at, out })
    if (special !== undefined && special !== null) return special
    if (writer.isDefinition) {
      const type = definitionType(items, at)
      if (type !== null) return type
    }
  }
  if (item === '!~') return ['not regexp', at + 1]
  if (item === '~') return ['regexp', at + 1]
  return isOperand(item) ? operand(writer, items, at) : [item as string, at + 1]
}

const isOperand = (item: Item): boolean => isGroup(item) || isWord(item) || /^['"$\d]/.test(item)

/** A value with its qualifiers, arguments and casts. */
function operand(writer: Writer, items: readonly Item[], start: number): Part {
  let [sql, at] = primary(writer, items, start)
  while (items[at] === '::') {
    const [type, next] = typeAt(items, at + 1)
    if (isParameter(sql) && instantTypes.test(type)) writer.instants.push(writer.order.length - 1)
    sql = cast(sql, type)
    at = next
  }
  const arrow = isSpace(items[at]) ? at + 1 : at
  if (items[arrow] !== '->>') return [sql, at]
  const [key, end] = primary(writer, items, isSpace(items[arrow + 1]) ? arrow + 2 : arrow + 1)
  return [`json_unquote(json_extract(${sql}, concat('$.', json_quote(${key}))))`, end]
}

function primary(writer: Writer, items: readonly Item[], start: number): Part {
  const item = items[start] as Item
  if (isGroup(item)) return [`(${renderItems(writer, item.items)})`, start + 1]
  if (item.startsWith('$')) return fieldOf(writer, items, start) ?? [parameter(writer, item), start + 1]
  if (item.toLowerCase() === 'excluded' && items[start + 1] === '.')
    return [`values(${named(items[start + 2] as string)})`, start + 3]
  let sql =
    reserved.has(item) && !/^(duplicate|primary|foreign|unique)$/i.test(wordBefore(items, start)) ? `"${item}"` : item
  let at = start + 1
  while (items[at] === '.') {
    const name = items[at + 1] as string
    sql += `.${named(name)}`
    at += 2
  }
  const group = items[at]
  if (!isWord(item) || !isGroup(group)) return [sql, at]
  return [call(writer, sql, group), at + 1]
}

/** Names of columns that are words of the language there. */
const reserved: ReadonlySet<string> = new Set(['key', 'rows', 'reads'])

const named = (name: string): string => (reserved.has(name) ? `"${name}"` : name)

const wordBefore = (items: readonly Item[], at: number): string => (isSpace(items[at - 1]) ? textOf(items[at - 2]) : '')

/** A field of an element: `$1."name"`, and `$1->"name"` as JSON. */
function fieldOf(writer: Writer, items: readonly Item[], start: number): Part | null {
  const [sign, name] = [items[start + 1], textOf(items[start + 2])]
  if ((sign !== '.' && sign !== '->') || !name.startsWith('"')) return null
  writer.fields.set(writer.order.length, { name: name.slice(1, -1).replaceAll('""', '"'), isJson: sign === '->' })
  return [parameter(writer, textOf(items[start])), start + 3]
}

function parameter({ order }: Writer, item: string): string {
  order.push(item.startsWith('$$') ? -Number(item.slice(2)) : Number(item.slice(1)))
  return '?'
}

/** The arguments of a call; each can be rendered more than once. */
function argumentsOf(writer: Writer, { items }: Group): readonly Argument[] {
  const parts: Item[][] = [[]]
  for (const item of items) {
    if (item === ',') parts.push([])
    else parts.at(-1)?.push(item)
  }
  return parts.map((part) => () => renderItems(writer, part).trim())
}

type Argument = () => string

/** Functions of other names, and those that treat null in another way. */
function call(writer: Writer, name: string, group: Group): string {
  const renamed = functions[name.toLowerCase()]
  if (renamed === undefined) return `${name}(${renderItems(writer, group.items)})`
  return renamed(argumentsOf(writer, group))
}

/** Null only if both arguments are null, as in Postgres. */
const extreme =
  (name: string) =>
  ([first, second]: readonly Argument[]) =>
    first === undefined || second === undefined
      ? `${name}(${first?.() ?? ''})`
      : `${name}(coalesce(${first()}, ${second()}), coalesce(${second()}, ${first()}))`

const list = (argument: Argument | undefined, alias: string): string =>
  `json_table(${argument?.() ?? ''}, '$[*]' columns (n for ordinality, v ${longText} path '$')) ${alias}`

const functions: { readonly [name: string]: (parts: readonly Argument[]) => string } = {
  unnest: ([first, second]) =>
    `(select a.v as a, b.v as b from ${list(first, 'a')} join ${list(second, 'b')} on b.n = a.n) u`,
  now: () => 'now(6)',
  clock_timestamp: () => 'now(6)',
  gen_random_uuid: () => 'uuid()',
  current_schema: () => 'database()',
  json_array_length: ([value]) => `json_length(${value?.() ?? ''})`,
  least: extreme('least'),
  greatest: extreme('greatest'),
}

/** The list of a parameter, which the driver sends as JSON, as a subquery. Null gives null, which equals nothing. */
const listOf = (parameter: string, type: string): string =>
  `(select j.v from json_table(coalesce(${parameter}, '[null]'), '$[*]' columns (v ${type} path '$')) j)`

/** Lists of these types are read as such: an index of the column finds no key in another character set. */
const elementTypes: { readonly [type: string]: string } = {
  uuid: 'char(36) character set ascii collate ascii_bin',
  integer: 'bigint',
}

/** The type of the elements where the list is cast: `$1::uuid[]`. */
function elementType(items: readonly Item[]): string {
  const [type, brackets] = items.slice(items.indexOf('::') + 1).map((item) => textOf(item))
  return (items.includes('::') && brackets === '[' && elementTypes[type ?? '']) || longText
}

type Keyword = (writer: Writer, items: readonly Item[], state: RenderState) => Part | null

/** `= any (list)` and `<> all (list)`. */
const member =
  (operator: string, instead: string): Keyword =>
  (writer, items, { at, out }) => {
    const group = next(items, at)
    const index = lastOf(out)
    if (group === null || !isGroup(items[group]) || out[index] !== operator) return null
    out[index] = instead
    const list = renderItems(writer, items[group].items)
    if (/^\s*select\b/.test(list)) return [`(${list})`, group + 1]
    writer.hasList = true
    return [listOf(list, elementType(items[group].items)), group + 1]
  }

/** The position of the next item that is not space. */
function next(items: readonly Item[], at: number): number | null {
  const position = items.findIndex((item, index) => index > at && !isSpace(item))
  return position === -1 ? null : position
}

/** The positions of the next five items that are not space. */
const placesAfter = (items: readonly Item[], at: number): readonly number[] =>
  items.flatMap((item, index) => (index > at && !isSpace(item) ? [index] : [])).slice(0, 5)

const lastOf = (out: readonly string[]): number => out.findLastIndex((part) => part.trim() !== '')

/** `is distinct from`, and `is not distinct from`. */
const is: Keyword = (writer, items, { at, out }) => {
  const words = placesAfter(items, at)
  const read = words.map((index) => textOf(items[index]).toLowerCase())
  const isNegated = read[0] === 'not'
  const [distinct, from] = isNegated ? read.slice(1) : read
  if (distinct !== 'distinct' || from !== 'from') return null
  const value = next(items, words[isNegated ? 2 : 1] as number)
  if (value === null) return null
  const [right, end] = operand(writer, items, value)
  if (isNegated) return [`<=> ${right}`, end]
  const left = lastOf(out)
  const [expression = ''] = out.splice(left)
  return [`not (${expression} <=> ${right})`, end]
}

/** `interval '1 minute'` is written without quotes; `$1 * interval '1 millisecond'` has no such unit there. */
const interval: Keyword = (_writer, items, { at, out }) => {
  const index = next(items, at)
  const match = index === null ? null : /^'(\d+) (\w+?)s?'$/.exec(textOf(items[index]))
  if (match === null || index === null) return null
  if (match[2] !== 'millisecond') return [`interval ${match[1]} ${match[2]}`, index + 1]
  const [factor] = out.splice(-4)
  return [`interval (${factor} * 1000) microsecond`, index + 1]
}

/** `on conflict (…) do update set …`, and `on conflict do nothing`. */
const on: Keyword = (writer, items, { at }) => {
  const words = placesAfter(items, at)
  if (textOf(items[words[0] ?? -1]).toLowerCase() !== 'conflict') return null
  const rest = words.slice(isGroup(items[words[1] ?? -1]) ? 2 : 1)
  if (textOf(items[rest[1] ?? -1]).toLowerCase() === 'nothing') {
    writer.ignores = true
    return ['', (rest[1] as number) + 1]
  }
  return ['on duplicate key update', (rest[2] as number) + 1]
}

const keywords: { readonly [word: string]: Keyword } = {
  any: member('=', 'in'),
  all: member('<>', 'not in'),
  is,
  interval,
  // MariaDB sorts null as the least value; `nulls first` and `nulls last` state it where the order differs.
  nulls: (_writer, items, { at }) => ['', (next(items, at) ?? at) + 1],
  on,
}

/** The name of a type, with its length and brackets. */
function typeAt(items: readonly Item[], start: number): readonly [type: string, next: number] {
  let type = textOf(items[start]).toLowerCase()
  let at = start + 1
  if (type === 'double' && items[at + 1] === 'precision') at += 2
  if (isGroup(items[at])) {
    type += `(${(items[at] as Group).items.map(textOf).join('')})`
    at += 1
  }
  while (items[at] === '[' && items[at + 1] === ']') {
    type += '[]'
    at += 2
  }
  return [type, at]
}

const instantTypes = /^timestamp(tz)?$/

const isParameter = (sql: string): boolean => sql === '?'

/** Texts and JSON need no cast; the type of a parameter is that of its place. */
function cast(sql: string, type: string): string {
  if (type.endsWith('[]') || type === 'boolean' || type === 'regclass') return sql
  if (/^(uuid|text|varchar.*|json|jsonb)$/.test(type))
    return isParameter(sql) || /json/.test(type) ? sql : `cast(${sql} as char)`
  if (/^(integer|int|bigint|smallint)$/.test(type)) return isParameter(sql) ? sql : `cast(${sql} as signed)`
  if (/^(double|float8|real)$/.test(type)) return `cast(${sql} as double)`
  if (instantTypes.test(type)) return isParameter(sql) ? 'cast(? as datetime(6))' : sql
  if (type === 'date') return `cast(${sql} as date)`
  if (type === 'time') return `cast(concat(${sql}) as time(6))`
  if (type === 'numeric') return `cast(${sql} as decimal(65, 30))`
  if (/^numeric\(\d+, ?\d+\)$/.test(type)) return `cast(${sql} as ${type.replace('numeric', 'decimal')})`
  throw new Error(`No cast to ${type} is known`)
}
