/** Identity providers that provision users: their token gives rights for SCIM alone. */
import type { Context } from '../../../domain/ports/context.ts'
import type { Access } from '../../../domain/rights/actor.ts'
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
