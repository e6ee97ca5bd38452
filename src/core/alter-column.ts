/** What differs between a column as it is and as it should be, as DDL. */
import type { Context } from '../domain/context.ts'
import { listAt } from '../domain/metadata.ts'
import type { Column, Field } from '../domain/schema.ts'
import { dropIndexes, runDdl } from '../sql/ddl.ts'
import {
  type ColumnPlan,
  type DefaultPlan,
  type GeometryKind,
  geometryKinds,
  type StoredType,
} from '../sql/ddl-plan.ts'
import { assertSizes, type FieldDraft, type Kind, plainComment, planDefault } from './field-plan.ts'
import { refusePart } from './schema-change.ts'

export type ColumnChange = {
  readonly field: Field
  readonly column: Column
  readonly draft: FieldDraft
  /** The new type; null when the type stays. */
  readonly kind: Kind | null
}

/** Alters what the draft names and what is not so already. */
export async function alterColumn(ctx: Context, collection: string, change: ColumnChange): Promise<void> {
  const { field, column } = change
  const before = planOf(field, column)
  const after = merge(before, change)
  assertChangeable(change, before, after)
  const place = { collection, field: field.name }
  const run = (write: Parameters<typeof runDdl>[2]) => runDdl(ctx.db, place, write)
  const retyped = isRetyped(before, after) || (field.type === 'unknown' && change.kind !== null)
  if (retyped) await run((ddl) => ddl.alterType(collection, after))
  if (retyped ? after.default !== null : !isSameDefault(before.default, after.default)) {
    await run((ddl) => ddl.alterDefault(collection, after))
  }
  if (before.nullable !== after.nullable) await run((ddl) => ddl.alterNullable(collection, after))
  if (before.comment !== after.comment) await run((ddl) => ddl.commentColumn(collection, after))
  await alterIndex(ctx, place, { before: before.unique, after: after.unique, unique: true })
  await alterIndex(ctx, place, { before: before.indexed, after: after.indexed, unique: false })
}

type IndexChange = { readonly before: boolean; readonly after: boolean; readonly unique: boolean }

async function alterIndex(
  ctx: Context,
  place: { readonly collection: string; readonly field: string },
  { before, after, unique }: IndexChange,
): Promise<void> {
  if (before === after) return
  if (after) await runDdl(ctx.db, place, (ddl) => ddl.addIndex(place.collection, place.field, unique))
  else await dropIndexes(ctx.db, place, unique)
}

/** The column as it is. Columns of unknown types can still be altered in all but type and default. */
function planOf(field: Field, column: Column): ColumnPlan {
  const geometry = listAt(field.meta ?? {}, 'special').find((flag) => flag.startsWith('geometry.'))
  const { name, nullable, unique, indexed, primaryKey, autoIncrement, comment } = column
  const { defaultValue, defaultExpression } = column
  const type = (field.type === 'unknown' || field.type === 'alias' ? 'text' : field.type) satisfies StoredType
  const kind = geometryKinds.find((each) => geometry === `geometry.${each}`) ?? null
  return {
    name,
    type,
    geometry: kind,
    length: column.maxLength,
    precision: type === 'decimal' ? column.precision : null,
    scale: type === 'decimal' ? column.scale : null,
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
  const geometry: GeometryKind | null = kind?.kind === 'column' ? kind.geometry : before.geometry
  const isSameType = type === before.type
  const sizes = isSameType ? before : { length: null, precision: null, scale: null }
  const plan: ColumnPlan = {
    ...before,
    type,
    geometry,
    length: column.length === undefined ? sizes.length : column.length,
    precision: type !== 'decimal' ? null : (column.precision ?? sizes.precision),
    scale: type !== 'decimal' ? null : (column.scale ?? sizes.scale),
    nullable: column.nullable ?? before.nullable,
    unique: column.unique === undefined || before.primaryKey ? before.unique : column.unique,
    indexed: column.indexed ?? before.indexed,
    comment: column.comment === undefined ? before.comment : plainComment(column.comment),
  }
  assertSizes(plan)
  return { ...plan, default: mergedDefault(before, plan, { draft, field }) }
}

/** A default that is named anew, or the present one, which must then suit a new type too. */
function mergedDefault(
  before: ColumnPlan,
  plan: ColumnPlan,
  { draft, field }: Pick<ColumnChange, 'draft' | 'field'>,
): DefaultPlan | null {
  const raw = draft.column?.defaultValue
  if (raw === undefined) return before.type === plan.type ? before.default : asGiven(before.default, plan)
  const { default: present } = before
  if (typeof raw === 'string' && present?.text === raw.trim()) return present
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

/** Length is told of strings alone; others have none or one of their own. */
function isRetyped(before: ColumnPlan, after: ColumnPlan): boolean {
  if (before.type !== after.type || before.geometry !== after.geometry) return true
  if (after.type === 'string') return before.length !== after.length
  return after.type === 'decimal' && (before.precision !== after.precision || before.scale !== after.scale)
}

const isSameDefault = (before: DefaultPlan | null, after: DefaultPlan | null): boolean =>
  before?.kind === after?.kind && before?.text === after?.text
