/** The field types and sizes of MariaDB's column types. */
import { geometryTypeText } from '../../../domain/conditions/geometry.ts'
import type { FieldType } from '../../../domain/query/field-types.ts'
import type { CatalogColumn } from '../catalog.ts'
import type { Checks } from './catalog-checks.ts'

export type ColumnRow = {
  readonly table: string
  readonly kind: string
  readonly tableComment: string | null
  readonly updatable: string | null
  readonly name: string
  readonly comment: string
  readonly dataType: string
  readonly columnType: string
  readonly nullable: string
  readonly extra: string
  readonly preset: string | null
  readonly generated: string | null
  readonly maxLength: string | number | null
  readonly precision: string | number | null
  readonly scale: string | number | null
  readonly collation: string | null
  /** The reference system to which a geometry is limited, on MySQL. */
  readonly srid: string | number | null
  /** `MUL`: the first column of an index. */
  readonly place: string
}

const fieldTypes: { readonly [dataType: string]: FieldType } = {
  tinyint: 'integer',
  smallint: 'integer',
  mediumint: 'integer',
  int: 'integer',
  year: 'integer',
  bigint: 'bigInteger',
  decimal: 'decimal',
  float: 'float',
  double: 'float',
  char: 'string',
  varchar: 'string',
  enum: 'string',
  set: 'csv',
  tinytext: 'text',
  text: 'text',
  mediumtext: 'text',
  longtext: 'text',
  inet4: 'string',
  inet6: 'string',
  uuid: 'uuid',
  json: 'json',
  date: 'date',
  time: 'time',
  datetime: 'dateTime',
  timestamp: 'timestamp',
  binary: 'binary',
  varbinary: 'binary',
  tinyblob: 'binary',
  blob: 'binary',
  mediumblob: 'binary',
  longblob: 'binary',
}

/** Columns of the plane, by their types in the spelling of the other databases. */
const shapes: { readonly [dataType: string]: string } = {
  geometry: 'Geometry',
  point: 'Point',
  linestring: 'LineString',
  polygon: 'Polygon',
  multipoint: 'MultiPoint',
  multilinestring: 'MultiLineString',
  multipolygon: 'MultiPolygon',
  geometrycollection: 'GeometryCollection',
}

/** What the catalog calls by other names than other databases: truth values, JSON, keys as texts. */
export function typeOf(
  { table, name, dataType, columnType, precision, srid }: ColumnRow,
  { isJson }: Checks,
): {
  readonly dataType: string
  readonly type: FieldType
} {
  const kind = dataType.toLowerCase()
  if (columnType === 'tinyint(1)') return { dataType: 'boolean', type: 'boolean' }
  if (kind === 'json' || (kind === 'longtext' && isJson(table, name))) return { dataType: 'json', type: 'json' }
  if (kind === 'bit') return { dataType: kind, type: typeOfBits(Number(precision)) }
  const shape = shapes[kind]
  if (shape !== undefined)
    return {
      dataType: geometryTypeText({ name: 'geometry', shape, dimensions: null, srid: numberOf(srid) }),
      type: 'geometry',
    }
  // System tables have no moments without a zone; these reach beyond the years of the type `timestamp`.
  if (kind === 'datetime' && table.startsWith('platform_')) return { dataType: 'timestamp', type: 'timestamp' }
  if (columnType === 'char(36)') return { dataType: 'char', type: 'uuid' }
  return {
    dataType: `${kind}${/ zerofill$| unsigned$/.exec(columnType)?.[0] ?? ''}`,
    type: fieldTypes[kind] ?? 'unknown',
  }
}

/** One bit is a truth value. */
const typeOfBits = (bits: number): FieldType => (bits === 1 ? 'boolean' : bits < 32 ? 'integer' : 'bigInteger')

const integerBits: { readonly [dataType: string]: number } = {
  tinyint: 8,
  smallint: 16,
  mediumint: 24,
  int: 32,
  bigint: 64,
}
const floatBits: { readonly [dataType: string]: number } = { float: 24, double: 53 }

export const numberOf = (value: string | number | null): number | null => (value === null ? null : Number(value))

export function sizeOf(kind: string, row: ColumnRow): Pick<CatalogColumn, 'precision' | 'scale'> {
  const bits = integerBits[kind]
  if (bits !== undefined) return { precision: bits, scale: 0 }
  if (kind === 'decimal') return { precision: numberOf(row.precision), scale: numberOf(row.scale) }
  return { precision: floatBits[kind] ?? null, scale: null }
}

/** `enum('a','it''s')`. */
export const wordsOf = (columnType: string): readonly string[] =>
  [...columnType.matchAll(/'((?:[^']|'')*)'/g)].map(([, word = '']) => word.replaceAll("''", "'"))
