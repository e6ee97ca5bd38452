/** Collections: tables with their metadata, and folders that group others. */
import type { MetadataRow } from '../../domain/model/metadata.ts'
import { newName } from '../../domain/model/names.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Collection, Schema } from '../../domain/schema/schema.ts'
import { runDdl } from '../../sql/schema/ddl.ts'
import { type FieldDraft, plainComment } from './field-plan.ts'
import { assertValidation, deleteField, metaRows, type PlannedField, planFields } from './fields.ts'
import { addRows, changeRow, changeRows, forgetCollections, removeRows } from './metadata.ts'
import { removeRelation } from './relations.ts'
import { afterwards, changeableCollection, refusePart } from './schema-change.ts'
import { assertTakes, takesConstraints } from './table-kinds.ts'

export type CollectionDraft = {
  readonly name: string
  /** Null for a folder. */
  readonly table: { readonly comment: string | null } | null
  /** Columns of the metadata row. Null: the table has no metadata and stays unmanaged. */
  readonly meta?: MetadataRow | null
  readonly fields: readonly FieldDraft[]
}

export async function createCollections(ctx: Context, drafts: readonly CollectionDraft[]): Promise<void> {
  const planned = drafts.map((draft) => ({ draft, fields: plan(draft) }))
  const seen = new Set(ctx.schema.collections.keys())
  for (const { name, table, meta } of drafts) {
    if (seen.has(name)) refusePart('collection', `Expected a new name but "${name}" exists already`)
    if (table === null && meta === null)
      refusePart('meta', `Expected settings or a table for "${name}" but received none`)
    seen.add(name)
  }
  // Before the first table is made, which not every database undoes.
  for (const { draft, fields } of planned)
    assertFieldSettings(draft.name, draft.meta, (field) => fields.some(({ plan }) => plan?.name === field))
  for (const { draft, fields } of planned) {
    const { name, table } = draft
    if (table === null) continue
    const columns = fields.flatMap(({ plan }) => (plan === null ? [] : [plan]))
    await runDdl(ctx.db, { collection: name }, (ddl) => ddl.createTable(name, columns, plainComment(table.comment)))
  }
  // Metadata and grants may remain of a table that was dropped in the database.
  await forgetCollections(
    ctx,
    drafts.map(({ name }) => name),
  )
  const rows = drafts
    .filter(({ meta }) => meta !== null)
    .map((draft) => ({ ...ownMeta(draft.meta), collection: draft.name }))
  await addInOrder(ctx, rows)
  const fieldRows = planned.flatMap(({ draft, fields }) =>
    sorted(metaRows({ name: draft.name, system: false }, fields)),
  )
  await addRows(ctx, 'platform_fields', fieldRows)
  await assertValidation(
    ctx,
    drafts.map(({ name, fields }) => ({ collection: name, drafts: fields })),
  )
}

/** Sorts groups before their members. */
async function addInOrder(ctx: Context, rows: readonly MetadataRow[]): Promise<void> {
  const own = new Set(rows.map((row) => row['collection']))
  let waiting = rows
  while (waiting.length > 0) {
    const ready = waiting.filter((row) => !own.has(row['group']))
    if (ready.length === 0) refusePart('group', 'Expected groups that are not within each other')
    await addRows(ctx, 'platform_collections', ready)
    for (const row of ready) own.delete(row['collection'])
    waiting = waiting.filter((row) => !ready.includes(row))
  }
}

function plan({ name, table, fields }: CollectionDraft): readonly PlannedField[] {
  newName('collection', name)
  if (table === null) {
    if (fields.length > 0) refusePart('schema', `Expected a schema: "${name}" has fields, which need a table`)
    return []
  }
  const keyed = fields.map(withImpliedKey)
  const keys = keyed.filter(({ column }) => column?.primaryKey === true)
  if (keys.length > 1)
    refusePart('is_primary_key', `Expected one primary key for "${name}" but received ${keys.length}`)
  return planFields(keys.length === 0 ? [defaultKey, ...keyed] : keyed)
}

/** A column that counts up is the primary key, also if it does not say so. */
const withImpliedKey = (field: FieldDraft): FieldDraft =>
  field.column?.autoIncrement === true && field.column.primaryKey === undefined
    ? { ...field, column: { ...field.column, primaryKey: true } }
    : field

const defaultKey: FieldDraft = {
  name: 'id',
  type: 'integer',
  column: { primaryKey: true, autoIncrement: true },
  meta: { hidden: true, interface: 'input', readonly: true },
}

/** Sort numbers in the given order, counted per group. */
function sorted(rows: readonly MetadataRow[]): readonly MetadataRow[] {
  const counts = new Map<unknown, number>()
  return rows.map((row) => {
    const group = row['group'] ?? null
    const next = (counts.get(group) ?? 0) + 1
    counts.set(group, next)
    return { sort: next, ...row }
  })
}

/** The collection is the key of the metadata row and cannot change. */
function ownMeta(meta: MetadataRow | null | undefined): MetadataRow {
  const { collection: _collection, system: _system, ...own } = meta ?? {}
  return own
}

