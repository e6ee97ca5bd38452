/** Whose rights are explained: its actor, as authentication makes it, and what it holds. */
import { countsFrom, type LoadedAccess } from '../../authz/access.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import { type Failure, invalidQuery, TandemError } from '../../domain/rights/errors.ts'
import type { HeldAccess, LevelRow } from '../../domain/rights/stored-rights.ts'
import { seedIds } from '../../domain/schema/identity.ts'
import { findLevels, readHeldAccess } from '../../sql/statements/accounts/access.ts'
import {
  type ExplainedUser,
  findExplainedUser,
  findKnownPolicies,
  findRoleNames,
  type KnownPolicy,
  type PolicyHolder,
} from '../../sql/statements/operation/explained.ts'
import { loadAccess, loadUserActor } from './load-access.ts'

/** A policy with the ways by which the subject holds it; without any, it does not. */
export type HeldPolicy = KnownPolicy & {
  readonly through: readonly PolicyHolder[]
  /** Whether it counts from the address. */
  readonly counts: boolean
}

export type Subject = {
  /** Null = the public. */
  readonly user: ExplainedUser | null
  /** From where the request is thought to come. */
  readonly ip: string | null
  /** Who the request would have; null if it is refused before any right counts, for the reason in `refusal`. */
  readonly actor: Extract<Actor, { kind: 'user' | 'public' }> | null
  readonly refusal: Failure['kind'] | null
  readonly held: HeldAccess
  readonly loaded: LoadedAccess | null
  /** Those that the subject holds, and those that have a permission on the collection. */
  readonly policies: ReadonlyMap<string, HeldPolicy>
  /** Levels of version 8 for the collection that other roles have, with the names of these. */
  readonly otherLevels: ReadonlyMap<LevelRow, string>
  /** Names of the role and of those above it, nearest first. */
  readonly roles: ReadonlyMap<string, string>
}

/** `user`: an id, an address, or `public`. `policies`: only the rights that these give; null = all of the user. */
export type SubjectOptions = {
  readonly user: string
  readonly ip: string | null
  readonly collection: string
  readonly policies: readonly string[] | null
}

/** Loads the subject. Throws `invalid-query` if there is no such user. */
export async function loadSubject(
  ctx: Pick<Context, 'db' | 'schema'>,
  { user: named, ip, collection, policies: part }: SubjectOptions,
): Promise<Subject> {
  const user = named === 'public' ? null : await findUser(ctx, named)
  const held = partOf(await readHeldAccess(ctx.db, user?.role ?? null, user?.id ?? null), part)
  const policies = await findKnownPolicies(ctx.db, {
    policies: held.policies.map(({ id }) => id),
    collection,
    user: user?.id ?? null,
  })
  const levels = (await findLevels(ctx.db, null)).filter((each) => each.collection === collection)
  const lineage = user?.role == null ? [seedIds.publicRole] : held.roles
  const others = levels.filter(({ role }) => !lineage.includes(role))
  const roleNames = await findRoleNames(ctx.db, [...lineage, ...others.map(({ role }) => role)])
  const names = new Map(roleNames.map(({ id, name }) => [id, name]))
  const roles = new Map(lineage.flatMap((id) => (names.has(id) ? [[id, names.get(id) ?? id] as const] : [])))
  const own = { user, roles: held.roles }
  return {
    user,
    ip,
    held,
    ...(await loadActor(ctx, { user, ip, part })),
    roles,
    otherLevels: new Map(others.map((row) => [row, names.get(row.role) ?? row.role])),
    policies: new Map(
      policies
        .filter(({ id }) => part === null || part.includes(id))
        .map((each) => [each.id, toHeldPolicy(each, own, ip)]),
    ),
  }
}

/** What an API key of these policies has of it. */
function partOf(held: HeldAccess, part: readonly string[] | null): HeldAccess {
  if (part === null) return held
  return {
    ...held,
    policies: held.policies.filter(({ id }) => part.includes(id)),
    permissions: held.permissions.filter(({ policy }) => part.includes(policy)),
    levels: [],
  }
}

async function findUser({ db }: Pick<Context, 'db'>, named: string): Promise<ExplainedUser> {
  const explainedUser = await findExplainedUser(db, named)
  if (explainedUser !== undefined) return explainedUser
  throw invalidQuery(
    'user',
    `Expected the id or the address of a user, or "public", for "user" but received ${JSON.stringify(named)}`,
  )
}

async function loadActor(
  { db, schema }: Pick<Context, 'db' | 'schema'>,
  { user, ip, part }: { user: ExplainedUser | null; ip: string | null; part: readonly string[] | null },
): Promise<Pick<Subject, 'actor' | 'loaded' | 'refusal'>> {
  try {
    if (user === null) {
      const loaded = await loadAccess(db, schema, { kind: 'public' }, ip)
      return { actor: { kind: 'public', access: loaded.access }, loaded, refusal: null }
    }
    return { ...(await loadUserActor({ db, schema, ip }, user, { session: null, policies: part })), refusal: null }
  } catch (error) {
    if (!(error instanceof TandemError)) throw error
    return { actor: null, loaded: null, refusal: error.failures[0].kind }
  }
}

type OwnRoles = { readonly user: ExplainedUser | null; readonly roles: readonly string[] }

function toHeldPolicy(policy: KnownPolicy, { user, roles }: OwnRoles, ip: string | null): HeldPolicy {
  const through = policy.holders.filter((holder) => {
    if (holder.user !== null) return holder.user === user?.id
    return holder.role === null ? user?.role == null : roles.includes(holder.role)
  })
  return { ...policy, through, counts: countsFrom(policy, ip) }
}

export function holderText({ user, role, name }: PolicyHolder): string {
  if (user !== null) return 'the user'
  return role === null ? 'the public' : `role ${JSON.stringify(name)}`
}
