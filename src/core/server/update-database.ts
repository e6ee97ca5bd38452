/** Brings the system tables up to date while the server runs. */
import type { Context } from '../../domain/ports/context.ts'
import { migrate } from '../../sql/schema/migrate.ts'
import { assertAdministrator } from '../model/schema-change.ts'

/** Runs the migrations that are missing, and reads the data model anew. For administrators. */
export async function updateDatabase(ctx: Context): Promise<void> {
  assertAdministrator(ctx)
  await migrate(ctx.db, ctx.log)
  await ctx.schemas.refresh()
}
