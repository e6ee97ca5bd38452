/** Columns and aliases with their settings. */
import { updateFields } from '../../core/model/change-fields.ts'
import { createFields, deleteFields } from '../../core/model/fields.ts'
import { openMetadata } from '../../core/model/readable-model.ts'
import { createRelations } from '../../core/model/relations.ts'
import { afterwards, changeableField, changeSchema } from '../../core/model/schema-change.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import type { LegacyFieldsOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { empty, json } from '../../http/reply/reply.ts'
import { impliedRelation, parseField } from '../model/model-input.ts'
import { firstOf, knownCollections, serializeField, serializeFields, splitNames } from '../model/model-output.ts'
import { assertAltering, refuseModel } from '../model/refuse.ts'
import { openRequiredColumns, saysRequired } from '../model/required-columns.ts'
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
    const { result, schema } = await changeSchema(ctx, (inner) => create(inner, collection, body))
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

const blank = 'field: This value should not be blank.'

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

type Body = Parameters<typeof parseField>[1]

/** Creates a field and the relation that its type implies; returns the field's name. */
async function create(ctx: Context, collection: string, body: Body): Promise<string> {
  const owner = ctx.schema.collections.get(collection)
  const name = body.field ?? refuseModel('contradictory', 'field', blank)
  const draft = parseField(name, { type: 'string', ...body }, owner ?? null)
  if (owner?.fields.get(name)?.column != null) refuseModel('field-exists', 'field', `Field "${name}" already exists`)
  await createFields(ctx, collection, [draft])
  if (saysRequired([body])) await openRequiredColumns(ctx, collection)
  const relation = impliedRelation(collection, draft)
  if (relation !== null) await createRelations(await afterwards(ctx), [relation])
  return name
}

/** Updates fields individually; in system collections only fields that the project added. */
async function change(ctx: Context, collection: string, bodies: readonly (Body & { readonly field: string })[]) {
  assertAltering(ctx, collection)
  const { schema } = await changeSchema(ctx, async (inner) => {
    const owner = inner.schema.collections.get(collection) ?? null
    for (const { field } of bodies) assertThere(inner.schema, collection, field)
    await updateFields(
      inner,
      collection,
      bodies.map((body) => parseField(body.field, body, owner)),
    )
    if (saysRequired(bodies)) await openRequiredColumns(inner, collection)
  })
  return written(ctx, schema, { collection, names: bodies.map(({ field }) => field) })
}

/** Throws for a field that cannot be changed. Version 8 has a code of its own for one that the path names. */
function assertThere(schema: Schema, collection: string, field: string): void {
  if (!schema.collections.has(collection)) throw new TandemError({ kind: 'collection-not-found', collection })
  try {
    changeableField(schema, collection, field)
  } catch (error) {
    const [failure] = error instanceof TandemError ? error.failures : []
    throw failure?.kind === 'field-not-found' ? new TandemError({ ...failure, kind: 'not-relational' }) : error
  }
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
