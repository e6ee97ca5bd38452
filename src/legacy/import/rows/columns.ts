/** Columns of the source → columns here. */

import type { Examined, MirrorType, PlannedColumn, SourceColumn } from '../../../domain/ports/table-source.ts'
import type { IdentityCollection } from '../../../domain/schema/identity.ts'
import { convertValue, type Numbers, type ValueKind } from './values.ts'

/** Properties of a column that are not in the catalog. */
export type ColumnFacts = {
  /** Its type in the settings of fields, in lower case. */
  readonly declared: string | null
  /** The system table that its values name rows of. */
  readonly identity: IdentityCollection | null
  readonly examined: Examined | undefined
  /** Whether it is a part of the key. */
  readonly isKey: boolean
}

export type PlannedValues = {
  readonly column: PlannedColumn
  readonly values: ValueKind
  /** What was changed. */
  readonly remarks: readonly string[]
}

type Shape = { readonly type: MirrorType; readonly values: ValueKind; readonly remark?: string }

const dates: ReadonlySet<string> = new Set(['date', 'datetime', 'timestamp'])
const integers: { readonly [kind: string]: MirrorType } = {
  tinyint: 'smallint',
  smallint: 'smallint',
  mediumint: 'integer',
  int: 'integer',
  integer: 'integer',
  bigint: 'bigint',
  year: 'smallint',
}

const number: ValueKind = { kind: 'number' }
const text: ValueKind = { kind: 'text' }

/** Whether the rows have to be looked at before the type of the column is known. */
export const needsExamination = ({ kind, type }: SourceColumn): boolean =>
  dates.has(kind) ||
  kind === 'time' ||
  type.startsWith('tinyint(1)') ||
  (type.includes('unsigned') && /^(big)?int/.test(kind))

export function planColumn(column: SourceColumn, facts: ColumnFacts): PlannedValues {
  const shape = facts.identity === null ? shapeOf(column, facts) : identityShape(column, facts.identity)
  const hasNoDates = (facts.examined?.noDates ?? 0) > 0
  const remarks = [
    ...(shape.remark === undefined ? [] : [shape.remark]),
    ...(column.generated ? ['is computed there, and keeps its values as a plain column here'] : []),
    ...(column.followsUpdates ? ['followed updates by itself; here the server sets it if its type says so'] : []),
    ...(hasNoDates
      ? [
          `has values that are no dates, ${facts.isKey ? 'whose rows are refused' : 'which become null'}: ${facts.examined?.noDates}`,
        ]
      : []),
  ]
  const isInteger = ['smallint', 'integer', 'bigint'].includes(shape.type)
  return {
    column: {
      name: column.name,
      type: shape.type,
      nullable: column.nullable || shape.values.kind === 'identity' || hasNoDates,
      default: defaultOf(column, shape.values),
      autoIncrement: column.autoIncrement && isInteger,
      words:
        column.kind === 'enum' && shape.values.kind === 'text' ? [...new Set([...wordsOf(column.type), ''])] : null,
      comment: column.comment,
    },
    values: shape.values,
    remarks,
  }
}

const identityShape = ({ kind }: SourceColumn, collection: IdentityCollection): Shape => ({
  type: 'uuid',
  values: { kind: 'identity', collection },
  ...(Object.hasOwn(integers, kind) ? {} : { remark: 'holds keys as texts, which become uuids' }),
})

