/** Permissions that are stored and have no effect, because they name what does not exist. */
import { faultOf } from '../../authz/rules.ts'
import type { Database } from '../../domain/ports/context.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { findAllPermissions } from '../../sql/statements/accounts/access.ts'

/** One line for people per permission, with its key and the reason. */
export async function describeIdlePermissions(db: Database, schema: Schema): Promise<readonly string[]> {
  return (await findAllPermissions(db)).flatMap((row) => {
    const fault = faultOf(row, schema)
    if (fault === null) return []
    return [`Permission ${row.id} (${row.action} ${row.collection}) has no effect: ${fault.reason}`]
  })
}
