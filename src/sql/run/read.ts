/** Runs compiled queries: one statement per read. The result is passed on without parsing. */
import { estimateCells } from '../../domain/conditions/query-cells.ts'
import { readsFewRows } from '../../domain/conditions/query-passes.ts'
import type { ReadContext as ContextOfReads, Database } from '../../domain/ports/context.ts'
import {
  type Beside,
  type MatchedRow,
  type OneRow,
  type ReadResult,
  type Row,
  type RowBeside,
  rowTextOf,
  toRows,
} from '../../domain/ports/row-store.ts'
import type { Query } from '../../domain/query/query.ts'
import type { Authorized } from '../../domain/rights/authorized.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { type RowForm, type TextColumn, type TextRow, tagColumn } from '../compile/columns.ts'
import { dialectOf } from '../dialects/dialects.ts'
import { quoteName } from '../dialects/quoting.ts'
import { refusalOf } from '../errors/refusals.ts'
import { readPlan } from './plan-reads.ts'
import { type Prepared, prepare, prepareFiltered } from './prepare.ts'

type ReadContext = Omit<ContextOfReads, 'rows' | 'limits' | 'usage'>

/** Reads rows as JSON text, in one round trip. */
export async function runQuery(ctx: ReadContext, query: Authorized<Query>): Promise<ReadResult> {
  if (query.counts.includes('estimated')) return runEstimated(ctx, query)
  const { form, rows } = await send(ctx, query)
  return toResult(form, rows, query)
}

/** Reads the first row, and its content tag if the query selects it. */
export async function readOne(ctx: ReadContext, query: Authorized<Query>): Promise<OneRow | null> {
  const { form, rows } = await send(ctx, query)
  if (form.kind === 'objects' || form.kind === 'texts') return rows.length === 0 ? null : toRow(form, rows[0], query)
  const result = toResult(form, rows, query)
  return result.rowCount === 0 ? null : { json: rowTextOf(result) }
}

/** The same with an estimated count, which the planner gives in a round trip of its own. */
async function runEstimated(ctx: ReadContext, query: Authorized<Query>): Promise<ReadResult> {
  const estimated = await runFiltered(() => estimateRows(ctx, query))
  const counts = estimated === null ? query.counts : query.counts.filter((name) => name !== 'estimated')
  const { form, rows } = await send(ctx, { ...query, counts })
  const result = toResult(form, rows, { ...query, counts })
  return estimated === null ? result : { ...result, counts: { ...result.counts, estimated } }
}

/** Reads rows as objects, in one round trip. */
export async function readRows(ctx: ReadContext, query: Authorized<Query>): Promise<readonly Row[]> {
  const { form, rows } = await send(ctx, query)
  return form.kind === 'objects' ? (rows as readonly Row[]) : toRows(toResult(form, rows, query))
}

/**
 * About as many rows as the query counts as `filtered`; null where they have to be counted: because that is cheap, because
 * the database has no estimate, or because its statistics would tell the actor of rows that it may not read.
 */
async function estimateRows(ctx: ReadContext, query: Authorized<Query>): Promise<number | null> {
  if (query.estimable !== true) return null
  const { schema, view, actor, clock, asker } = ctx
  const statement = prepareFiltered(query, { schema, view, dialect: ctx.db.dialect, actor, clock })
  const { rows, isCheap } = dialectOf(ctx.db).estimateOf(await readPlan(ctx.db, { ...statement, asker }))
  return isCheap ? null : rows
}

type Answer = { readonly form: RowForm; readonly rows: readonly unknown[] }

async function send(ctx: ReadContext, query: Authorized<Query>): Promise<Answer> {
  const { statement, values } = prepareRead(ctx, query)
  ctx.stopwatch?.leave('compile')
  const { text, name } = statement
  const { rows } = await runFiltered(() =>
    ctx.db.run({
      text,
      values,
      rows: formOf(statement.rows),
      asker: ctx.asker,
      isQuick: isQuick(ctx.schema, query, statement),
      ...(statement.reads === null ? {} : { reads: statement.reads }),
      ...(name === undefined ? {} : { name }),
    }),
  )
  ctx.stopwatch?.leave('run')
  return { form: statement.rows, rows }
}

function prepareRead(ctx: ReadContext, query: Authorized<Query>): ReturnType<typeof prepare> {
  const { db, schema, view, actor, clock } = ctx
  ctx.allowance?.spend(estimateCells(schema, query).cells)
  return prepare(query, { schema, view, dialect: db.dialect, actor, clock })
}

const isQuick = (schema: Schema, query: Query, { quick }: Prepared): boolean =>
  quick === 'always' || (quick === 'few-rows' && readsFewRows(schema, query))

/** The rows of `query.given` that match the query, in one round trip. */
export async function matchRows(ctx: ReadContext, query: Authorized<Query>): Promise<readonly MatchedRow[]> {
  const { form, rows } = await send(ctx, query)
  if (form.kind !== 'texts') throw new Error('Given rows must come as texts')
  return (rows as readonly TextRow[]).map((row) => ({
    position: Number(row.at(-1)) - 1,
    json: joinTexts(form.columns, [row]),
  }))
}

/**
 * Reads only the first row, and expressions of the server in the same statement; null if there is no row. The
 * expressions never depend on the request, must be the same for the same query, and are as quick as a row by its key.
 */
