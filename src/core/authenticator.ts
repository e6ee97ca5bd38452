/** From credentials to an actor. A request by somebody known costs no statement. */
import { type LoadedAccess, loadAccess } from '../authz/access.ts'
import { untilSecondFactor } from '../authz/second-factor.ts'
import type { Access, Actor, Credentials } from '../domain/actor.ts'
import type { Clock, Database, Log, SecuritySettings } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import type { Schema } from '../domain/schema.ts'
import { createTokenReader } from '../tokens/jwt.ts'
import { hashToken } from '../tokens/opaque.ts'
import { findVisitor } from './share-actor.ts'

export type AuthenticatorOptions = {
  readonly db: Database
  readonly schema: () => Schema
  readonly clock: Clock
  readonly project: string
  readonly security: Pick<SecuritySettings, 'secret'>
  /** Told of stored permissions that cannot be used, once per set of rights. */
  readonly log?: Log
}

export type Authenticator = {
  /** What kind of token it is, and whether its signature and times hold. Throws `invalid-token`, `token-expired`. */
  readonly read: (token: string) => Credentials
  /** Throws `unknown-token`, `user-suspended`, `user-inactive`, `invalid-ip`. */
  readonly authenticate: (credentials: Credentials, ip: string | null) => Promise<Actor>
  /** Whoever asks next is looked up again. */
  readonly forget: () => void
}

/** Actors kept at most, and how long without asking again, should an announcement ever get lost. */
const kept = { actors: 10_000, milliseconds: 60_000 } as const

type Known = { readonly actor: Actor; readonly until: number; readonly schema: Schema }
type Found = { readonly actor: Actor; readonly expires: number; readonly ignored: LoadedAccess['ignored'] }

/** One per project. Nobody is remembered past the end of the session, a change of rights or of the schema. */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { db, schema, clock, project, security, log } = options
  const known = new Map<string, Known>()
  const shared = new Map<string, Access>()
  let sharedSchema = schema()
  let generation = 0

  async function find(credentials: Credentials, ip: string | null, key: string): Promise<Actor> {
    const begun = { generation, schema: schema(), now: clock() }
    const found = await lookUp({ db, schema: begun.schema, ip, now: begun.now, secret: security.secret }, credentials)
    const actor = share(found, begun.schema)
    const until = Math.min(found.expires, begun.now.getTime() + kept.milliseconds)
    if (begun.generation === generation) remember(known, key, { actor, until, schema: begun.schema }, kept.actors)
    return actor
  }

  /** Equal rights in one schema are one object, so that what is worked out from them is worked out once. */
  function share({ actor, ignored }: Found, of: Schema): Actor {
    if (actor.kind === 'system') return actor
    if (of !== sharedSchema) shared.clear()
    sharedSchema = of
    const same = shared.get(actor.access.fingerprint)
    if (same !== undefined) return { ...actor, access: same }
    if (ignored.length > 0) log?.warn({ permissions: ignored }, 'Permissions that cannot be used grant nothing')
    remember(shared, actor.access.fingerprint, actor.access, kept.actors)
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

function remember<V>(map: Map<string, V>, key: string, value: V, most: number): void {
  if (map.size >= most && !map.has(key)) map.delete(map.keys().next().value as string)
  map.set(key, value)
}

type LookUp = {
  readonly db: Database
  readonly schema: Schema
  readonly ip: string | null
  readonly now: Date
  readonly secret: string
}

async function lookUp(at: LookUp, credentials: Credentials): Promise<Found> {
  if (credentials.kind === 'none') {
    const { access, ignored } = await loadAccess(at.db, at.schema, { kind: 'public' }, at.ip)
    return { actor: { kind: 'public', access }, expires: Number.POSITIVE_INFINITY, ignored }
  }
  const owner = await (credentials.kind === 'session'
    ? ownerOfSession(at, credentials.session)
    : ownerOfToken(at, credentials.token))
  if (owner === undefined) return lookUpVisitor(at, credentials)
  if (owner.status !== 'active') {
    throw new TandemError({ kind: owner.status === 'suspended' ? 'user-suspended' : 'user-inactive' })
  }
  const who = { kind: 'user', user: owner.id, role: owner.role } as const
  const { access: full, enforcesTfa, roles, ignored } = await loadAccess(at.db, at.schema, who, at.ip)
  const access = enforcesTfa && !owner.has_tfa ? untilSecondFactor(full, at.schema) : full
  const session = credentials.kind === 'session' ? credentials.session : null
  const expires = owner.expires === null ? Number.POSITIVE_INFINITY : Date.parse(owner.expires)
  return { actor: { ...who, roles, access, session }, expires, ignored }
}

/** Whoever is no user has come by a share. */
async function lookUpVisitor(at: LookUp, credentials: Credentials): Promise<Found> {
  const visitor = credentials.kind === 'session' ? await findVisitor(at, credentials.session) : null
  if (visitor === null) throw new TandemError({ kind: 'unknown-token' })
  return { ...visitor, ignored: [] }
}

type Owner = {
  readonly id: string
  readonly role: string | null
  readonly status: string
  readonly has_tfa: boolean
  readonly expires: string | null
}

async function ownerOfSession({ db, now }: LookUp, session: string): Promise<Owner | undefined> {
  const { rows } = await db.run({ text: bySession, values: [session, now.toISOString()], name: 'owner-by-session' })
  return rows[0] as Owner | undefined
}

async function ownerOfToken({ db, secret }: LookUp, token: string): Promise<Owner | undefined> {
  const { rows } = await db.run({ text: byToken, values: [hashToken(token, secret)], name: 'owner-by-token' })
  return rows[0] as Owner | undefined
}

const bySession = `select u.id, u.role, u.status, u.tfa_secret is not null as has_tfa, s.expires from platform_sessions s
  join platform_users u on u.id = s."user" where s.id = $1 and s.expires > $2`

const byToken = `select id, role, status, tfa_secret is not null as has_tfa, null as expires from platform_users where token = $1`
