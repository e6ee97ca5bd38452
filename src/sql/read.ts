/** Runs compiled queries: one statement per read, its answer passed on as it came. */
import type { Authorized } from '../domain/authorized.ts'
import type { Context } from '../domain/context.ts'
import type { Query } from '../domain/query.ts'
import type { RowForm } from './columns.ts'
import { dialectOf } from './dialects.ts'
import { prepare } from './prepare.ts'

/** `json` is the text of an array. Counts are there if they were asked for. */
export type ReadResult = {
  readonly json: string
  readonly rowCount: number
  readonly counts: { readonly total?: number; readonly filtered?: number }
}

/** A read of rows, and the values of further expressions: null each where there was no row. */
export type ReadBeside = ReadResult & { readonly beside: readonly (string | null)[] }

/** Reads in one round trip. */
export async function runQuery(
  ctx: Pick<Context, 'db' | 'schema' | 'view' | 'actor' | 'clock'>,
  query: Authorized<Query>,
): Promise<ReadResult> {
  const { schema, view, actor, clock } = ctx
  const { statement, values } = prepare(query, { schema, view, dialect: dialectOf(ctx.db), actor, clock })
  const { text, name } = statement
  const form = statement.rows.kind === 'objects' ? 'plain' : 'array'
  const { rows } = await ctx.db.run({ text, values, rows: form, ...(name === undefined ? {} : { name }) })
  return toResult(statement.rows, rows, query)
}

/**
 * The same for a few rows, with expressions of our own, none of which a request has a word in, that are answered
 * by the same statement. Always the same expressions for the same query.
 */
export async function runQueryBeside(
  ctx: Pick<Context, 'db' | 'schema' | 'view' | 'actor' | 'clock'>,
  query: Authorized<Query>,
  expressions: readonly string[],
): Promise<ReadBeside> {
  const { schema, view, actor, clock } = ctx
  const { statement, values } = prepare(query, { schema, view, dialect: dialectOf(ctx.db), actor, clock })
  const text = `select r.*, ${expressions.join(', ')} from (${statement.text}) r`
  const name = statement.name === undefined ? {} : { name: `${statement.name}-beside` }
  const { rows } = await ctx.db.run({ text, values, rows: 'array', ...name })
  const texts = rows as readonly (readonly (string | null)[])[]
  return { ...toResult(statement.rows, texts, query), beside: texts[0]?.slice(-expressions.length) ?? [] }
}

function toResult(form: RowForm, rows: readonly unknown[], query: Query): ReadResult {
  const rowCount = rows.length
  if (form.kind === 'objects') return { json: JSON.stringify(rows), rowCount, counts: {} }
  const texts = rows as readonly (readonly (string | null)[])[]
  if (form.kind === 'texts') return { json: form.toJson(texts), rowCount, counts: {} }
  if (form.kind === 'row') return { json: `[${texts[0]?.[0] ?? ''}]`, rowCount, counts: {} }
  return toList(texts[0] ?? ['[]', '0'], query)
}

function toList([json, rowCount, ...counts]: readonly (string | null)[], query: Query): ReadResult {
  if (query.counts.length === 0) return { json: json ?? '[]', rowCount: Number(rowCount), counts: {} }
  const byName = [...new Set(query.counts)].map((count, index) => [count, Number(counts[index])])
  return { json: json ?? '[]', rowCount: Number(rowCount), counts: Object.fromEntries(byName) as ReadResult['counts'] }
}
