/** Setup of a new instance by its first request, if the operator allows it. */

import { assertText } from '../../domain/conditions/literals.ts'
import type { AccountContext, Context } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { isAdministered } from '../../sql/statements/accounts/access.ts'
import { hashPassword } from '../../tokens/password.ts'
import { usersCollection } from '../accounts/users.ts'
import { assertPassword } from '../guards/guard-users.ts'
import { systemValue } from '../rows/system-values.ts'
import { makeAdministrator } from './bootstrap.ts'

export type Setup = {
  readonly email: string
  readonly password: string
  readonly firstName: string | null
  readonly lastName: string | null
}

/** False only if the first administrator is created by a request, and none was created yet. */
export async function isSetUp({ db, server }: Pick<Context, 'db' | 'server'>): Promise<boolean> {
  return !server.leavesSetup || (await isAdministered(db))
}

/**
 * Creates the first administrator. Throws `forbidden` if the project is set up, `not-unique` if the address is taken.
 */
export async function setUp(
  ctx: AccountContext,
  { email: input, password, firstName, lastName }: Setup,
): Promise<void> {
  if (await isSetUp(ctx)) throw new TandemError({ kind: 'forbidden' })
  const email = String(systemValue(usersCollection, 'email', input))
  assertText(firstName ?? '', 'first_name')
  assertText(lastName ?? '', 'last_name')
  await assertPassword(ctx, password)
  const passwordHash = await hashPassword(password, ctx.security.hash)
  const admin = { id: ctx.ids.uuid(), firstName, lastName, email, passwordHash, tokenHash: null }
  const done = await ctx.db.transaction((db) => makeAdministrator(db, admin))
  if (done === 'present') throw new TandemError({ kind: 'forbidden' })
  if (done === 'taken') throw new TandemError({ kind: 'not-unique', collection: usersCollection, field: 'email' })
  await ctx.forgetActors()
}
