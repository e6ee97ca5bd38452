/** Runs reads and writes, and wraps results in the envelope. */

import { commentLevelOf, explainedItems, mayComment, mustExplain, unexplained } from '../../authz/level-demands.ts'
import { type Received, settled } from '../../core/batch/received.ts'
import { type Expected, whileUnchanged } from '../../core/items/content-tags.ts'
import { writeItems } from '../../core/items/items.ts'
import { type Upsert, upsertItems } from '../../core/items/upsert-items.ts'
import { hasRelated } from '../../core/related/write-run.ts'
import { findKey, hasKey } from '../../core/rows/keys.ts'
import { assertReadBack, readBack, readItems, withTag } from '../../core/rows/read-items.ts'
import { writeThenRead } from '../../core/rows/transaction.ts'
import { isWellFormedText } from '../../domain/conditions/literals.ts'
import type { Context, ReadContext, RenamedAction } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import { type Mutation, namedItems } from '../../domain/query/mutation.ts'
import type { Selection } from '../../domain/query/query.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Once } from '../../http/app/handlers.ts'
import { empty, jsonText } from '../../http/reply/reply.ts'
import { expectedContents } from '../../http/reply/respond.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { withFileLinks } from '../files/file-links.ts'
import { type Listed, serializeListed } from '../wire/listed-rows.ts'
import type { Parameters, Read } from '../wire/query.ts'
import { type Rows, serializeRead } from '../wire/serialize.ts'
import { readStatusCounts } from '../wire/status-counts.ts'
import { withItemNumbers } from './recorded-items.ts'

export async function answerRead(
  ctx: ReadContext & Pick<Context, 'project'>,
  read: Read,
  request: HttpRequest,
): Promise<readonly string[]> {
  return answerRows(ctx, { read, rows: await readItems(ctx, read.query) }, request)
}

/** Answers a read by keys. A single item without `meta` gets a content tag. */
export async function answerKeyed(ctx: ReadContext & Pick<Context, 'project'>, read: Read, request: HttpRequest) {
  const rows = await readItems(ctx, read.single ? withTag(read.query) : read.query)
  const body = jsonText(await answerRows(ctx, { read, rows }, request))
  return { ...body, tag: rows.tag === undefined ? undefined : { content: rows.tag, isWhole: false } }
}

type WriteAnswer = AnswerOptions & {
  readonly mutation: Mutation
  readonly writer: (ctx: Context, mutation: Mutation) => Promise<readonly Key[]>
}

/** Runs a write and answers with the rows as the actor may read them; without a body if it may read none. */
export async function answerWrite(ctx: Context, { mutation, read, request, writer }: WriteAnswer) {
  assertExplained(ctx, mutation, request)
  await assertLive(ctx, mutation, read)
  const expected = expectedBy(mutation, request)
  const [renamed, isLong, items] = [renamedBy(ctx, mutation), hasRelated(mutation), namedItems(mutation)]
  return answerWork(ctx, { read, request, renamed, isLong, items }, (inner) =>
    whileUnchanged(inner, expected, (within) => writer(within, mutation)),
  )
}

/** As `answerWrite`, for items that are created, or updated if they exist. */
export async function answerUpsert(
  ctx: Context,
  { collection, items, fields }: Upsert,
  { read, request }: Pick<AnswerOptions, 'read' | 'request'>,
) {
  const { name } = collection
  for (const kind of ['create', 'update'] as const) assertExplained(ctx, { kind, collection: name }, request)
  const assertFound = (inner: ReadContext, keys: readonly Key[]): Promise<void> => assertLiveKeys(inner, keys, read)
  return answerWork(ctx, { read, request, items: items.length }, (inner) =>
    upsertItems(inner, { collection, items, fields, assertFound }),
  )
}

/** A change to a status that counts as deleted is a deletion in the activity. */
function renamedBy({ schema }: Pick<Context, 'schema'>, mutation: Mutation): RenamedAction | undefined {
  const { collection } = mutation
  const archive = schema.collections.get(collection)?.archive ?? null
  if (archive === null || mutation.kind !== 'update') return undefined
  const change = mutation.changes.get(archive.field)
  const isArchived = change?.kind === 'value' && archive.archived.some((each) => each === change.value)
  return isArchived ? { collection, from: 'update', to: 'soft-delete' } : undefined
}

