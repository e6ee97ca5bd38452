/** `/items`: the rows of the connected database. */

import { readBack, readItem, readItems, readSingleton, writeItems } from '../../core/items.ts'
import { hasKey, toKeys } from '../../core/keys.ts'
import type { Context } from '../../domain/context.ts'
import { TandemError } from '../../domain/errors.ts'
import { and, matchNone } from '../../domain/filter.ts'
import type { Key, Mutation } from '../../domain/mutation.ts'
import type { Query } from '../../domain/query.ts'
import type { Collection } from '../../domain/schema.ts'
import type { CurrentItemsOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/handlers.ts'
import { empty, jsonText } from '../../http/reply.ts'
import { type Opened, openCollection } from '../collections.ts'
import { parseCreate, parseDelete, parseSingleton, parseUpdate, parseUpdateMany } from '../mutation.ts'
import { parseQuery, type QueryInput } from '../query.ts'
import { serializeFirst, serializeItem, serializeList } from '../serialize.ts'

export const items = {
  async readItems(ctx, { path, query, keys }) {
    const { collection, visible } = openCollection(ctx, path.collection, 'read')
    const asked = withKeys(parseQuery(query, collection.name, visible), collection, keys)
    if (collection.singleton) return jsonText(serializeItem(await readSingleton(ctx, asked)))
    return jsonText(serializeList(await readItems(ctx, asked)))
  },

  async readItem(ctx, { path, query, request }) {
    const { collection, visible } = openCollection(ctx, path.collection, 'read')
    assertPlural(collection, request.path)
    return jsonText(serializeItem(await readItem(ctx, parseQuery(query, collection.name, visible), path.id)))
  },

  async createItems(ctx, { path, query, body, request }) {
    const opened = openCollection(ctx, path.collection, 'create')
    assertPlural(opened.collection, request.path)
    if (Array.isArray(body) && body.length === 0) return jsonText('{"data":[]}', 200)
    const shape = Array.isArray(body) ? 'list' : 'one'
    return write(ctx, { opened, query, shape }, parseCreate(body, opened.collection, opened))
  },

  async updateItems(ctx, { path, query, body }) {
    const opened = openCollection(ctx, path.collection, 'update')
    const { collection } = opened
    if (collection.singleton)
      return write(ctx, { opened, query, shape: 'one' }, parseSingleton(body, collection, opened))
    return write(ctx, { opened, query, shape: 'list' }, parseUpdateMany(body, collection, opened))
  },

  async updateItem(ctx, { path, query, body, request }) {
    const opened = openCollection(ctx, path.collection, 'update')
    assertPlural(opened.collection, request.path)
    return write(ctx, { opened, query, shape: 'one' }, parseUpdate(body, path.id, opened.collection, opened))
  },

  async deleteItems(ctx, { path, body }) {
    const opened = openCollection(ctx, path.collection, 'delete')
    await writeItems(ctx, parseDelete(body, opened.collection, opened))
    return empty()
  },

  async deleteItem(ctx, { path, request }) {
    const { collection } = openCollection(ctx, path.collection, 'delete')
    assertPlural(collection, request.path)
    await writeItems(ctx, { kind: 'delete', collection: collection.name, target: { kind: 'keys', keys: [path.id] } })
    return empty()
  },
} satisfies Handlers<CurrentItemsOperations>

/** A singleton has neither keys nor a second item. */
function assertPlural({ singleton }: Collection, path: string): void {
  if (singleton) throw new TandemError({ kind: 'route-not-found', path })
}

function withKeys(query: Query, collection: Collection, keys: readonly Key[] | undefined): Query {
  if (keys === undefined) return query
  const among = keys.length === 0 ? matchNone : hasKey(collection, toKeys(collection, keys))
  return { ...query, filter: and(query.filter, among) }
}

type Answer = { readonly opened: Opened; readonly query: QueryInput; readonly shape: 'one' | 'list' }

/** Writes, and answers with what was written as far as the caller may read it; what to show is checked first. */
async function write(ctx: Context, { opened, query, shape }: Answer, mutation: Mutation) {
  const { collection, readable } = opened
  const asked = readable === null ? null : parseQuery(query, collection.name, readable)
  const keys = await writeItems(ctx, mutation)
  if (shape === 'list' && keys.length === 0) return jsonText('{"data":[]}')
  const result = asked === null ? null : await readBack(ctx, keys, asked)
  if (result === null) return empty()
  return jsonText(shape === 'one' ? serializeFirst(result) : serializeList(result))
}
