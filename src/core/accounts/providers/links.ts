/** Links of users to identities at login providers. */
import type { Context } from '../../../domain/ports/context.ts'
import { keepLogin as keep, unlinkLogins } from '../../../sql/statements/accounts/provider-logins.ts'

/**
 * Keeps the key by which a user logs in at its provider, before SCIM gives the external identifier another meaning. From
 * then on the login goes by that key alone.
 */
export const keepLogin = (ctx: Pick<Context, 'db'>, user: string): Promise<void> => keep(ctx.db, user)

/** Removes all links of the user, so that it can no longer log in by a provider. */
export const forgetLogins = (ctx: Pick<Context, 'db'>, user: string): Promise<void> => unlinkLogins(ctx.db, user)
