/** Plans the column of a requested field. Pure. */

import {
  type GeometryKind,
  geometryKinds,
  geometryTypeText,
  newGeometryType,
} from '../../domain/conditions/geometry.ts'
import { isWellFormedText } from '../../domain/conditions/literals.ts'
import { listAt, type MetadataRow } from '../../domain/model/metadata.ts'
import { newName } from '../../domain/model/names.ts'
import type { FieldType } from '../../domain/query/field-types.ts'
import type { Column, Field } from '../../domain/schema/schema.ts'
import type { ColumnPlan, DefaultPlan, StoredType } from '../../sql/dialects/ddl-plan.ts'
import { toStored } from '../rows/values.ts'
import { widthOf } from './column-width.ts'
import { refusePart } from './schema-change.ts'

/** A requested field. Absent properties depend on the type, or keep their value. */
export type FieldDraft = {
  readonly name: string
  /** A field type, a geometry type such as `geometry.Point`, or a kind of alias. */
  readonly type?: string | null
  readonly column?: ColumnDraft | null
  /** Columns of the metadata row. */
  readonly meta?: MetadataRow | null
}

export type ColumnDraft = {
  /** Used for new geometries, whose coordinate system it names, and for the width of integers and floats. */
  readonly dataType?: string | null
  readonly length?: number | null
  readonly precision?: number | null
  readonly scale?: number | null
  readonly nullable?: boolean
  readonly defaultValue?: unknown
  readonly unique?: boolean
  readonly indexed?: boolean
  readonly primaryKey?: boolean
  readonly autoIncrement?: boolean
  readonly comment?: string | null
}

/** The meaning of a type name: the type of the column, or the flag of an alias. */
export type Kind =
  | { readonly kind: 'column'; readonly type: StoredType; readonly geometry: GeometryKind | null }
  | { readonly kind: 'alias'; readonly special: string }

const storedTypes: { readonly [Type in StoredType]: true } = {
  string: true,
  text: true,
  boolean: true,
  integer: true,
  bigInteger: true,
  float: true,
  decimal: true,
  dateTime: true,
  timestamp: true,
  date: true,
  time: true,
  json: true,
  csv: true,
  uuid: true,
  hash: true,
  binary: true,
  geometry: true,
}

const aliasFlags: ReadonlySet<string> = new Set(['alias', 'o2m', 'm2m', 'm2a', 'o2a', 'files', 'translations'])
const presentational: ReadonlySet<string> = new Set(['group', 'no-data'])

/** Parses the type. Without a type, the flags can name an alias. */
export function kindOf(draft: FieldDraft): Kind {
  const special = draft.meta == null ? [] : listAt(draft.meta, 'special')
  const flag = special.find((each) => aliasFlags.has(each) || presentational.has(each))
  const { type = null } = draft
  if (type === null ? flag !== undefined : aliasFlags.has(type)) {
    return { kind: 'alias', special: type === null || type === 'alias' ? (flag ?? 'alias') : type }
  }
  if (type === null) return refusePart('type', `Expected a type for field "${draft.name}" but received none`)
  const [base = '', geometry = null] = type.split('.')
  const isGeometry = geometry === null || (base === 'geometry' && geometryKinds.includes(geometry as GeometryKind))
  if (!Object.hasOwn(storedTypes, base) || !isGeometry) {
    refusePart('type', `Expected a known type for field "${draft.name}" but received ${JSON.stringify(type)}`)
  }
  if (flag !== undefined) {
    refusePart('special', `Expected no flag "${flag}" for field "${draft.name}", which has a column`)
  }
  return { kind: 'column', type: base as StoredType, geometry: geometry as GeometryKind | null }
}

/** Flags that are needed to read the column as this type. */
const typeFlags: { readonly [Type in StoredType]?: string } = { csv: 'cast-csv', hash: 'hash' }

/** The flags of all types. They are removed when the type changes. */
const isTypeFlag = (flag: string): boolean =>
  Object.values(typeFlags).includes(flag) || flag.startsWith('geometry') || flag.startsWith('cast-')

export function specialsFor(kind: Kind, names: readonly string[]): readonly string[] {
  if (kind.kind === 'alias') return names.some((flag) => aliasFlags.has(flag)) ? names : [kind.special, ...names]
  const own = kind.geometry === null ? typeFlags[kind.type] : `geometry.${kind.geometry}`
  return own === undefined || names.includes(own) ? names : [own, ...names]
}

/** The flags that are kept when the type changes. */
export const withoutTypeFlags = (special: readonly string[]): readonly string[] =>
  special.filter((flag) => !isTypeFlag(flag))

type ColumnKind = Extract<Kind, { readonly kind: 'column' }>

