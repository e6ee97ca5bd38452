/** Types, functions and lists of Postgres in the words of MariaDB. */
import { longText } from '../../dialects/mysql/types.ts'
import { type Group, type Item, isGroup, textOf } from './tokens.ts'

/** An argument of a call; it can be rendered more than once. */
export type Argument = () => string

/** Null only if both arguments are null, as in Postgres. */
const extreme =
  (name: string) =>
  ([first, second]: readonly Argument[]) =>
    first === undefined || second === undefined
      ? `${name}(${first?.() ?? ''})`
      : `${name}(coalesce(${first()}, ${second()}), coalesce(${second()}, ${first()}))`

const list = (argument: Argument | undefined, alias: string): string =>
  `json_table(${argument?.() ?? ''}, '$[*]' columns (n for ordinality, v ${longText} path '$')) ${alias}`

/** By name in lower case: functions of other names, and those that treat null in another way. */
export const functions: { readonly [name: string]: (parts: readonly Argument[]) => string } = {
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
export const listOf = (parameter: string, type: string): string =>
  `(select j.v from json_table(coalesce(${parameter}, '[null]'), '$[*]' columns (v ${type} path '$')) j)`

/** Lists of these types are read as such: an index of the column finds no key in another character set. */
const elementTypes: { readonly [type: string]: string } = {
  uuid: 'char(36) character set ascii collate ascii_bin',
  integer: 'bigint',
}

/** The type of the elements where the list is cast: `$1::uuid[]`. */
export function elementType(items: readonly Item[]): string {
  const [type, brackets] = items.slice(items.indexOf('::') + 1).map((item) => textOf(item))
  return (items.includes('::') && brackets === '[' && elementTypes[type ?? '']) || longText
}

/** The name of a type, with its length and brackets. */
export function typeAt(items: readonly Item[], start: number): readonly [type: string, next: number] {
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

export const instantTypes = /^timestamp(tz)?$/

export const isParameter = (sql: string): boolean => sql === '?'

/** Texts and JSON need no cast; the type of a parameter is that of its place. */
export function cast(sql: string, type: string): string {
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
