/** Asks core and puts the answer into the envelope. */

import { commentLevelOf, mayComment } from '../../authz/levels.ts'
import { type Expected, whileUnchanged, withTag } from '../../core/items/content-tags.ts'
import { writeItems } from '../../core/items/items.ts'
import { assertReadBack, readBack, readItems } from '../../core/rows/read-items.ts'

import { isWellFormedText } from '../../domain/conditions/literals.ts'
import type { Context, RenamedAction } from '../../domain/ports/context.ts'
import type { Key, Mutation } from '../../domain/query/mutation.ts'
import type { Selection } from '../../domain/query/query.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { expectedContents } from '../../http/reply/conditional.ts'
import { empty, jsonText } from '../../http/reply/reply.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { withFileLinks } from '../files/file-links.ts'
import { keyOf } from '../wire/place.ts'
import { filterByKeys, type Read } from '../wire/query.ts'
import { type Rows, serializeRead } from '../wire/serialize.ts'
import { readStatusCounts } from '../wire/status-counts.ts'

/** The body of a read. */
export async function answerRead(ctx: Context, read: Read, request: HttpRequest): Promise<readonly string[]> {
  return envelope(ctx, read, await readItems(ctx, read.query), request)
}

/** The answer to a read by keys. One item without `meta` has a content tag. */
export async function answerKeyed(ctx: Context, read: Read, request: HttpRequest) {
  const found = await readItems(ctx, read.single ? withTag(ctx, read.query) : read.query)
  const body = jsonText(await envelope(ctx, read, found, request))
  return { ...body, tag: found.tag === undefined ? undefined : { content: found.tag, isWhole: false } }
}

/** The body of a read whose rows are there already. */
export function answerRows(ctx: Context, found: { readonly read: Read; readonly rows: Rows }, request: HttpRequest) {
  return envelope(ctx, found.read, found.rows, request)
}

/** A write, what does it, and how it is answered. */
type Writing = Answering & {
  readonly mutation: Mutation
  readonly writer: (ctx: Context, mutation: Mutation) => Promise<readonly Key[]>
}

/** Writes, and answers with the rows as the actor may read them; without a body when it may read none. */
export async function answerWrite(ctx: Context, { mutation, read, request, writer }: Writing) {
  assertExplained(ctx, mutation, request)
  await assertLive(ctx, mutation, read)
  const expected = expectedBy(mutation, request)
  return answerWork(ctx, { read, request, renamed: renamedBy(ctx, mutation) }, (inner) =>
    whileUnchanged(inner, expected, (within) => writer(within, mutation)),
  )
}

/** A change to a status that counts as deleted is a deletion in the activity. */
function renamedBy({ schema }: Context, mutation: Mutation): RenamedAction | undefined {
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

/** What the `If-Match` of a request expects of the item that its path names. Several items have no common tag. */
export function expectedOf(collection: string, keys: readonly Key[], { headers }: HttpRequest): Expected | null {
  const tags = expectedContents(headers)
  if (tags === null) return null
  return { collection, key: keys[0] ?? null, tags: keys.length === 1 ? tags : [] }
}

/** What the answer to a write shows, and the request that it answers. */
type Answering = { readonly read: Read; readonly request: HttpRequest; readonly renamed?: RenamedAction | undefined }

/** The same for other work that writes rows of the collection; it gets their keys from it. */
export async function answerWork(
  ctx: Context,
  { read, request, renamed }: Answering,
  work: (inner: Context) => Promise<readonly Key[]>,
) {
  assertReadBack(ctx, read.query)
  const keys = await work(withHistory(ctx, request, renamed))
  if (keys.length === 0) return jsonText(await envelope(ctx, read, noRows, request))
  const rows = await readBack(ctx, keys, read.query)
  return rows === null || rows.rowCount === 0 ? answerNothing(ctx) : jsonText(await envelope(ctx, read, rows, request))
}

/** Deletes; there is nothing to show. */
export async function answerDeleted(ctx: Context, mutation: Mutation, request: HttpRequest) {
  assertExplained(ctx, mutation, request)
  await whileUnchanged(withHistory(ctx, request), expectedBy(mutation, request), (inner) => writeItems(inner, mutation))
  return answerNothing(ctx)
}

const noRows: Rows = { pieces: ['[]'], rowCount: 0, counts: {} }

/** The body, for a caller without a token with the mark of one. */
export const publicly = <T extends object>(ctx: Context, body: T): T & { readonly public?: true } =>
  ctx.actor.kind === 'public' ? { ...body, public: true } : body

/** No body; a caller without a token is told so even then. */
export const answerNothing = (ctx: Context) => (ctx.actor.kind === 'public' ? jsonText('{"public":true}') : empty())

async function envelope(ctx: Context, read: Read, found: Rows, request: HttpRequest): Promise<readonly string[]> {
  const rows = await withFileLinks(ctx, found, { collection: read.query.collection, request })
  const wantsStatuses = read.meta.has('status_count') && !read.single
  return serializeRead(read, rows, {
    isPublic: ctx.actor.kind === 'public',
    request,
    statusCounts: wantsStatuses ? await readStatusCounts(ctx, read.query.collection) : null,
  })
}

/** `activity_skip=1` leaves no trace; `comment` is kept with it; `renamed`: what the activity calls the write. */
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

/** Words of a role's levels that ask for a comment, by what is done. */
const explained = { create: ['create', 'always'], update: ['update', 'always'], delete: ['always'] } as const

/** Throws `forbidden` for a write without the comment that the caller's role owes. */
export function assertExplained(
  { actor }: Context,
  { kind, collection }: Pick<Mutation, 'kind' | 'collection'>,
  { query }: HttpRequest,
): void {
  const demands = actor.kind === 'system' ? [] : (actor.access.demands ?? [])
  const words: readonly string[] = explained[kind === 'create' || kind === 'delete' ? kind : 'update']
  const isDue = demands.some((each) => each.collection === collection && words.includes(each.explain ?? ''))
  const isGiven = typeof query['comment'] === 'string' && query['comment'].trim() !== ''
  if (isGiven && !isDue) return assertCommentAllowed(actor, collection)
  if (isGiven || !isDue) return
  const reason = `Activity comment required for collection: ${collection}`
  throw new TandemError({ kind: 'forbidden', reason })
}

/** Throws `forbidden` for a comment that the levels of the caller's role do not allow. */
function assertCommentAllowed(actor: Actor, collection: string): void {
  const level = commentLevelOf(actor, collection)
  if (level === null || mayComment(level)) return
  const denied = { action: 'create', collection: 'platform_comments' } as const
  throw new TandemError({ kind: 'forbidden', denied })
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
