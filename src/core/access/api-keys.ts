/** API keys of users: programs send them instead of a login. Only their keyed hashes are stored. */
import { isUnlimited } from '../../authz/grants.ts'
import { isUuid } from '../../domain/conditions/literals.ts'
import type { Context, Database, Log, ReadContext } from '../../domain/ports/context.ts'
import type { ApiKey } from '../../domain/rights/actor.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { repeatedTransaction } from '../../sql/errors/conflicts.ts'
import {
  deleteKey,
  findKeyOwner,
  findKeys,
  findKeyUser,
  insertKey,
  lockKey,
  noteKeyUse,
  type StoredKey,
  storeKey,
} from '../../sql/statements/accounts/keys.ts'
import type { TokenOwner } from '../../sql/statements/accounts/sessions.ts'
import { apiKeyPrefix, createApiKey } from '../../tokens/bearer-tokens.ts'
import { hashToken } from '../../tokens/opaque.ts'
import { holdingsOf } from './load-access.ts'

/** The key of a request, its user, and the policies that it is limited to; null = all rights of the user. */
export type AuthenticatedKey = {
  readonly key: ApiKey
  readonly owner: TokenOwner
  readonly policies: readonly string[] | null
}

type KeyScope = { readonly db: Database; readonly now: Date; readonly secret: string; readonly log?: Log | undefined }

/** The last use is stored at most once in this many milliseconds. */
const useInterval = 60_000

/** Finds a key and notes its use; null for an unknown key. Throws `token-expired`. */
export async function authenticateKey(
  { db, now, secret, log }: KeyScope,
  token: string,
): Promise<AuthenticatedKey | null> {
  const keyOwner = await findKeyOwner(db, hashToken(token, secret))
  if (keyOwner === undefined) return null
  const { key: id, name, policies, max_requests: requests, max_cost: cost, last_used: used, ...owner } = keyOwner
  const expires = owner.expires === null ? null : Date.parse(owner.expires)
  if (expires !== null && expires <= now.getTime()) throw new TandemError({ kind: 'token-expired' })
  const before = new Date(now.getTime() - useInterval)
  if (used === null || Date.parse(used) < before.getTime()) {
    await noteKeyUse(db, id, { now, before }).catch((error: unknown) =>
      log?.warn({ err: error, key: id }, 'The use of an API key could not be noted'),
    )
  }
  const key: ApiKey = { id, name, requests, cost, expires, isPartial: policies !== null }
  return { key, owner, policies: policies?.split(',') ?? null }
}

/** The properties of a new key. Absent or null limits do not apply. */
export type NewKey = {
  readonly name: string
  readonly user?: string | undefined
  readonly policies?: readonly string[] | null | undefined
  readonly expires?: string | null | undefined
  readonly max_requests?: number | null | undefined
  readonly max_cost?: number | null | undefined
}

/** A key as it is shown. */
export type ShownKey = Omit<StoredKey, 'policies'> & { readonly policies: string[] | null }

/** Keys that one user may have. */
const mostKeys = 100

/** The keys of a user. `asked`: id of the user; administrators who name none read those of all. Throws `forbidden`. */
export async function readKeys(ctx: Pick<Context, 'actor' | 'db'>, wanted: string | null): Promise<ShownKey[]> {
  const user = wanted?.toLowerCase() ?? null
  if (isUnlimited(ctx.actor)) return (await findKeys(ctx.db, user)).map(toShown)
  const self = ownerOf(ctx)
  if (user !== null && user !== self) throw new TandemError({ kind: 'forbidden' })
  return (await findKeys(ctx.db, self)).map(toShown)
}

/**
 * Creates a key of the caller, or of the user that an administrator names, and returns it with its secret. Throws
 * `forbidden` for callers with a key and for other users, `invalid-payload` for policies that the user does not hold,
 * for an expiry that has passed, and for limits above those of the settings.
 */
export async function createKey(
  ctx: ReadContext & Pick<Context, 'ids' | 'security'>,
  newKey: NewKey,
): Promise<ShownKey & { readonly key: string }> {
  const user = await findOwner(ctx, newKey.user?.toLowerCase() ?? null)
  const policies = await checkPolicies(ctx, user, newKey.policies ?? null)
  const expires = toExpiry(ctx, newKey.expires ?? null)
  assertWithinSettings(ctx, newKey)
  const token = createApiKey()
  const key: Omit<StoredKey, 'last_used'> = {
    id: ctx.ids.uuid(),
    user: user.id,
    name: newKey.name,
    prefix: apiKeyPrefix(token),
    policies: policies?.join(',') ?? null,
    max_requests: newKey.max_requests ?? null,
    max_cost: newKey.max_cost ?? null,
    expires,
    created: ctx.clock().toISOString(),
  }
  const insert = async (db: Database): Promise<void> => {
    if ((await findKeys(db, user.id)).length >= mostKeys)
      throw invalidPayload(null, `Expected at most ${mostKeys} keys of one user: delete one of them first`)
    await insertKey(db, { ...key, hash: hashToken(token, ctx.security.secret) })
  }
  await repeatedTransaction(ctx.db, insert)
  return { ...toShown({ ...key, last_used: null }), key: token }
}

/** Changes of a key. Absent properties stay unchanged. */
export type KeyChanges = Partial<Omit<NewKey, 'user'>>

/**
 * Changes a key of the caller; administrators change any. Throws `forbidden` for other keys and for callers with a key,
 * otherwise as `createKey` does.
 */
