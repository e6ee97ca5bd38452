/** Identity providers that provision users: their token gives rights for SCIM alone, and they link logins to users. */
import type { Context } from '../../../domain/ports/context.ts'
import type { Access } from '../../../domain/rights/actor.ts'
import { keepLogin as keep, unlinkLogins } from '../../../sql/statements/accounts/provider-logins.ts'
import { isProvisioner } from '../../../sql/statements/accounts/users.ts'

/** All rows and fields; guards keep administrators out of reach (`ctx.provisions`). */
const provisioning: Access = { admin: true, app: false, policies: [], rules: [], fingerprint: 'provisioner' }

/** The context with the rights of a provider if the token is its own; otherwise the same, also for its API keys of some policies. */
export async function asProvisioner(ctx: Context): Promise<Context> {
  const { actor, db } = ctx
  if (actor.kind !== 'user' || actor.session !== null || actor.access.admin) return ctx
  if (actor.key?.isPartial === true || !(await isProvisioner(db, actor.user))) return ctx
  return { ...ctx, provisions: true, actor: { ...actor, access: provisioning } }
}

/**
 * Keeps the key by which a user logs in at its provider, before SCIM gives the external identifier another meaning. From
 * then on the login goes by that key alone.
 */
export const keepLogin = (ctx: Pick<Context, 'db'>, user: string): Promise<void> => keep(ctx.db, user)

/** Removes all links of the user, so that it can no longer log in by a provider. */
export const forgetLogins = (ctx: Pick<Context, 'db'>, user: string): Promise<void> => unlinkLogins(ctx.db, user)
