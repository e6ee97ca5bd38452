/** The static token that the settings give to the administrator, at starts after the first. */
import type { Database } from '../../domain/ports/context.ts'
import { readHeldAccess } from '../../sql/statements/accounts/access.ts'
import { findTokenHolder, giveFirstToken } from '../../sql/statements/accounts/users.ts'
import { announce } from '../announcements.ts'

/**
 * `given`: the administrator had none and has it now. `present`: the administrator has it. The others changed nothing:
 * the administrator has another token, another user has this one, or the address is not that of an active administrator.
 */
export type TokenOutcome = 'given' | 'present' | 'another' | 'taken' | 'no-administrator'

/** Gives the token to an administrator who has none. A token that was set since is never replaced. */
export async function ensureAdminToken(
  db: Database,
  { email, tokenHash }: { readonly email: string; readonly tokenHash: string },
): Promise<TokenOutcome> {
  const user = await findTokenHolder(db, email.toLowerCase())
  if (user?.status !== 'active') return 'no-administrator'
  const { policies } = await readHeldAccess(db, user.role, user.id)
  if (!policies.some(({ admin_access }) => admin_access)) return 'no-administrator'
  if (user.token !== null) return user.token === tokenHash ? 'present' : 'another'
  if (!(await giveFirstToken(db, { id: user.id, tokenHash }))) return 'taken'
  await announce(db, 'access')
  return 'given'
}
