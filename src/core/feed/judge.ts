/**
 * What somebody who asks a query is told of changes: a row that begins to match is created, one that no longer matches
 * is deleted. Each change is judged by the row as it was before and after it, in one statement for all changes, and one
 * for deletions. Related rows and rights are those of the moment of judging.
 */
import { authorizeQuery } from '../../authz/authorize.ts'
import { certainly } from '../../authz/certain.ts'
import { readGrant } from '../../authz/grants.ts'
import type { ReadContext } from '../../domain/ports/context.ts'
import type { FeedEvent, Seen } from '../../domain/ports/feed.ts'
import type { MatchedRow } from '../../domain/ports/row-store.ts'
import { and, type Filter, matchAll } from '../../domain/query/filter.ts'
import type { GivenRows, Query } from '../../domain/query/query.ts'
import { keyAsShown } from '../rows/keys.ts'

/** The changes of the collection that the caller may see, in their order. Throws as a read of the query does. */
export async function judge(ctx: ReadContext, query: Query, events: readonly FeedEvent[]): Promise<readonly Seen[]> {
  const collection = ctx.schema.collections.get(query.collection)
  const own = events.filter((event) => event.collection === query.collection)
  if (collection === undefined || own.length === 0) return []
  const states = own.flatMap(({ before, after }, event) => [
    ...(before === null ? [] : [{ event, side: 'before' as const, row: before, isGone: after === null }]),
    ...(after === null ? [] : [{ event, side: 'after' as const, row: after, isGone: false }]),
  ])
  const withKey = keyRows(ctx, query.collection)
  const matched: Matched[] = own.map(() => ({ hasKey: withKey?.kind === 'all' }))
  for (const isGone of [false, true]) {
    const judged = states.filter((state) => state.isGone === isGone)
    const given = { rows: judged.map(({ row }) => row), isGone }
    for (const { position, json } of await match(ctx, query, { given })) {
      const state = judged[position]
      const match = state === undefined ? undefined : matched[state.event]
      if (state !== undefined && match !== undefined) match[state.side] = json
    }
    if (withKey === null || withKey.kind === 'all') continue
    const within = isGone ? certainly(ctx.schema, query.collection, withKey) : withKey
    for (const { position } of await match(ctx, { ...query, selection: [] }, { given, within })) {
      const match = matched[judged[position]?.event ?? -1]
      if (match !== undefined) match.hasKey = true
    }
  }
  return own.flatMap(({ position, at, item }, index) => {
    const { before, after = null, hasKey = false } = matched[index] ?? {}
    if (before === undefined && after === null) return []
    const kind = after === null ? 'delete' : before === undefined ? 'create' : 'update'
    return [{ position, at, kind, key: hasKey ? keyAsShown(collection, item) : null, json: after } as const]
  })
}

/** The JSON of a row before and after a change, where the query finds it, and whether its key may be read. */
type Matched = { before?: string; after?: string; hasKey: boolean }

type Matching = { readonly given: GivenRows; readonly within?: Filter }

/** Those of the rows that the query finds. */
async function match(
  ctx: ReadContext,
  query: Query,
  { given, within = matchAll }: Matching,
): Promise<readonly MatchedRow[]> {
  if (given.rows.length === 0) return []
  const page = { limit: null, offset: 0 }
  return ctx.rows.match(ctx, authorizeQuery(ctx, { ...query, sort: [], page, counts: [], given }, within))
}

/** Matches the rows whose key columns are all readable; null if there are none. */
export function keyRows({ actor, schema }: Pick<ReadContext, 'actor' | 'schema'>, collection: string): Filter | null {
  const grant = readGrant(actor, schema, collection)
  const fields = grant.collection.keyColumns.map((name) => grant.fields.get(name))
  if (fields.includes(undefined)) return null
  return and(...fields.flatMap((field) => field?.guard ?? []))
}
