/** `/fields`: columns and aliases. */
import { updateFields } from '../../core/model/change-fields.ts'
import { createFields, deleteFields } from '../../core/model/fields.ts'
import { isReadable, openMetadata, readableFields } from '../../core/model/readable-model.ts'
import { type Changed, changeSchema } from '../../core/model/schema-change.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import type { CurrentFieldsOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { empty, json } from '../../http/reply/reply.ts'
import { parseField, parseFieldChange } from '../model/model-input.ts'
import { firstOf, isShown, serializeField } from '../model/model-output.ts'

export const fields = {
  async readFields(ctx) {
    const all = [...ctx.schema.collections.values()].filter((each) => isReadable(ctx, each))
    return json({ data: await readAll(ctx, all) })
  },

  async readCollectionFields(ctx, { path }) {
    return json({ data: await readAll(ctx, [openCollection(ctx, path.collection)]) })
  },

  async readField(ctx, { path }) {
    const { collection, field } = path
    const entry = (await readAll(ctx, [openCollection(ctx, collection)])).find((each) => each.field === field)
    if (entry === undefined) throw new TandemError({ kind: 'field-not-found', collection, field })
    return json({ data: entry })
  },

  async createFields(ctx, { path, body }) {
    const drafts = (Array.isArray(body) ? body : [body]).map(parseField)
    const changed = await changeSchema(ctx, (inner) => createFields(inner, path.collection, drafts))
    const data = await written(ctx, changed, { ...path, names: drafts.map(({ name }) => name) })
    return json({ data: Array.isArray(body) ? data : firstOf(data) })
  },

  async updateFields(ctx, { path, body }) {
    const drafts = body.map(parseField)
    const changed = await changeSchema(ctx, (inner) => updateFields(inner, path.collection, drafts))
    return json({ data: await written(ctx, changed, { ...path, names: drafts.map(({ name }) => name) }) })
  },

  async updateField(ctx, { path, body }) {
    const draft = parseFieldChange(path.field, body)
    const changed = await changeSchema(ctx, (inner) => updateFields(inner, path.collection, [draft]))
    return json({ data: firstOf(await written(ctx, changed, { ...path, names: [path.field] })) })
  },

  async deleteFields(ctx, { path, body }) {
    await changeSchema(ctx, (inner) => deleteFields(inner, path.collection, body))
    return empty()
  },

  async deleteField(ctx, { path }) {
    await changeSchema(ctx, (inner) => deleteFields(inner, path.collection, [path.field]))
    return empty()
  },
} satisfies Handlers<CurrentFieldsOperations>

/** A collection in which the caller may read at least one field. */
function openCollection(ctx: Pick<Context, 'schema' | 'view' | 'actor'>, name: string): Collection {
  const collection = ctx.schema.collections.get(name)
  const isServed = collection?.system !== true || ctx.view.byCore.has(name)
  if (collection !== undefined && isServed && isReadable(ctx, collection)) return collection
  throw new TandemError({ kind: 'collection-not-found', collection: name })
}

async function readAll(ctx: ReadContext, collections: readonly Collection[]) {
  const window = await openMetadata(ctx, 'platform_fields')
  return collections.flatMap((collection) =>
    readableFields(ctx, collection)
      .filter((field) => isShown(ctx.view, collection, field) && window.shows(field.meta))
      .map((field) => withoutHidden(ctx, serializeField(ctx.schema, collection, field, window))),
  )
}

/** Leaves out the name of a table that a foreign key leads to if the caller may not read it. */
function withoutHidden(ctx: ReadContext, field: ReturnType<typeof serializeField>): typeof field {
  const target = ctx.schema.collections.get(field.schema?.foreign_key_table ?? '')
  if (field.schema == null || target === undefined || target.system || isReadable(ctx, target)) return field
  return { ...field, schema: { ...field.schema, foreign_key_table: null, foreign_key_column: null } }
}

type Names = { readonly collection: string; readonly names: readonly string[] }

async function written(ctx: ReadContext, { schema }: Changed<unknown>, { collection: name, names }: Names) {
  const window = await openMetadata(ctx, 'platform_fields')
  const collection = schema.collections.get(name)
  return names.flatMap((each) => {
    const field = collection?.fields.get(each)
    return collection === undefined || field === undefined ? [] : [serializeField(schema, collection, field, window)]
  })
}
