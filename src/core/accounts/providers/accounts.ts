/**
 * Which account an identity of a provider has. An identity is its provider and its key there, never its address alone:
 * an address can be unverified, and can be given to somebody else.
 */

import type { Context } from '../../../domain/ports/context.ts'
import type { Identity, Provider } from '../../../domain/ports/providers.ts'
import { TandemError } from '../../../domain/rights/errors.ts'
import {
  findProviderUser,
  findUserToLink,
  linkLogin,
  type ProviderAccount,
  type ProviderUser,
} from '../../../sql/statements/accounts/provider-logins.ts'
import { lockAccess } from '../../../sql/statements/locks.ts'
import { readRegistration } from '../../../sql/statements/settings.ts'
import { createItems, updateItem } from '../../items/items.ts'
import { withTransaction } from '../../rows/transaction.ts'
import { usersCollection } from '../users.ts'
import { applyGroups, rightsOf } from './rights.ts'

/**
 * The active user of the identity, with names and rights as the provider says now. Throws `invalid-credentials`,
 * `user-suspended`, `user-inactive`, or `invalid-provider` if the account belongs to somebody else; the cause is logged.
 */
export async function findOrCreateAccount(ctx: Context, provider: Provider, identity: Identity): Promise<ProviderUser> {
  try {
    return await accountOf(ctx, provider, identity)
  } catch (error) {
    const reason = error instanceof TandemError && error.cause instanceof Error ? error.cause.message : null
    if (reason !== null) ctx.log.warn({ provider: provider.name, reason }, 'A login by a provider failed')
    throw error
  }
}

type Refusal = 'invalid-credentials' | 'invalid-provider' | 'user-suspended' | 'user-inactive'

const refused = (kind: Refusal, reason: string): TandemError => new TandemError({ kind }, { cause: new Error(reason) })

async function accountOf(ctx: Context, provider: Provider, identity: Identity): Promise<ProviderUser> {
  // Whoever chooses an address without proving it could choose that of another user.
  if (identity.isAddress && identity.isVerified === false)
    throw refused('invalid-credentials', 'The address that identifies the person is not verified')
  const person = { provider: provider.name, identifier: identity.identifier, anyCase: identity.isAnyCase }
  const system: Context = { ...ctx, actor: { kind: 'system' } }
  const providerUser =
    (await findProviderUser(ctx.db, person)) ?? (await addUser(system, provider, { identity, person }))
  const { status } = providerUser
  if (status !== 'active')
    throw refused(status === 'suspended' ? 'user-suspended' : 'user-inactive', `The user is ${status}`)
  // A linked account belongs to this server: the provider does not change it.
  if (providerUser.provider !== provider.name) return providerUser
  if (provider.accounts.syncUserInfo) await syncUser(system, providerUser, identity)
  await applyGroups(system, { user: providerUser, identity, rules: provider.accounts })
  return (await findProviderUser(ctx.db, person)) ?? providerUser
}

type NewPerson = { readonly identity: Identity; readonly person: ProviderAccount }

/** Links or creates the user under one lock, so that two logins at once make one user. */
function addUser(ctx: Context, provider: Provider, { identity, person }: NewPerson): Promise<ProviderUser> {
  return withTransaction(ctx, async (inner) => {
    await lockAccess(inner.db)
    const existing = await findProviderUser(inner.db, person)
    if (existing !== undefined) return existing
    const { email } = identity
    const owner = email === null ? undefined : await findUserToLink(inner.db, email)
    if (owner !== undefined) return linkUser(inner, provider, { owner, identity, person })
    return createUser(inner, provider, { identity, person })
  })
}

/**
 * Links an account with a password here, if the operator wants it and the provider has verified the address. A person
 * who has got the address of somebody else is another person at the provider, and is refused.
 */
async function linkUser(
  ctx: Pick<Context, 'db'>,
  { accounts }: Provider,
  { owner, identity, person }: NewPerson & { readonly owner: ProviderUser },
): Promise<ProviderUser> {
  const isAllowed =
    accounts.linkByEmail && identity.isVerified === true && owner.provider === 'default' && owner.status === 'active'
  if (!isAllowed || !(await areAddressesProven(ctx)))
    throw refused('invalid-provider', 'A user of this server has the address already')
  if (!(await linkLogin(ctx.db, owner.id, person)))
    throw refused('invalid-provider', 'The user with the address is linked to another person already')
  return owner
}

/** Where anybody can register with any address, the account with an address may be that of an impostor. */
async function areAddressesProven({ db }: Pick<Context, 'db'>): Promise<boolean> {
  const settings = await readRegistration(db)
  return settings === undefined || !settings.enabled || settings.verify
}

function unregistered({ email, isVerified }: Identity): TandemError {
  const proven = email !== null && isVerified === true ? { unknownEmail: email } : {}
  const cause = new Error('The person has no account here, and nobody may register')
  return new TandemError({ kind: 'invalid-credentials', ...proven }, { cause })
}

async function createUser(
  ctx: Context,
  { name, accounts }: Provider,
  { identity, person }: NewPerson,
): Promise<ProviderUser> {
  if (!accounts.allowRegistration) throw unregistered(identity)
  if (accounts.requireVerifiedEmail && identity.isVerified !== true)
    throw refused('invalid-credentials', 'The person has no account here, and no verified address to register with')
  const rights = await rightsOf(ctx, identity, accounts)
  const values = {
    provider: name,
    external_identifier: identity.identifier,
    // An address that the provider calls unverified stays free for its owner.
    email: identity.isVerified === false ? null : identity.email,
    first_name: identity.firstName,
    last_name: identity.lastName,
    role: rights.role,
    status: 'active',
  }
  try {
    await createItems(ctx, usersCollection, [values])
  } catch (error) {
    // A user has got the address or the identifier meanwhile.
    if (error instanceof TandemError && error.failures[0]?.kind === 'not-unique')
      throw new TandemError({ kind: 'invalid-provider' }, { cause: error })
    throw error
  }
  const user = await findProviderUser(ctx.db, person)
  if (user === undefined) throw new Error('A new user is not there')
  return user
}

/** Takes names and a verified address over, where they are given; an address of another user is left to that user. */
async function syncUser(ctx: Context, user: ProviderUser, identity: Identity): Promise<void> {
  const { email, isVerified, firstName, lastName } = identity
  const isFree = async (address: string): Promise<boolean> => (await findUserToLink(ctx.db, address)) === undefined
  const takesEmail = email !== null && email !== user.email && isVerified === true && (await isFree(email))
  const input = {
    ...(firstName === null || firstName === user.first_name ? {} : { first_name: firstName }),
    ...(lastName === null || lastName === user.last_name ? {} : { last_name: lastName }),
    ...(takesEmail ? { email } : {}),
  }
  if (Object.keys(input).length === 0) return
  await updateItem(ctx, usersCollection, user.id, input)
}
