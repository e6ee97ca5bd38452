/** Computes the DDL for the difference between a column and its draft. */

import { isDeepStrictEqual } from 'node:util'
import { geometryType, geometryTypeText, newGeometryType, withKind } from '../../domain/conditions/geometry.ts'
import type { Context } from '../../domain/ports/context.ts'
import { shownDefault } from '../../domain/schema/default-value.ts'
import type { Column, Field } from '../../domain/schema/schema.ts'
import type { ColumnPlan, DefaultPlan, StoredType } from '../../sql/dialects/ddl-plan.ts'
import { dialectOf } from '../../sql/dialects/dialects.ts'
import { assertConvertible, type ColumnDdl, type DdlTarget, indexRemoval, runColumnDdl } from '../../sql/schema/ddl.ts'
import { widthOf } from './column-width.ts'
import { assertSizes, type FieldDraft, type Kind, plainComment, planDefault } from './field-plan.ts'
import { refusePart } from './schema-change.ts'
import { assertTakes } from './table-kinds.ts'

export type ColumnChange = {
  readonly collection: string
  readonly field: Field
  readonly column: Column
  readonly draft: FieldDraft
  /** The new type; null if the type is unchanged. */
  readonly kind: Kind | null
}

type Alteration = {
  readonly target: { readonly collection: string; readonly field: string } & DdlTarget
  readonly before: ColumnPlan
  readonly after: ColumnPlan
  readonly retyped: boolean
}

/** Alters the columns that differ from their drafts, table by table. */
export async function alterColumns(
  ctx: Pick<Context, 'db' | 'schema'>,
  changes: readonly ColumnChange[],
): Promise<void> {
  const tables = Map.groupBy(changes.map(planAlteration), ({ target }) => target.collection)
  for (const [table, alterations] of tables) await assertRetypable(ctx, table, alterations)
  for (const [table, alterations] of tables) {
    const columns: ColumnDdl[] = []
    for (const each of alterations) columns.push({ target: each.target, texts: await textsOf(ctx, each) })
    await runColumnDdl(ctx.db, table, columns)
  }
}

/** Throws if the database cannot convert the type, whatever the values are. Changes nothing. */
export async function assertRetypes(
  ctx: Pick<Context, 'db' | 'schema'>,
  changes: readonly ColumnChange[],
): Promise<void> {
  const tables = Map.groupBy(changes.map(planAlteration), ({ target }) => target.collection)
  for (const [table, alterations] of tables) await assertRetypable(ctx, table, alterations)
}

async function assertRetypable(
  ctx: Pick<Context, 'db' | 'schema'>,
  table: string,
  alterations: readonly Alteration[],
): Promise<void> {
  const owner = ctx.schema.collections.get(table)
  const retyped = alterations.filter((each) => each.retyped)
  if (retyped.length > 0) assertTakes('columns', owner, 'type')
  if (alterations.some(({ before, after }) => before.nullable !== after.nullable)) {
    assertTakes('nullable', owner, 'is_nullable')
  }
  await assertConvertible(
    ctx.db,
    table,
    retyped.map(({ target, after }) => ({ target, plan: after })),
  )
}

function planAlteration(change: ColumnChange): Alteration {
  const { collection, field, column, kind } = change
  const before = planOf(field, column)
  const after = merge(before, change)
  assertChangeable(change, before, after)
  const retyped = isRetyped(before, after) || (field.type === 'unknown' && kind !== null)
  const from = field.type === 'unknown' ? column.dataType : nameOf(before)
  const types = { from, to: nameOf(after) }
  return { target: { collection, field: field.name, ...(retyped ? { types } : {}) }, before, after, retyped }
}

/** The type in error messages. */
const nameOf = ({ type, geometry }: ColumnPlan): string => (geometry === null ? type : geometryTypeText(geometry))

async function textsOf(
  { db }: Pick<Context, 'db'>,
  { target, before, after, retyped }: Alteration,
): Promise<readonly string[]> {
  const { collection } = target
  const { ddl } = dialectOf(db)
  const isNewDefault = retyped ? after.default !== null : !isSameDefault(before.default, after.default)
  const index = async (had: boolean, has: boolean, unique: boolean): Promise<readonly string[]> => {
    if (had === has) return []
    return has ? ddl.addIndex(collection, after, unique) : indexRemoval(db, target, unique)
  }
  return [
    ...(retyped ? ddl.alterType(collection, after) : []),
    ...(isNewDefault ? ddl.alterDefault(collection, after) : []),
    ...(before.nullable === after.nullable ? [] : ddl.alterNullable(collection, after)),
    ...(before.comment === after.comment ? [] : ddl.commentColumn(collection, after)),
    ...(await index(before.unique, after.unique, true)),
    ...(await index(before.indexed, after.indexed, false)),
  ]
}

