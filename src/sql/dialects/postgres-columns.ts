/** Columns of PostgreSQL's catalog as `CatalogColumn`: types, sizes and defaults. */

import type { FieldType } from '../../domain/query/field-types.ts'
import type { TableKind } from '../../domain/schema/schema.ts'
import type { CatalogColumn } from './catalog.ts'

export type ColumnRow = Omit<CatalogColumn, CatalogRow> & {
  readonly checks: readonly string[] | null
  readonly values: readonly string[] | null
  readonly ordered: boolean
  readonly relkind: string
  readonly computedOnCreate: boolean
  readonly computedOnUpdate: boolean
  readonly kind: string
  readonly typmod: number
  readonly default: string | null
}

export function toColumn({
  kind,
  typmod,
  default: expression,
  checks,
  values,
  ordered,
  ...facts
}: ColumnRow): CatalogColumn {
  const { relkind, computedOnCreate, computedOnUpdate, generated, ...row } = facts
  const tableKind = tableKinds[relkind]
  const one = computedOnCreate ? 'create' : 'update'
  const type = kind === 'e' ? 'string' : (fieldTypeOf[row.dataType.replace(/\(.*$|^.*\.(?=citext$)/g, '')] ?? 'unknown')
  return {
    ...row,
    ...(tableKind === undefined ? {} : { tableKind }),
    generated: generated || (computedOnCreate && computedOnUpdate),
    ...(computedOnCreate === computedOnUpdate ? {} : { generatedOn: one }),
    ...(checks === null ? {} : { checks }),
    ...(values === null ? {} : { values }),
    ...(ordered && (values !== null || type === 'unknown') ? { ordered } : {}),
    ...(type === 'unknown' ? formOf(row.dataType, kind) : {}),
    type,
    maxLength: lengthTypes.has(row.dataType) && typmod > 4 ? typmod - 4 : null,
    ...numericSize(row.dataType, typmod),
    ...defaultOf(expression, type),
  }
}

/** Arrays, records and hstore are JSON; a text is written all the same. */
function formOf(dataType: string, kind: string): Pick<CatalogColumn, 'form'> {
  if (dataType.endsWith('[]')) return { form: 'list' }
  return kind === 'c' || /^(.*\.)?hstore$/.test(dataType) ? { form: 'object' } : {}
}

const lengthTypes: ReadonlySet<string> = new Set(['character varying', 'character'])

/** PostgreSQL type name → field type. Types that are not listed are `unknown`. */
const fieldTypeOf: { readonly [dataType: string]: FieldType } = {
  'character varying': 'string',
  character: 'string',
  citext: 'string',
  name: 'string',
  text: 'text',
  smallint: 'integer',
  integer: 'integer',
  oid: 'integer',
  bigint: 'bigInteger',
  real: 'float',
  'double precision': 'float',
  numeric: 'decimal',
  boolean: 'boolean',
  date: 'date',
  'time without time zone': 'time',
  'time with time zone': 'time',
  'timestamp without time zone': 'dateTime',
  'timestamp with time zone': 'timestamp',
  json: 'json',
  jsonb: 'json',
  uuid: 'uuid',
  bytea: 'binary',
  geometry: 'geometry',
  geography: 'geometry',
}

const integerBits: { readonly [dataType: string]: number } = { smallint: 16, integer: 32, bigint: 64 }

const floatBits: { readonly [dataType: string]: number } = { real: 24, 'double precision': 53 }

function numericSize(dataType: string, typmod: number): { precision: number | null; scale: number | null } {
  const integer = integerBits[dataType]
  if (integer !== undefined) return { precision: integer, scale: 0 }
  if (dataType !== 'numeric' || typmod < 4) return { precision: floatBits[dataType] ?? null, scale: null }
  const packed = typmod - 4
  return { precision: (packed >> 16) & 0xffff, scale: ((packed & 0x7ff) ^ 1024) - 1024 }
}

const quoted = /^\(?'((?:[^']|'')*)'(?:::[\w\s".[\](),]+)?\)?$/

const plainNumber = /^\(?(-?\d+(?:\.\d+)?)\)?(?:::[\w\s(),]+)?$/

function defaultOf(
  expression: string | null,
  type: FieldType,
): Pick<CatalogColumn, 'defaultValue' | 'defaultExpression'> {
  const defaultValue = expression === null ? null : constantOf(expression, type)
  const isComputed = expression !== null && defaultValue === null && !/^NULL(::|$)/i.test(expression)
  return { defaultValue, defaultExpression: isComputed ? expression : null }
}

/** The value of a constant default; null for NULL and for expressions. */
function constantOf(expression: string, type: FieldType): string | number | boolean | null {
  if (expression === 'true' || expression === 'false') return expression === 'true'
  const text = quoted.exec(expression)?.[1]?.replaceAll("''", "'") ?? plainNumber.exec(expression)?.[1]
  if (text === undefined) return null
  return (type === 'integer' || type === 'float') && Number.isFinite(Number(text)) ? Number(text) : text
}

export type CatalogRow =
  | 'type'
  | 'tableKind'
  | 'generatedOn'
  | 'precision'
  | 'scale'
  | 'defaultValue'
  | 'defaultExpression'
  | 'checks'
  | 'values'
  | 'ordered'
  | 'form'

export const tableKinds: { readonly [relkind: string]: TableKind } = {
  v: 'view',
  m: 'materialized view',
  f: 'foreign table',
  partition: 'partition',
}
