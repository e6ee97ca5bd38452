/** Fields: columns with their metadata, and aliases, which have no column. */

import { listAt, type MetadataRow } from '../../domain/model/metadata.ts'
import { newName } from '../../domain/model/names.ts'
import type { Context } from '../../domain/ports/context.ts'
import { manyColumnsOf, referenceColumns } from '../../domain/schema/references.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import type { ColumnPlan } from '../../sql/dialects/ddl-plan.ts'
import { dialectOf } from '../../sql/dialects/dialects.ts'
import { dropColumn, runColumnDdl } from '../../sql/schema/ddl.ts'
import { forgetField, revokeField } from '../../sql/statements/metadata.ts'
import { type FieldDraft, type Kind, kindOf, planColumn, specialsFor } from './field-plan.ts'
import { addRows, changeRow, removeFieldRows } from './metadata.ts'
import { removeRelation } from './relations.ts'
import { afterwards, changeableField, extensibleCollection, refusePart } from './schema-change.ts'
import { assertTakes } from './table-kinds.ts'

export async function createFields(ctx: Context, collection: string, drafts: readonly FieldDraft[]): Promise<void> {
  const owner = extensibleCollection(ctx.schema, collection)
  const planned = planFields(drafts)
  if (owner.table === null) refusePart('collection', `Expected a collection with a table: "${collection}" is a folder`)
  for (const { draft, plan } of planned) {
    const present = owner.fields.get(draft.name)
    // The alias of a relation can exist before it has metadata.
    const isUnchanged = present?.column === null && present.meta === null && plan === null
    if (present !== undefined && !isUnchanged)
      refusePart('field', `Expected a new name but "${draft.name}" exists already`)
    if (plan?.primaryKey === true) refusePart('is_primary_key', `Collection "${collection}" has a primary key already`)
  }
  if (planned.some(({ plan }) => plan !== null)) assertTakes('columns', owner, 'field')
  const { ddl, transactionalDdl } = dialectOf(ctx.db)
  const columns = planned.flatMap(({ plan }) =>
    plan === null ? [] : [{ target: fieldName(collection, plan.name), texts: ddl.addColumn(collection, plan) }],
  )
  await runColumnDdl(ctx.db, collection, columns)
  // Metadata may remain of a field that was dropped in the database.
  await removeFieldRows(
    ctx,
    planned.map(({ draft }) => fieldName(collection, draft.name)),
  )
  await addRows(ctx, 'platform_fields', metaRows(owner, planned))
  try {
    await assertValidation(ctx, [{ collection, drafts }])
  } catch (error) {
    // Where a rollback leaves columns, they are dropped.
    if (!transactionalDdl) for (const { target: at } of columns) await dropColumn(ctx.db, collection, at.field)
    throw error
  }
}

/** Rejects an invalid validation rule, which would otherwise be ignored. */
export async function assertValidation(
  ctx: Pick<Context, 'db' | 'schemas'>,
  targets: readonly { readonly collection: string; readonly drafts: readonly FieldDraft[] }[],
): Promise<void> {
  const conditional = targets.flatMap(({ collection, drafts }) =>
    drafts.filter(({ meta }) => meta?.['validation'] != null).map(({ name }) => ({ collection, name })),
  )
  if (conditional.length === 0) return
  const { schema } = await afterwards(ctx)
  for (const { collection, name } of conditional) {
    if (schema.collections.get(collection)?.fields.get(name)?.validation != null) continue
    refusePart('validation', `Expected a condition on "${name}" for field "${name}"`)
  }
}

/** A new field and its column; null for an alias. */
export type PlannedField = { readonly draft: FieldDraft; readonly kind: Kind; readonly plan: ColumnPlan | null }

/** Checks new fields against each other and against the requirements of their types. */
export function planFields(drafts: readonly FieldDraft[]): readonly PlannedField[] {
  const seen = new Set<string>()
  return drafts.map((draft) => {
    if (seen.has(newName('field', draft.name)))
      refusePart('field', `Expected "${draft.name}" once but received it twice`)
    seen.add(draft.name)
    const kind = kindOf(draft)
    if (kind.kind === 'column') return { draft, kind, plan: planColumn(draft, kind) }
    if (draft.column != null && Object.keys(draft.column).length > 0) {
      refusePart('schema', `Expected no column for "${draft.name}", which is an alias`)
    }
    return { draft, kind, plan: null }
  })
}

/** The metadata rows of new fields. Plain columns without metadata have none. */
export function metaRows(owner: Pick<Collection, 'name' | 'system'>, planned: readonly PlannedField[]): MetadataRow[] {
  return planned.flatMap(({ draft, kind, plan }) => {
    const given = draft.meta == null ? [] : listAt(draft.meta, 'special')
    const wanted = draft.meta === null || draft.meta?.['special'] !== undefined ? given : [...given, ...implied(plan)]
    const special = specialsFor(kind, wanted)
    if (draft.meta == null && special.length === 0 && !owner.system) return []
    return [
      {
        ...ownMeta(draft.meta),
        collection: owner.name,
        field: draft.name,
        special: special.length > 0 ? special : null,
      },
    ]
  })
}

/** A uuid key without a default is generated by the server. */
const implied = (plan: ColumnPlan | null): readonly string[] =>
  plan?.primaryKey === true && plan.type === 'uuid' && plan.default === null ? ['uuid'] : []

/** The columns that clients can set. Key and location of the row are set by the server. */
export function ownMeta(meta: MetadataRow | null | undefined): MetadataRow {
  const { id: _id, collection: _collection, field: _field, system: _system, ...own } = meta ?? {}
  return own
}

/** Drops a field with its column, its relation, its grants and all references to it. */
export async function deleteField(ctx: Context, collection: string, name: string): Promise<void> {
  const field = changeableField(ctx.schema, collection, name)
  if (field.column?.primaryKey === true) {
    refusePart('field', `Expected another field than "${name}", which is a primary key`)
  }
  if (field.column !== null) assertTakes('columns', ctx.schema.collections.get(collection), 'field')
  const columns = referenceColumns(field)
  if (columns !== null) {
    refusePart(
      'field',
      `Expected a field with a column but "${name}" is the foreign key of "${columns.join('" and "')}"`,
    )
  }
  for (const relation of ctx.schema.relations) {
    const isMany = relation.manyCollection === collection
    if (isMany && manyColumnsOf(relation).includes(name)) await removeRelation(ctx, relation, 'with its column')
    else if (isMany && relation.oneCollectionField === name) await removeRelation(ctx, relation, 'with its column')
    else if (relation.oneCollection === collection && relation.oneField === name && relation.id !== null) {
      await changeRow(ctx, 'platform_relations', relation.id, { one_field: null })
    }
  }
  if (field.column !== null) await dropColumn(ctx.db, collection, name)
  await removeFieldRows(ctx, [fieldName(collection, name)])
  await forgetField(ctx.db, { collection, field: name })
  await revokeField(ctx.db, { collection, field: name })
}

/** Drops several fields one by one, because dropping one can drop another. */
export async function deleteFields(ctx: Context, collection: string, names: readonly string[]): Promise<void> {
  for (const name of names) changeableField(ctx.schema, collection, name)
  let inner = ctx
  for (const name of new Set(names)) {
    if (inner.schema.collections.get(collection)?.fields.has(name) === true) await deleteField(inner, collection, name)
    inner = await afterwards(inner)
  }
}

const fieldName = (collection: string, field: string) => ({ collection, field })
