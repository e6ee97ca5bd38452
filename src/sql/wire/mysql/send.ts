/** Statements on one connection of MariaDB or MySQL: each is a plan of one or more texts. */
import type { Connection } from 'mysql2'
import type { Rows, Statement } from '../../../domain/ports/context.ts'
import { knownColumn } from '../../dialects/mysql/catalog.ts'
import type { MySqlDialectName } from '../../dialects/mysql/server.ts'
import { isDuplicate, toDatabaseError, writtenTable } from './errors.ts'
import { type Rendered, renderAll } from './render.ts'
import { sendEach } from './send-each.ts'
import { type Answer, type FieldFacts, toInstantParameter, toParameter, toRows } from './values.ts'

/** Rendered statements by their text. Clients influence texts of reads, so their number is limited. */
const renderedCache = new Map<string, readonly Rendered[]>()
const mostKnown = 2000

function rendered(text: string): readonly Rendered[] {
  const cached = renderedCache.get(text)
  if (cached !== undefined) return cached
  const made = renderAll(text)
  if (renderedCache.size >= mostKnown) renderedCache.delete(renderedCache.keys().next().value as string)
  renderedCache.set(text, made)
  return made
}

/** The texts of the statement for the vendor; where MySQL has none of its own, those of MariaDB. */
export function planOf({ text, texts }: Statement, dialect: MySqlDialectName): readonly Rendered[] {
  const own = texts?.[dialect] ?? texts?.['mysql'] ?? text
  return typeof own === 'string' ? rendered(own) : own.flatMap(rendered)
}

const empty: Answer = { rows: [], fields: [], count: 0 }

/**
 * Runs the plan. The first column of the rows of a text is a list for later ones, which are not run if it is empty. The
 * rows are those of the last text that returns any, the count is that of the last text.
 */
export async function send(
  connection: Connection,
  { rows: form = 'object', values }: Statement,
  plan: readonly Rendered[],
): Promise<Rows> {
  const answers: Answer[] = []
  for (const rendered of plan) {
    const { sql, order, instants, each } = rendered
    if (each !== undefined) {
      answers.push(await sendEach({ connection, ask }, { ...rendered, each }, values))
      continue
    }
    const lists = order.filter((number) => number < 0).map((number) => answers[-number - 1] ?? empty)
    if (lists.some(({ rows }) => rows.length === 0)) {
      answers.push(empty)
      continue
    }
    const parameters = order.map((number, at) => {
      if (number < 0) return JSON.stringify((answers[-number - 1] as Answer).rows.map(([first]) => first))
      return (instants.includes(at) ? toInstantParameter : toParameter)(values[number - 1])
    })
    answers.push(await ask(connection, sql, parameters))
  }
  const { rows, fields } = answers[plan.findLastIndex(({ returns }) => returns)] ?? empty
  return { rows: toRows(rows, fields, form), count: answers.at(-1)?.count ?? 0 }
}

/** Passes on the rows in pages; the next page is read when the last one was taken. */
export async function stream(
  connection: Connection,
  [first]: readonly Rendered[],
  statement: Statement,
  onPage: (rows: readonly unknown[]) => Promise<void>,
): Promise<void> {
  if (first === undefined) return
  const parameters = first.order.map((number) => toParameter(statement.values[number - 1]))
  let fields: readonly FieldFacts[] = []
  const query = connection.execute({ sql: first.sql, rowsAsArray: true }, parameters as never)
  query.on('fields', (fieldPackets: unknown) => {
    fields = fieldPackets as readonly FieldFacts[]
  })
  let page: Answer['rows'][number][] = []
  const pass = async (): Promise<void> => {
    const rows = toRows(page, fields, 'array')
    page = []
    await onPage(rows)
  }
  try {
    for await (const row of query.stream({ highWaterMark: pageSize })) {
      page.push(row as Answer['rows'][number])
      if (page.length === pageSize) await pass()
    }
  } catch (error) {
    throw toDatabaseError(error)
  }
  if (page.length > 0) await pass()
}

const pageSize = 500

/** Only statements on rows, and their plans, can be prepared. */
const isPrepared = /^\s*((explain|analyze) (format=json|analyze) )?(select|insert|update|delete|with|replace)\b/i

async function ask(connection: Connection, sql: string, parameters: readonly unknown[]): Promise<Answer> {
  try {
    return await exchange(connection, sql, parameters)
  } catch (error) {
    throw await withColumns(connection, toDatabaseError(error, sql), sql)
  }
}

function exchange(connection: Connection, sql: string, parameters: readonly unknown[]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, result: unknown, fields: unknown): void => {
      if (error !== null) reject(error)
      else resolve(toAnswer(result, fields))
    }
    const query = { sql, rowsAsArray: true }
    if (isPrepared.test(sql)) connection.execute(query, parameters as never, done as never)
    else connection.query(query, done as never)
  })
}

function toAnswer(result: unknown, fields: unknown): Answer {
  if (!Array.isArray(result)) {
    const { affectedRows = 0, insertId = 0 } = result as { affectedRows?: number; insertId?: number | string }
    return { ...empty, count: affectedRows, number: String(insertId) }
  }
  return { rows: result as Answer['rows'], fields: (fields ?? []) as Answer['fields'], count: result.length }
}

const columnsOfKey = `select column_name from information_schema.statistics
  where table_schema = database() and table_name = ? and index_name = ? order by seq_in_index`

/** The server names the key that has the values already, and not its columns. */
async function withColumns(connection: Connection, error: unknown, sql: string): Promise<unknown> {
  const table = writtenTable(sql)
  if (!isDuplicate(error) || table === null) return error
  const { rows } = await exchange(connection, columnsOfKey, [table, error.constraint]).catch(() => empty)
  // A trigger has written another table, whose names are for nobody who writes this one.
  if (rows.length === 0) return Object.assign(error, { constraint: undefined, detail: undefined })
  const columns = rows.map(([name]) => knownColumn(table, String(name))).join(', ')
  const joined = error.detail ?? ''
  // Values that contain hyphens are ambiguous.
  const parts = joined.split('-')
  const values = parts.length === rows.length ? parts.join(', ') : joined
  return Object.assign(error, { table, detail: `Key (${columns})=(${values}) already exists.` })
}
