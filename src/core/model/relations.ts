/** Relations: foreign keys with their metadata, and many-to-any relations, which the database does not know. */

import { type MetadataRow, textAt } from '../../domain/model/metadata.ts'
import type { Context } from '../../domain/ports/context.ts'
import { hashText } from '../../domain/schema/hash-text.ts'
import { referenceColumns } from '../../domain/schema/references.ts'
import type { Collection, Field, Relation, Schema } from '../../domain/schema/schema.ts'
import { type ReferentialAction, referentialActions } from '../../sql/dialects/ddl-plan.ts'
import { dialectOf } from '../../sql/dialects/dialects.ts'
import { runDdl } from '../../sql/schema/ddl.ts'
import { findRelationKeys } from '../../sql/statements/metadata.ts'
import { addRows, changeRow, removeAlias, removeRows } from './metadata.ts'
import { metaRow, type RelationDraft, relatedCollection } from './relation-row.ts'
import { changeableField, extensibleCollection, refusePart } from './schema-change.ts'
import { assertTakes, takesConstraints } from './table-kinds.ts'

/** Adds a relation to a field for keys. */
export const createRelation = (ctx: Context, draft: RelationDraft): Promise<void> => createRelations(ctx, [draft])

/** Adds relations. With `untracked`, a relation without metadata is only a foreign key. */
export async function createRelations(
  ctx: Context,
  drafts: readonly RelationDraft[],
  { untracked = false }: { readonly untracked?: boolean } = {},
): Promise<void> {
  assertApart(drafts)
  const rows: MetadataRow[] = []
  for (const draft of drafts) {
    const isTracked = !untracked || draft.meta !== null
    const row = await addRelation(ctx, draft, isTracked)
    if (isTracked) rows.push(row)
  }
  await forgetRelations(ctx, drafts)
  await addRows(ctx, 'platform_relations', rows)
}

/** Throws for two relations of one field or alias. */
function assertApart(drafts: readonly RelationDraft[]): void {
  const seen = new Set<string>()
  for (const { collection, field, related, meta } of drafts) {
    const alias = textAt(meta ?? {}, 'one_field')
    const names = [`${collection}.${field}`, ...(alias === null ? [] : [`alias ${related}.${alias}`])]
    for (const name of names) {
      if (seen.has(name)) refusePart('field', `Expected one relation of ${name} but received several`)
      seen.add(name)
    }
  }
}

/** Checks the draft and creates its foreign key. The caller writes the row. */
async function addRelation(
  ctx: Pick<Context, 'db' | 'schema'>,
  draft: RelationDraft,
  isTracked: boolean,
): Promise<MetadataRow> {
  const { schema } = ctx
  const { collection, field: name, related = null } = draft
  const many = extensibleCollection(schema, collection)
  const field = keyField(schema, many, name)
  // The key of a table can refer to another one. Only the database makes it so.
  if (isTracked) assertNoKey(many, field)
  if (relationAt(schema, collection, name) !== undefined) {
    refusePart('field', `Expected a field without a relation but "${collection}.${name}" has one already`)
  }
  const row = metaRow(schema, { ...draft, related }, null)
  if (related !== null) {
    const one = relatedCollection(schema, related)
    const isWanted = draft.constraint === undefined ? takesConstraints(many) && takesConstraints(one) : draft.constraint
    if (isWanted) await addConstraint(ctx, { many, field, one, draft })
  }
  return row
}

/** Metadata may remain of a relation that was dropped in the database. */
async function forgetRelations(ctx: Context, drafts: readonly RelationDraft[]): Promise<void> {
  await removeRows(ctx, 'platform_relations', await findRelationKeys(ctx.db, drafts))
}

/** Changes the metadata of a relation and the actions of its foreign key. */
export async function updateRelation(ctx: Context, draft: RelationDraft): Promise<void> {
  const { schema } = ctx
  const { collection, field: name } = draft
  const relation = existingRelation(schema, collection, name)
  if (draft.related !== undefined && draft.related !== relation.oneCollection) {
    refusePart('related_collection', `Expected "${relation.oneCollection ?? 'null'}": a relation cannot lead elsewhere`)
  }
  if (draft.constraint !== undefined && relation.oneCollection !== null) {
    await changeConstraint(ctx, relation, relation.oneCollection, draft)
  }
  if (draft.meta == null) return
  const row = metaRow(schema, { ...draft, related: relation.oneCollection }, relation)
  if (relation.id === null) await addRows(ctx, 'platform_relations', [row])
  else await changeRow(ctx, 'platform_relations', relation.id, row)
}

/**
 * Drops a relation: its foreign key, its metadata and the alias on its other side. The field and its values are kept.
 */
export async function deleteRelation(ctx: Context, collection: string, field: string): Promise<void> {
  await removeRelation(ctx, existingRelation(ctx.schema, collection, field), 'drop')
}

/** The same for a loaded relation. `constraint`: whether the foreign key must be dropped separately from its column. */
export async function removeRelation(
  ctx: Context,
  relation: Relation,
  constraint: 'drop' | 'with its column',
): Promise<void> {
  const { manyCollection: collection, manyField: field, oneCollection, oneField, constraint: key } = relation
  if (key !== null && constraint === 'drop') {
    await runDdl(ctx.db, { collection, field }, (ddl) => ddl.dropForeignKey(collection, key.name))
  }
  if (relation.id !== null) await removeRows(ctx, 'platform_relations', [relation.id])
  if (oneCollection !== null && oneField !== null) await removeAlias(ctx, oneCollection, oneField)
}

