/** Keys of people at login providers that are kept beside their users. */
import type { Context } from '../../domain/ports/context.ts'
import { keepLogin as keep, unlinkLogins } from '../../sql/statements/provider-logins.ts'

/**
 * Keeps the key by which a user logs in at its provider, before SCIM gives the external identifier another meaning. From
 * then on the login goes by that key alone.
 */
export const keepLogin = (ctx: Pick<Context, 'db'>, user: string): Promise<void> => keep(ctx.db, user)

/** Nobody logs in by a provider as this user any more. */
export const forgetLogins = (ctx: Pick<Context, 'db'>, user: string): Promise<void> => unlinkLogins(ctx.db, user)
