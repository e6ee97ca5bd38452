/** Columns and aliases with their settings. */
import { deleteFields } from '../../core/model/fields.ts'
import { openMetadata } from '../../core/model/readable-model.ts'
import { changeSchema } from '../../core/model/schema-change.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import type { LegacyFieldsOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { empty, json } from '../../http/reply/reply.ts'
import { assertThere, blank, changeFields, createField, type NamedField } from '../model/field-writes.ts'
import { firstOf, knownCollections, serializeField, serializeFields, splitNames } from '../model/model-output.ts'
import { assertAltering, refuseModel } from '../model/refuse.ts'
import { answerListed, publicly } from './answers.ts'

export const fields = {
  async readFields(ctx, input) {
    return answerListed(ctx, 'platform_fields', await readAll(ctx), input)
  },

  async readCollectionFields(ctx, input) {
    return answerListed(ctx, 'platform_fields', await readOf(ctx, input.path.collection), input)
  },

  async readField(ctx, { path }) {
    const names = splitNames(path.field)
    const entries = (await readOf(ctx, path.collection)).filter(({ field = '' }) => names.includes(field))
    if (names.length > 1) return json(publicly(ctx, { data: entries }))
    const [only] = entries
    if (only === undefined) throw new TandemError({ kind: 'not-relational', ...path })
    return json(publicly(ctx, { data: only }))
  },

  async createField(ctx, { path: { collection }, body }) {
    assertAltering(ctx, collection)
    const { result, schema } = await changeSchema(ctx, (inner) => createField(inner, collection, body))
    return json({ data: firstOf(await written(ctx, schema, { collection, names: [result] })) })
  },

  async updateFields(ctx, { path: { collection }, body }) {
    const names = body.map(({ field }) => field ?? refuseModel('contradictory', 'field', blank))
    return json({
      data: await change(
        ctx,
        collection,
        body.map((each, at) => ({ ...each, field: names[at] as string })),
      ),
    })
  },

  async updateField(ctx, { path: { collection, field }, body }) {
    const names = splitNames(field)
    const data = await change(
      ctx,
      collection,
      names.map((name) => ({ ...body, field: name })),
    )
    return json({ data: names.length > 1 ? data : firstOf(data) })
  },

  async deleteField(ctx, { path: { collection, field } }) {
    assertAltering(ctx, collection)
    await changeSchema(ctx, (inner) => {
      for (const name of splitNames(field)) assertThere(inner.schema, collection, name)
      return deleteFields(inner, collection, splitNames(field))
    })
    return empty()
  },
} satisfies Handlers<LegacyFieldsOperations>

async function readAll(ctx: ReadContext) {
  const collections = await openMetadata(ctx, 'platform_collections')
  const window = await openMetadata(ctx, 'platform_fields')
  return knownCollections(ctx, collections).flatMap((each) => serializeFields(ctx, each, window))
}

async function readOf(ctx: ReadContext, name: string) {
  const collection = knownCollections(ctx, await openMetadata(ctx, 'platform_collections')).find(
    (each) => each.name === name,
  )
  if (collection === undefined) throw new TandemError({ kind: 'collection-not-found', collection: name })
  return serializeFields(ctx, collection, await openMetadata(ctx, 'platform_fields'))
}

/** Updates fields individually; in system collections only fields that the project added. */
async function change(ctx: Context, collection: string, bodies: readonly NamedField[]) {
  assertAltering(ctx, collection)
  const { schema } = await changeSchema(ctx, async (inner) => {
    await changeFields(inner, collection, bodies)
  })
  return written(ctx, schema, { collection, names: bodies.map(({ field }) => field) })
}

type Names = { readonly collection: string; readonly names: readonly string[] }

/** The written fields in their current state. */
async function written(ctx: ReadContext, { collections }: Schema, { collection: name, names }: Names) {
  const window = await openMetadata(ctx, 'platform_fields')
  const collection = collections.get(name)
  return names.map((each) => {
    const field = collection?.fields.get(each)
    if (collection === undefined || field === undefined) throw new Error('The written entry no longer exists')
    return serializeField(collection, field, window)
  })
}
