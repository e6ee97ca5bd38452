/** Accounts for mails and logins, and links that change an account. */

import { describe } from '../../domain/conditions/literals.ts'
import type { Context, Database } from '../../domain/ports/context.ts'
import type { MailData, MailTemplate } from '../../domain/ports/mail.ts'
import type { LinkSettings } from '../../domain/ports/settings.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { type AccountRow, findAccountByEmail, lockAccount } from '../../sql/statements/accounts/users.ts'
import { lockAccess } from '../../sql/statements/locks.ts'
import { type ProjectRow, readProject } from '../../sql/statements/settings.ts'
import {
  type AccountPurpose,
  isSealOf,
  readAccountToken,
  sealState,
  signAccountToken,
} from '../../tokens/account-tokens.ts'
import { updateItem } from '../items/items.ts'
import { mask } from '../rows/hashed-values.ts'
import { withTransaction } from '../rows/transaction.ts'
import { forgetFailures } from './login-attempts.ts'
import { usersCollection } from './users.ts'

export type Account = AccountRow

type Link = {
  readonly template: MailTemplate
  readonly settings: (ctx: Context) => LinkSettings
  /** The parameter with another target page. */
  readonly parameter: string
  /** The default target page. */
  readonly path: string
  /** Whether the account is in the state that the link requires. */
  readonly isOpen: (account: Account) => boolean
  /** The claim `type` of the token, which distinguishes the links. */
  readonly type: string
}

const links = {
  'password-reset': {
    template: 'password-reset',
    settings: ({ security }) => security.accounts.passwordReset,
    parameter: 'reset_url',
    path: '/admin/reset-password',
    type: 'reset_password',
    isOpen: ({ status, provider }) => status === 'active' && provider === 'default',
  },
  invitation: {
    template: 'user-invitation',
    settings: ({ security }) => security.accounts.invitation,
    parameter: 'invite_url',
    path: '/admin/accept-invite',
    type: 'invitation',
    isOpen: ({ status }) => status === 'invited',
  },
  registration: {
    template: 'user-registration',
    settings: ({ security }) => security.accounts.registration,
    parameter: 'verification_url',
    path: '/users/register/verify-email',
    type: 'registration',
    isOpen: ({ status }) => status === 'unverified',
  },
} as const satisfies { readonly [Purpose in AccountPurpose]: Link }

/** The account with that address, in any spelling. */
export function findAccount(db: Database, email: string): Promise<Account | undefined> {
  return findAccountByEmail(db, email.trim().toLowerCase())
}

/**
 * The target page of a link: the default, or a page that the operator allows, with equal origin and path. Throws
 * `invalid-payload` otherwise. Call it before any account is looked up.
 */
export function toPage(ctx: Context, purpose: AccountPurpose, input: string | undefined): URL {
  const { parameter, path, settings } = links[purpose]
  if (input === undefined) return new URL(`${ctx.server.address()}${path}`)
  const page = URL.parse(input)
  const isListed = settings(ctx).pages.some((each) => page !== null && isSamePage(page, new URL(each)))
  if (page !== null && isListed) return page
  const reason = `Expected an address that the server allows for "${parameter}" but received ${describe(input)}`
  throw invalidPayload(parameter, reason)
}

/** Origins of non-standard schemes are all "null", so their parts are compared. */
const isSamePage = (a: URL, b: URL): boolean =>
  a.protocol === b.protocol && a.host === b.host && a.pathname === b.pathname && a.username === '' && a.password === ''

/** Mails the link to the stored address. Call it after the commit. */
export async function sendLink(ctx: Context, purpose: AccountPurpose, to: SentLink): Promise<void> {
  const { template, settings, type } = links[purpose]
  const { account, page, sender = null } = to
  const seal = sealState(stateOf(account), ctx.security.secret)
  const issuedAt = ctx.clock()
  const date = issuedAt.toISOString().slice(0, 19).replace('T', ' ')
  const shown = { type, id: account.number, email: account.email, date, sender }
  const claims = { purpose, user: account.id, seal, shown }
  const token = signAccountToken(claims, { issuedAt, ttl: settings(ctx).ttl }, tokenSettings(ctx))
  const url = new URL(page)
  url.searchParams.set('token', token)
  ctx.mail.send({ to: account.email, template, data: await mailData(ctx, url.href) })
}

/** `sender`: the number of the user who causes the mail. */
type SentLink = { readonly account: Account; readonly page: URL; readonly sender?: number | null }

/** State that invalidates older links when it changes: password, address and status. */
const stateOf = ({ id, email, password, status }: Account): readonly (string | null)[] => [id, email, password, status]

export const tokenSettings = ({ security, project }: Pick<Context, 'project' | 'security'>) => ({
  secret: security.secret,
  project,
})

export async function readProjectFacts(db: Database): Promise<ProjectRow> {
  return (await readProject(db)) ?? { name: 'Tandem', color: '', url: null }
}

/** The values for mail templates with that link. */
export async function mailData({ db, server }: Pick<Context, 'db' | 'server'>, url: string): Promise<MailData> {
  const { name, color, url: home } = await readProjectFacts(db)
  return { projectName: name, projectColor: color, projectUrl: home ?? server.address(), url }
}

/**
 * Uses a link once: changes the account with the rights of its owner, in one transaction. Throws `invalid-token`,
 * `token-expired`, `forbidden`, and `invalid-payload` for an account in another state.
 */
export async function openLink(
  ctx: Context,
  { purpose, token }: { readonly purpose: AccountPurpose; readonly token: string },
  values: { readonly password?: string; readonly status?: string },
): Promise<Account> {
  const { user, seal } = readAccountToken(token, purpose, { ...tokenSettings(ctx), now: ctx.clock() })
  if (values.password === mask) throw notThatPassword()
  return withTransaction(ctx, async (inner) => {
    await lockAccess(inner.db)
    // Read again under the lock: a second use of the link finds another state.
    const account = await lockAccount(inner.db, user)
    if (account === undefined) throw new TandemError({ kind: 'forbidden' })
    if (!links[purpose].isOpen(account)) throw notOpen(purpose)
    if (!isSealOf(seal, stateOf(account), ctx.security.secret)) throw new TandemError({ kind: 'forbidden' })
    await updateItem(asOwner(inner, user), usersCollection, user, values)
    await forgetFailures(inner.db, user)
    return account
  })
}

/** A password reset reports no reason, which would reveal the state of the account. */
const notOpen = (purpose: AccountPurpose): TandemError =>
  purpose === 'password-reset'
    ? new TandemError({ kind: 'forbidden' })
    : invalidPayload('token', 'Expected a "token" that was not used before')

/** Sent back, the mask would leave the password as it is. */
export const notThatPassword = (): TandemError => {
  const message = 'Expected a password that is not what reads show in its place'
  return new TandemError({ kind: 'failed-validation', field: 'password', type: 'regex', message })
}

/** Acts with the rights of the account's owner. */
export function asOwner(ctx: Context, user: string): Context {
  const access = { admin: true, app: true, policies: [], rules: [], fingerprint: 'owner' }
  const actor: Actor = { kind: 'user', user, role: null, roles: [], access, session: null }
  return { ...ctx, actor }
}