export async function updateKey(
  ctx: ReadContext & Pick<Context, 'forgetActors'>,
  id: string,
  changes: KeyChanges,
): Promise<ShownKey> {
  const { actor } = ctx
  if (actor.kind === 'user' && actor.key !== undefined)
    throw new TandemError({ kind: 'forbidden', reason: 'An API key changes no keys' })
  const owner = isUnlimited(actor) ? null : ownerOf(ctx)
  assertWithinSettings(ctx, changes)
  const change = async (db: Database): Promise<StoredKey> => {
    const stored = isUuid(id) ? await lockKey(db, id.toLowerCase(), owner) : undefined
    const user = stored === undefined ? undefined : await findKeyUser(db, stored.user)
    if (stored === undefined || user === undefined) throw new TandemError({ kind: 'forbidden' })
    const next = await changedKey({ ...ctx, db }, user, { stored, changes })
    await storeKey(db, next)
    return next
  }
  const changed = await repeatedTransaction(ctx.db, change)
  await ctx.forgetActors()
  return toShown(changed)
}

async function changedKey(
  ctx: Pick<Context, 'clock' | 'db'>,
  user: Owner,
  { stored, changes }: { readonly stored: StoredKey; readonly changes: KeyChanges },
): Promise<StoredKey> {
  const { name = stored.name, policies, expires } = changes
  const names = policies === undefined ? stored.policies : (await checkPolicies(ctx, user, policies))?.join(',')
  return {
    ...stored,
    name,
    policies: names ?? null,
    expires: expires === undefined ? stored.expires : toExpiry(ctx, expires),
    max_requests: changes.max_requests === undefined ? stored.max_requests : changes.max_requests,
    max_cost: changes.max_cost === undefined ? stored.max_cost : changes.max_cost,
  }
}

/** Throws `invalid-payload` for a time that has passed. */
function toExpiry({ clock }: Pick<Context, 'clock'>, text: string | null): string | null {
  if (text === null) return null
  const expires = new Date(text)
  if (expires.getTime() > clock().getTime()) return expires.toISOString()
  throw invalidPayload('expires', `Expected a time to come for "expires" but received "${text}"`)
}

/** Deletes a key of the caller; administrators delete any, a key only itself. Throws `forbidden` for other keys. */
export async function revokeKey(ctx: Pick<Context, 'actor' | 'db' | 'forgetActors'>, id: string): Promise<void> {
  const { actor } = ctx
  const owner = isUnlimited(actor) ? null : ownerOf(ctx)
  const key = id.toLowerCase()
  const isOther = actor.kind === 'user' && actor.key !== undefined && actor.key.id !== key
  if (isOther || !isUuid(key) || !(await deleteKey(ctx.db, key, owner))) throw new TandemError({ kind: 'forbidden' })
  await ctx.forgetActors()
}

/** Throws `unauthenticated` for callers that are not users. */
function ownerOf({ actor }: Pick<Context, 'actor'>): string {
  if (actor.kind === 'user') return actor.user
  throw new TandemError({ kind: 'unauthenticated' })
}

type Owner = { readonly id: string; readonly role: string | null }

async function findOwner(ctx: Pick<Context, 'actor' | 'db'>, wanted: string | null): Promise<Owner> {
  const { actor } = ctx
  if (actor.kind === 'system' && wanted !== null) return existing(ctx, wanted)
  const self = ownerOf(ctx)
  if (actor.kind !== 'user' || actor.key !== undefined) {
    throw new TandemError({ kind: 'forbidden', reason: 'An API key creates no keys' })
  }
  if (wanted === null || wanted === self) return { id: self, role: actor.role }
  if (!isUnlimited(actor)) throw new TandemError({ kind: 'forbidden' })
  return existing(ctx, wanted)
}

async function existing({ db }: Pick<Context, 'db'>, user: string): Promise<Owner> {
  const keyUser = isUuid(user) ? await findKeyUser(db, user) : undefined
  if (keyUser === undefined) throw invalidPayload('user', `Expected the id of a user for "user" but received "${user}"`)
  return keyUser
}

async function checkPolicies(
  { db }: Pick<Context, 'db'>,
  { id, role }: Owner,
  names: readonly string[] | null,
): Promise<readonly string[] | null> {
  if (names === null) return null
  const chosen = [...new Set(names.map((each) => each.toLowerCase()))]
  const heldIds = new Set((await holdingsOf(db, { kind: 'user', user: id, role })).policies.map((each) => each.id))
  const missing = chosen.find((each) => !heldIds.has(each))
  if (missing === undefined) return chosen
  throw invalidPayload('policies', `Expected policies of the user for "policies" but received "${missing}"`)
}

function assertWithinSettings({ actor, limits }: Pick<Context, 'actor' | 'limits'>, newKey: Partial<NewKey>): void {
  if (isUnlimited(actor)) return
  const bounds = [
    ['max_requests', newKey.max_requests, limits.perKey?.requests],
    ['max_cost', newKey.max_cost, limits.perKey?.cost],
  ] as const
  for (const [name, wanted, most] of bounds)
    if (wanted != null && most != null && wanted > most)
      throw invalidPayload(name, `Expected at most ${most} for "${name}" but received ${wanted}`)
}

const toShown = (key: StoredKey): ShownKey => ({
  ...key,
  policies: key.policies?.split(',') ?? null,
  expires: toIso(key.expires),
  created: new Date(key.created).toISOString(),
  last_used: toIso(key.last_used),
})

const toIso = (at: string | null): string | null => (at === null ? null : new Date(at).toISOString())
