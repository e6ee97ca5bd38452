/**
 * What somebody who asks a query is told of changes: a row that begins to match is created, one that no longer matches
 * is deleted. Each change is judged by the row as it was before and after it, in one statement for all changes, and one
 * for deletions. Related rows and rights are those of the moment of judging.
 */
import { authorizeQuery } from '../../authz/authorize.ts'
import type { ReadContext } from '../../domain/ports/context.ts'
import type { FeedEvent, Seen } from '../../domain/ports/feed.ts'
import type { Judged } from '../../domain/ports/row-store.ts'
import type { GivenRows, Query } from '../../domain/query/query.ts'
import { keyFromText } from '../rows/keys.ts'

/** The changes of the collection that the caller may see, in their order. Throws as a read of the query does. */
export async function judge(ctx: ReadContext, query: Query, events: readonly FeedEvent[]): Promise<readonly Seen[]> {
  const collection = ctx.schema.collections.get(query.collection)
  const own = events.filter((event) => event.collection === query.collection)
  if (collection === undefined || own.length === 0) return []
  const states = own.flatMap(({ before, after }, event) => [
    ...(before === null ? [] : [{ event, side: 'before' as const, row: before, isGone: after === null }]),
    ...(after === null ? [] : [{ event, side: 'after' as const, row: after, isGone: false }]),
  ])
  const matched: { before?: string; after?: string }[] = own.map(() => ({}))
  for (const isGone of [false, true]) {
    const judged = states.filter((state) => state.isGone === isGone)
    for (const { position, json } of await match(ctx, query, { rows: judged.map(({ row }) => row), isGone })) {
      const state = judged[position]
      const match = state === undefined ? undefined : matched[state.event]
      if (state !== undefined && match !== undefined) match[state.side] = json
    }
  }
  return own.flatMap(({ position, item }, index) => {
    const { before, after = null } = matched[index] ?? {}
    if (before === undefined && after === null) return []
    const kind = after === null ? 'delete' : before === undefined ? 'create' : 'update'
    return [{ position, kind, key: keyFromText(collection, item), json: after } as const]
  })
}

/** Those of the rows that the query finds. */
async function match(ctx: ReadContext, query: Query, rows: GivenRows): Promise<readonly Judged[]> {
  if (rows.rows.length === 0) return []
  const page = { limit: null, offset: 0 }
  return ctx.rows.match(ctx, authorizeQuery(ctx, { ...query, sort: [], page, counts: [], given: rows }))
}
