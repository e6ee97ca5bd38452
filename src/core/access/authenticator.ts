/** Finds the actor for credentials. A cached actor needs no statement. */
import { LRUCache } from 'lru-cache'
import type { LoadedAccess } from '../../authz/access.ts'
import { isWellFormedText } from '../../domain/conditions/literals.ts'
import type { Clock, Context, Database, Log } from '../../domain/ports/context.ts'
import type { SecuritySettings } from '../../domain/ports/settings.ts'
import type { Access, Actor, Credentials } from '../../domain/rights/actor.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import {
  findSessionOwner,
  findTokenOwners,
  replacePlainToken,
  type TokenOwner,
} from '../../sql/statements/accounts/sessions.ts'
import { createTokenReader, isApiKey } from '../../tokens/bearer-tokens.ts'
import { equalTokens, hashToken, isTokenHash } from '../../tokens/opaque.ts'
import { type AuthenticatedKey, authenticateKey } from './api-keys.ts'
import { loadAccess, loadUserActor } from './load-access.ts'
import { findVisitor, type ShareLookUp } from './share-actor.ts'

export type AuthenticatorOptions = {
  readonly db: Database
  readonly rows: Context['rows']
  readonly schema: () => Schema
  readonly clock: Clock
  readonly project: string
  readonly security: Pick<SecuritySettings, 'secret'>
  /** Receives a warning about invalid permission rows, once per set of rights. */
  readonly log?: Log
}

export type Authenticator = {
  /** Parses a bearer token and verifies its signature and times. Throws `invalid-token`, `token-expired`. */
  readonly read: (token: string) => Credentials
  /** Finds the actor. Throws `unknown-token`, `user-suspended`, `user-inactive`, `invalid-ip`. */
  readonly authenticate: (credentials: Credentials, ip: string | null) => Promise<Actor>
  /** Clears the cache. */
  readonly forget: () => void
}

/** Limits of the cache: number of actors, and lifetime in case a notification of a change is lost. */
const cacheLimits = { actors: 10_000, milliseconds: 60_000 } as const

type CachedActor = { readonly actor: Actor; readonly until: number; readonly schema: Schema }
type LoadedActor = { readonly actor: Actor; readonly expires: number; readonly ignored: LoadedAccess['ignored'] }

/** Creates the authenticator of a project. Cache entries end with the session and with any change of rights or schema. */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { db, rows, schema, clock, project, security, log } = options
  const cache = new LRUCache<string, CachedActor>({ max: cacheLimits.actors })
  const shared = createSharedAccess(log)
  let generation = 0

  async function find({ load, key }: ActorLookUp): Promise<Actor> {
    const begun = { generation, schema: schema(), now: clock() }
    const loadedActor = await load(begun)
    const actor = shared.share(loadedActor, begun.schema)
    const until = Math.min(loadedActor.expires, begun.now.getTime() + cacheLimits.milliseconds)
    if (begun.generation === generation) cache.set(key, { actor, until, schema: begun.schema })
    return actor
  }

  function recall(actorLookUp: ActorLookUp): Promise<Actor> | Actor {
    const entry = cache.get(actorLookUp.key)
    if (entry !== undefined && entry.until > clock().getTime() && entry.schema === schema()) return entry.actor
    return find(actorLookUp)
  }

  return {
    read: createTokenReader({ secret: security.secret, project }, clock),
    async authenticate(credentials, ip) {
      if (credentials.kind === 'static' && isApiKey(credentials.token)) {
        // Looked up each time, so that a deleted key counts nowhere from the next request on.
        const apiKey = await authenticateKey({ db, now: clock(), secret: security.secret, log }, credentials.token)
        if (apiKey !== null)
          return recall({
            load: (begun) => loadKeyActor({ ...begun, db, ip }, apiKey),
            key: `${keyOfKey(apiKey)} ${ip}`,
          })
      }
      const load = (begun: AuthenticationStart) =>
        lookUp({ ...begun, db, rows, ip, secret: security.secret }, credentials)
      return recall({ load, key: keyOf(credentials, ip) })
    },
    forget() {
      generation += 1
      cache.clear()
      shared.clear()
    },
  }
}

