/** Entry point: a client of the current generation. */
import { type ClientOptions, createClient } from './client.ts'
import { createItems, createSingleton, type Items, type Singleton, type Upserts } from './current-items.ts'
import { isApiError as isAnswer, type TandemApiError } from './errors.ts'
import type { components } from './generated/current.ts'
import { createGraphql, type Graphql } from './graphql.ts'
import { type Added, type Resources, resourcesOf, type SchemaClient } from './resource.ts'
import { createSession, type Session } from './session.ts'
import type { TokenStorage, Tokens } from './token-storage.ts'
import { createTransaction, type Transaction } from './transaction.ts'
import type { CollectionName, ItemOf, SingletonName } from './types/schema.ts'

export { type AssetOptions, assetUrl, type Transform } from './asset-url.ts'
export type { Hooks, RequestOptions, SentRequest } from './client.ts'
export type { Contents, Progress } from './contents.ts'
export { TandemApiError } from './errors.ts'
export type { FileProperties, FileRecord, Files, UploadOptions } from './files.ts'
export * as operations from './generated/current.ts'
export * from './generated/current-records.ts'
export * from './generated/current-resources.ts'
export * as resources from './generated/current-resources.ts'
export type { GraphqlDocument, GraphqlOptions } from './graphql.ts'
export { batch, type EachOptions } from './paging.ts'
export type { ResumableOptions } from './resumable.ts'
export {
  type CookieStorageOptions,
  cookieStorage,
  memoryStorage,
  type WebStorageOptions,
  webStorage,
} from './storage.ts'
export type { TokenStorage, Tokens } from './token-storage.ts'
export type { Later, Step, StepItems, StepOptions, Steps, Transaction, TransactionOptions } from './transaction.ts'
export type { Filter } from './types/filter.ts'
export type { AnyOf, BigInteger, Csv, DateTime, Decimal, Float, Geometry, Json, Rules, Uuid } from './types/schema.ts'

/** Error codes of this generation. */
export type ErrorCode = components['schemas']['ErrorCode']

/** Whether the error is a response outside 2xx, and has `code` if given. */
export const isApiError = isAnswer as <Body = unknown>(
  error: unknown,
  code?: ErrorCode,
) => error is TandemApiError<Body, ErrorCode>

export type CurrentOptions = Omit<ClientOptions, 'generation' | 'credentials' | 'path' | 'cookies'> & {
  /** A static token; without one the client logs in and keeps a session. */
  readonly token?: string
  /** `cookie` keeps the refresh token in the browser. */
  readonly mode?: 'json' | 'cookie'
  /** Storage of the session's tokens; memory by default. */
  readonly storage?: TokenStorage
  /** The project; the default one if omitted. */
  readonly project?: string
}

export type Login = { readonly email: string; readonly password: string; readonly otp?: string }

export type CurrentClient<Schema> = SchemaClient<Schema> & {
  /** The client with the methods of these resources: `client.with({ users })` has `client.users`. */
  readonly with: <Self, const Named extends Resources>(this: Self, resources: Named) => Self & Added<Named, Schema>
  readonly items: <Name extends CollectionName<Schema>>(
    collection: Name,
  ) => Items<Schema, ItemOf<Schema, Name>> & Upserts<Schema, ItemOf<Schema, Name>>
  readonly singleton: <Name extends SingletonName<Schema>>(collection: Name) => Singleton<Schema, ItemOf<Schema, Name>>
  /** Writes that are done together or not at all. */
  readonly transaction: Transaction<Schema>
  readonly graphql: Graphql
  readonly login: (login: Login) => Promise<void>
  readonly refresh: () => Promise<void>
  readonly logout: () => Promise<void>
}

type Issued = {
  readonly data: { readonly access_token: string; readonly expires: number; readonly refresh_token?: string }
}

/** Creates a client; `Schema` describes the collections of the connected database. */
export function createCurrentClient<Schema>(options: CurrentOptions): CurrentClient<Schema> {
  const { token, mode = 'json', storage, project, now = Date.now, ...rest } = options
  const sent: ClientOptions = {
    ...rest,
    now,
    generation: 'current',
    ...(mode === 'cookie' && { cookies: 'include' }),
    ...(project !== undefined && { headers: { ...rest.headers, 'x-platform-project': project } }),
  }
  const open = createClient(sent)
  const ask = (path: string, body: object): Promise<Issued> => open.request({ method: 'POST', path }, { body })
  const refreshBody = (tokens: Tokens | null) => ({ mode, ...(tokens?.refresh && { refresh_token: tokens.refresh }) })
  const session = createSession({
    now,
    ...(storage && { storage }),
    renew: async (tokens) => toTokens(await ask('/auth/refresh', refreshBody(tokens)), now),
  })
  const client = createClient({ ...sent, credentials: token === undefined ? credentialsOf(session) : fixed(token) })
  return {
    ...client,
    with(resources) {
      return { ...this, ...resourcesOf(client, resources) } as never
    },
    graphql: createGraphql(client),
    transaction: createTransaction(client),
    items: (collection) => createItems(client, collection),
    singleton: (collection) => createSingleton(client, collection),
    login: async (login) => session.write(toTokens(await ask('/auth/login', { ...login, mode }), now)),
    refresh: async () => void (await session.renew()),
    logout: async () => {
      const tokens = await session.read()
      await session.write(null)
      await open.request({ method: 'POST', path: '/auth/logout' }, { body: refreshBody(tokens) })
    },
  }
}

const toTokens = ({ data }: Issued, now: () => number): Tokens => ({
  access: data.access_token,
  refresh: data.refresh_token ?? null,
  expires: now() + data.expires,
})

const credentialsOf = (session: Session) => ({
  token: session.token,
  renew: async () => (await session.renew()).access,
})

const fixed = (token: string) => ({ token: async () => token, renew: async () => null })
