import { isUnlimited } from '../../authz/grants.ts'
import type { Context } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { announce } from '../announcements.ts'

type CacheContext = Pick<Context, 'actor' | 'server' | 'db' | 'schemas' | 'forgetActors'>

/** Clears the caches of all replicas. `system`: schema and rights too. Administrators only. */
export async function clearCaches(ctx: CacheContext, { system }: { readonly system: boolean }): Promise<void> {
  if (!isUnlimited(ctx.actor)) throw new TandemError({ kind: 'forbidden' })
  await ctx.server.purgeAnswers()
  await announce(ctx.db, 'rows')
  if (!system) return
  await ctx.schemas.refresh()
  await announce(ctx.db, 'schema')
  await ctx.forgetActors()
}
