/** Converts bodies about relations to drafts of core. */
import { createFields, deleteFields } from '../../core/model/fields.ts'
import type { RelationDraft } from '../../core/model/relation-row.ts'
import { updateRelation } from '../../core/model/relations.ts'
import { afterwards } from '../../core/model/schema-change.ts'
import { takesConstraints } from '../../core/model/table-kinds.ts'
import { readItems } from '../../core/rows/read-items.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import { compare } from '../../domain/query/filter.ts'
import { ownFields, rowsOf } from '../../domain/query/rows-of.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { isIdentityCollection } from '../../domain/schema/identity.ts'
import type { Field, Relation } from '../../domain/schema/schema.ts'
import type { components } from '../../generated/legacy.ts'
import { shownCollection, storedCollection } from './collection-names.ts'
import { refuseModel } from './refuse.ts'

type Body = components['schemas']['RelationInput']

/** Collections that no relation can refer to. */
const closed: ReadonlySet<string> = new Set([
  'platform_activity',
  'platform_collections',
  'platform_fields',
  'platform_relations',
])

/**
 * Parses the relation of an existing field. A foreign key of the database gets settings, and so does the relation that
 * the type of a field implies, such as `file`.
 */
export async function parseRelation(
  ctx: Pick<Context, 'schema'>,
  body: Body,
): Promise<RelationDraft & { readonly isKnown: boolean }> {
  const { collection_many: many, field_many: field, collection_one: one } = body
  if (many === undefined || field === undefined || one === undefined) {
    return refuseModel('contradictory', 'collection_many', 'collection_many: This value should not be blank.')
  }
  const collection = storedCollection(ctx.schema, many)
  const related = storedCollection(ctx.schema, one)
  assertOpen(related)
  const present = ctx.schema.relations.find((each) => each.manyCollection === collection && each.manyField === field)
  const column = ctx.schema.collections.get(collection)?.fields.get(field)?.column
  const isConstrained =
    column?.nullable === true &&
    [collection, related].every((name) => takesConstraints(ctx.schema.collections.get(name)))
  const constraint = isConstrained ? { onDelete: 'SET NULL' } : null
  const meta = { one_field: body.field_one ?? null, junction_field: body.junction_field ?? null }
  const isKnown = present?.oneCollection === related && (present.id === null || isImplied(present))
  return { collection, field, related, meta, isKnown, ...(isKnown ? {} : { constraint }) }
}

const isImplied = ({ oneCollection, oneField, junctionField }: Relation): boolean =>
  isIdentityCollection(oneCollection ?? '') && oneField === null && junctionField === null

function assertOpen(related: string): void {
  if (closed.has(related)) throw new TandemError({ kind: 'system-collection', collection: related })
}

/**
 * Older clients create an integer column for keys of users, roles, files and folders, whose stored keys are uuids. An
 * empty column is recreated with the right type. Returns the context after that.
 */
export async function withKeyColumn(
  ctx: Context,
  { collection, field: name, related }: RelationDraft,
): Promise<Context> {
  const field = ctx.schema.collections.get(collection)?.fields.get(name)
  if (field?.column == null || field.type !== 'integer' || !isIdentityCollection(related ?? '')) return ctx
  await assertEmpty(ctx, collection, field)
  await deleteFields(ctx, collection, [name])
  const { column, meta } = field
  const within = await afterwards(ctx)
  const { id: _id, ...changes } = meta ?? {}
  await createFields(within, collection, [{ name, type: 'uuid', column: { nullable: column.nullable }, meta: changes }])
  const after = await afterwards(within)
  // Relations through this field: the deletion of the column has cleared its name there.
  const through = ctx.schema.relations.filter(
    (each) => each.manyCollection === collection && each.junctionField === name,
  )
  for (const { manyField } of through) {
    await updateRelation(after, { collection, field: manyField, meta: { junction_field: name } })
  }
  return through.length === 0 ? after : afterwards(after)
}

async function assertEmpty(ctx: ReadContext, collection: string, { name }: Field): Promise<void> {
  const query = rowsOf(collection, ownFields(name), { filter: compare(name, 'nnull'), limit: 1 })
  const rows = await readItems({ ...ctx, actor: { kind: 'system' } }, query)
  if (rows.rowCount > 0) refuseModel('contradictory', 'field_many', `Expected no values in "${collection}.${name}"`)
}

/** Parses changes to a relation; its two fields cannot change. */
export function parseRelationChange(
  { schema }: Pick<Context, 'schema'>,
  relation: Relation,
  body: Body,
): RelationDraft {
  const { manyCollection, manyField, oneCollection } = relation
  const stored = (name: string | null | undefined) => (name == null ? name : storedCollection(schema, name))
  const ends = {
    collection_many: [stored(body.collection_many), manyCollection],
    field_many: [body.field_many, manyField],
    collection_one: [stored(body.collection_one), oneCollection],
  } as const
  if (ends.collection_one[0] != null) assertOpen(ends.collection_one[0])
  for (const [name, [input, value]] of Object.entries(ends)) {
    if (input === undefined || input === value) continue
    const shown = value === null || name === 'field_many' ? value : shownCollection(value)
    refuseModel('contradictory', name, `Expected "${shown}" for "${name}": a relation cannot lead elsewhere`)
  }
  const meta = {
    ...(body.field_one === undefined ? {} : { one_field: body.field_one }),
    ...(body.junction_field === undefined ? {} : { junction_field: body.junction_field }),
  }
  return { collection: manyCollection, field: manyField, meta }
}
