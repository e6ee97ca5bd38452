/** A request that shows the plans of its reads in place of their rows. */
import type { Context } from '../../domain/ports/context.ts'
import { planReads, type StatementPlan } from '../../sql/run/plan-reads.ts'

export type PlannedRequest = {
  /** Reads of rows find none. Whatever writes is refused. */
  readonly ctx: Context
  readonly plans: readonly StatementPlan[]
  /** The refusal of a write; null if there was none. */
  readonly refusal: () => unknown
  /** What the reads so far would have cost. */
  readonly cost: () => number
}

/** With `analyze`, the statements are run as well, and their plans say what came. */
export function planRequest(ctx: Context, options: { readonly analyze: boolean }): PlannedRequest {
  const { db, plans, refusal } = planReads(ctx.db, options)
  let cells = 0
  const allowance = { spend: (more: number) => void (cells += more), settle: () => Promise.resolve() }
  return { ctx: { ...ctx, db, allowance }, plans, refusal, cost: () => 1 + Math.round(cells) }
}
