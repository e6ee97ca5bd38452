/** Asks core and puts the answer into the envelope. */
import { readBack, readItems, writeItems } from '../core/items.ts'
import type { Context } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import { isWellFormedText } from '../domain/literals.ts'
import type { Key, Mutation } from '../domain/mutation.ts'
import type { Selection } from '../domain/query.ts'
import { empty, json, jsonText } from '../http/reply.ts'
import type { HttpRequest } from '../http/request.ts'
import { withFileLinks } from './file-links.ts'
import { keyOf } from './place.ts'
import { filterByKeys, type Read } from './query.ts'
import { type Rows, serializeRead } from './serialize.ts'
import { readStatusCounts } from './status-counts.ts'

/** The body of a read. */
export async function answerRead(ctx: Context, read: Read, request: HttpRequest): Promise<readonly string[]> {
  return envelope(ctx, read, await readItems(ctx, read.query), request)
}

/** The body of a read whose rows are there already. */
export function answerRows(ctx: Context, found: { readonly read: Read; readonly rows: Rows }, request: HttpRequest) {
  return envelope(ctx, found.read, found.rows, request)
}

/** Writes, and answers with the rows as the actor may read them; without a body when it may read none. */
export async function answerWrite(ctx: Context, mutation: Mutation, read: Read, request: HttpRequest) {
  await assertLive(ctx, mutation, read)
  return answerWork(ctx, { read, request }, (inner) => writeItems(inner, mutation))
}

/** What the answer to a write shows, and the request that it answers. */
type Answering = { readonly read: Read; readonly request: HttpRequest }

/** The same for other work that writes rows of the collection; it gets their keys from it. */
export async function answerWork(
  ctx: Context,
  { read, request }: Answering,
  work: (inner: Context) => Promise<readonly Key[]>,
) {
  const keys = await work(withHistory(ctx, request))
  if (keys.length === 0) return jsonText(await envelope(ctx, read, noRows, request))
  const rows = await readBack(ctx, keys, read.query)
  return rows === null || rows.rowCount === 0 ? nothing(ctx) : jsonText(await envelope(ctx, read, rows, request))
}

/** Deletes; there is nothing to show. */
export async function answerDeleted(ctx: Context, mutation: Mutation, request: HttpRequest) {
  await writeItems(withHistory(ctx, request), mutation)
  return nothing(ctx)
}

const noRows: Rows = { pieces: ['[]'], rowCount: 0, counts: {} }

/** No body; a caller without a token is told so even then. */
const nothing = (ctx: Context) => (ctx.actor.kind === 'public' ? json({ public: true as const }) : empty())

async function envelope(ctx: Context, read: Read, found: Rows, request: HttpRequest): Promise<readonly string[]> {
  const rows = await withFileLinks(ctx, found, { collection: read.query.collection, origin: request.origin })
  const wantsStatuses = read.meta.has('status_count') && !read.single
  return serializeRead(read, rows, {
    isPublic: ctx.actor.kind === 'public',
    request,
    statusCounts: wantsStatuses ? await readStatusCounts(ctx, read.query.collection) : null,
  })
}

/** `activity_skip=1` leaves no trace; `comment` is kept with it. */
export function withHistory(ctx: Context, { query }: HttpRequest): Context {
  const { activity_skip: skip, comment } = query
  if (skip === undefined && comment === undefined) return ctx
  if (typeof comment === 'string' && !isWellFormedText(comment)) {
    const reason = 'Expected a text without NUL characters and lone surrogates for "comment"'
    throw new TandemError({ kind: 'invalid-query', name: 'comment', reason })
  }
  const history = { skip: skip === '1', comment: typeof comment === 'string' && comment !== '' ? comment : null }
  return { ...ctx, request: { ...ctx.request, history } }
}

/** Soft-deleted rows are as if they did not exist, unless `status` asks for them. */
async function assertLive(ctx: Context, mutation: Mutation, { query }: Read): Promise<void> {
  const keys = keysOf(mutation)
  const { collection, archive } = query
  if (keys.length === 0 || archive.kind === 'all' || ctx.schema.collections.get(collection)?.archive === null) return
  const { view, field } = keyOf(ctx, collection)
  const filter = filterByKeys(keys.map(String), collection, ctx)
  const selection: Selection = [{ kind: 'field', key: view.name, field: field.name }]
  const live = await readItems({ ...ctx, actor: { kind: 'system' } }, { ...query, selection, filter })
  if (live.rowCount < new Set(keys.map(String)).size) throw new TandemError({ kind: 'item-not-found', collection })
}

function keysOf(mutation: Mutation): readonly Key[] {
  if (mutation.kind === 'update-each') return mutation.items.map(({ key }) => key)
  return mutation.kind === 'update' && mutation.target.kind === 'keys' ? mutation.target.keys : []
}