function shapeOf(column: SourceColumn, { declared, examined }: ColumnFacts): Shape {
  const { kind, type } = column
  const unsigned = type.includes('unsigned')
  if (Object.hasOwn(integers, kind)) {
    if (isBoolean(column, declared, examined)) return { type: 'boolean', values: { kind: 'boolean' } }
    return { values: number, ...integerShape(kind, unsigned, examined) }
  }
  if (declared === 'json' && /text$|char$|^json$/.test(kind)) return { type: 'json', values: { kind: 'json' } }
  switch (kind) {
    case 'json':
      return { type: 'json', values: { kind: 'json' } }
    case 'bit':
      return bitShape(column, declared)
    case 'decimal':
      return { type: `numeric(${column.precision ?? 10},${column.scale ?? 0})`, values: number }
    case 'float':
      return { type: 'real', values: { kind: 'real' } }
    case 'double':
      return { type: 'double precision', values: { kind: 'double' } }
    case 'date':
      return { type: 'date', values: { kind: 'date' } }
    case 'datetime':
    case 'timestamp':
      return { type: 'timestamp', values: { kind: 'moment' } }
    case 'time':
      return timeShape(examined)
    case 'char':
    case 'varchar':
      return { type: `varchar(${Math.max(1, column.length ?? 255)})`, values: text }
    case 'enum':
      return { type: `varchar(${Math.max(1, ...wordsOf(type).map((word) => word.length))})`, values: text }
    default:
      return /blob$|binary$/.test(kind) ? { type: 'bytea', values: { kind: 'bytes' } } : otherShape(kind)
  }
}

const otherShape = (kind: string): Shape =>
  /text$|^set$/.test(kind)
    ? { type: 'text', values: text }
    : { type: 'text', values: text, remark: `is a ${kind} there, and its text here` }

/** Version 8 says `boolean`, or the column has one digit and no other values than 0 and 1. */
function isBoolean({ type, kind }: SourceColumn, declared: string | null, examined: Examined | undefined): boolean {
  if (declared === 'boolean') return kind !== 'year'
  if (declared !== null || !type.startsWith('tinyint(1)')) return false
  return [examined?.least, examined?.greatest].every((value) => value === null || value === '0' || value === '1')
}

/** Values without a sign need a larger type; keys and numbers that fit the usual one have that. */
function integerShape(
  kind: string,
  unsigned: boolean,
  examined: Examined | undefined,
): { readonly type: MirrorType; readonly remark?: string } {
  const usual = integers[kind] as MirrorType
  if (!unsigned) return { type: usual }
  if (kind === 'tinyint') return { type: 'smallint' }
  if (kind === 'smallint' || kind === 'mediumint') return { type: 'integer' }
  const greatest = BigInt(examined?.greatest ?? 0)
  if (kind === 'bigint') return greatest < 2n ** 63n ? { type: 'bigint' } : { type: 'numeric(20,0)' }
  return greatest < 2n ** 31n
    ? { type: 'integer' }
    : { type: 'bigint', remark: 'has values beyond 2147483647, and is a bigint here' }
}

function bitShape({ precision }: SourceColumn, declared: string | null): Shape {
  const bits = precision ?? 1
  if (bits === 1 || declared === 'boolean') return { type: 'boolean', values: { kind: 'boolean' } }
  const type = bits < 32 ? 'integer' : bits < 64 ? 'bigint' : 'numeric(20,0)'
  return { type, values: number, remark: 'is a number here' }
}

const isDay = (value: string | null | undefined): boolean => value == null || /^([01]\d|2[0-3]):/.test(value)

/** Intervals of more than a day are no time of day. */
function timeShape(examined: Examined | undefined): Shape {
  if (isDay(examined?.least) && isDay(examined?.greatest)) return { type: 'time', values: { kind: 'moment' } }
  return { type: 'varchar(17)', values: text, remark: 'has times beyond a day, and is a text here' }
}

/** @example wordsOf("enum('a','it''s')") // ['a', "it's"] */
const wordsOf = (type: string): readonly string[] =>
  [...type.matchAll(/'((?:[^']|'')*)'/g)].map((match) => (match[1] as string).replaceAll("''", "'"))

const none: Numbers = {
  platform_users: new Map(),
  platform_roles: new Map(),
  platform_files: new Map(),
  platform_folders: new Map(),
}

function defaultOf(column: SourceColumn, values: ValueKind): PlannedColumn['default'] {
  const sourceDefault = column.default
  if (sourceDefault === null || sourceDefault.kind === 'now' || values.kind === 'bytes')
    return sourceDefault?.kind === 'now' ? sourceDefault : null
  const { value } = convertValue(values, sourceDefault.text, none)
  return value === null ? null : { kind: 'constant', text: value }
}
