/** Converts values of the source to those of the database. Values that do not fit are changed by a rule and reported. */
import type { IdentityCollection } from '../../../domain/schema/identity.ts'

/** Uuids by the numbers of the source, as texts. */
export type Numbers = { readonly [Name in IdentityCollection]: ReadonlyMap<string, string> }

export type ValueKind =
  | { readonly kind: 'text' }
  | { readonly kind: 'number' }
  | { readonly kind: 'real' }
  | { readonly kind: 'double' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'moment' }
  | { readonly kind: 'date' }
  | { readonly kind: 'json' }
  | { readonly kind: 'bytes' }
  | { readonly kind: 'identity'; readonly collection: IdentityCollection }

/** A converted value. `loss`: how it was changed, if by more than its notation. */
export type Converted = { readonly value: string | null; readonly loss: string | null }

const plain = (value: string | null): Converted => ({ value, loss: null })

/** Converts a value that is not null. */
export function convertValue(kind: ValueKind, text: string, numbers: Numbers): Converted {
  switch (kind.kind) {
    case 'text':
      return text.includes('\0')
        ? { value: text.replaceAll('\0', '\uFFFD'), loss: 'zero characters became U+FFFD' }
        : plain(text)
    case 'number':
      return plain(numberText(text))
    case 'real':
      return plain(realText(text))
    case 'double':
      return plain(doubleText(text))
    case 'boolean':
      return text === '0' || text === '1'
        ? plain(text === '1' ? 'true' : 'false')
        : { value: text === '' ? null : 'true', loss: 'a boolean other than 0 and 1' }
    case 'moment':
    case 'date':
      return isNoDate(text)
        ? { value: null, loss: text.startsWith('0000-00-00') ? null : 'no date of the calendar, so it became null' }
        : plain(momentText(text))
    case 'json':
      return convertJson(text)
    case 'bytes':
      return plain(`\\x${text}`)
    case 'identity':
      return convertNumber(text, numbers[kind.collection])
  }
}

/** Whether the text is a date that no calendar has: with zeros, or beyond the end of its month. A time of day is none. */
export function isNoDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? []
  if (year === undefined) return false
  // The calendar repeats after 400 years, and `Date` reads years below 100 as others.
  const last = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate()
  return year === '0000' || month === '00' || day === '00' || Number(day) > last
}

/** Without zeros in front, and without a sign of zero. */
const numberText = (text: string): string => {
  const [, sign = '', digits = text] = /^(-?)0*(\d.*)$/.exec(text) ?? []
  return /[1-9]/.test(digits) ? sign + digits : digits
}

const realText = (text: string): string => String(Math.fround(Number(text)))
const doubleText = (text: string): string => String(Number(text))

/** Without zeros at the end of the fraction. */
const momentText = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

function convertJson(text: string): Converted {
  if (text === '') return plain(null)
  try {
    JSON.parse(text)
    return plain(text)
  } catch {
    return { value: JSON.stringify(text), loss: 'no JSON, so it became a JSON text' }
  }
}

/** Zero and the empty text stand for no row. */
function convertNumber(text: string, ids: ReadonlyMap<string, string>): Converted {
  if (text === '' || text === '0') return plain(null)
  const id = ids.get(text)
  return id === undefined ? { value: null, loss: 'names a row that is not there, so it became null' } : plain(id)
}

/** A stored value in the notation that `convertValue` gives. */
export function toComparable(kind: ValueKind, text: string): string {
  if (kind.kind === 'real') return realText(text)
  return kind.kind === 'double' ? doubleText(text) : text
}

/** Texts that were written in UTF-8 into a column of another label, and read as that label says. */
export const looksTwiceEncoded = (text: string): boolean => {
  if (!/[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u0192\u02c6\u02dc\u2013-\u2122]/.test(text)) return false
  const bytes = Buffer.from(Array.from(text, (letter) => clip(windows.get(letter) ?? letter.codePointAt(0) ?? 256)))
  try {
    const decoded = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return decoded.length < text.length
  } catch {
    return false
  }
}

/** 254 is no byte of UTF-8. */
const clip = (code: number): number => (code > 255 ? 254 : code)

/** What the label `latin1` means there: Windows 1252. */
const windows: ReadonlyMap<string, number> = new Map(
  Array.from('€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ', (letter, at) => [letter, 128 + at]),
)