const expectedBy = (mutation: Mutation, request: HttpRequest): Expected | null =>
  'target' in mutation && mutation.target.kind === 'keys'
    ? expectedOf(mutation.collection, mutation.target.keys, request)
    : null

/** The state that `If-Match` expects of the item in the path. Several items have no common tag. */
export function expectedOf(collection: string, keys: readonly Key[], { headers }: HttpRequest): Expected | null {
  const tags = expectedContents(headers)
  if (tags === null) return null
  return { collection, key: keys[0] ?? null, tags: keys.length === 1 ? tags : [] }
}

/** What the answer to a write returns, and its request. */
type AnswerOptions = {
  readonly read: Read
  readonly request: HttpRequest
  readonly renamed?: RenamedAction | undefined
  /** Whether the work is a transaction of several statements. */
  readonly isLong?: boolean
  /** Number of items that are written, as far as the request tells; by default 1. */
  readonly items?: number
}

/** As `answerWrite`, for work that writes rows of the collection itself and returns their keys. */
export async function answerWork(
  ctx: Context,
  { read, request, renamed, isLong = false, items = 1 }: AnswerOptions,
  work: (inner: Context) => Promise<readonly Key[]>,
) {
  assertReadBack(ctx, read.query, items)
  const { keys, rows } = await writeThenRead(ctx, {
    isLong,
    write: (inner) => work(withHistory(inner, request, renamed)),
    // Shows written rows whatever their status has become.
    read: async (reader, written) => ({
      keys: written,
      rows: await readBack(reader, written, { ...read.query, archive: { kind: 'all' } }),
    }),
  })
  if (keys.length === 0) return jsonText(await answerRows(ctx, { read, rows: noRows }, request))
  return rows === null || rows.rowCount === 0
    ? answerNothing(ctx)
    : jsonText(await answerRows(ctx, { read, rows }, request))
}

/** As `answerWork`, for contents that are received first. */
export async function answerReceived(
  ctx: Context,
  { once, ...answering }: AnswerOptions & { readonly once: Once },
  receive: () => Promise<Received>,
) {
  assertReadBack(ctx, answering.read.query, answering.items ?? 1)
  return settled(await receive(), (write) =>
    once(ctx, (inner) => answerWork(inner, { ...answering, isLong: true }, write)),
  )
}

/** Runs a delete; the answer has no data. */
export async function answerDeleted(ctx: Context, mutation: Mutation, request: HttpRequest) {
  assertExplained(ctx, mutation, request)
  await whileUnchanged(withHistory(ctx, request), expectedBy(mutation, request), (inner) => writeItems(inner, mutation))
  return answerNothing(ctx)
}

const noRows: Rows = { pieces: ['[]'], rowCount: 0, counts: {} }

/** Answers with rows that are made here, by the parameters of lists; without `limit` with all of them. */
export function answerListed(
  ctx: Pick<Context, 'actor' | 'limits' | 'schema' | 'view'>,
  collection: string,
  rows: Listed['rows'],
  { query, request }: { readonly query: Parameters; readonly request: HttpRequest },
) {
  const names = Object.keys(rows[0] ?? {})
  const around = { isPublic: ctx.actor.kind === 'public', view: ctx.view, request, statusCounts: null }
  const parameters = { limit: -1, ...query }
  return jsonText(serializeListed({ collection, names, rows }, { parameters, scope: ctx }, around))
}

/** Adds `public: true` for callers without a token. */
export const publicly = <T extends object>(ctx: Pick<Context, 'actor'>, body: T): T & { readonly public?: true } =>
  ctx.actor.kind === 'public' ? { ...body, public: true } : body

/** An empty body; `{"public": true}` for callers without a token. */
export const answerNothing = (ctx: Pick<Context, 'actor'>) =>
  ctx.actor.kind === 'public' ? jsonText('{"public":true}') : empty()

