/** A connection of the pool, and one statement on it. */
import type pg from 'pg'
import type { Rows, Statement } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import { queryCompiled, toParameter } from './compiled-query.ts'
import { objectTypes } from './value-types.ts'

/** Whatever stands in the way, a wrong password included, is for the operator to read in the log. */
export async function lend(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (cause) {
    const waited = cause instanceof Error && cause.message.startsWith('timeout exceeded')
    const reason = waited ? 'No connection to the database is free' : 'The database cannot be reached'
    throw new TandemError({ kind: 'unavailable', service: 'database', reason, retryAfter: 1 }, { cause })
  }
}

/** Sends one statement by itself. */
export async function send(client: pg.PoolClient, statement: Statement): Promise<Rows> {
  const { rows: form = 'object' } = statement
  if (form !== 'object') return queryCompiled(client, statement)
  const query: pg.QueryConfig = { text: statement.text, types: objectTypes }
  if (statement.values.length > 0) query.values = statement.values.map(toParameter)
  if (statement.name !== undefined) query.name = statement.name
  // Several statements in one text answer with a list; the last one counts.
  const answer = (await client.query(query)) as pg.QueryResult | pg.QueryResult[]
  const result = Array.isArray(answer) ? answer.at(-1) : answer
  return { rows: result?.rows ?? [], count: result?.rowCount ?? result?.rows.length ?? 0 }
}
