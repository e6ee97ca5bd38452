/** Changes the whole data model to another state, step by step, within one change of the schema. */
import type { Context } from '../../domain/ports/context.ts'
import type { FieldAddress, Schema } from '../../domain/schema/schema.ts'
import { assertTypes, changeFields, type FieldChange } from './change-fields.ts'
import {
  assertFieldSettings,
  type CollectionChange,
  type CollectionDraft,
  columnIn,
  createCollections,
  deleteCollection,
  updateCollections,
} from './collections.ts'
import { createFields, deleteField } from './fields.ts'
import { addressKey, removeRows } from './metadata.ts'
import type { RelationDraft } from './relation-row.ts'
import { createRelations, removeRelation, updateRelation } from './relations.ts'
import { afterwards, changeableCollection, refusePart } from './schema-change.ts'

/** The differences between the present and the wanted data model. */
export type ModelChanges = {
  readonly removedRelations: readonly FieldAddress[]
  readonly removedFields: readonly FieldAddress[]
  readonly removedCollections: readonly string[]
  readonly newCollections: readonly CollectionDraft[]
  readonly changedCollections: readonly CollectionChange[]
  readonly newFields: readonly FieldChange[]
  readonly changedFields: readonly FieldChange[]
  readonly newRelations: readonly RelationDraft[]
  readonly changedRelations: readonly RelationDraft[]
}

/** The remaining differences; null if there are none. */
export type Planner = {
  readonly changes: (schema: Schema) => ModelChanges
  /** After all steps: the differences that remain, for the error. */
  readonly leftover: (schema: Schema) => string | null
}

/**
 * Rejects impossible type changes first, then removes relations, fields and collections, then adds in reverse order.
 * Each step asks again for the remaining differences, because a step can remove more than it names (a relation its
 * alias, a field its references).
 */
export async function syncSchema(ctx: Context, planner: Planner): Promise<void> {
  let inner = ctx
  const { changedFields, changedCollections } = planner.changes(ctx.schema)
  await assertTypes(ctx, changedFields)
  for (const step of steps) {
    const done = await step(inner, planner.changes(inner.schema))
    if (done > 0) inner = await afterwards(inner)
  }
  for (const { name, meta } of changedCollections) assertFieldSettings(name, meta, columnIn(inner.schema, name))
  const left = planner.leftover(inner.schema)
  if (left !== null) refusePart('diff', left)
}

type Step = (ctx: Context, changes: ModelChanges) => Promise<number>

const removeRelations: Step = async (ctx, { removedRelations }) => {
  const removed = new Set(removedRelations.map(addressKey))
  const relations = ctx.schema.relations.filter(({ manyCollection: collection, manyField: field }) =>
    removed.has(addressKey({ collection, field })),
  )
  for (const relation of relations) await removeRelation(ctx, relation, 'drop')
  return relations.length
}

const removeFields: Step = async (ctx, { removedFields }) => {
  for (const { collection, field } of removedFields) await deleteField(ctx, collection, field)
  return removedFields.length
}

const removeCollections: Step = async (ctx, { removedCollections }) => {
  const collections = removedCollections.map((name) => changeableCollection(ctx.schema, name))
  for (const collection of collections) await deleteCollection(ctx, collection)
  return collections.length
}

const addCollections: Step = async (ctx, { newCollections }) => {
  if (newCollections.length > 0) await createCollections(ctx, newCollections)
  return newCollections.length
}

const changeCollections: Step = async (ctx, { changedCollections }) => {
  if (changedCollections.length > 0) await updateCollections(ctx, changedCollections)
  return changedCollections.length
}

const addFields: Step = async (ctx, { newFields }) => {
  const byCollection = Map.groupBy(newFields, ({ collection }) => collection)
  for (const [collection, fields] of byCollection) {
    await createFields(
      ctx,
      collection,
      fields.map(({ draft }) => draft),
    )
  }
  return newFields.length
}

const changeKeptFields: Step = async (ctx, { changedFields }) => {
  const message = changedFields.filter(({ draft }) => draft.type !== undefined || draft.meta != null)
  await changeFields(ctx, message)
  const forgotten = changedFields.flatMap(({ collection, draft }) => {
    const id = ctx.schema.collections.get(collection)?.fields.get(draft.name)?.meta?.['id']
    return draft.meta === null && typeof id === 'number' ? [id] : []
  })
  await removeRows(ctx, 'platform_fields', forgotten)
  return changedFields.length
}

const addRelations: Step = async (ctx, { newRelations }) => {
  if (newRelations.length > 0) await createRelations(ctx, newRelations, { untracked: true })
  return newRelations.length
}

const changeRelations: Step = async (ctx, { changedRelations }) => {
  const ids = new Map(
    ctx.schema.relations.map(({ id, manyCollection: collection, manyField: field }) => [
      addressKey({ collection, field }),
      id,
    ]),
  )
  for (const draft of changedRelations) {
    await updateRelation(ctx, draft)
    const id = ids.get(addressKey(draft)) ?? null
    if (draft.meta === null && id !== null) await removeRows(ctx, 'platform_relations', [id])
  }
  return changedRelations.length
}

const steps: readonly Step[] = [
  removeRelations,
  removeFields,
  removeCollections,
  addCollections,
  changeCollections,
  addFields,
  changeKeptFields,
  addRelations,
  changeRelations,
]
