/**
 * Handlers for the operations that every collection has: read, create, update and delete, one or many. Items and
 * system collections share them; only the way a request names its collection differs.
 */

import { readVersionedItem } from '../../core/history/versions.ts'
import { type Expected, whileUnchanged } from '../../core/items/content-tags.ts'
import { singletonKey, writeItems } from '../../core/items/items.ts'
import { upsertItems } from '../../core/items/upsert-items.ts'
import { hasRelated } from '../../core/related/write-run.ts'
import { hasKey, toKeys } from '../../core/rows/keys.ts'
import { readItems, readTaggedItem, type TaggedItem } from '../../core/rows/read-items.ts'
import type { Context } from '../../domain/ports/context.ts'
import { and, matchNone } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Query } from '../../domain/query/query.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { empty, jsonText } from '../../http/reply/reply.ts'
import { expectedContents } from '../../http/reply/respond.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import {
  conflictFields,
  conflictNames,
  ignoringUnknown,
  type OpenAction,
  type OpenedCollection,
  openCollection,
  openSystemCollection,
} from '../wire/collections.ts'
import { exportReply, readFormat } from '../wire/export.ts'
import type { QueryInput } from '../wire/level.ts'
import { parseCreate, parseDelete, parseSingleton, parseUpdate, parseUpdateMany } from '../wire/mutation.ts'
import { parseOneItem, parseQuery, readVersion } from '../wire/query.ts'
import { serializeItem } from '../wire/serialize.ts'
import { answerSingleton, readManyOfOne } from './singletons.ts'
import { answerRows, answerWritten, type Family, write } from './written-answers.ts'

type Input = { readonly request: HttpRequest }
type WithQuery = { readonly query: QueryInput }
type WithBody = { readonly body: unknown }
type WithKeys = { readonly keys?: readonly Key[] | undefined }
type WithId = { readonly path: { readonly id: string } }

export const systemHandlers = (name: string, family: Family = {}) =>
  collectionHandlers((ctx, _path: object, action) => openSystemCollection(ctx, name, action), family)

export const itemHandlers = () =>
  collectionHandlers(
    (ctx, path: { readonly collection: string }, action) => openCollection(ctx, path.collection, action),
    { upserts: true },
  )

/** Opens the collection that the path of a request names. */
type Open<Path> = (ctx: Context, path: Path, action: OpenAction) => OpenedCollection

type InputAt<Path> = { readonly path: Path } & Input

const collectionHandlers = <Path>(open: Open<Path>, family: Family = {}) => ({
  ...readHandlers(open, family),
  ...createHandlers(open, family),
  ...changeHandlers(open, family),
})

function readHandlers<Path>(open: Open<Path>, { shown }: Family) {
  return {
    readMany: async (ctx: Context, { path, query, keys }: InputAt<Path> & WithQuery & WithKeys) => {
      const opened = open(ctx, path, 'read')
      const format = readFormat(query['export'])
      if (opened.collection.singleton) return readManyOfOne(ctx, query, opened, format)
      const wanted = withKeys(parseQuery(query, opened.collection.name, opened.visible), opened.collection, keys)
      if (format !== null) return exportReply(ctx, wanted, format)
      return answerRows(ctx, await readItems(ctx, wanted), wanted, shown)
    },

    /** As above, without export formats. */
    readList: async (ctx: Context, { path, query, keys }: InputAt<Path> & WithQuery & WithKeys) => {
      const { collection, visible } = open(ctx, path, 'read')
      const requested = withKeys(parseQuery(query, collection.name, visible), collection, keys)
      return answerRows(ctx, await readItems(ctx, requested), requested, shown)
    },

    readSingleton: async (ctx: Context, { path, query }: InputAt<Path> & WithQuery) =>
      answerSingleton(ctx, query, open(ctx, path, 'read')),

    readOne: async (ctx: Context, { path, query, request }: InputAt<Path> & WithQuery & WithId) => {
      const { collection, visible } = open(ctx, path, 'read')
      assertPlural(collection, request.path)
      const parsed = parseOneItem(query, collection.name, visible)
      const { json, tag } = await readOf(ctx, query, parsed, path.id)
      return { ...jsonText(serializeItem(json)), tag }
    },
  }
}

