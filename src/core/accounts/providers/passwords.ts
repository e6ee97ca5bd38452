/** Logins with a password that a provider checks, or that belongs to accounts of a local provider. */
import { assertText } from '../../../domain/conditions/literals.ts'
import type { Context } from '../../../domain/ports/context.ts'
import type { Provider } from '../../../domain/ports/providers.ts'
import { TandemError } from '../../../domain/rights/errors.ts'
import { asAttempt } from '../attempts.ts'
import { type FreshSession, loginLocally, openSession } from '../sessions.ts'
import { findOrCreateAccount } from './accounts.ts'
import { spendFlowCode } from './codes.ts'
import { findProvider } from './flows.ts'

export type PasswordLogin = {
  readonly identifier: string
  readonly password: string
  readonly otp?: string | undefined
}

/**
 * Opens a session. It takes the minimum time of a login, and counts like one. Throws `route-not-found` for a provider
 * that takes no passwords.
 */
export async function loginWithPassword(ctx: Context, name: string, input: PasswordLogin): Promise<FreshSession> {
  const path = `/auth/login/${name}`
  const provider = findProvider(ctx, name, path)
  if (provider.kind === 'redirect') throw new TandemError({ kind: 'route-not-found', path })
  assertText(input.identifier, 'identifier')
  const { identifier, password, otp } = input
  if (provider.kind === 'local') return loginLocally(ctx, { email: identifier, password, otp }, name)
  const attempt = { action: 'login', account: `${name}:${spellingOf(identifier)}` } as const
  return asAttempt(ctx, attempt, async () => openSession(ctx, await proveUser(ctx, provider, input)))
}

/** One spelling for all that directories take as the same name (RFC 4518), so that guesses count together. */
const spellingOf = (name: string): string =>
  name
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()

async function proveUser(
  ctx: Context,
  provider: Extract<Provider, { readonly kind: 'password' }>,
  { identifier, password, otp }: PasswordLogin,
) {
  const user = await findOrCreateAccount(ctx, provider, await provider.check(identifier, password))
  await spendFlowCode(ctx, user, otp ?? null)
  return user
}
