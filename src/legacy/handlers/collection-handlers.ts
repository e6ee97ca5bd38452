/**
 * Handlers for the operations that every collection has: read, create, update and delete, one or many, and revisions.
 * Items and system collections share them; only the way a request names its collection differs.
 */
import { writeItems } from '../../core/items/items.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Mutation } from '../../domain/query/mutation.ts'
import { jsonText } from '../../http/reply/reply.ts'
import { type HttpRequest, isForm } from '../../http/request/request.ts'
import {
  conflictFields,
  type OpenAction,
  type OpenedCollection,
  openCollection,
  openSystemCollection,
} from '../wire/collections.ts'
import { parseCreate, parseDelete, parseUpdate, parseUpdateEach } from '../wire/mutation.ts'
import { type Parameters, parseAnswer, parseKeyedQuery, parseQuery, splitKeys } from '../wire/query.ts'
import { withStoredKeys } from '../wire/stored-keys.ts'
import {
  answerDeleted,
  answerKeyed,
  answerRead,
  answerRows,
  answerUpsert,
  answerWrite,
  assertExplained,
  withHistory,
} from './answers.ts'
import { historyOf, readRevision, readRevisions, revertTo, subjectOf } from './revisions.ts'

type Input = { readonly request: HttpRequest }
type WithQuery = { readonly query: Parameters }
type WithBody = { readonly body: unknown }
type WithId = { readonly path: { readonly id: string } }
type WithOffset = { readonly path: { readonly offset: string } }
type WithRevision = { readonly path: { readonly revision: string } }

/**
 * `parse` converts a body to the collection's columns. `writer` writes the items and what belongs to them. `upserts`:
 * whether a create may name the fields by which an item is there.
 */
export type Family = {
  readonly parse?: (body: unknown, ctx: Context) => unknown
  readonly writer?: (ctx: Context, mutation: Mutation) => Promise<readonly Key[]>
  readonly upserts?: boolean
}

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
  ...readHandlers(open),
  ...writeHandlers(open, family),
  ...revisionHandlers(open),
})

/** For the body of the request. */
const forBody = (opened: OpenedCollection, request: HttpRequest): OpenedCollection => ({
  ...opened,
  writable: { ...opened.writable, isForm: isForm(request) },
})

function readHandlers<Path>(open: Open<Path>) {
  return {
    readMany: async (ctx: Context, { path, query, request }: InputAt<Path> & WithQuery) => {
      const { collection, visible } = open(ctx, path, 'read')
      return jsonText(await answerRead(ctx, parseQuery(query, collection.name, visible), request))
    },

    readOne: async (ctx: Context, { path, query, request }: InputAt<Path> & WithQuery & WithId) => {
      const { collection, visible } = open(ctx, path, 'read')
      return answerKeyed(ctx, parseKeyedQuery(query, collection.name, path.id, visible), request)
    },
  }
}

function writeHandlers<Path>(
  open: Open<Path>,
  { parse = (body) => body, writer = writeItems, upserts = false }: Family,
) {
  return {
    create: async (ctx: Context, { path, query, body, request }: InputAt<Path> & WithQuery & WithBody) => {
      const isUpsert = upserts && query['on_conflict'] !== undefined
      const opened = forBody(open(ctx, path, isUpsert ? 'upsert' : 'create'), request)
      const read = parseAnswer(query, opened.collection.name, !Array.isArray(body), opened.visible)
      const fields = isUpsert ? conflictFields(query['on_conflict'], opened) : null
      const mutation = await withStoredKeys(ctx, parseCreate(parse(body, ctx), opened))
      if (fields !== null && mutation.kind === 'create')
        return answerUpsert(ctx, { collection: opened.collection, items: mutation.items, fields }, { read, request })
      return answerWrite(ctx, { mutation, read, request, writer })
    },

    updateMany: async (ctx: Context, { path, query, body, request }: InputAt<Path> & WithQuery & WithBody) => {
      const opened = forBody(open(ctx, path, 'update'), request)
      const read = parseAnswer(query, opened.collection.name, false, opened.visible)
      const mutation = await withStoredKeys(ctx, parseUpdateEach(parse(body, ctx), opened))
      return answerWrite(ctx, { mutation, read, request, writer })
    },

    updateOne: async (ctx: Context, { path, query, body, request }: InputAt<Path> & WithQuery & WithBody & WithId) => {
      const opened = forBody(open(ctx, path, 'update'), request)
      const keys = splitKeys(path.id)
      const read = parseAnswer(query, opened.collection.name, keys.length === 1, opened.visible)
      const mutation = await withStoredKeys(ctx, parseUpdate(parse(body, ctx), keys, opened))
      return answerWrite(ctx, { mutation, read, request, writer })
    },

    deleteOne: async (ctx: Context, { path, request }: InputAt<Path> & WithId) => {
      const mutation = parseDelete(splitKeys(path.id), open(ctx, path, 'delete'))
      return answerDeleted(ctx, await withStoredKeys(ctx, mutation), request)
    },
  }
}

function revisionHandlers<Path>(open: Open<Path>) {
  return {
    readRevisions: async (ctx: Context, { path, query, request }: InputAt<Path> & WithQuery & WithId) => {
      const subject = await historyOf(ctx, open(ctx, path, 'read').collection.name, path.id)
      return jsonText(await answerRows(ctx, await readRevisions(ctx, { subject, parameters: query }), request))
    },

    readRevision: async (ctx: Context, { path, query, request }: InputAt<Path> & WithQuery & WithId & WithOffset) => {
      const subject = await historyOf(ctx, open(ctx, path, 'read').collection.name, path.id)
      const wanted = { subject, parameters: query, offset: path.offset }
      return jsonText(await answerRows(ctx, await readRevision(ctx, wanted), request))
    },

    revert: async (ctx: Context, { path, query, request }: InputAt<Path> & WithQuery & WithId & WithRevision) => {
      const { collection, visible } = open(ctx, path, 'read')
      const subject = await subjectOf(ctx, collection.name, path.id)
      // Includes items whose status counts as deleted before or after the revert.
      const read = parseKeyedQuery({ ...query, status: '*' }, collection.name, subject.shown, visible)
      assertExplained(ctx, { kind: 'update', collection: collection.name }, request)
      const renamed = { collection: collection.name, from: 'update', to: 'revert' } as const
      await revertTo(withHistory(ctx, request, renamed), subject, path.revision)
      return jsonText(await answerRead(ctx, read, request))
    },
  }
}