function createHandlers<Path>(open: Open<Path>, { writer = writeItems, shown, upserts = false }: Family) {
  return {
    create: async (ctx: Context, { path, query, body, request }: InputAt<Path> & WithQuery & WithBody) => {
      const fields = upserts ? conflictNames(query) : null
      const opened = ignoringUnknown(ctx, open(ctx, path, fields === null ? 'create' : 'upsert'))
      assertPlural(opened.collection, request.path)
      if (Array.isArray(body) && body.length === 0) return jsonText('{"data":[]}', 200)
      const shape = Array.isArray(body) ? 'list' : 'one'
      const mutation = parseCreate(body, opened)
      if (fields === null) return write(ctx, { opened, query, shape, writer, shown }, mutation)
      const upsert = { collection: opened.collection, items: mutation.items, fields: conflictFields(fields, opened) }
      const { length: items } = mutation.items
      return answerWritten(ctx, { opened, query, shape, items }, () => upsertItems(ctx, upsert))
    },
  }
}

function changeHandlers<Path>(open: Open<Path>, { shown }: Family) {
  return {
    updateMany: async (ctx: Context, { path, query, body, request }: InputAt<Path> & WithQuery & WithBody) => {
      const opened = ignoringUnknown(ctx, open(ctx, path, 'update'))
      const { collection } = opened
      if (collection.singleton) return writeSingleton(ctx, { opened, query, body, request })
      return write(ctx, { opened, query, shape: 'list', shown }, parseUpdateMany(body, opened))
    },

    updateOne: async (ctx: Context, { path, query, body, request }: InputAt<Path> & WithQuery & WithBody & WithId) => {
      const opened = ignoringUnknown(ctx, open(ctx, path, 'update'))
      assertPlural(opened.collection, request.path)
      const mutation = parseUpdate(body, path.id, opened)
      const expected = expectedOf(opened.collection, path.id, request)
      return answerWritten(ctx, { opened, query, shape: 'one', isLong: hasRelated(mutation) }, (outer) =>
        whileUnchanged(outer, expected, (inner) => writeItems(inner, mutation)),
      )
    },

    deleteMany: async (ctx: Context, { path, body }: InputAt<Path> & WithBody) => {
      const opened = open(ctx, path, 'delete')
      await writeItems(ctx, parseDelete(body, opened))
      return empty()
    },

    deleteOne: async (ctx: Context, { path, request }: InputAt<Path> & WithId) => {
      const { collection } = open(ctx, path, 'delete')
      assertPlural(collection, request.path)
      const target = { kind: 'keys', keys: [path.id] } as const
      await whileUnchanged(ctx, expectedOf(collection, path.id, request), (inner) =>
        writeItems(inner, { kind: 'delete', collection: collection.name, target }),
      )
      return empty()
    },
  }
}

async function writeSingleton(
  ctx: Context,
  { opened, query, body, request }: WithQuery & WithBody & Input & { readonly opened: OpenedCollection },
) {
  const { collection } = opened
  const mutation = parseSingleton(body, opened)
  const isConditional = expectedContents(request.headers) !== null
  const expected = isConditional ? expectedOf(collection, await singletonKey(ctx, collection.name), request) : null
  return answerWritten(ctx, { opened, query, shape: 'one', isLong: hasRelated(mutation) }, (outer) =>
    whileUnchanged(outer, expected, (inner) => writeItems(inner, mutation)),
  )
}

/** The state that `If-Match` expects of the item in the path. */
export function expectedOf({ name }: Collection, key: Key | null, { headers }: HttpRequest): Expected | null {
  const tags = expectedContents(headers)
  return tags === null ? null : { collection: name, key, tags }
}

/** Refuses keys for a singleton: it has one item. */
function assertPlural({ singleton }: Collection, path: string): void {
  if (singleton) throw new TandemError({ kind: 'route-not-found', path })
}

async function readOf(ctx: Context, input: QueryInput, query: Query, key: Key): Promise<TaggedItem> {
  const version = readVersion(input, query.collection, ctx)
  if (version === null) return readTaggedItem(ctx, query, key)
  return { json: await readVersionedItem(ctx, query, key, version) }
}

function withKeys(query: Query, collection: Collection, keys: readonly Key[] | undefined): Query {
  if (keys === undefined) return query
  const among = keys.length === 0 ? matchNone : hasKey(collection, toKeys(collection, keys))
  return { ...query, filter: and(query.filter, among) }
}