/** The present column. Columns of unknown types can be altered except for type and default. */
function planOf(field: Field, column: Column): ColumnPlan {
  const { name, nullable, unique, indexed, primaryKey, autoIncrement, comment } = column
  const { defaultValue, defaultExpression } = column
  const type = (field.type === 'unknown' || field.type === 'alias' ? 'text' : field.type) satisfies StoredType
  return {
    name,
    type,
    geometry: type === 'geometry' ? geometryType(column.dataType) : null,
    length: column.maxLength,
    precision: type === 'decimal' ? column.precision : null,
    scale: type === 'decimal' ? column.scale : null,
    width: widthOf(type, column.dataType) ?? null,
    nullable,
    default: storedDefault(autoIncrement ? null : defaultValue, autoIncrement ? null : defaultExpression),
    unique: unique && !primaryKey,
    indexed,
    primaryKey,
    autoIncrement,
    comment,
  }
}

function storedDefault(value: Column['defaultValue'], expression: string | null): DefaultPlan | null {
  if (expression !== null) return { kind: 'expression', text: expression }
  return value === null ? null : { kind: 'constant', text: String(value) }
}

function merge(before: ColumnPlan, { draft, kind, field }: ColumnChange): ColumnPlan {
  const column = draft.column ?? {}
  const type = kind?.kind === 'column' ? kind.type : before.type
  const isSameType = type === before.type
  const sizes = isSameType ? before : { length: null, precision: null, scale: null }
  const plan: ColumnPlan = {
    ...before,
    type,
    geometry: mergedGeometry(before, type, kind),
    length: column.length === undefined ? sizes.length : column.length,
    precision: type !== 'decimal' ? null : (column.precision ?? sizes.precision),
    scale: type !== 'decimal' ? null : (column.scale ?? sizes.scale),
    width: mergedWidth(before, type, column.dataType),
    nullable: column.nullable ?? before.nullable,
    unique: column.unique === undefined || before.primaryKey ? before.unique : column.unique,
    indexed: column.indexed ?? before.indexed,
    comment: column.comment === undefined ? before.comment : plainComment(column.comment),
  }
  assertSizes(plan)
  return { ...plan, default: mergedDefault(before, plan, { draft, field }) }
}

/** A name that is not one of the type's own keeps the present width. */
function mergedWidth(before: ColumnPlan, type: StoredType, dataType: string | null | undefined): ColumnPlan['width'] {
  const input = widthOf(type, dataType)
  return input === undefined ? (type === before.type ? before.width : null) : input
}

function mergedGeometry({ geometry }: ColumnPlan, type: StoredType, kind: Kind | null): ColumnPlan['geometry'] {
  if (type !== 'geometry' || kind?.kind !== 'column') return type === 'geometry' ? geometry : null
  return geometry === null ? newGeometryType(kind.geometry) : withKind(geometry, kind.geometry)
}

/** The new or present default, which must be valid for a new type. */
function mergedDefault(
  before: ColumnPlan,
  plan: ColumnPlan,
  { draft, field }: Pick<ColumnChange, 'draft' | 'field'>,
): DefaultPlan | null {
  const raw = draft.column?.defaultValue
  if (raw === undefined) return before.type === plan.type ? before.default : asGiven(before.default, plan)
  const { default: present } = before
  if (typeof raw === 'string' && present?.text === raw.trim()) return present
  if (raw !== null && isDeepStrictEqual(raw, shownDefault(field))) return present
  if (field.type === 'unknown' && raw !== null) {
    refusePart('default_value', `Expected no default for "${field.name}", whose type is not known`)
  }
  return planDefault(plan, raw)
}

const asGiven = (present: DefaultPlan | null, plan: ColumnPlan): DefaultPlan | null =>
  present === null ? null : planDefault(plan, present.text)

function assertChangeable({ field, draft, column }: ColumnChange, before: ColumnPlan, after: ColumnPlan): void {
  const { name } = field
  const { primaryKey, autoIncrement } = draft.column ?? {}
  if (primaryKey !== undefined && primaryKey !== before.primaryKey) {
    refusePart('is_primary_key', `Expected the primary key to stay where it is but "${name}" should change it`)
  }
  if (autoIncrement !== undefined && autoIncrement !== before.autoIncrement) {
    refusePart('has_auto_increment', `Expected "${name}" to count up as before or not at all`)
  }
  if (before.primaryKey && after.nullable) {
    refusePart('is_nullable', `Expected false for "${name}", which is a primary key`)
  }
  const isKeyType = after.type === 'integer' || after.type === 'bigInteger'
  if (before.autoIncrement && !isKeyType) refusePart('type', `Expected an integer type for "${name}", which counts up`)
  const changes = isRetyped(before, after) || !isSameDefault(before.default, after.default)
  if (column.generated && !before.autoIncrement && changes) {
    refusePart('schema', `Expected no change of "${name}", which the database computes`)
  }
}

/** Only strings have a length in the draft. */
function isRetyped(before: ColumnPlan, after: ColumnPlan): boolean {
  if (before.type !== after.type || before.width !== after.width) return true
  if (before.geometry !== null && after.geometry !== null) {
    return geometryTypeText(before.geometry) !== geometryTypeText(after.geometry)
  }
  if (after.type === 'string') return before.length !== after.length
  return after.type === 'decimal' && (before.precision !== after.precision || before.scale !== after.scale)
}

const isSameDefault = (before: DefaultPlan | null, after: DefaultPlan | null): boolean =>
  before?.kind === after?.kind && before?.text === after?.text
