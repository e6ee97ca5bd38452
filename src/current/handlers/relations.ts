/** `/relations`: links between collections. */
import { isUnlimited } from '../../authz/grants.ts'
import { isReadable, isReadableRelation, type MetadataWindow, openMetadata } from '../../core/model/readable-model.ts'
import { createRelation, deleteRelation, updateRelation } from '../../core/model/relations.ts'
import { type Changed, changeSchema } from '../../core/model/schema-change.ts'
import type { ReadContext } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Relation } from '../../domain/schema/schema.ts'
import type { CurrentRelationsOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { empty, json } from '../../http/reply/reply.ts'
import { assertSameName, parseRelation } from '../model/model-input.ts'
import { metaOf, serializeRelation, usualMeta } from '../model/model-output.ts'
import { throughJunctions } from '../model/system-forms.ts'

export const relations = {
  async readRelations(ctx) {
    return json({ data: await readAll(ctx) })
  },

  async readCollectionRelations(ctx, { path }) {
    const collection = ctx.schema.collections.get(path.collection)
    if (collection === undefined || !isReadable(ctx, collection)) {
      throw new TandemError({ kind: 'collection-not-found', collection: path.collection })
    }
    return json({ data: (await readAll(ctx)).filter((each) => each.collection === path.collection) })
  },

  async readRelation(ctx, { path }) {
    const { collection, field } = path
    const relation = (await readAll(ctx)).find((each) => each.collection === collection && each.field === field)
    if (relation === undefined) throw new TandemError({ kind: 'field-not-found', collection, field })
    return json({ data: relation })
  },

  async createRelation(ctx, { body }) {
    const draft = parseRelation(body)
    return json({ data: await written(ctx, await changeSchema(ctx, (inner) => createRelation(inner, draft)), draft) })
  },

  async updateRelation(ctx, { path, body }) {
    assertSameName('collection', path.collection, body.collection)
    assertSameName('field', path.field, body.field)
    const draft = parseRelation({ ...body, ...path })
    return json({ data: await written(ctx, await changeSchema(ctx, (inner) => updateRelation(inner, draft)), draft) })
  },

  async deleteRelation(ctx, { path }) {
    await changeSchema(ctx, (inner) => deleteRelation(inner, path.collection, path.field))
    return empty()
  },
} satisfies Handlers<CurrentRelationsOperations>

async function readAll(ctx: ReadContext) {
  const window = await openMetadata(ctx, 'platform_relations')
  return ctx.schema.relations
    .flatMap(throughJunctions)
    .filter(({ manyCollection }) => ctx.view.byCore.has(manyCollection))
    .filter((relation) => isReadableRelation(ctx, relation) && window.shows(metaOf(relation)))
    .map((relation) => withMeta(serializeRelation(ctx.schema, relation, window), relation, window))
    .map((shown) => withoutHidden(ctx, shown))
}

/** Leaves out the collections of a many-to-any that the caller may not read. */
function withoutHidden(ctx: ReadContext, shown: ReturnType<typeof serializeRelation>): typeof shown {
  const allowed = shown.meta?.one_allowed_collections
  if (shown.meta == null || allowed == null) return shown
  const readable = allowed.filter((name) => {
    const collection = ctx.schema.collections.get(name)
    return collection === undefined ? isUnlimited(ctx.actor) : collection.system || isReadable(ctx, collection)
  })
  return { ...shown, meta: { ...shown.meta, one_allowed_collections: readable } }
}

/** A foreign key without stored settings is shown with those that it has. */
const withMeta = (shown: ReturnType<typeof serializeRelation>, relation: Relation, { mask }: MetadataWindow) =>
  metaOf(relation) === null ? { ...shown, meta: mask(usualMeta(relation)) } : shown

type RelationField = { readonly collection: string; readonly field: string }

async function written(ctx: ReadContext, { schema }: Changed<unknown>, { collection, field }: RelationField) {
  const window = await openMetadata(ctx, 'platform_relations')
  const relation = schema.relations.find((each) => each.manyCollection === collection && each.manyField === field)
  if (relation === undefined) throw new Error('The written entry no longer exists')
  return serializeRelation(schema, relation, window)
}
