/** Runs compiled queries: one statement per read, its answer passed on as it came. */
import type { Authorized } from '../domain/authorized.ts'
import type { Context } from '../domain/context.ts'
import type { Query } from '../domain/query.ts'
import { dialectOf } from './dialects.ts'
import { prepare } from './prepare.ts'

/** `json` is the text of an array. Counts are there if they were asked for. */
export type ReadResult = {
  readonly json: string
  readonly rowCount: number
  readonly counts: { readonly total?: number; readonly filtered?: number }
}

/** Reads in one round trip. */
export async function runQuery(
  ctx: Pick<Context, 'db' | 'schema' | 'view' | 'actor' | 'clock'>,
  query: Authorized<Query>,
): Promise<ReadResult> {
  const { schema, view, actor, clock } = ctx
  const { statement, values } = prepare(query, { schema, view, dialect: dialectOf(ctx.db), actor, clock })
  const { text, name } = statement
  const { rows } = await ctx.db.run({ text, values, rows: 'array', ...(name === undefined ? {} : { name }) })
  const texts = rows as readonly (readonly (string | null)[])[]
  if (statement.toJson !== null) return { json: statement.toJson(texts), rowCount: texts.length, counts: {} }
  const [json, rowCount, ...counts] = texts[0] ?? ['[]', '0']
  const byName = [...new Set(query.counts)].map((count, index) => [count, Number(counts[index])])
  return { json: json ?? '[]', rowCount: Number(rowCount), counts: Object.fromEntries(byName) as ReadResult['counts'] }
}