export async function readRowBeside(
  ctx: ReadContext,
  query: Authorized<Query>,
  { expressions }: Pick<Beside<Database>, 'expressions'>,
): Promise<RowBeside | null> {
  const { statement, values } = prepareRead(ctx, query)
  const names = expressions.map((_, at) => `beside ${at}`)
  const added = expressions.map((sql, at) => `${sql} as ${quoteName(names[at] as string)}`)
  const text = `select r.*, ${added.join(', ')} from (${statement.text}) r`
  const name = statement.name === undefined ? {} : { name: `${statement.name}-beside` }
  ctx.stopwatch?.leave('compile')
  const { asker } = ctx
  const quick = isQuick(ctx.schema, query, statement)
  const { rows } = await ctx.db.run({ text, values, rows: formOf(statement.rows), asker, isQuick: quick, ...name })
  ctx.stopwatch?.leave('run')
  const [first] = rows
  if (first === undefined) return null
  if (statement.rows.kind === 'objects') {
    const row = first as { readonly [name: string]: string | null }
    return { row, beside: names.map((each) => row[each] ?? null) }
  }
  const [row] = toRows(toResult(statement.rows, rows, query))
  return row === undefined ? null : { row, beside: (first as TextRow).slice(-expressions.length) }
}

const formOf = ({ kind }: RowForm): 'plain' | 'array' => (kind === 'objects' ? 'plain' : 'array')

function toResult(form: RowForm, rows: readonly unknown[], query: Query): ReadResult {
  const rowCount = rows.length
  if (query.tag !== undefined && rowCount > 0 && (form.kind === 'objects' || form.kind === 'texts')) {
    const { json, ...tag } = toRow(form, rows[0], query)
    return { pieces: [`[${json}]`], rowCount: 1, counts: {}, ...tag }
  }
  if (form.kind === 'objects') return { pieces: inPieces(rows, toElements), rowCount, counts: {} }
  const texts = rows as readonly TextRow[]
  if (form.kind === 'texts')
    return { pieces: inPieces(texts, (some) => joinTexts(form.columns, some)), rowCount, counts: {} }
  if (form.kind === 'row') return { pieces: [`[${texts[0]?.[0] ?? ''}]`], rowCount, counts: {} }
  return toList(texts[0] ?? ['[]', '0'], query)
}

/** The tag is the last column. */
function toRow(form: RowForm, first: unknown, { tag: selected }: Query): OneRow {
  if (form.kind === 'texts') {
    const json = joinTexts(form.columns, [first as TextRow])
    return selected === undefined ? { json } : { json, tag: (first as TextRow).at(-1) ?? '' }
  }
  if (selected === undefined) return { json: JSON.stringify(first) }
  const { [tagColumn]: tag = '', ...row } = first as { readonly [name: string]: string }
  return { json: JSON.stringify(row), tag }
}

function toList([json, rowCount, ...counts]: readonly (string | null)[], query: Query): ReadResult {
  const pieces = [json ?? '[]']
  if (query.counts.length === 0) return { pieces, rowCount: Number(rowCount), counts: {} }
  const byName = [...new Set(query.counts)].map((count, index) => [count, Number(counts[index])])
  return { pieces, rowCount: Number(rowCount), counts: Object.fromEntries(byName) as ReadResult['counts'] }
}

/** Objects as JSON array elements, without the brackets. */
const toElements = (rows: readonly unknown[]): string => JSON.stringify(rows).slice(1, -1)

/** The same for rows of texts. */
export function joinTexts(columns: readonly TextColumn[], rows: readonly TextRow[]): string {
  if (columns.length === 0) return rows.map(() => '{}').join(',')
  let json = ''
  for (const row of rows) {
    if (json !== '') json += ','
    for (let at = 0; at < columns.length; at += 1) {
      const { head, isText } = columns[at] as TextColumn
      const value = row[at] ?? null
      json += head
      json += isText ? JSON.stringify(value) : (value ?? 'null')
    }
    json += '}'
  }
  return json
}

/**
 * V8 allocates longer texts in its large-object space. They would be collected only with the old generation, which
 * costs a fifth of reading a thousand wide rows.
 */
const pieceLength = 50_000
const firstRows = 20

/** The text of the array, in pieces of about that length. */
function inPieces<Row>(rows: readonly Row[], toElements: (rows: readonly Row[]) => string): readonly string[] {
  const pieces: string[] = []
  let size = firstRows
  for (let at = 0; at < rows.length; ) {
    const some = rows.slice(at, at + size)
    const text = toElements(some)
    pieces.push(`${at === 0 ? '[' : ','}${text}`)
    at += some.length
    size = Math.max(1, Math.floor(some.length * Math.min(4, pieceLength / text.length)))
  }
  pieces.push(rows.length === 0 ? '[]' : ']')
  return pieces
}

/** Runs a read. Errors of the database about a value become errors about the filter. */
async function runFiltered<Answer>(run: () => Promise<Answer>): Promise<Answer> {
  try {
    return await run()
  } catch (error) {
    const refusal = refusalOf(error)
    if (!(error instanceof TandemError) || refusal === null || refusal.raised || !states.test(refusal.sqlState))
      throw error
    const [failure] = error.failures
    const isOutOfRange = failure.kind === 'value-out-of-range'
    if (!isOutOfRange && failure.kind !== 'invalid-payload') throw error
    const reason = isOutOfRange ? 'Expected a value in the range of its type' : failure.reason
    throw new TandemError({ kind: 'invalid-query', name: 'filter', reason }, { cause: error.cause })
  }
}

/** What the functions that read values of a type answer. */
const states = /^(22003|22007|22008|22023|22P02|0A000|3F000|42...|XX000)$/
