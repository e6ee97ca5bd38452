/**
 * A mock of Tandem for tests. It answers from rows in memory, with the parsers, the rights and the writes of the
 * server itself.
 */
import { http, ws } from 'msw'
import { type Authenticator, createAuthenticator } from '../../src/core/access/authenticator.ts'
import { createSubscriptions } from '../../src/core/feed/subscriptions.ts'
import { createView } from '../../src/current/views/schema-view.ts'
import { coreView } from '../../src/domain/schema/core-view.ts'
import type { HttpRequest } from '../../src/http/request/request.ts'
import { hashPassword } from '../../src/tokens/password.ts'
import type { GivenRows, Mock, MockMail, MockOptions, Snapshot, SocketClient } from './api.ts'
import systemRows from './generated/system-rows.json' with { type: 'json' }
import { mailInto, securityOf } from './http/context.ts'
import { current } from './http/current.ts'
import { createFeed } from './http/feed.ts'
import { legacy } from './http/legacy.ts'
import { createServer } from './http/serve.ts'
import { openSocket, type SocketPath, socketPaths } from './http/socket.ts'
import { createStorage } from './http/storage.ts'
import { everybody, type KnownUser, peopleRows } from './people.ts'
import { createDatabase } from './rows/database.ts'
import type { Env } from './rows/env.ts'
import { generateRows } from './rows/generate.ts'
import { putRows } from './rows/seed-rows.ts'
import { show } from './rows/shown.ts'
import { createTables } from './rows/tables.ts'
import { createScenarios } from './scenarios.ts'
import { metadataOf, schemaOf } from './schema/snapshot.ts'
import { seedFiles } from './seed-files.ts'
import { createStrict } from './strict.ts'
import { createStore } from './tasks/store.ts'

export type {
  GivenRows,
  Mock,
  MockMail,
  MockOptions,
  MockPermission,
  MockRequestError,
  MockUser,
  ScenarioName,
  ScenarioOptions,
  SeedCounts,
  SeedFiles,
  Snapshot,
  SocketClient,
} from './api.ts'

const uuid = (): string => crypto.randomUUID()

export function createMock(options: MockOptions): Mock {
  const { rows = {}, now = () => new Date(), url = 'http://localhost:8055' } = options
  const snapshot = 'data' in options.schema ? options.schema.data : options.schema
  const schema = schemaOf(snapshot)
  const tables = createTables()
  const env: Env = { schema, view: coreView(schema), actor: { kind: 'system' }, clock: now, tables, uuid }
  const users = options.users?.map((user): KnownUser => ({ ...user, id: user.id ?? uuid() })) ?? null
  const security = securityOf(options.pages ?? [])
  const { db, rows: stored } = createDatabase(env)
  const authenticator = createAuthenticator({
    db,
    rows: stored,
    schema: () => schema,
    clock: now,
    project: '_',
    security,
  })
  putRows(env, startingRows(env, snapshot, rows))
  putRows(env, peopleRows({ users, visitors: options.visitors ?? [], secret: security.secret, uuid }))
  putRows(env, rows)
  if (options.seed !== undefined) putRows(env, generateRows(env, options.seed, options.count ?? 10))
  let restore = tables.save()
  const prepared = prepare(users ?? [], async (passwords) => {
    const store = createStore(env)
    for (const [user, password] of passwords) store.change('platform_users', { id: user }, { password })
    restore = tables.save()
    tables.take()
  })
  const feed = createFeed(schema, now)
  const mails: MockMail[] = []
  const contents = createStorage(options.contents ?? {}, now)
  const strict = options.strict === true ? createStrict(schema) : null
  const currentWatched = strict?.watch(current) ?? current
  const server = createServer({
    generations: [currentWatched, strict?.watch(legacy) ?? legacy],
    subscriptions: createSubscriptions(feed, { perCaller: Infinity }),
    db,
    rows: stored,
    schema,
    now,
    uuid,
    mail: mailInto(mails),
    storage: contents.storage,
    security,
    url,
    authenticator: users === null ? ofEverybody(authenticator) : authenticator,
  })
  const base = new URL(url).pathname.replace(/\/$/, '')
  const inTurn = createTurns(() => feed.record(tables.take()))
  tables.take()
  const scenarios = createScenarios()
  const reset = (): void => {
    restore()
    authenticator.forget()
    mails.length = 0
    contents.reset()
    scenarios.set(null)
  }
  const answer = async (request: Request): Promise<Response> => {
    const routed = server.route(request, base)
    const fate = await scenarios.meet(routed.operation?.route.operationId ?? null)
    if (fate !== null) return fate
    await prepared
    const response = await inTurn(routed.answer)
    return strict === null ? response : strict.check(request, routed.operation, response)
  }
  const address = url.replace(/\/$/, '')
  const contextOf = (request: HttpRequest) => server.contextOf(currentWatched, request)
  const open = (client: SocketClient, path: SocketPath): void =>
    openSocket(client, path, { contextOf, inTurn, uuid, isOpen: users === null })
  const sockets = socketPaths.map((path) =>
    ws.link(address.replace(/^http/, 'ws') + path).addEventListener('connection', async ({ client }) => {
      await prepared
      open(client, path)
    }),
  )
  return {
    handlers: [http.all(`${address}/*`, ({ request }) => answer(request)), ...sockets],
    fetch: answer,
    connect(client) {
      const path = socketPaths.find((each) => base + each === client.url.pathname)
      if (path === undefined) return false
      open(client, path)
      return true
    },
    scenario: scenarios.set,
    async seed(files) {
      await prepared
      const counts = await inTurn(() => seedFiles(server.ownContext(), files))
      restore = tables.save()
      return counts
    },
    reset,
    mails: () => [...mails],
    state: () => stateOf({ ...env, view: createView(schema) }),
  }
}

