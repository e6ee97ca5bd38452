/** The status of new users that have none. */
import { covers, isUnlimited, rulesFor } from '../../authz/grants.ts'
import { usersCollection } from '../../core/accounts/users.ts'
import { isRecord } from '../../domain/is-record.ts'
import type { Context } from '../../domain/ports/context.ts'

/**
 * In version 8 a user without a status is a draft, who cannot log in. The default of the column is that of the current
 * generation.
 */
export function asDrafts(ctx: Pick<Context, 'actor'>, body: unknown): unknown {
  if (!mayDraft(ctx)) return body
  return Array.isArray(body) ? body.map(asDraft) : asDraft(body)
}

const asDraft = (item: unknown): unknown =>
  isRecord(item) && item['status'] === undefined ? { status: 'draft', ...item } : item

/** Not for callers who may not write the status, or whose rules set it. */
function mayDraft({ actor }: Pick<Context, 'actor'>): boolean {
  if (isUnlimited(actor)) return true
  const rules = rulesFor(actor, usersCollection, 'create')
  return rules.some((rule) => covers(rule, 'status')) && rules.every(({ presets }) => presets?.['status'] === undefined)
}