/** Equal rights in one schema share one object, so that values derived from them are computed once. */
function createSharedAccess(log: AuthenticatorOptions['log']) {
  const shared = new LRUCache<string, Access>({ max: cacheLimits.actors })
  let sharedSchema: Schema | null = null
  return {
    clear: (): void => shared.clear(),
    share({ actor, ignored }: LoadedActor, schema: Schema): Actor {
      if (actor.kind === 'system') return actor
      if (schema !== sharedSchema) shared.clear()
      sharedSchema = schema
      const same = shared.get(actor.access.fingerprint)
      if (same !== undefined) return { ...actor, access: same }
      if (ignored.length > 0) log?.warn({ permissions: ignored }, 'Some permissions grant less than they say')
      shared.set(actor.access.fingerprint, actor.access)
      return actor
    },
  }
}

function keyOf(credentials: Credentials, ip: string | null): string {
  switch (credentials.kind) {
    case 'none':
      return `none ${ip}`
    case 'session':
      return `session ${credentials.session} ${ip}`
    case 'static':
      return `static ${credentials.token} ${ip}`
    default:
      return credentials satisfies never
  }
}

type AuthenticationStart = { readonly schema: Schema; readonly now: Date }

/** `key`: of the cache. */
type ActorLookUp = { readonly load: (begun: AuthenticationStart) => Promise<LoadedActor>; readonly key: string }

/** Everything that the actor of a key depends on beside rights. */
const keyOfKey = ({ owner, key, policies }: AuthenticatedKey): string =>
  `key ${JSON.stringify([key, policies, owner.id, owner.role, owner.status, owner.has_tfa])}`

async function loadKeyActor(
  at: Pick<LookUp, 'db' | 'schema' | 'ip'>,
  { owner, key, policies }: AuthenticatedKey,
): Promise<LoadedActor> {
  const { actor, loaded } = await loadUserActor(at, owner, { session: null, policies })
  return { actor: { ...actor, key }, expires: Number.POSITIVE_INFINITY, ignored: loaded.ignored }
}

type LookUp = ShareLookUp & { readonly secret: string }

async function lookUp(at: LookUp, credentials: Credentials): Promise<LoadedActor> {
  if (credentials.kind === 'none') {
    const { access, ignored } = await loadAccess(at.db, at.schema, { kind: 'public' }, at.ip)
    return { actor: { kind: 'public', access }, expires: Number.POSITIVE_INFINITY, ignored }
  }
  const owner = await (credentials.kind === 'session'
    ? findSessionOwner(at.db, credentials.session, at.now)
    : ownerOfToken(at, credentials.token))
  if (owner === undefined) return lookUpVisitor(at, credentials)
  const session = credentials.kind === 'session' ? credentials.session : null
  const { actor, loaded } = await loadUserActor(at, owner, { session })
  const expires = owner.expires === null ? Number.POSITIVE_INFINITY : Date.parse(owner.expires)
  return { actor, expires, ignored: loaded.ignored }
}

/** A session without a user belongs to a share. */
async function lookUpVisitor(at: LookUp, credentials: Credentials): Promise<LoadedActor> {
  const visitor = credentials.kind === 'session' ? await findVisitor(at, credentials.session) : null
  if (visitor === null) throw new TandemError({ kind: 'unknown-token' })
  return { ...visitor, ignored: [] }
}

/** A plain token that an operator wrote into the column is replaced by its hash at its first use. */
async function ownerOfToken({ db, secret }: LookUp, token: string): Promise<TokenOwner | undefined> {
  const hash = hashToken(token, secret)
  const mayBePlain = !isTokenHash(token) && isWellFormedText(token)
  const owners = await findTokenOwners(db, { hash, token: mayBePlain ? token : null })
  const owner = owners.find(({ plain }) => plain === null || equalTokens(plain, token, secret))
  if (owner?.plain != null) await replacePlainToken(db, owner.id, owner.plain, hash)
  return owner
}
