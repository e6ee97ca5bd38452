/** Renders the expressions of a statement, part by part, and notes in `Writer` what the whole has to know of them. */
import { definitionType } from './definitions.ts'
import { type Group, type Item, isGroup, isSpace, isWord, textOf } from './tokens.ts'
import { type Argument, cast, elementType, functions, instantTypes, isParameter, listOf, typeAt } from './words.ts'

export type Writer = {
  readonly order: number[]
  readonly instants: number[]
  readonly fields: Map<number, { readonly name: string; readonly isJson: boolean }>
  readonly isDefinition: boolean
  /** Rows that are there already are left as they are. */
  ignores: boolean
  /** Whether a condition compares with a list. */
  hasList: boolean
}

/** A rendered part, and the position after it. */
type Part = readonly [sql: string, next: number]

export function renderItems(writer: Writer, items: readonly Item[]): string {
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

export const wordBefore = (items: readonly Item[], at: number): string =>
  isSpace(items[at - 1]) ? textOf(items[at - 2]) : ''

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

function call(writer: Writer, name: string, group: Group): string {
  const renamed = functions[name.toLowerCase()]
  if (renamed === undefined) return `${name}(${renderItems(writer, group.items)})`
  return renamed(argumentsOf(writer, group))
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