/** Changes the metadata of a collection. A table without metadata becomes managed. */
export async function updateCollection(ctx: Context, name: string, meta: MetadataRow): Promise<void> {
  const collection = changeableCollection(ctx.schema, name)
  const row = ownMeta(meta)
  assertFieldSettings(name, row, columnIn(ctx.schema, name))
  assertGroups(ctx.schema, [{ name, meta: row }])
  if (!collection.managed) await addRows(ctx, 'platform_collections', [{ ...row, collection: name }])
  else if (Object.keys(row).length > 0) await changeRow(ctx, 'platform_collections', name, row)
}

/** The new metadata of a collection; null removes it. */
export type CollectionChange = { readonly name: string; readonly meta: MetadataRow | null }

/** Changes the metadata of several collections. References to groups and fields are checked after all changes. */
export async function updateCollections(ctx: Context, changes: readonly CollectionChange[]): Promise<void> {
  const rows = changes.map(({ name, meta }) => ({
    collection: changeableCollection(ctx.schema, name),
    row: meta === null ? null : ownMeta(meta),
  }))
  assertGroups(ctx.schema, changes)
  const untracked = rows.filter(({ row, collection }) => row === null && collection.managed)
  await removeRows(
    ctx,
    'platform_collections',
    untracked.map(({ collection }) => collection.name),
  )
  const written = rows.flatMap(({ collection, row }) => (row === null ? [] : [{ collection, row }]))
  const adopted = written.filter(({ collection }) => !collection.managed)
  await addInOrder(
    ctx,
    adopted.map(({ collection, row }) => ({ ...row, collection: collection.name })),
  )
  const managed = written.filter(({ collection }) => collection.managed)
  await changeRows(
    ctx,
    'platform_collections',
    managed.map(({ collection, row }) => ({ key: collection.name, row })),
  )
}

/** Throws if a group contains itself after all changes. */
function assertGroups(schema: Schema, changes: readonly CollectionChange[]): void {
  const groups = new Map([...schema.collections.values()].map(({ name, meta }) => [name, meta?.['group']]))
  for (const { name, meta } of changes) {
    if (meta === null) groups.set(name, null)
    else if (meta['group'] !== undefined) groups.set(name, meta['group'])
  }
  for (const { name } of changes) {
    const above = new Set<unknown>()
    for (let each = groups.get(name); typeof each === 'string' && !above.has(each); each = groups.get(each)) {
      above.add(each)
    }
    if (above.has(name)) refusePart('group', `Expected a group that is not "${name}" itself or within it`)
  }
}

/** Drops collections and everything that belongs to them. */
export async function deleteCollections(ctx: Context, names: readonly string[]): Promise<void> {
  for (const name of names) changeableCollection(ctx.schema, name)
  let inner = ctx
  for (const name of new Set(names)) {
    await deleteCollection(inner, changeableCollection(inner.schema, name))
    inner = await afterwards(inner)
  }
}

/** Drops one collection. Without relations from or to it, the schema need not be loaded again before the next one. */
export async function deleteCollection(ctx: Context, collection: Collection): Promise<void> {
  const { name, table, managed } = collection
  assertTakes('table', collection, 'collection')
  await detach(ctx, name)
  if (table !== null) await runDdl(ctx.db, { collection: name }, (ddl) => ddl.dropTable(name))
  if (managed) await removeRows(ctx, 'platform_collections', [name])
  await forgetCollections(ctx, [name])
}

/** Fields with relations from and to the collection, and their aliases. */
async function detach(ctx: Context, name: string): Promise<void> {
  for (const relation of ctx.schema.relations) {
    const { manyCollection, manyField, oneCollection, oneAllowedCollections } = relation
    if (manyCollection === name) await removeRelation(ctx, relation, 'drop')
    else if (oneCollection === name) {
      const many = ctx.schema.collections.get(manyCollection)
      const isKey = relation.manyColumns !== undefined || many?.fields.get(manyField)?.column?.primaryKey === true
      if (isKey || !takesConstraints(many)) await removeRelation(ctx, relation, 'drop')
      else await deleteField(ctx, manyCollection, manyField)
    } else if (oneAllowedCollections?.includes(name) === true && relation.id !== null) {
      const rest = oneAllowedCollections.filter((each) => each !== name)
      if (rest.length === 0) await removeRelation(ctx, relation, 'drop')
      else await changeRow(ctx, 'platform_relations', relation.id, { one_allowed_collections: rest })
    }
  }
}

const settings = ['archive_field', 'sort_field'] as const

/** Throws `invalid-payload` with the name of the setting if it does not name a field with a column. */
export function assertFieldSettings(
  collection: string,
  meta: MetadataRow | null | undefined,
  hasColumn: (field: string) => boolean,
): void {
  for (const setting of settings) {
    const field = meta?.[setting]
    if (typeof field !== 'string' || hasColumn(field)) continue
    refusePart(setting, `Expected a field of "${collection}" with a column for "${setting}" but received "${field}"`)
  }
}

/** Whether the collection has the field, with a column. */
export const columnIn =
  ({ collections }: Schema, collection: string) =>
  (field: string): boolean =>
    collections.get(collection)?.fields.get(field)?.column != null
