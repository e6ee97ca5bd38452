/** The second factor of users who log in by a provider. */
import type { AccountContext } from '../../../domain/ports/context.ts'
import { TandemError } from '../../../domain/rights/errors.ts'
import { proveCode } from '../second-factor.ts'

type Owner = { readonly id: string; readonly tfa_secret: string | null }

/** Spends the one-time code of a user who has a second factor. Throws `missing-otp` or `invalid-otp`. */
export async function spendFlowCode(ctx: AccountContext, user: Owner, otp: string | null): Promise<void> {
  if (user.tfa_secret === null) return
  if (otp === null || otp === '') throw new TandemError({ kind: 'missing-otp' })
  const isRight = await proveCode(ctx, { id: user.id, secret: user.tfa_secret, code: otp })
  if (!isRight) throw new TandemError({ kind: 'invalid-otp' })
}
