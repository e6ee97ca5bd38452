/** One statement on a connection. */
import type pg from 'pg'
import type { Rows, Statement } from '../../domain/ports/context.ts'
import { queryCompiled, toParameter } from './compiled-query.ts'
import { forConnection } from './unprepared.ts'
import { objectTypes } from './value-types.ts'

/** Sends one statement on its own. */
export async function send(client: pg.PoolClient, wanted: Statement): Promise<Rows> {
  const statement = forConnection(client, wanted)
  const { rows: form = 'object' } = statement
  if (form !== 'object') return queryCompiled(client, statement)
  const query: pg.QueryConfig = { text: statement.text, types: objectTypes }
  if (statement.values.length > 0) query.values = statement.values.map(toParameter)
  if (statement.name !== undefined) query.name = statement.name
  // A text with several statements returns a list of results; the last one counts.
  const answer = (await client.query(query)) as pg.QueryResult | pg.QueryResult[]
  const result = Array.isArray(answer) ? answer.at(-1) : answer
  return { rows: result?.rows ?? [], count: result?.rowCount ?? result?.rows.length ?? 0 }
}
