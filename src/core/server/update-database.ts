/** Migrates the system tables while the server runs. */
import type { Context } from '../../domain/ports/context.ts'
import { migrate } from '../../sql/schema/migrate.ts'
import { assertAdministrator } from '../model/schema-change.ts'

/** Runs missing migrations and loads the schema again. Administrators only. */
export async function updateDatabase(ctx: Pick<Context, 'db' | 'actor' | 'log' | 'schemas'>): Promise<void> {
  assertAdministrator(ctx)
  await migrate(ctx.db, ctx.log)
  await ctx.schemas.refresh()
}
