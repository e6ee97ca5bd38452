/** `/collections`: tables of the database, and folders of collections. */
import {
  type CollectionDraft,
  createCollections,
  deleteCollections,
  updateCollection,
} from '../../core/model/collections.ts'
import { isReadable, openMetadata } from '../../core/model/readable-model.ts'
import { type Changed, changeSchema, refusePart } from '../../core/model/schema-change.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import type { CurrentCollectionsOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { ignoredFields } from '../../http/reply/ignored-fields.ts'
import { empty, json, withHeaders } from '../../http/reply/reply.ts'
import { assertSameName, parseCollection } from '../model/model-input.ts'
import { firstOf, serializeCollection } from '../model/model-output.ts'

export const collections = {
  async readCollections(ctx, { keys }) {
    const names = keys === undefined ? null : new Set(keys.map(String))
    const all = await readAll(ctx)
    return json({ data: names === null ? all : all.filter(({ collection }) => names.has(collection)) })
  },

  async createCollections(ctx, { body }) {
    const drafts: readonly CollectionDraft[] = (Array.isArray(body) ? body : [body]).map(parseCollection)
    const changed = await changeSchema(ctx, (inner) => createCollections(inner, drafts))
    const data = await written(
      ctx,
      changed,
      drafts.map(({ name }) => name),
    )
    return json({ data: Array.isArray(body) ? data : firstOf(data) })
  },

  async updateCollections(ctx, { body }) {
    const names = body.map(({ collection }) => collection)
    const applied = body.filter((each) => !isPlaceOfSystem(ctx, each))
    const ignored = body.filter((each) => !applied.includes(each)).flatMap(placeOf)
    const changed = await changeSchema(ctx, async (inner) => {
      for (const { collection, meta } of applied) await updateCollection(inner, collection, metaOf(collection, meta))
    })
    return withHeaders(json({ data: await written(ctx, changed, names) }), ignoredFields(new Set(ignored)))
  },

  async deleteCollections(ctx, { body }) {
    await changeSchema(ctx, (inner) => deleteCollections(inner, body))
    return empty()
  },

  async readCollection(ctx, { path }) {
    const entry = (await readAll(ctx)).find(({ collection }) => collection === path.collection)
    if (entry === undefined) throw new TandemError({ kind: 'collection-not-found', collection: path.collection })
    return json({ data: entry })
  },

  async updateCollection(ctx, { path, body }) {
    assertSameName('collection', path.collection, body.collection)
    assertSameName('collection', path.collection, body.meta?.collection)
    assertSameName('collection', path.collection, body.schema?.name)
    const changed = await changeSchema(ctx, async (inner) => {
      await updateCollection(inner, path.collection, metaOf(path.collection, body.meta))
    })
    return json({ data: firstOf(await written(ctx, changed, [path.collection])) })
  },

  async deleteCollection(ctx, { path }) {
    await changeSchema(ctx, (inner) => deleteCollections(inner, [path.collection]))
    return empty()
  },
} satisfies Handlers<CurrentCollectionsOperations>

type CollectionChange = { readonly collection: string; readonly meta?: object | null }

/** Applications that sort collections number those of the system too, if they do not know them; these have no place. */
function isPlaceOfSystem({ schema, limits }: ReadContext, { collection, meta }: CollectionChange): boolean {
  const keys = Object.keys(meta ?? {})
  const isPlace = keys.length > 0 && keys.every((key) => key === 'sort' || key === 'group')
  return isPlace && limits.strict !== true && schema.collections.get(collection)?.system === true
}

const placeOf = ({ meta }: CollectionChange) => Object.keys(meta ?? {}).map((key) => `meta.${key}`)

/** Settings of a collection are changed one by one; a change cannot delete all of them. */
function metaOf<T extends object>(collection: string, meta: T | null | undefined): T | Record<string, never> {
  if (meta !== null) return meta ?? {}
  return refusePart('meta', `Expected an object for "meta" of "${collection}" but received null`)
}

async function readAll(ctx: ReadContext) {
  const window = await openMetadata(ctx, 'platform_collections')
  return [...ctx.schema.collections.values()]
    .filter((each) => isServed(ctx, each) && isReadable(ctx, each) && window.shows(each.meta))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .map((each) => serializeCollection(each, window))
}

/** Some system collections are not part of this generation. */
const isServed = ({ view }: Pick<Context, 'view'>, { system, name }: Collection): boolean =>
  !system || view.byCore.has(name)

async function written(ctx: ReadContext, { schema }: Changed<unknown>, names: readonly string[]) {
  const window = await openMetadata(ctx, 'platform_collections')
  return names.flatMap((name) => {
    const collection = schema.collections.get(name)
    return collection === undefined ? [] : [serializeCollection(collection, window)]
  })
}
