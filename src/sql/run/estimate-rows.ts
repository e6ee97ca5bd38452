/** Estimated counts: what the planner expects of the statement that would count. */
import type { ReadContext } from '../../domain/ports/context.ts'
import type { Query } from '../../domain/query/query.ts'
import type { Authorized } from '../../domain/rights/authorized.ts'
import { dialectOf } from '../dialects/dialects.ts'
import { readPlan } from './plan-reads.ts'
import { prepareFiltered } from './prepare.ts'

type Context = Pick<ReadContext, 'db' | 'schema' | 'view' | 'actor' | 'clock' | 'asker'>

/**
 * About as many rows as the query counts as `filtered`; null where they have to be counted: because that is cheap, because
 * the database has no estimate, or because its statistics would tell the actor of rows that it may not read.
 */
export async function estimateRows(ctx: Context, query: Authorized<Query>): Promise<number | null> {
  if (query.estimable !== true) return null
  const { schema, view, actor, clock, asker } = ctx
  const statement = prepareFiltered(query, { schema, view, dialect: ctx.db.dialect, actor, clock })
  const { rows, isCheap } = dialectOf(ctx.db).estimateOf(await readPlan(ctx.db, { ...statement, asker }))
  return isCheap ? null : rows
}
