/** New permissions of roles. */
import { isUnlimited } from '../../authz/grants.ts'
import { levelsAt } from '../../core/access/own-levels.ts'
import { writeItems } from '../../core/items/items.ts'
import { withTransaction } from '../../core/rows/transaction.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Changes, Mutation } from '../../domain/query/mutation.ts'

const collection = 'platform_role_levels'

/** Creates permissions. Each takes the place of an earlier one for the same collection, role and status. */
export async function createLevels(ctx: Context, mutation: Mutation): Promise<readonly Key[]> {
  if (mutation.kind !== 'create' || !isUnlimited(ctx.actor)) return writeItems(ctx, mutation)
  return withTransaction(ctx, async (inner) => {
    const keys = await levelsAt(inner, mutation.items.map(toScope))
    if (keys.length > 0) await writeItems(inner, { kind: 'delete', collection, target: { kind: 'keys', keys } })
    return writeItems(inner, mutation)
  })
}

const toScope = (item: Changes) => ({
  role: textOf(item, 'role'),
  collection: textOf(item, 'collection'),
  status: textOf(item, 'status'),
})

/** A text or the number of a role. */
function textOf(item: Changes, name: string): string | null {
  const change = item.get(name)
  const value = change?.kind === 'value' ? change.value : null
  if (typeof value === 'object' && value !== null && 'number' in value) return String(value.number)
  return typeof value === 'string' ? value : null
}
