/** Converts values of filters and keys from the wire format to the stored column. */
import { fitMoment } from '../../domain/conditions/dynamic-values.ts'
import { type Refuse, toLiteral } from '../../domain/conditions/literals.ts'
import type { FieldType } from '../../domain/query/field-types.ts'
import type { Value } from '../../domain/query/filter.ts'
import { typeGroups } from '../../domain/query/operators.ts'
import type { Codec } from '../../domain/schema/view.ts'
import { toText } from './lists.ts'
import type { NamedField } from './parse-scope.ts'

/** Types for which `now` is a value. */
const moments: ReadonlySet<string> = new Set(['date', 'dateTime', 'timestamp'])

/**
 * Converts the value to compare with: the integer of a system row to its uuid, a renamed word to the stored one, `now`
 * to the request's time.
 */
export function toFilterValue(raw: unknown, { field, view }: NamedField, refuse: Refuse): Value {
  if (typeof raw === 'string' && moments.has(field.type) && raw.toLowerCase() === 'now') {
    return fitMoment({ kind: 'now', milliseconds: 0, months: 0 }, field.type)
  }
  const { codec } = view
  if (codec.kind === 'number-of') {
    const number = toLiteral(raw, { type: 'integer', column: null }, refuse) as number
    return { kind: 'numbered', collection: codec.collection, number }
  }
  const value = toLiteral(padded(raw, field.type), field, refuse)
  return codec.kind === 'words' ? toStoredWord(toText(value), codec) : value
}

const shortMoment = /^\d{4}-\d{1,2}-\d{1,2}(?:[T ]\d{1,2}:\d{1,2}(?::\d{1,2})?(?=\D|$)|$)/i
const shortTime = /^\d{1,2}:\d{1,2}(?::\d{1,2})?(?=\D|$)/

/**
 * Dates and times with single digits (`2026-1-5 9:0:0`), which MySQL read, in two digits.
 * @example padded('2026-1-5 9:0:0', 'dateTime') // '2026-01-05 09:00:00'
 */
export function padded(raw: unknown, type: FieldType): unknown {
  const short = type === 'time' ? shortTime : moments.has(type) ? shortMoment : null
  return typeof raw !== 'string' || short === null ? raw : raw.replace(short, inTwoDigits)
}

const inTwoDigits = (text: string): string => text.replace(/(?<!\d)\d(?!\d)/g, (digit) => `0${digit}`)

export function toStoredWord(written: string, { words, spellings = {} }: Extract<Codec, { kind: 'words' }>): string {
  if (Object.hasOwn(spellings, written)) return spellings[written] ?? written
  return Object.entries(words).find(([, word]) => word === written)?.[0] ?? written
}

/** Whether the text means null, as clients write it in a query string; in text fields it stays text. */
export function isNullText(raw: unknown, { field }: NamedField): boolean {
  const written = raw === null || raw === '' || raw === 'null' || raw === 'undefined'
  return written && (raw === null || typeGroups[field.type] !== 'text')
}

/**
 * Whether the text can be the key of no row, where a key or a relation holds numbers. Clients ask so for what is related
 * to an item that they have not saved (`+`) or to several (`3,4`); as in paths, there is no such row.
 */
export function isNoKey(raw: unknown, { field, view }: NamedField): boolean {
  const isReference = field.column?.primaryKey === true || field.relation?.kind === 'many-to-one'
  const isNumber = view.codec.kind === 'number-of' || field.type === 'integer' || field.type === 'bigInteger'
  return typeof raw === 'string' && isReference && isNumber && !/^\s*[+-]?\d+\s*$/.test(raw)
}
