/** Relations between collections. */
import { isReadableRelation, openMetadata } from '../../core/model/readable-model.ts'
import { createRelation, deleteRelation, updateRelation } from '../../core/model/relations.ts'
import { afterwards, changeSchema } from '../../core/model/schema-change.ts'
import { notFound } from '../../core/rows/keys.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import type { Relation, Schema } from '../../domain/schema/schema.ts'
import type { LegacyRelationsOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { empty, json } from '../../http/reply/reply.ts'
import { storedCollection } from '../model/collection-names.ts'
import { serializeRelation, splitNames } from '../model/model-output.ts'
import { assertAltering } from '../model/refuse.ts'
import { parseRelation, parseRelationChange, withKeyColumn } from '../model/relation-input.ts'
import { answerListed, publicly } from './answers.ts'

export const relations = {
  async readRelations(ctx, { query, request }) {
    const all = (await visibleRelations(ctx)).map((each) => serializeRelation(ctx, each))
    const renamed = query.filter === undefined ? query : { ...query, filter: renamedIn(query.filter) }
    return answerListed(ctx, 'platform_relations', all, { query: renamed, request })
  },

  async readRelation(ctx, { path }) {
    const relations = (await named(ctx, path.id)).map((each) => serializeRelation(ctx, each))
    return json(publicly(ctx, { data: splitNames(path.id).length > 1 ? relations : (relations[0] ?? missing()) }))
  },

  async createRelations(ctx, { body }) {
    const list = Array.isArray(body) ? body : [body]
    assertAltering(ctx, list[0]?.collection_many ?? '')
    const { schema } = await changeSchema(ctx, async (inner) => {
      let at = inner
      for (const each of list) {
        const { isKnown, ...draft } = await parseRelation(at, each)
        if (isKnown) await updateRelation(at, draft)
        else await createRelation(await withKeyColumn(at, draft), draft)
        at = await afterwards(at)
      }
    })
    const data = list.map(({ collection_many: many = '', field_many: field = '' }) =>
      written(ctx, schema, { collection_many: storedCollection(schema, many), field_many: field }),
    )
    return json({ data: Array.isArray(body) ? data : (data[0] ?? missing()) })
  },

  async updateRelation(ctx, { path, body }) {
    const relations = await named(ctx, path.id)
    assertAltering(ctx, relations[0]?.manyCollection ?? '')
    if (relations.length === 0) missing()
    const { schema } = await changeSchema(ctx, async (inner) => {
      for (const relation of relations) await updateRelation(inner, parseRelationChange(inner, relation, body))
    })
    const data = relations.map(({ manyCollection, manyField }) =>
      written(ctx, schema, { collection_many: manyCollection, field_many: manyField }),
    )
    return json({ data: splitNames(path.id).length > 1 ? data : (data[0] ?? missing()) })
  },

  async deleteRelation(ctx, { path }) {
    const relations = await named(ctx, path.id)
    assertAltering(ctx, relations[0]?.manyCollection ?? '')
    if (relations.length === 0) missing()
    await changeSchema(ctx, async (inner) => {
      for (const { manyCollection, manyField } of relations) await deleteRelation(inner, manyCollection, manyField)
    })
    return empty()
  },
} satisfies Handlers<LegacyRelationsOperations>

/** Names of the ends that clients older than this generation use. */
const olderNames: { readonly [name: string]: string } = {
  collection_a: 'collection_many',
  field_a: 'field_many',
  collection_b: 'collection_one',
  field_b: 'field_one',
}

const renamedIn = (filter: unknown): unknown =>
  typeof filter === 'object' && filter !== null
    ? Object.fromEntries(Object.entries(filter).map(([name, value]) => [olderNames[name] ?? name, value as unknown]))
    : filter

async function visibleRelations(ctx: ReadContext): Promise<readonly Relation[]> {
  await openMetadata(ctx, 'platform_relations')
  return ctx.schema.relations
    .filter(({ manyCollection: collection, manyField: field, oneCollection: related }) => {
      return related !== null && ctx.view.byCore.get(collection)?.byCore.has(field) === true
    })
    .filter((relation) => isReadableRelation(ctx, relation))
}

async function named(ctx: ReadContext, ids: string): Promise<readonly Relation[]> {
  const wanted = splitNames(ids)
  return (await visibleRelations(ctx)).filter(({ id }) => id !== null && wanted.includes(String(id)))
}

function missing(): never {
  throw notFound('platform_relations')
}

type ManySide = { readonly collection_many: string; readonly field_many: string }

function written(
  ctx: Pick<Context, 'view'>,
  { relations: all }: Schema,
  { collection_many: collection, field_many: field }: ManySide,
) {
  const relation = all.find((each) => each.manyCollection === collection && each.manyField === field)
  if (relation === undefined) throw new Error('The written entry no longer exists')
  return serializeRelation(ctx, relation)
}
