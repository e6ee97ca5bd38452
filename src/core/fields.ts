/** Fields: columns with their metadata, and aliases that have no column. */
import type { Context } from '../domain/context.ts'
import { listAt, type MetadataRow } from '../domain/metadata.ts'
import { newName } from '../domain/names.ts'
import type { Collection, Field } from '../domain/schema.ts'
import { runDdl } from '../sql/ddl.ts'
import type { ColumnPlan } from '../sql/ddl-plan.ts'
import { alterColumn } from './alter-column.ts'
import { type FieldDraft, type Kind, kindOf, planColumn, specialsFor, withoutTypeFlags } from './field-plan.ts'
import { addRows, changeRow, forgetField, keysWhere, removeRows, revokeField } from './metadata.ts'
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
  for (const { plan } of planned) {
    if (plan !== null) await runDdl(ctx.db, place(collection, plan.name), (ddl) => ddl.addColumn(collection, plan))
  }
  // Of what was dropped behind our back a row may still tell.
  for (const { draft } of planned) await removeRows(ctx, 'platform_fields', await rowsOf(ctx, collection, draft.name))
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
function ownMeta(meta: MetadataRow | null | undefined): MetadataRow {
  const { id: _id, collection: _collection, field: _field, system: _system, ...own } = meta ?? {}
  return own
}

/** Changes several fields, each once. */
export async function updateFields(ctx: Context, collection: string, drafts: readonly FieldDraft[]): Promise<void> {
  const names = drafts.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) refusePart('field', `Expected "${twice}" once but received it twice`)
  for (const draft of drafts) await updateField(ctx, collection, draft)
}

/** Changes a field's column and what is said about it; what the draft leaves out stays. */
export async function updateField(ctx: Context, collection: string, draft: FieldDraft): Promise<void> {
  const field = changeableField(ctx.schema, collection, draft.name)
  const kind = newKind(field, draft)
  if (field.column !== null) await alterColumn(ctx, collection, { field, column: field.column, draft, kind })
  const special = specialsOf(field, draft, kind)
  const meta = {
    ...ownMeta(draft.meta),
    ...undeclared(field, kind),
    ...(special === null ? {} : { special: special.length > 0 ? special : null }),
  }
  if (Object.keys(meta).length === 0 && draft.meta == null) return
  const [row] = await rowsOf(ctx, collection, field.name)
  if (row === undefined) await addRows(ctx, 'platform_fields', [{ ...meta, collection, field: field.name }])
  else if (Object.keys(meta).length > 0) await changeRow(ctx, 'platform_fields', row, meta)
  await assertValidation(ctx, [{ collection, drafts: [draft] }])
}

/** What a field was once declared as says nothing of it any more when its type changes. */
const undeclared = (field: Field, kind: Kind | null): MetadataRow =>
  kind?.kind === 'column' && kind.type !== field.type && field.meta?.['type'] != null ? { type: null } : {}

/** What the field is to become; null when it stays what it is. */
function newKind(field: Field, draft: FieldDraft): Kind | null {
  const { type = null, meta = null } = draft
  if (field.column === null) {
    const special = meta === null || meta['special'] === undefined ? field.special : listAt(meta, 'special')
    const kind = kindOf({ ...draft, type: type ?? 'alias', meta: { special } })
    if (kind.kind === 'column') refusePart('type', `Expected "${field.name}" to stay an alias: it has no column`)
    if (draft.column != null && Object.keys(draft.column).length > 0) {
      refusePart('schema', `Expected no column for "${field.name}", which is an alias`)
    }
    return kind
  }
  if (type === null || type === 'unknown') {
    if (meta?.['special'] !== undefined) kindOf({ ...draft, type: 'string' })
    return null
  }
  const kind = kindOf(draft)
  if (kind.kind === 'alias')
    refusePart('type', `Expected a type with a column for "${field.name}" but received "${type}"`)
  return kind
}

/** The flags after the change; null when they stay. */
function specialsOf(field: Field, draft: FieldDraft, kind: Kind | null): readonly string[] | null {
  const stored = listAt(field.meta ?? {}, 'special')
  const given = draft.meta?.['special'] === undefined ? null : listAt(draft.meta, 'special')
  if (kind === null) return given
  const isSame = kind.kind === 'alias' || (kind.type === field.type && kind.type !== 'geometry')
  const special = specialsFor(kind, given ?? (isSame ? stored : withoutTypeFlags(stored)))
  return special.join() === stored.join() ? null : special
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
  await removeRows(ctx, 'platform_fields', await rowsOf(ctx, collection, name))
  await forgetField(ctx, collection, name)
  await revokeField(ctx, collection, name)
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

const rowsOf = (ctx: Context, collection: string, field: string) =>
  keysWhere(ctx, 'platform_fields', { collection, field })