/** One request after another, so that each sees the rows of those before it. `onDone`: after each. */
function createTurns(onDone: () => void): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work, work).finally(onDone)
    last = done.catch(() => undefined)
    return done
  }
}

/** The rows that a server starts with and those of the data model, for collections without given rows. */
function startingRows({ schema }: Env, snapshot: Snapshot, givenRows: GivenRows): GivenRows {
  const { collections, fields, relations } = metadataOf(snapshot)
  const withColumns = (name: string, rows: GivenRows[string]) =>
    rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).filter(([column]) => schema.collections.get(name)?.fields.get(column)?.column),
      ),
    )
  const all: GivenRows = {
    ...(systemRows as GivenRows),
    platform_collections: withColumns('platform_collections', collections),
    platform_fields: withColumns('platform_fields', fields),
    platform_relations: withColumns('platform_relations', relations),
  }
  return Object.fromEntries(Object.entries(all).filter(([collection]) => !(collection in givenRows)))
}

/** Without given users every request is the only user's, whatever its token is. */
const ofEverybody = (authenticator: Authenticator): Authenticator => ({
  ...authenticator,
  read: (token) => ({ kind: 'static', token }),
  authenticate: (_credentials, ip) =>
    authenticator.authenticate({ kind: 'static', token: everybody.token as string }, ip),
})

/** Hashes the given passwords, which takes time, and hands them over by the ids of their users. */
async function prepare(
  users: readonly KnownUser[],
  put: (passwords: ReadonlyMap<string, string>) => Promise<void>,
): Promise<void> {
  const hashes = new Map<string, string>()
  for (const { id, password } of users) {
    if (password !== undefined) hashes.set(id.toLowerCase(), await hashPassword(password, securityOf([]).hash))
  }
  if (hashes.size > 0) await put(hashes)
}

function stateOf(env: Env): ReturnType<Mock['state']> {
  const collections = [...env.schema.collections.values()].filter(({ system, table }) => !system && table !== null)
  return Object.fromEntries(
    collections.map((collection) => [
      collection.name,
      env.tables
        .all(collection.name)
        .map((row) =>
          Object.fromEntries(
            [...collection.fields.values()].flatMap((field) =>
              field.column === null
                ? []
                : [[field.name, show(env, collection.name, field, row[field.column.name] ?? null)]],
            ),
          ),
        ),
    ]),
  )
}

/**
 * The data model of a running server, for `schema`, with the fields in the order of their columns. The token must be an
 * administrator's.
 */
export async function fetchSnapshot(url: string, token: string): Promise<Snapshot> {
  const read = async (path: string): Promise<unknown> => {
    const answer = await fetch(`${url.replace(/\/$/, '')}${path}`, { headers: { authorization: `Bearer ${token}` } })
    if (!answer.ok) throw new Error(`The server answered ${answer.status} to the request for ${path}`)
    return ((await answer.json()) as { readonly data: unknown }).data
  }
  const snapshot = (await read('/schema/snapshot')) as Snapshot
  const inOrder = (await read('/fields')) as Snapshot['fields']
  const places = new Map(inOrder.map(({ collection, field }, at) => [`${collection}.${field}`, at]))
  const placeOf = ({ collection, field }: Snapshot['fields'][number]): number =>
    places.get(`${collection}.${field}`) ?? 0
  return { ...snapshot, fields: snapshot.fields.toSorted((left, right) => placeOf(left) - placeOf(right)) }
}
