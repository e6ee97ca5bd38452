/** Types in the definitions of tables, in the words of MariaDB. */
import { tableOptions, uuid } from '../../dialects/mysql/ddl.ts'
import { type Group, type Item, isGroup, isSpace, isWord, textOf } from './tokens.ts'

/** Whether the statement defines a table or changes its definition. */
export function isDefinition(items: readonly Item[], first: Item | undefined): boolean {
  const words = items.filter((item) => !isSpace(item)).slice(0, 2)
  const [verb, what] = words.map((word) => textOf(word).toLowerCase())
  return isWord(first) && (verb === 'create' || verb === 'alter') && what === 'table'
}

/** A table compares texts by their characters, whatever the character set of its database is. */
export const withCharset = (sql: string): string =>
  /^create table\b.*\)$/is.test(sql) && !/\)\s*(as\s+)?select\b/i.test(sql) ? sql + tableOptions : sql

const types: { readonly [type: string]: string } = {
  uuid,
  text: 'longtext',
  jsonb: 'json',
  bytea: 'longblob',
  real: 'float',
  numeric: 'decimal(38,10)',
  timestamp: 'datetime(6)',
  inet: 'varchar(45)',
  time: 'time(6)',
}

const counted: { readonly [type: string]: string } = { serial: 'int', bigserial: 'bigint', smallserial: 'smallint' }

/** The type at the position, if one stands there: after the name of a column. */
export function definitionType(items: readonly Item[], at: number): readonly [sql: string, next: number] | null {
  const word = textOf(items[at]).toLowerCase()
  if (word === 'current_timestamp' && !isGroup(items[at + 1])) return ['current_timestamp(6)', at + 1]
  if (!isAfterName(items, at)) return null
  const isList = items[at + 1] === '[' && items[at + 2] === ']'
  if (isList) return ['json', at + 3]
  const rest = wordsAfter(items, at)
  if (counted[word] !== undefined) {
    const key = /^(not null )?primary key/.test(rest) ? '' : ' unique'
    return [`${counted[word]} not null auto_increment${key}`, at + 1]
  }
  // Without `null`, the first of a table would get the time of every change on MariaDB. MySQL takes no such key.
  if (word === 'timestamptz')
    return [rest.startsWith('not null') ? 'timestamp(6)' : 'timestamp(6) /*M! null */', at + 1]
  if (word === 'double' && rest.startsWith('precision')) return ['double', at + 3]
  if (word === 'numeric' && isGroup(items[at + 1])) {
    return [`decimal(${(items[at + 1] as Group).items.map(textOf).join('')})`, at + 2]
  }
  // With a precision it is a type of that vendor.
  const type = Object.hasOwn(types, word) && !isGroup(items[at + 1]) ? types[word] : undefined
  return type === undefined ? null : [type, at + 1]
}

function isAfterName(items: readonly Item[], at: number): boolean {
  if (!isSpace(items[at - 1])) return false
  const name = items[at - 2]
  return typeof name === 'string' && (name.startsWith('"') || /^[\w]+$/.test(name))
}

const wordsAfter = (items: readonly Item[], at: number): string =>
  items
    .slice(at + 1, at + 8)
    .filter((item): item is string => typeof item === 'string' && !isSpace(item))
    .join(' ')
    .toLowerCase()
