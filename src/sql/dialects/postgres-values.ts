/**
 * Converts column texts to JavaScript values. Compiled reads use texts or wire forms; internal statements use objects.
 */
import { parseExactly } from '../../domain/conditions/exact-numbers.ts'

type Read = (text: string) => unknown

const same: Read = (text) => text

/** The time zone of the session is UTC, so an instant ends with `+00`. */
const toInstant = (text: string): string => text.replace(' ', 'T').replace(/\+00$/, 'Z')

const toBoolean = (text: string): boolean => text === 't'

/**
 * JavaScript values if they hold the column's value exactly: small integers, floats, booleans, JSON with exact numbers,
 * instants as ISO texts in UTC. Big integers, decimals, dates and all others stay text.
 */
export const objectTypes = { getTypeParser: (oid: number): Read => objectReaders.get(oid) ?? same }

/** By the object id of the type: booleans, integers and floats, instants. */
const readersOf = (toNumber: Read, toInstant: Read): readonly (readonly [oid: number, read: Read])[] => [
  [16, toBoolean],
  ...[21, 23, 26, 700, 701].map((oid) => [oid, toNumber] as const),
  [1184, toInstant],
]

const objectReaders = new Map([...readersOf(Number, toInstant), [114, parseExactly], [3802, parseExactly]])

/** JSON has no infinite numbers and no NaN: they stay text, as the database writes them. */
function toNumber(text: string): number | string {
  const number = Number(text)
  return Number.isFinite(number) ? number : text
}

/** Converts `2026-01-31 10:00:00.12+00` to `2026-01-31T10:00:00.120Z`, with six digits if three are not exact. */
function toIsoInstant(text: string): string {
  if (text.charCodeAt(10) !== space || !text.endsWith('+00')) return toRareInstant(text)
  if (text.length === 22) return `${text.slice(0, 10)}T${text.slice(11, 19)}.000Z`
  return `${text.slice(0, 10)}T${text.slice(11, 20)}${toFraction(text.slice(20, -3))}Z`
}

const toFraction = (digits: string): string => digits.padEnd(digits.length > 3 ? 6 : 3, '0')

/** Converts years with more than four digits and years BC. Other texts are not changed. */
function toRareInstant(text: string): string {
  const match = /^(\d+-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?\+00( BC)?$/.exec(text)
  if (match === null) return text
  const [, date, time, digits = '', era = ''] = match
  return `${date}T${time}.${toFraction(digits)}Z${era}`
}

const space = 32

/** The wire forms for the `plain` expressions of a dialect: numbers, booleans, instants, and texts. */
const plainReaders = new Map(readersOf(toNumber, toIsoInstant))

export type DescribedField = { readonly name: string; readonly dataTypeID: number }

/** Converts rows to objects: the texts by name, and the parser of each. */
export type Columns = {
  readonly empty: { readonly [name: string]: null }
  readonly readers: readonly (readonly [name: string, read: Read])[]
}

/** The columns as wire forms. */
export function toColumns(fields: readonly DescribedField[]): Columns {
  const readers = fields.map(({ name, dataTypeID }) => [name, plainReaders.get(dataTypeID) ?? same] as const)
  return { readers, empty: Object.fromEntries(readers.map(([name]) => [name, null])) }
}

/** A copy of an object that has all properties keeps its hidden class while they are set. */
export function toObject({ empty, readers }: Columns, texts: readonly (string | null)[]): unknown {
  const row: { [name: string]: unknown } = { ...empty }
  for (let at = 0; at < readers.length; at += 1) {
    const text = texts[at]
    if (text == null) continue
    const [name, read] = readers[at] as Columns['readers'][number]
    row[name] = read(text)
  }
  return row
}
