/**
 * Roles and policies by the groups of a provider. What the mapping names is given and taken by it, in each login; what
 * it does not name is left as an administrator gave it.
 */

import type { Context } from '../../../domain/ports/context.ts'
import type { AccountRules, Identity } from '../../../domain/ports/providers.ts'
import { TandemError } from '../../../domain/rights/errors.ts'
import {
  findOwnEntries,
  findRightsById,
  findRolesByName,
  type ProviderUser,
} from '../../../sql/statements/accounts/provider-logins.ts'
import { lockAccess } from '../../../sql/statements/locks.ts'
import { createItems, deleteItems, updateItem } from '../../items/items.ts'
import { withTransaction } from '../../rows/transaction.ts'
import { usersCollection } from '../users.ts'

/** What the groups of an identity give, and all that groups could give. */
type GroupRights = {
  readonly role: string | null
  readonly policies: readonly string[]
  readonly named: { readonly roles: readonly string[]; readonly policies: readonly string[] }
}

/** The first matching role in the order of the mapping, else the usual one, and all matching policies. */
export async function rightsOf(
  ctx: Pick<Context, 'db' | 'log'>,
  identity: Identity,
  rules: AccountRules,
): Promise<GroupRights> {
  const { defaultRole } = rules
  const groups = new Set(identity.groups)
  const entries = [...(await mappingOf(ctx, identity, rules))]
  const usual = defaultRole === null ? [] : [defaultRole]
  const named = await findRightsById(ctx.db, [...new Set([...entries.flatMap(([, ids]) => ids), ...usual])])
  const names = new Set([...named.roles, ...named.policies])
  const missing = [...entries.flatMap(([, ids]) => ids), ...usual].filter((id) => !names.has(id))
  if (missing.length > 0) ctx.log.warn({ missing }, 'The settings of a provider name roles that do not exist')
  const matched = entries.filter(([group]) => groups.has(group)).flatMap(([, ids]) => ids)
  const role = matched.find((id) => named.roles.includes(id)) ?? usual.find((id) => named.roles.includes(id)) ?? null
  return { role, policies: named.policies.filter((id) => matched.includes(id)), named }
}

/** The mapping of the settings, or that of the roles with the names of the groups. */
async function mappingOf(
  { db }: Pick<Context, 'db'>,
  { groups }: Identity,
  { roleMapping, rolesByName }: AccountRules,
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (!rolesByName) return roleMapping ?? new Map<string, readonly string[]>()
  const roles = await findRolesByName(db, groups)
  return new Map(roles.map(({ id, name }) => [groups.find((each) => each.toLowerCase() === name) ?? name, [id]]))
}

type Applied = { readonly user: ProviderUser; readonly identity: Identity; readonly rules: AccountRules }

/** Gives the user the rights of its groups. The last administrator keeps its rights in any case. */
export async function applyGroups(ctx: Context, { user, identity, rules }: Applied): Promise<void> {
  if (rules.roleMapping === null && !rules.rolesByName) return
  const rights = await rightsOf(ctx, identity, rules)
  const isMapped = rules.rolesByName || user.role === null || rights.named.roles.includes(user.role)
  const hasMatch = rights.named.roles.some((id) => id === rights.role && id !== rules.defaultRole)
  const role = isMapped || hasMatch ? rights.role : user.role
  try {
    await withTransaction(ctx, async (inner) => {
      await lockAccess(inner.db)
      if (role !== user.role) await updateItem(inner, usersCollection, user.id, { role })
      await changePolicies(inner, user.id, rights)
    })
  } catch (error) {
    if (!(error instanceof TandemError) || error.failures[0]?.kind !== 'last-administrator') throw error
    ctx.log.warn({ user: user.id }, 'The groups of the last administrator would take its rights; they stay')
  }
}

async function changePolicies(ctx: Context, user: string, { policies, named }: GroupRights): Promise<void> {
  if (named.policies.length === 0) return
  const entries = await findOwnEntries(ctx.db, user, named.policies)
  const lost = entries.filter(({ policy }) => !policies.includes(policy)).map(({ id }) => id)
  const gained = policies.filter((policy) => entries.every((entry) => entry.policy !== policy))
  const collection = 'platform_access'
  if (gained.length > 0)
    await createItems(
      ctx,
      collection,
      gained.map((policy) => ({ user, policy })),
    )
  if (lost.length > 0) await deleteItems(ctx, collection, lost)
}
