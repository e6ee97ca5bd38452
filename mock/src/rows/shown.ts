/** The wire form of a stored value, by the codec of the view. */
import { withDigits } from '../../../src/domain/conditions/exact-numbers.ts'
import { csvEntries } from '../../../src/domain/schema/csv-entries.ts'
import type { Field } from '../../../src/domain/schema/schema.ts'
import { type Codec, fileFactsMark } from '../../../src/domain/schema/view.ts'
import { codecOf, isWrittenBack } from '../../../src/sql/conditions/codec-of.ts'
import { textOf } from './compare.ts'
import type { Env } from './env.ts'
import { keyedRow } from './links.ts'
import { compare, toNumeric } from './numeric.ts'
import { isList, plain, type Typed } from './stored.ts'

export function show(env: Env, collection: string, field: Field, value: unknown): unknown {
  const codec = codecOf(env.view, collection, field)
  if (codec.kind === 'number-of') return numberOf(env, codec.collection, value)
  if (codec.kind === 'file-facts') return fileFacts(env, value)
  return encode(codec, field, value, isWrittenBack(env.schema, collection, field))
}

function numberOf({ schema, tables }: Env, collection: string, value: unknown): unknown {
  const target = schema.collections.get(collection)
  if (target === undefined || value === null) return null
  return keyedRow(tables, target, value)?.['number'] ?? null
}

const factColumns = ['filename_disk', 'filename_download', 'private_hash', 'type', 'embed'] as const

/** What the URLs of a file consist of. */
function fileFacts({ tables }: Env, value: unknown): unknown {
  const row = value === null ? undefined : tables.find('platform_files', plain(value))
  if (row === undefined) return null
  const facts = factColumns.map((column) => [column, row[column] ?? null] as const)
  return { [fileFactsMark]: row['id'], ...Object.fromEntries(facts) }
}

type Plain = Exclude<Codec, { readonly kind: 'number-of' | 'file-facts' }>

/** The form of one value. `isExact`: with all digits, because clients write it again. */
function encode(codec: Plain, field: Typed, value: unknown, isExact: boolean): unknown {
  if (value === null) return ofNull(codec)
  if (isNumbers(field)) return numbersOf(value)
  switch (codec.kind) {
    case 'literal':
      return literal(field, value)
    case 'number-text':
      return textOf(field, value)
    case 'number':
      return isExact && field.type === 'decimal' ? exactNumber(plain(value)) : toNumber(field, value)
    case 'iso-instant':
      return instant(plain(value))
    case 'iso-datetime':
      return plain(value)
    case 'plain-datetime':
      return isExact ? plain(value).replace('T', ' ') : seconds(plain(value), ' ', '')
    case 'offset-datetime':
      return seconds(plain(value), 'T', '+00:00')
    case 'date':
      return plain(value).endsWith('infinity') ? value : plain(value).slice(0, 10)
    case 'csv':
      return Array.isArray(value) ? value : csvEntries(plain(value))
    case 'mask':
      return textOf(field, value) === '' ? null : '**********'
    case 'words':
      return codec.words[textOf(field, value)] ?? textOf(field, value)
    // The mock shows system names as they are stored.
    case 'renamed':
    case 'text':
      return typeof value === 'object' ? value : textOf(field, value)
    case 'time':
    case 'json':
    case 'boolean':
    case 'base64':
    case 'geojson':
      return value
    default:
      return codec satisfies never
  }
}

const isNumbers = ({ column }: Typed): boolean => /^(numeric|bigint)\b.*\[\]$/.test(column?.dataType ?? '')

/** The numbers of a list; their texts, at every depth, where a number of eight bytes would round one of them. */
function numbersOf(list: unknown): unknown {
  const numbers = mapped(list, (text) => exactNumber(text))
  return [numbers].flat(100).some((each) => typeof each === 'string') ? mapped(list, (text) => text) : numbers
}

function mapped(value: unknown, map: (text: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => mapped(each, map))
  return value === null ? null : map(plain(withDigits(value)))
}

function ofNull(codec: Plain): unknown {
  if ((codec.kind === 'csv' || codec.kind === 'json') && codec.nullAs === 'empty') return []
  return codec.kind === 'boolean' && codec.nullAs === 'false' ? false : null
}

function literal(field: Typed, value: unknown): unknown {
  if (field.type === 'bigInteger' || field.type === 'decimal' || field.type === 'integer') return Number(value)
  if (field.type === 'boolean' || field.type === 'float' || field.type === 'json') return value
  return isList(field.column?.dataType ?? '') ? value : textOf(field, value)
}

/** A number, or the text of one that a number of eight bytes would round. */
function toNumber(field: Typed, value: unknown): unknown {
  const number = Number(value)
  return Number.isFinite(number) ? number : textOf(field, value)
}

/** A number, or the text of one that eight bytes would round. */
export function exactNumber(text: string): unknown {
  const number = Number(text)
  const [exact, shown] = [toNumeric(text), toNumeric(String(number))]
  const isSame = exact !== null && shown !== null && compare(exact, shown) === 0
  return isSame && (number === 0 || (Math.abs(number) >= 1e-300 && Math.abs(number) <= 1e300)) ? number : text
}

function instant(value: string): string {
  if (value.endsWith('infinity')) return value
  const [whole = '', fraction = ''] = value.replace(/ BC$/, '').split('.')
  const digits = fraction.length > 3 ? fraction.padEnd(6, '0') : fraction.padEnd(3, '0')
  return `${whole}.${digits}Z${value.endsWith(' BC') ? ' BC' : ''}`
}

const seconds = (value: string, separator: string, zone: string): string =>
  value.endsWith('infinity') ? value : `${value.replace(/\.\d+/, '').replace('T', separator)}${zone}`
