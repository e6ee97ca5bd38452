/** The messages of `/websocket` in this generation. Items go through the handlers of the requests that do the same. */

import { hasKey, toKeys } from '../../core/rows/keys.ts'
import { readItems } from '../../core/rows/read-items.ts'
import { isRecord } from '../../domain/is-record.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Seen } from '../../domain/ports/feed.ts'
import type { Message, Messages, SocketTokens } from '../../domain/ports/messages.ts'
import { and } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { type Reply, textOfJson } from '../../http/reply/reply.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { auth } from '../handlers/auth.ts'
import { items } from '../handlers/items.ts'
import { realName } from '../views/system-names.ts'
import { openCollection, openSystemCollection } from '../wire/collections.ts'
import { sessionCookie } from '../wire/credentials.ts'
import { toErrorBody } from '../wire/errors.ts'
import type { QueryInput } from '../wire/level.ts'
import { parseQuery } from '../wire/query.ts'

const methods = { create: 'POST', read: 'GET', update: 'PATCH', delete: 'DELETE' } as const
type Action = keyof typeof methods

export const messages: Messages<HttpRequest> = {
  readSubscription(ctx, message) {
    const name = readCollection(message)
    const system = realName(name)
    const isSystem = ctx.schema.collections.get(system)?.system === true
    const { collection, visible } = isSystem
      ? openSystemCollection(ctx, system, 'read')
      : openCollection(ctx, name, 'read')
    const wanted = parseQuery(readQuery(message), collection.name, visible)
    const { item } = message
    const query =
      item === undefined || item === null
        ? wanted
        : { ...wanted, filter: and(wanted.filter, hasKey(collection, toKeys(collection, [readKey(item, 'item')]))) }
    return { query, kind: readKind(message), readPresent: async (now) => (await readItems(now, query)).pieces.join('') }
  },

  methodOf: (message) => methods[readAction(message)],

  async answerItems(ctx, message, request) {
    const requested = { path: { collection: readCollection(message) }, query: readQuery(message) as never, request }
    const keys = readKeys(message)
    switch (readAction(message)) {
      case 'read':
        return 'id' in message && message['id'] != null
          ? membersOf(await items.readItem(ctx, { ...requested, path: { ...requested.path, id: idOf(message) } }))
          : membersOf(await items.readItems(ctx, { ...requested, ...(keys === null ? {} : { keys }) }))
      case 'create':
        return membersOf(await items.createItems(ctx, { ...requested, body: readData(message) }))
      case 'update':
        return membersOf(await update(ctx, message, requested))
      case 'delete': {
        const target = keys ?? { query: readQuery(message) }
        await items.deleteItems(ctx, { ...requested, body: target })
        return `"data":${JSON.stringify(keys ?? [])}`
      }
    }
  },

  async readTokens(ctx, message, request): Promise<SocketTokens> {
    const { access_token: access, refresh_token: refresh, email, password, otp } = message
    if (typeof access === 'string' && access !== '') return { access, refresh: null }
    if (typeof refresh === 'string')
      return tokensOf(
        await auth.refreshSession(ctx, { body: { refresh_token: refresh, mode: 'json' }, request } as never),
      )
    if (typeof email !== 'string' || typeof password !== 'string')
      throw invalidPayload(null, 'Expected "access_token", "refresh_token", or "email" and "password"')
    const code = typeof otp === 'string' ? { otp } : {}
    return tokensOf(await auth.login(ctx, { body: { email, password, ...code, mode: 'json' }, request } as never))
  },

  carriedToken({ query, cookies }) {
    const { access_token: token } = query
    return typeof token === 'string' && token !== '' ? token : (cookies[sessionCookie] ?? null)
  },

  hasTokenInAddress: ({ query: { access_token: token } }) => token !== undefined && token !== '',

  toError(error) {
    const { body } = toErrorBody(error instanceof TandemError ? error : null)
    return (body as { readonly error: { readonly code: string; readonly message: string } }).error
  },
}

type ItemsRequest = {
  readonly path: { readonly collection: string }
  readonly query: never
  readonly request: HttpRequest
}

/** One item by its key, several by their keys or by a query, or a list of items with their keys. */
function update(ctx: Context, message: Message, request: ItemsRequest) {
  const data = readData(message)
  if (message['id'] != null)
    return items.updateItem(ctx, { ...request, path: { ...request.path, id: idOf(message) }, body: data })
  const collection = ctx.schema.collections.get(request.path.collection)
  if (Array.isArray(data) || collection?.singleton === true) return items.updateItems(ctx, { ...request, body: data })
  const { ids } = message
  const target = ids === undefined ? { query: readQuery(message) } : { keys: readKeys(message) }
  return items.updateItems(ctx, { ...request, body: { ...target, data } })
}

/** The members of the answer's body, without its braces; of an answer without a body the data are null. */
function membersOf({ body }: Reply): string {
  if (body === null || body.kind !== 'json-text') return '"data":null'
  return textOfJson(body).slice(1, -1)
}

function tokensOf({ body }: Reply): SocketTokens {
  const { data } = (body?.kind === 'json' ? body.value : {}) as {
    readonly data: { readonly access_token: string; readonly refresh_token: string }
  }
  return { access: data.access_token, refresh: data.refresh_token }
}

function readCollection({ collection }: Message): string {
  if (typeof collection === 'string' && collection !== '') return collection
  throw invalidPayload('collection', 'Expected the name of a collection for "collection"')
}

function readAction({ action }: Message): Action {
  if (typeof action === 'string' && Object.hasOwn(methods, action)) return action as Action
  throw invalidPayload('action', 'Expected one of create, read, update, delete for "action"')
}

const kinds: ReadonlySet<unknown> = new Set<Seen['kind']>(['create', 'update', 'delete'])

function readKind({ event }: Message): Seen['kind'] | null {
  if (event === undefined || event === null) return null
  if (kinds.has(event)) return event as Seen['kind']
  throw invalidPayload('event', 'Expected one of create, update, delete for "event"')
}

function readQuery({ query = {} }: Message): QueryInput {
  if (isRecord(query)) return query
  throw invalidPayload('query', 'Expected an object for "query"')
}

function readData({ data }: Message): unknown {
  if (typeof data === 'object' && data !== null) return data
  throw invalidPayload('data', 'Expected an object or a list of objects for "data"')
}

function readKey(key: unknown, name: string): Key {
  if (typeof key === 'string' || typeof key === 'number') return key
  throw invalidPayload(name, `Expected a key for "${name}"`)
}

const idOf = ({ id }: Message): string => String(readKey(id, 'id'))

function readKeys({ id, ids }: Message): readonly Key[] | null {
  if (id !== undefined && id !== null) return [readKey(id, 'id')]
  if (ids === undefined || ids === null) return null
  if (!Array.isArray(ids)) throw invalidPayload('ids', 'Expected a list of keys for "ids"')
  return ids.map((key) => readKey(key, 'ids'))
}
