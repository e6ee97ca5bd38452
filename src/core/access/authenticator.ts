/** Finds the actor for credentials. A cached actor needs no statement. */
import { LRUCache } from 'lru-cache'
import type { LoadedAccess } from '../../authz/access.ts'
import { isWellFormedText } from '../../domain/conditions/literals.ts'
import type { Clock, Database, Log, SecuritySettings } from '../../domain/ports/context.ts'
import type { Access, Actor, Credentials } from '../../domain/rights/actor.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { findSessionOwner, findTokenOwners, replacePlainToken, type TokenOwner } from '../../sql/statements/sessions.ts'
import { createTokenReader } from '../../tokens/jwt.ts'
import { equalTokens, hashToken, isTokenHash } from '../../tokens/opaque.ts'
import { loadAccess, loadUserActor } from './load-access.ts'
import { findVisitor } from './share-actor.ts'

export type AuthenticatorOptions = {
  readonly db: Database
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
  const { db, schema, clock, project, security, log } = options
  const known = new LRUCache<string, CachedActor>({ max: cacheLimits.actors })
  const shared = new LRUCache<string, Access>({ max: cacheLimits.actors })
  let sharedSchema = schema()
  let generation = 0

  async function find(credentials: Credentials, ip: string | null, key: string): Promise<Actor> {
    const begun = { generation, schema: schema(), now: clock() }
    const loadedActor = await lookUp(
      { db, schema: begun.schema, ip, now: begun.now, secret: security.secret },
      credentials,
    )
    const actor = share(loadedActor, begun.schema)
    const until = Math.min(loadedActor.expires, begun.now.getTime() + cacheLimits.milliseconds)
    if (begun.generation === generation) known.set(key, { actor, until, schema: begun.schema })
    return actor
  }

  /** Equal rights in one schema share one object, so that values derived from them are computed once. */
  function share({ actor, ignored }: LoadedActor, of: Schema): Actor {
    if (actor.kind === 'system') return actor
    if (of !== sharedSchema) shared.clear()
    sharedSchema = of
    const same = shared.get(actor.access.fingerprint)
    if (same !== undefined) return { ...actor, access: same }
    if (ignored.length > 0) log?.warn({ permissions: ignored }, 'Invalid permissions grant nothing')
    shared.set(actor.access.fingerprint, actor.access)
    return actor
  }

  return {
    read: createTokenReader({ secret: security.secret, project }, clock),
    async authenticate(credentials, ip) {
      const key = keyOf(credentials, ip)
      const entry = known.get(key)
      if (entry !== undefined && entry.until > clock().getTime() && entry.schema === schema()) return entry.actor
      return find(credentials, ip, key)
    },
    forget() {
      generation += 1
      known.clear()
      shared.clear()
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

type LookUp = {
  readonly db: Database
  readonly schema: Schema
  readonly ip: string | null
  readonly now: Date
  readonly secret: string
}

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
  const { actor, loaded } = await loadUserActor(at, owner, session)
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
