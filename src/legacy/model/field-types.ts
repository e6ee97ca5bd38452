/** Maps field types and datatypes of this generation to fields of core. */
import type { FieldType } from '../../domain/query/field-types.ts'
import type { IdentityCollection } from '../../domain/schema/identity.ts'
import type { Field, Special } from '../../domain/schema/schema.ts'

/** `stored`: the column's type unless the datatype decides. `related`: target of its keys. */
export type TypeFacts = {
  readonly stored?: Exclude<FieldType, 'alias' | 'unknown'>
  readonly special?: Special
  readonly related?: IdentityCollection
  /** Without a column. */
  readonly alias?: true
}

/** In the order in which `/types` lists them. */
export const fieldTypes = {
  alias: { alias: true, special: 'alias' },
  array: { stored: 'csv' },
  binary: { stored: 'binary' },
  boolean: { stored: 'boolean' },
  datetime: { stored: 'dateTime' },
  date: { stored: 'date' },
  time: { stored: 'time' },
  file: { stored: 'uuid', special: 'file', related: 'platform_files' },
  hash: { stored: 'hash' },
  group: { alias: true, special: 'group' },
  integer: {},
  decimal: {},
  json: { stored: 'json' },
  lang: {},
  m2o: { special: 'm2o' },
  o2m: { alias: true, special: 'o2m' },
  slug: {},
  sort: {},
  status: {},
  string: {},
  translation: { alias: true, special: 'translations' },
  uuid: {},
  datetime_created: { stored: 'timestamp', special: 'date-created' },
  datetime_updated: { stored: 'timestamp', special: 'date-updated' },
  owner: { stored: 'uuid', special: 'user-created', related: 'platform_users' },
  user_updated: { stored: 'uuid', special: 'user-updated', related: 'platform_users' },
  user: { stored: 'uuid', special: 'm2o', related: 'platform_users' },
} as const satisfies { readonly [name: string]: TypeFacts }

export type FieldTypeName = keyof typeof fieldTypes

/** Names of types that clients older than this generation send. */
const olderNames: { readonly [name: string]: FieldTypeName } = {
  user_created: 'owner',
  user_modified: 'user_updated',
}

/** The name of a type as this generation has it. */
export const typeName = (name: string): string => olderNames[name.toLowerCase()] ?? name.toLowerCase()

/** Finds a type by name, ignoring case; null for an unknown name. */
export function factsOf(name: string): TypeFacts | null {
  const key = typeName(name)
  return Object.hasOwn(fieldTypes, key) ? fieldTypes[key as FieldTypeName] : null
}

const texts: readonly FieldType[] = ['string', 'text']
const integers: readonly FieldType[] = ['integer', 'bigInteger']
const numbers: readonly FieldType[] = [...integers, 'decimal', 'float']

/** Types whose columns the datatype decides, and columns that they may have. */
const suitable: { readonly [name: string]: readonly FieldType[] } = {
  integer: integers,
  sort: integers,
  decimal: numbers,
  string: texts,
  slug: texts,
  lang: texts,
  uuid: texts,
  status: [...texts, ...integers],
  m2o: [...texts, ...integers],
}

/** Whether a field can have the type with the column that it has; one that refers to another row only as before. */
export function suits(name: string, { type, relation }: Pick<Field, 'type' | 'relation'>): boolean {
  const wanted = typeName(name)
  if (relation !== null) return wanted === 'm2o'
  return Object.hasOwn(suitable, wanted) && suitable[wanted]?.includes(type) === true
}

type Datatype = {
  readonly stored: Exclude<FieldType, 'alias' | 'unknown'>
  readonly length: 'needed' | 'allowed' | 'none'
  /** The SQL type of the column, where the stored type has several widths. */
  readonly dataType?: string
}

const text: Datatype = { stored: 'text', length: 'none' }
const integer: Datatype = { stored: 'integer', length: 'allowed', dataType: 'integer' }
const small: Datatype = { ...integer, dataType: 'smallint' }
const bytes: Datatype = { stored: 'binary', length: 'none' }
const float: Datatype = { stored: 'float', length: 'allowed', dataType: 'real' }
const double: Datatype = { ...float, dataType: 'double precision' }
const decimal: Datatype = { stored: 'decimal', length: 'needed' }
const words: Datatype = { stored: 'string', length: 'needed' }

/** Keyed by the name that clients send, in lower case. */
export const datatypes: ReadonlyMap<string, Datatype> = new Map(
  Object.entries({
    char: words,
    varchar: words,
    enum: words,
    set: words,
    tinytext: text,
    text,
    mediumtext: text,
    longtext: text,
    tinyint: small,
    smallint: small,
    mediumint: integer,
    int: integer,
    integer,
    serial: integer,
    bigint: { stored: 'bigInteger', length: 'allowed' },
    float,
    double,
    real: double,
    decimal,
    numeric: decimal,
    date: { stored: 'date', length: 'none' },
    time: { stored: 'time', length: 'none' },
    datetime: { stored: 'dateTime', length: 'none' },
    timestamp: { stored: 'timestamp', length: 'none' },
    json: { stored: 'json', length: 'none' },
    bit: bytes,
    binary: { stored: 'binary', length: 'allowed' },
    varbinary: { stored: 'binary', length: 'needed' },
    tinyblob: bytes,
    blob: bytes,
    mediumblob: bytes,
    longblob: bytes,
  }),
)

/** Datatypes of columns that are narrower than others of their type, by the SQL type. */
export const narrow: { readonly [dataType: string]: string } = {
  tinyint: 'TINYINT',
  smallint: 'SMALLINT',
  mediumint: 'MEDIUMINT',
  real: 'FLOAT',
  float: 'FLOAT',
}

/** Type and datatype of columns without settings. */
export const guesses = {
  string: ['string', 'VARCHAR'],
  text: ['string', 'TEXT'],
  boolean: ['boolean', 'TINYINT'],
  integer: ['integer', 'INT'],
  bigInteger: ['integer', 'BIGINT'],
  float: ['decimal', 'DOUBLE'],
  decimal: ['decimal', 'DECIMAL'],
  dateTime: ['datetime', 'DATETIME'],
  timestamp: ['datetime', 'DATETIME'],
  date: ['date', 'DATE'],
  time: ['time', 'TIME'],
  json: ['json', 'TEXT'],
  csv: ['array', 'VARCHAR'],
  uuid: ['uuid', 'CHAR'],
  hash: ['hash', 'VARCHAR'],
  binary: ['binary', 'BLOB'],
  geometry: ['json', 'TEXT'],
  alias: ['alias', null],
  unknown: ['string', 'TEXT'],
} as const satisfies { readonly [Type in FieldType]: readonly [type: FieldTypeName, datatype: string | null] }
