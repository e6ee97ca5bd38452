/** Statements and transactions on a pool: lending, retrying where it is safe, translating errors. */
import type pg from 'pg'
import type { Database, Rows, Statement } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import { queryCompiled, toParameter } from './compiled-query.ts'
import { isBrokenConnection, isStaleStatement, toTandemError } from './errors.ts'
import { objectTypes } from './value-types.ts'

/** The port over a pool. */
export function databaseOf(pool: pg.Pool, dialect: string): Database {
  return {
    dialect,
    run: (statement) => runOnce(pool, statement, true),
    transaction: (work) => inTransaction(pool, dialect, work),
  }
}

/**
 * A read is tried again on another connection when the first one turns out to be dead; a write never is. What the
 * first one had prepared before a schema change, the other one may have too: it is asked without a name.
 */
async function runOnce(pool: pg.Pool, statement: Statement, mayRetry: boolean): Promise<Rows> {
  const client = await lend(pool)
  try {
    const rows = await send(client, statement)
    client.release()
    return rows
  } catch (error) {
    const broken = isBrokenConnection(error)
    const stale = isStaleStatement(error)
    client.release(broken || stale)
    const { name: _name, ...unnamed } = statement
    if (mayRetry && (stale || (broken && isRead(statement)))) return runOnce(pool, unnamed, false)
    throw toTandemError(error)
  }
}

async function inTransaction<T>(pool: pg.Pool, dialect: string, work: (inner: Database) => Promise<T>): Promise<T> {
  const client = await begin(pool, true)
  const state: Transaction = { client, dialect, open: true, broken: false, savepoints: 0 }
  try {
    const result = await work(innerDatabase(state))
    state.open = false
    // COMMIT of a transaction in which a statement failed answers ROLLBACK, without an error.
    const outcome = await command(state, 'commit')
    if (outcome !== 'COMMIT') throw new Error('The transaction was rolled back: a failed statement in it was ignored')
    return result
  } catch (error) {
    state.open = false
    await rollBack(state, 'rollback')
    throw error
  } finally {
    client.release(state.broken)
  }
}

async function begin(pool: pg.Pool, mayRetry: boolean): Promise<pg.PoolClient> {
  const client = await lend(pool)
  try {
    await client.query('begin')
    return client
  } catch (error) {
    client.release(true)
    if (mayRetry && isBrokenConnection(error)) return begin(pool, false)
    throw toTandemError(error)
  }
}

type Transaction = {
  readonly client: pg.PoolClient
  readonly dialect: string
  open: boolean
  broken: boolean
  savepoints: number
}

function innerDatabase(state: Transaction): Database {
  const assertOpen = (): void => {
    if (!state.open) throw new Error('The transaction has ended: use the outer database')
    if (state.broken) throw lost()
  }
  return {
    dialect: state.dialect,
    run: async (statement) => {
      assertOpen()
      try {
        return await send(state.client, statement)
      } catch (error) {
        throw translated(state, error)
      }
    },
    transaction: async (work) => {
      assertOpen()
      state.savepoints += 1
      const savepoint = `s${state.savepoints}`
      await command(state, `savepoint ${savepoint}`)
      try {
        const result = await work(innerDatabase(state))
        await command(state, `release savepoint ${savepoint}`)
        return result
      } catch (error) {
        await rollBack(state, `rollback to savepoint ${savepoint}`)
        throw error
      }
    },
  }
}

async function command(state: Transaction, text: string): Promise<string> {
  try {
    return (await state.client.query(text)).command
  } catch (error) {
    throw translated(state, error)
  }
}

/** The error that led here is the one to report; a connection that cannot roll back is thrown away. */
async function rollBack(state: Transaction, text: string): Promise<void> {
  if (state.broken) return
  await state.client.query(text).catch(() => {
    state.broken = true
  })
}

function translated(state: Transaction, error: unknown): unknown {
  if (isBrokenConnection(error)) state.broken = true
  if (!isStaleStatement(error)) return toTandemError(error)
  // Only a fresh connection can prepare it again, and the transaction is lost: the caller may repeat it.
  state.broken = true
  return lost(error)
}

const lost = (cause?: unknown): TandemError =>
  new TandemError(
    { kind: 'unavailable', service: 'database', reason: 'The transaction was lost', retryAfter: 1 },
    { cause },
  )

/** Whatever stands in the way, a wrong password included, is for the operator to read in the log. */
async function lend(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (cause) {
    const waited = cause instanceof Error && cause.message.startsWith('timeout exceeded')
    const reason = waited ? 'No connection to the database is free' : 'The database cannot be reached'
    throw new TandemError({ kind: 'unavailable', service: 'database', reason, retryAfter: 1 }, { cause })
  }
}

async function send(client: pg.PoolClient, statement: Statement): Promise<Rows> {
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

const isRead = (statement: Statement): boolean => /^\s*select\b/i.test(statement.text)
