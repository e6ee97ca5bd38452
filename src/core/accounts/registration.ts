/** Public registration, if the project settings allow it. */

import { setTimeout as sleep } from 'node:timers/promises'
import { evaluate } from '../../domain/conditions/evaluate.ts'
import { parseFilter } from '../../domain/conditions/filter-json.ts'
import { resolveValue } from '../../domain/conditions/resolve-value.ts'
import type { Context } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { lockAccess } from '../../sql/statements/locks.ts'
import { type RegistrationRow, readRegistration } from '../../sql/statements/settings.ts'
import { hashPassword } from '../../tokens/password.ts'
import { assertPassword } from '../guards/guard-users.ts'
import { createItems, updateItem } from '../items/items.ts'
import { hashTurnsOf, mask } from '../rows/hashed-values.ts'
import { systemCollection } from '../rows/keys.ts'
import { systemValue } from '../rows/system-values.ts'
import { withTransaction } from '../rows/transaction.ts'
import { findAccount, openLink, sendLink, toPage } from './accounts.ts'
import { countMails } from './attempts.ts'
import { usersCollection } from './users.ts'

export type Registration = {
  readonly email: string
  readonly password: string
  readonly firstName?: string | null | undefined
  readonly lastName?: string | null | undefined
  readonly verificationUrl?: string | undefined
}

/**
 * Creates an account with the role of the settings. Response and time do not reveal whether the address is taken. An
 * unverified account gets the new values, and its older links become invalid: nobody can verify another person's
 * password.
 */
export async function registerUser(ctx: Context, input: Registration): Promise<void> {
  const settings = await readSettings(ctx)
  if (!settings.enabled) throw new TandemError({ kind: 'forbidden' })
  const page = toPage(ctx, 'registration', input.verificationUrl)
  const email = String(systemValue(usersCollection, 'email', input.email))
  await countMails(ctx, 'registration', [email])
  if (!mayRegister(ctx, settings.filter, email)) throw new TandemError({ kind: 'forbidden' })
  if (input.password === mask) throw new TandemError({ kind: 'failed-validation', field: 'password', type: 'regex' })
  await assertPassword(ctx, input.password)
  await ctx.mail.prepare()
  const stall = sleep(ctx.security.accounts.registrationStall)
  try {
    await saveRegistration(ctx, { ...input, email }, settings)
    const account = settings.verify ? await findAccount(ctx.db, email) : undefined
    if (account?.status === 'unverified') await sendLink(ctx, 'registration', { account, page })
  } finally {
    await stall
  }
}

async function readSettings({ db }: Pick<Context, 'db'>): Promise<RegistrationRow> {
  return (await readRegistration(db)) ?? { enabled: false, verify: true, role: null, filter: null }
}

/** An invalid condition rejects every registration. */
function mayRegister(ctx: Pick<Context, 'schema' | 'actor' | 'clock'>, json: unknown, email: string): boolean {
  if (json === null || json === undefined) return true
  const collection = systemCollection(ctx, usersCollection)
  try {
    const options = { name: 'public_registration_email_filter', depth: 1, dynamicPaths: false, validation: true }
    const filter = parseFilter(json, { schema: ctx.schema, collection: usersCollection }, options)
    const facts = { actor: ctx.actor, now: ctx.clock(), lookedUp: new Map() }
    const scope = { collection, resolve: (value: Parameters<typeof resolveValue>[0]) => resolveValue(value, facts) }
    return evaluate(filter, new Map([['email', email]]), scope).length === 0
  } catch (error) {
    if (error instanceof TandemError) return false
    throw error
  }
}

/** Looks up and writes the account under one lock: a verified account never gets another password. */
async function saveRegistration(ctx: Context, input: Registration, settings: RegistrationRow): Promise<void> {
  const { email, password, firstName = null, lastName = null } = input
  const received = { password, first_name: firstName, last_name: lastName }
  await withTransaction(ctx, async (inner) => {
    await lockAccess(inner.db)
    const system: Context = { ...inner, actor: { kind: 'system' } }
    const accountRow = await findAccount(inner.db, email)
    if (accountRow === undefined) {
      const status = settings.verify ? 'unverified' : 'active'
      await createItems(system, usersCollection, [{ ...received, email, role: settings.role, status }])
    } else if (accountRow.status === 'unverified') await updateItem(system, usersCollection, accountRow.id, received)
    else await hashPassword(password, ctx.security.hash, hashTurnsOf(system))
  })
}
/** Activates the account of the token. Returns its id. */
export async function verifyRegistration(ctx: Context, token: string): Promise<string> {
  return (await openLink(ctx, { purpose: 'registration', token }, { status: 'active' })).id
}