export function planColumn(draft: FieldDraft, { type, geometry }: ColumnKind): ColumnPlan {
  const column = draft.column ?? {}
  const name = newName('field', draft.name)
  const primaryKey = column.primaryKey ?? false
  const plan: ColumnPlan = {
    name,
    type,
    geometry: type === 'geometry' ? newGeometryType(geometry, column.dataType) : null,
    length: column.length ?? null,
    precision: column.precision ?? null,
    scale: column.scale ?? null,
    width: widthOf(type, column.dataType) ?? null,
    nullable: !primaryKey && (column.nullable ?? true),
    default: null,
    unique: column.unique ?? false,
    indexed: column.indexed ?? false,
    primaryKey,
    autoIncrement: column.autoIncrement ?? false,
    comment: plainComment(column.comment),
  }
  assertSizes(plan)
  assertKey(plan)
  return { ...plan, default: planDefault(plan, column.defaultValue) }
}

/** Comments are part of the statement text, where NUL would end it. */
export function plainComment(comment: string | null | undefined): string | null {
  if (comment === undefined || comment === null || comment === '') return null
  if (isWellFormedText(comment)) return comment
  return refusePart('comment', 'Expected a text without NUL characters and lone surrogates for "comment"')
}

const keyTypes: ReadonlySet<StoredType> = new Set(['integer', 'bigInteger', 'uuid', 'string'])

function assertKey({ name, type, primaryKey, autoIncrement }: ColumnPlan): void {
  if (primaryKey && !keyTypes.has(type)) {
    refusePart('type', `Expected integer, bigInteger, uuid or string for primary key "${name}" but received "${type}"`)
  }
  if (autoIncrement && (!primaryKey || (type !== 'integer' && type !== 'bigInteger'))) {
    refusePart('has_auto_increment', `Expected an integer primary key to count up, which "${name}" is not`)
  }
}

/** Throws for sizes that no database supports. */
export function assertSizes({ name, type, length, precision, scale }: ColumnPlan): void {
  if (length !== null && type === 'string' && (length < 1 || length > 65_535)) {
    refusePart('max_length', `Expected a length between 1 and 65535 for field "${name}" but received ${length}`)
  }
  if (type !== 'decimal') return
  const digits = precision ?? 10
  if (digits < 1 || digits > 65 || (scale ?? 0) < 0 || (scale ?? 0) > Math.min(digits, 30)) {
    refusePart('numeric_precision', `Expected at most 65 digits, 30 of them behind the point, for field "${name}"`)
  }
}

const now = /^(now\(\)|current_timestamp(\([0-6]\))?)$/i
const temporal: ReadonlySet<StoredType> = new Set(['dateTime', 'timestamp', 'date', 'time'])

/** The default: a constant that the column can hold, or a known expression; null for none. */
export function planDefault(plan: ColumnPlan, raw: unknown): DefaultPlan | null {
  if (raw === undefined || raw === null) return null
  const { name, type } = plan
  if (typeof raw === 'string') {
    const text = raw.trim()
    if (plan.autoIncrement && /^nextval\(/i.test(text)) return null
    if (temporal.has(type) && now.test(text)) {
      return { kind: 'expression', text: /^now/i.test(text) ? 'now()' : text.toUpperCase() }
    }
    if (type === 'uuid' && /^gen_random_uuid\(\)$/i.test(text)) return { kind: 'expression', text: 'gen_random_uuid()' }
  }
  if (plan.autoIncrement) refusePart('default_value', `Expected no default for "${name}", which counts up`)
  // Reads show the default of a geometry as text of the database, so that text is accepted again.
  if (type === 'geometry' && typeof raw === 'string' && /^0[01][0-9A-F]+$/i.test(raw)) {
    return { kind: 'constant', text: raw }
  }
  if (type === 'hash') refusePart('default_value', `Expected no default for "${name}", which holds hashes`)
  const stored = toStored(null, fieldOf(plan), raw)
  const constant = typeof stored === 'string' && type !== 'json' ? stored : textOf(stored)
  if (isWellFormedText(constant)) return { kind: 'constant', text: constant }
  return refusePart('default_value', `Expected a default without NUL characters and lone surrogates for "${name}"`)
}

const textOf = (stored: unknown): string => (typeof stored === 'boolean' ? String(stored) : JSON.stringify(stored))

const dataTypes: { readonly [Type in StoredType]?: string } = { json: 'json', decimal: 'numeric', boolean: 'boolean' }

/** The field of a planned column, for the validation of values. */
function fieldOf({ name, type, geometry, length, precision, scale }: ColumnPlan): Field {
  const column: Column = {
    name,
    dataType: geometry === null ? (dataTypes[type] ?? 'text') : geometryTypeText(geometry),
    nullable: true,
    hasDefault: false,
    defaultValue: null,
    defaultExpression: null,
    maxLength: type === 'string' ? (length ?? 255) : null,
    precision: type === 'decimal' ? (precision ?? 10) : null,
    scale: type === 'decimal' ? (scale ?? 5) : null,
    unique: false,
    indexed: false,
    primaryKey: false,
    autoIncrement: false,
    generated: false,
    comment: null,
  }
  const plain = { special: [], concealed: false, validation: null, validationMessage: null, relation: null, meta: null }
  return { name, type: type satisfies FieldType, column, ...plain }
}