const relationAt = (schema: Schema, collection: string, field: string): Relation | undefined =>
  schema.relations.find((each) => each.manyCollection === collection && each.manyField === field)

/** A relation that can be changed; those of system fields cannot. */
function existingRelation(schema: Schema, collection: string, field: string): Relation {
  changeableField(schema, collection, field)
  const relation = relationAt(schema, collection, field)
  return relation ?? refusePart('field', `Expected a field with a relation but "${collection}.${field}" has none`)
}

/** A field that can hold keys. */
function keyField(schema: Schema, many: Collection, name: string): Field {
  if (!many.fields.has(name)) refusePart('field', `Expected a field of "${many.name}" but received "${name}"`)
  const field = changeableField(schema, many.name, name)
  if (referenceColumns(field) === null && field.column === null)
    refusePart('field', `Expected a field with a column but "${name}" is an alias`)
  return field
}

function assertNoKey({ keyColumns }: Collection, { name, column }: Field): void {
  if (column?.primaryKey !== true || keyColumns.length !== 1) return
  refusePart('field', `Expected another field than "${name}", which is the primary key`)
}

type NewConstraint = {
  readonly many: Collection
  readonly field: Field
  readonly one: Collection
  readonly draft: Pick<RelationDraft, 'constraint'>
}

async function addConstraint(ctx: Pick<Context, 'db'>, { many, field, one, draft }: NewConstraint): Promise<void> {
  for (const side of [many, one]) assertTakes('constraint', side, 'schema')
  const key = one.fields.get(one.primaryKey)
  if (key === undefined || familyOf(key) !== familyOf(field)) {
    const expected = `Expected a field of type "${key?.type}", as the key of "${one.name}" is`
    refusePart('field', `${expected}, but "${field.name}" is of type "${field.type}"`)
  }
  const onDelete = actionOf(draft.constraint?.onDelete, 'on_delete')
  const onUpdate = actionOf(draft.constraint?.onUpdate, 'on_update')
  assertCanBeNull(ctx, field, { on_delete: onDelete, on_update: onUpdate })
  const plan = {
    name: draft.constraint?.name ?? constraintName(many.name, field.name),
    column: field.name,
    table: one.name,
    key: one.primaryKey,
    onDelete,
    onUpdate,
  }
  const address = { collection: many.name, field: field.name }
  await runDdl(ctx.db, address, (ddl) => ddl.addForeignKey(many.name, plan))
}

/** Some databases refuse, others notice when a row is deleted. */
function assertCanBeNull(
  { db }: Pick<Context, 'db'>,
  { name, column }: Field,
  actions: { readonly [part: string]: ReferentialAction },
): void {
  if (column?.nullable !== false || dialectOf(db).ddl.nullsWhatCanBe !== true) return
  for (const [part, action] of Object.entries(actions)) {
    if (action === 'SET NULL') refusePart(part, `Expected an action other than SET NULL: "${name}" cannot be null`)
  }
}

/** Groups of types that the database can compare with each other. */
function familyOf({ type }: Field): string {
  if (type === 'bigInteger') return 'integer'
  return type === 'text' ? 'string' : type
}

function actionOf(input: string | null | undefined, name: string): ReferentialAction {
  const action = (input ?? 'NO ACTION').toUpperCase()
  const knownAction = referentialActions.find((each) => each === action)
  return (
    knownAction ?? refusePart(name, `Expected ${referentialActions.join(', ')} but received ${JSON.stringify(input)}`)
  )
}

/** The name contains the field to be unique, and is cut to the length of identifiers. */
function constraintName(collection: string, field: string): string {
  const name = `${collection}_${field}_foreign`
  return name.length <= 63 ? name : `${name.slice(0, 50)}_${hashText(name).slice(0, 12)}`
}

async function changeConstraint(
  ctx: Pick<Context, 'db' | 'schema'>,
  relation: Relation,
  target: string,
  draft: RelationDraft,
): Promise<void> {
  const { constraint: present, manyCollection, manyField } = relation
  const wanted = draft.constraint ?? null
  const onDelete = wanted?.onDelete === undefined ? present?.onDelete : wanted.onDelete
  const onUpdate = wanted?.onUpdate === undefined ? present?.onUpdate : wanted.onUpdate
  const isSame = onDelete === present?.onDelete && onUpdate === present?.onUpdate
  if (present !== null && wanted !== null && isSame && (wanted.name ?? present.name) === present.name) return
  if (relation.manyColumns !== undefined) {
    refusePart('schema', `Expected nothing: the foreign key "${present?.name}" has several columns`)
  }
  if (present !== null) {
    const address = { collection: manyCollection, field: manyField }
    await runDdl(ctx.db, address, (ddl) => ddl.dropForeignKey(manyCollection, present.name))
  }
  if (wanted === null) return
  const many = extensibleCollection(ctx.schema, manyCollection)
  const field = changeableField(ctx.schema, manyCollection, manyField)
  const name = wanted.name ?? present?.name
  const constraint = { onDelete: onDelete ?? null, onUpdate: onUpdate ?? null, ...(name === undefined ? {} : { name }) }
  await addConstraint(ctx, { many, field, one: relatedCollection(ctx.schema, target), draft: { constraint } })
}
