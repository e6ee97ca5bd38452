/** Entry point: a client of the legacy generation. */
import { type LegacyTransform, legacyAssetUrl } from './asset-url.ts'
import { type ClientOptions, createClient } from './client.ts'
import { isApiError as isAnswer, type TandemApiError } from './errors.ts'
import { createLegacyItems, type LegacyItems } from './legacy-items.ts'
import { type Added, type Resources, resourcesOf, type SchemaClient } from './resource.ts'
import { createSession } from './session.ts'
import type { TokenStorage, Tokens } from './token-storage.ts'
import type { CollectionName, ItemOf } from './types/schema.ts'

export { type LegacyTransform, legacyAssetUrl } from './asset-url.ts'
export type { Hooks, RequestOptions, SentRequest } from './client.ts'
export { TandemApiError } from './errors.ts'
export * as operations from './generated/legacy.ts'
export * from './generated/legacy-records.ts'
export * from './generated/legacy-resources.ts'
export * as resources from './generated/legacy-resources.ts'
export { batch, type EachOptions } from './paging.ts'
export {
  type CookieStorageOptions,
  cookieStorage,
  memoryStorage,
  type WebStorageOptions,
  webStorage,
} from './storage.ts'
export type { TokenStorage, Tokens } from './token-storage.ts'
export type { LegacyFilter } from './types/legacy-filter.ts'
export type { BigInteger, Csv, DateTime, Decimal, Float, Geometry, Json, Rules, Uuid } from './types/schema.ts'
export { type Answer, type VersionEight, versionEight } from './version-eight.ts'

/** Whether the error is a response outside 2xx, and has `code` if given. */
export const isApiError = isAnswer as <Body = unknown>(
  error: unknown,
  code?: number,
) => error is TandemApiError<Body, number>

export type LegacyOptions = Omit<ClientOptions, 'generation' | 'credentials' | 'path' | 'cookies'> & {
  /** A static token; without one the client logs in and keeps a session. */
  readonly token?: string
  /** Storage of the session's token; memory by default. */
  readonly storage?: TokenStorage
  /** Key of the project; `_` by default. */
  readonly project?: string
}

export type Login = { readonly email: string; readonly password: string; readonly otp?: string }

export type LegacyClient<Schema> = SchemaClient<Schema> & {
  /** The client with the methods of these resources: `client.with({ users })` has `client.users`. */
  readonly with: <Self, const Named extends Resources>(this: Self, resources: Named) => Self & Added<Named, Schema>
  readonly items: <Name extends CollectionName<Schema>>(collection: Name) => LegacyItems<Schema, ItemOf<Schema, Name>>
  /** The URL of a file's contents, or of a thumbnail. */
  readonly assetUrl: (hash: string, transform?: LegacyTransform) => string
  readonly login: (login: Login) => Promise<void>
  readonly refresh: () => Promise<void>
  /** Forgets the token. */
  readonly logout: () => Promise<void>
}

type Issued = { readonly data: { readonly token: string } }

/** Creates a client; `Schema` describes the collections of the connected database. */
export function createLegacyClient<Schema>(options: LegacyOptions): LegacyClient<Schema> {
  const { token, storage, project = '_', now = Date.now, ...rest } = options
  const sent: ClientOptions = { ...rest, now, generation: 'legacy', path: { project } }
  const open = createClient(sent)
  const ask = (action: string, body: object): Promise<Issued> =>
    open.request({ method: 'POST', path: `/{project}/auth/${action}` }, { body })
  const session = createSession({
    now,
    ...(storage && { storage }),
    renew: async (tokens) => toTokens(await ask('refresh', { token: tokens?.access })),
  })
  const credentials =
    token === undefined
      ? { token: session.token, renew: async () => (await session.renew()).access }
      : { token: async () => token, renew: async () => null }
  const client = createClient({ ...sent, credentials })
  return {
    ...client,
    with(resources) {
      return { ...this, ...resourcesOf(client, resources) } as never
    },
    assetUrl: (hash, transform) => legacyAssetUrl(options.url, project, hash, transform),
    items: (collection) => createLegacyItems(client, collection),
    login: async (login) => session.write(toTokens(await ask('authenticate', login))),
    refresh: async () => void (await session.renew()),
    logout: () => session.write(null),
  }
}

/** The token contains its expiry: its second part is JSON with `exp` in seconds. */
function toTokens({ data: { token } }: Issued): Tokens {
  const [, payload = ''] = token.split('.')
  const { exp } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { readonly exp?: number }
  return { access: token, refresh: null, expires: exp === undefined ? null : exp * 1000 }
}
