/** Tables of the database and their settings. */
import {
  createCollections,
  deleteCollections,
  updateCollection,
  updateCollections,
} from '../../core/model/collections.ts'
import { openMetadata } from '../../core/model/readable-model.ts'
import { createRelations } from '../../core/model/relations.ts'
import { afterwards, changeSchema } from '../../core/model/schema-change.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import type { LegacyCollectionsOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { empty, json } from '../../http/reply/reply.ts'
import { shownCollection } from '../model/collection-names.ts'
import { writeFields } from '../model/field-writes.ts'
import { withBooleans } from '../model/flags.ts'
import { collectionRow, impliedRelation, listed, parseCollection } from '../model/model-input.ts'
import { knownCollections, serializeCollection, serializeWithFields, splitNames } from '../model/model-output.ts'
import { assertAltering, refuseModel } from '../model/refuse.ts'
import { openRequiredColumns, saysRequired } from '../model/required-columns.ts'
import { answerListed, publicly } from './answers.ts'

export const collections = {
  async readCollections(ctx, input) {
    return answerListed(ctx, 'platform_collections', await readAll(ctx), input)
  },

  async readCollection(ctx, { path }) {
    const names = splitNames(path.collection).map(shownCollection)
    const entries = (await readAll(ctx)).filter(({ collection = '' }) => names.includes(collection))
    if (names.length > 1) return json(publicly(ctx, { data: entries }))
    const [only] = entries
    if (only === undefined) throw new TandemError({ kind: 'collection-not-found', collection: path.collection })
    return json(publicly(ctx, { data: only }))
  },

  async createCollection(ctx, { body }) {
    assertAltering(ctx, body.collection)
    if (isUnmanaged(ctx, body.collection)) return manage(ctx, body.collection, collectionRow(body))
    const { schema } = await changeSchema(ctx, async (inner) => {
      const draft = parseCollection(inner.schema, body)
      await createCollections(inner, [draft])
      if (saysRequired(listed(body.fields))) await openRequiredColumns(inner, draft.name)
      const relations = draft.fields.flatMap((field) => impliedRelation(draft.name, field) ?? [])
      if (relations.length > 0) await createRelations(await afterwards(inner), relations)
    })
    return json({ data: await written(ctx, schema, body.collection) })
  },

  async updateCollection(ctx, { path, body }) {
    assertAltering(ctx, path.collection)
    const row = collectionRow(body)
    const { managed } = withBooleans(body)
    const fields = listed(body.fields)
    if (body.collection !== undefined && body.collection !== path.collection)
      refuseModel('contradictory', 'collection', `Expected "${path.collection}" for "collection"`)
    if (managed === false && fields.length > 0)
      refuseModel('contradictory', 'fields', 'Expected no fields of a collection that is no longer managed')
    if (managed !== true) assertManaged(ctx, path.collection)
    if (managed === false) return unmanage(ctx, path.collection)
    return manage(ctx, path.collection, row, fields)
  },

  async deleteCollection(ctx, { path }) {
    assertAltering(ctx, path.collection)
    await changeSchema(ctx, (inner) => deleteCollections(inner, splitNames(path.collection)))
    return empty()
  },
} satisfies Handlers<LegacyCollectionsOperations>

async function readAll(ctx: ReadContext) {
  const windows = {
    collections: await openMetadata(ctx, 'platform_collections'),
    fields: await openMetadata(ctx, 'platform_fields'),
  }
  return knownCollections(ctx, windows.collections).map((each) => serializeWithFields(ctx, each, windows))
}

const isUnmanaged = ({ schema }: Pick<Context, 'schema'>, name: string): boolean =>
  schema.collections.get(name)?.managed === false

function assertManaged(ctx: Pick<Context, 'schema'>, name: string): void {
  if (isUnmanaged(ctx, name)) refuseModel('unmanaged', 'managed', `Collection "${name}" is not being managed`)
}

/** Takes over a table, or changes its settings and fields. */
async function manage(
  ctx: Context,
  name: string,
  row: ReturnType<typeof collectionRow>,
  fields: Parameters<typeof writeFields>[2] = [],
) {
  const { schema } = await changeSchema(ctx, async (inner) => {
    await updateCollection(inner, name, row)
    if (fields.length > 0) await writeFields(await afterwards(inner), name, fields)
  })
  return json({ data: await written(ctx, schema, name) })
}

/** Deletes the settings of a table. */
async function unmanage(ctx: Context, name: string) {
  const { schema } = await changeSchema(ctx, (inner) => updateCollections(inner, [{ name, meta: null }]))
  return json({ data: await written(ctx, schema, name) })
}

async function written(ctx: ReadContext, { collections: all }: Schema, name: string) {
  const collection = all.get(name)
  if (collection === undefined) throw new Error('The written entry no longer exists')
  return serializeCollection(collection, await openMetadata(ctx, 'platform_collections'))
}