/** The body for rows that are already read. */
export async function answerRows(
  ctx: ReadContext & Pick<Context, 'project'>,
  { read, rows: stored }: { readonly read: Read; readonly rows: Rows },
  request: HttpRequest,
): Promise<readonly string[]> {
  const linked = await withFileLinks(ctx, stored, { collection: read.query.collection, request })
  const rows = await withItemNumbers(ctx, read.query, linked)
  const wantsStatuses = read.meta.has('status_count') && !read.single
  return serializeRead(read, rows, {
    isPublic: ctx.actor.kind === 'public',
    view: ctx.view,
    request,
    statusCounts: wantsStatuses ? await readStatusCounts(ctx, read.query.collection) : null,
  })
}

/** Applies `activity_skip=1` (no activity entry) and `comment` (saved with the entry). */
export function withHistory(ctx: Context, { query }: HttpRequest, renamed?: RenamedAction): Context {
  const { activity_skip: skip, comment } = query
  if (skip === undefined && comment === undefined && renamed === undefined) return ctx
  if (typeof comment === 'string' && !isWellFormedText(comment)) {
    const reason = 'Expected a text without NUL characters and lone surrogates for "comment"'
    throw new TandemError({ kind: 'invalid-query', name: 'comment', reason })
  }
  const history = { skip: skip === '1', comment: typeof comment === 'string' && comment !== '' ? comment : null }
  const named = renamed === undefined ? {} : { renamed }
  return { ...ctx, request: { ...ctx.request, history: { ...history, ...named } } }
}

/** Throws `forbidden` for a write without a comment that the role requires, and for a comment that it does not allow. */
export function assertExplained(
  { actor, schema }: Pick<Context, 'actor' | 'schema'>,
  { kind, collection: name }: Pick<Mutation, 'kind' | 'collection'>,
  { query }: HttpRequest,
): void {
  const action = kind === 'create' || kind === 'delete' ? kind : 'update'
  const collection = schema.collections.get(name)
  const isDue = mustExplain(actor, action, name)
  const canBeDue = collection !== undefined && explainedItems(actor, action, collection) !== null
  const isGiven = typeof query['comment'] === 'string' && query['comment'].trim() !== ''
  if (isGiven && !isDue && !canBeDue) return assertCommentAllowed(actor, name)
  if (isGiven || !isDue) return
  throw unexplained(name)
}

/** Throws `forbidden` for a comment that the levels of the caller's role do not allow. */
function assertCommentAllowed(actor: Actor, collection: string): void {
  const level = commentLevelOf(actor, collection)
  if (level === null || mayComment(level)) return
  const denied = { action: 'create', collection: 'platform_comments' } as const
  throw new TandemError({ kind: 'forbidden', denied })
}

/** Treats soft-deleted rows as missing, unless `status` includes them. */
const assertLive = (ctx: ReadContext, mutation: Mutation, read: Read): Promise<void> =>
  assertLiveKeys(ctx, keysOf(mutation), read)

async function assertLiveKeys(ctx: ReadContext, keys: readonly Key[], { query }: Read): Promise<void> {
  const { collection, archive } = query
  const target = ctx.schema.collections.get(collection)
  if (keys.length === 0 || archive.kind === 'all' || target === undefined || target.archive === null) return
  const isMissing = keys.some((key) => findKey(target, key) === null)
  if (isMissing) throw new TandemError({ kind: 'item-not-found', collection })
  const filter = hasKey(target, keys)
  const selection: Selection = [{ kind: 'field', key: target.primaryKey, field: target.primaryKey }]
  const live = await readItems({ ...ctx, actor: { kind: 'system' } }, { ...query, selection, filter })
  if (live.rowCount < new Set(keys.map(String)).size) throw new TandemError({ kind: 'item-not-found', collection })
}

function keysOf(mutation: Mutation): readonly Key[] {
  if (mutation.kind === 'update-each') return mutation.items.map(({ key }) => key)
  return mutation.kind === 'update' && mutation.target.kind === 'keys' ? mutation.target.keys : []
}
