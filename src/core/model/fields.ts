/** Fields: columns with their metadata, and aliases that have no column. */

import { listAt, type MetadataRow } from '../../domain/model/metadata.ts'
import { newName } from '../../domain/model/names.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import type { ColumnPlan } from '../../sql/dialects/ddl-plan.ts'
import { dialectOf } from '../../sql/dialects/dialects.ts'
import { runColumnDdl, runDdl } from '../../sql/schema/ddl.ts'
import { forgetField, revokeField } from '../../sql/statements/metadata.ts'
import { type FieldDraft, type Kind, kindOf, planColumn, specialsFor } from './field-plan.ts'
import { addRows, changeRow, removeFieldRows } from './metadata.ts'
import { removeRelation } from './relations.ts'
import { afterwards, changeableField, extensibleCollection, refusePart } from './schema-change.ts'

/** Adds fields to a collection. */
export async function createFields(ctx: Context, collection: string, drafts: readonly FieldDraft[]): Promise<void> {
  const owner = extensibleCollection(ctx.schema, collection)
  const planned = planFields(drafts)
  if (owner.table === null) refusePart('collection', `Expected a collection with a table: "${collection}" is a folder`)
  for (const { draft, plan } of planned) {
    const present = owner.fields.get(draft.name)
    // The other side of a relation is there before anything was said about it.
    const isUnsaid = present?.column === null && present.meta === null && plan === null
    if (present !== undefined && !isUnsaid)
      refusePart('field', `Expected a new name but "${draft.name}" exists already`)
    if (plan?.primaryKey === true) refusePart('is_primary_key', `Collection "${collection}" has a primary key already`)
  }
  const { ddl } = dialectOf(ctx.db)
  const columns = planned.flatMap(({ plan }) =>
    plan === null ? [] : [{ place: place(collection, plan.name), texts: ddl.addColumn(collection, plan) }],
  )
  await runColumnDdl(ctx.db, collection, columns)
  // Of what was dropped behind our back a row may still tell.
  await removeFieldRows(
    ctx,
    planned.map(({ draft }) => place(collection, draft.name)),
  )
  await addRows(ctx, 'platform_fields', metaRows(owner, planned))
  await assertValidation(ctx, [{ collection, drafts }])
}

/** A condition on written values that cannot be read would be left out: better to say so at once. */
export async function assertValidation(
  ctx: Context,
  places: readonly { readonly collection: string; readonly drafts: readonly FieldDraft[] }[],
): Promise<void> {
  const conditional = places.flatMap(({ collection, drafts }) =>
    drafts.filter(({ meta }) => meta?.['validation'] != null).map(({ name }) => ({ collection, name })),
  )
  if (conditional.length === 0) return
  const { schema } = await afterwards(ctx)
  for (const { collection, name } of conditional) {
    if (schema.collections.get(collection)?.fields.get(name)?.validation != null) continue
    refusePart('validation', `Expected a condition on "${name}" for field "${name}"`)
  }
}

/** A new field, and the column that it needs; null for an alias. */
export type PlannedField = { readonly draft: FieldDraft; readonly kind: Kind; readonly plan: ColumnPlan | null }

/** Checks new fields against each other and against what their types need. */
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

/** The rows about new fields: for all but plain columns that nothing was said about. */
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

/** A uuid key that nobody fills in is made by us. */
const implied = (plan: ColumnPlan | null): readonly string[] =>
  plan?.primaryKey === true && plan.type === 'uuid' && plan.default === null ? ['uuid'] : []

/** What a client may set of a row: its key and its place are ours. */
export function ownMeta(meta: MetadataRow | null | undefined): MetadataRow {
  const { id: _id, collection: _collection, field: _field, system: _system, ...own } = meta ?? {}
  return own
}

/** Drops a field with its column, its relation, its grants and whatever named it. */
export async function deleteField(ctx: Context, collection: string, name: string): Promise<void> {
  const field = changeableField(ctx.schema, collection, name)
  if (field.column?.primaryKey === true) {
    refusePart('field', `Expected another field than "${name}", which is a primary key`)
  }
  for (const relation of ctx.schema.relations) {
    const isMany = relation.manyCollection === collection
    if (isMany && relation.manyField === name) await removeRelation(ctx, relation, 'with its column')
    else if (isMany && relation.oneCollectionField === name) await removeRelation(ctx, relation, 'with its column')
    else if (relation.oneCollection === collection && relation.oneField === name && relation.id !== null) {
      await changeRow(ctx, 'platform_relations', relation.id, { one_field: null })
    }
  }
  if (field.column !== null) await runDdl(ctx.db, place(collection, name), (ddl) => ddl.dropColumn(collection, name))
  await removeFieldRows(ctx, [place(collection, name)])
  await forgetField(ctx.db, { collection, field: name })
  await revokeField(ctx.db, { collection, field: name })
}

/** Several, one after the other: one may be gone with another. */
export async function deleteFields(ctx: Context, collection: string, names: readonly string[]): Promise<void> {
  for (const name of names) changeableField(ctx.schema, collection, name)
  let inner = ctx
  for (const name of new Set(names)) {
    if (inner.schema.collections.get(collection)?.fields.has(name) === true) await deleteField(inner, collection, name)
    inner = await afterwards(inner)
  }
}

const place = (collection: string, field: string) => ({ collection, field })
