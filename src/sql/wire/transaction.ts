/**
 * Transactions on a connection of their own. Statements that are asked for in one go are sent in one message, the
 * beginning with the first of them and the end with the last: on both sides a message of its own costs more
 * than most statements.
 */
import type pg from 'pg'
import type { Database, Rows, Statement } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { queryTogether } from './compiled-query.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { isBrokenConnection, isStaleStatement, toTandemError } from './errors.ts'
import { send } from './send.ts'

type Transaction = {
  readonly connections: ConnectionPool
  readonly dialect: string
  client: pg.PoolClient
  /** The client is not ours any more. */
  gone: boolean
  begun: boolean
  open: boolean
  /** A statement failed, so that none can follow. */
  failed: boolean
  broken: boolean
  savepoints: number
  /** Not sent yet. */
  readonly waiting: Waiting[]
  /** What is being sent, or soon will be; null = nothing. */
  sending: Promise<void> | null
}

type Waiting = PromiseWithResolvers<Rows> & { readonly statement: Statement }

/** Commits when `work` resolves, rolls back when it rejects. */
export async function inTransaction<T>(
  connections: ConnectionPool,
  dialect: string,
  work: (inner: Database) => Promise<T>,
): Promise<T> {
  const client = await connections.acquire()
  const fresh = {
    gone: false,
    begun: false,
    open: true,
    failed: false,
    broken: false,
    savepoints: 0,
    waiting: [],
    sending: null,
  }
  const state: Transaction = { connections, dialect, client, ...fresh }
  try {
    const last: Statement[] = []
    const result = await work(innerDatabase(state, last))
    state.open = false
    if (state.begun || state.failed || state.sending !== null || last.length > 0) await commit(state, last)
    return result
  } catch (error) {
    state.open = false
    await rollBack(state, 'rollback')
    throw error
  } finally {
    if (!state.gone) connections.release(state.client, state.broken)
  }
}

const named = (text: string): Statement => ({ text, values: [], rows: 'array', name: text })
const unnamed = (text: string): Statement => ({ text, values: [], rows: 'array' })

/** COMMIT of a transaction in which a statement failed is a ROLLBACK, without an error. */
async function commit(state: Transaction, last: readonly Statement[]): Promise<void> {
  while (state.sending !== null) await state.sending
  if (state.failed) throw new Error('The transaction was rolled back: a failed statement in it was ignored')
  await all(state, [...last, named('commit')])
}

const all = (state: Transaction, statements: readonly Statement[]): Promise<readonly Rows[]> =>
  Promise.all(statements.map((statement) => ask(state, statement)))

/** `last` takes what is to be done at the end. */
function innerDatabase(state: Transaction, last: Statement[]): Database {
  const assertOpen = (): void => {
    if (!state.open) throw ended()
    if (state.broken || state.gone) throw lost()
  }
  return {
    dialect: state.dialect,
    isInner: true,
    run: async (statement) => {
      assertOpen()
      return ask(state, statement)
    },
    runLast: async (statement) => {
      assertOpen()
      last.push(statement)
    },
    transaction: async (work) => {
      assertOpen()
      state.savepoints += 1
      const savepoint = `s${state.savepoints}`
      await ask(state, unnamed(`savepoint ${savepoint}`))
      try {
        const atEnd: Statement[] = []
        const result = await work(innerDatabase(state, atEnd))
        await all(state, [...atEnd, unnamed(`release savepoint ${savepoint}`)])
        return result
      } catch (error) {
        await rollBack(state, `rollback to savepoint ${savepoint}`)
        state.failed = false
        throw error
      }
    },
  }
}

/** Sent once whoever asks now has asked for all that it can. */
function ask(state: Transaction, statement: Statement): Promise<Rows> {
  const waiting: Waiting = { statement, ...Promise.withResolvers<Rows>() }
  state.waiting.push(waiting)
  state.sending ??= sendSoon(state)
  return waiting.promise
}

async function sendSoon(state: Transaction): Promise<void> {
  await new Promise((resolve) => process.nextTick(resolve))
  await exchange(state, take(state.waiting), true)
  state.sending = state.waiting.length === 0 ? null : sendSoon(state)
}

/** The first statements that can go together. */
function take(waiting: Waiting[]): readonly Waiting[] {
  const [first] = waiting
  if (first === undefined) return []
  const manner = mannerOf(first)
  const end = manner === 'alone' ? 1 : waiting.findIndex((each) => mannerOf(each) !== manner)
  return waiting.splice(0, end === -1 ? waiting.length : end)
}

function mannerOf({ statement: { rows = 'object', name } }: Waiting): 'alone' | 'named' | 'unnamed' {
  if (rows === 'object') return 'alone'
  return name === undefined ? 'unnamed' : 'named'
}

/** Sends them and passes the answers on; the beginning goes before the first. */
async function exchange(state: Transaction, group: readonly Waiting[], mayRetry: boolean): Promise<void> {
  const [first] = group
  if (first === undefined) return
  const manner = mannerOf(first)
  const begin = state.begun ? [] : [manner === 'unnamed' ? unnamed('begin') : named('begin')]
  const together = manner === 'alone' ? begin : [...begin, ...group.map(({ statement }) => statement)]
  const answers: PromiseSettledResult<Rows>[] = await Promise.allSettled(
    together.length === 0 ? [] : queryTogether(state.client, together),
  )
  const begun = begin.length === 0 ? null : (answers.shift() ?? null)
  if (begun?.status === 'rejected') return notBegun(state, group, { mayRetry, reason: begun.reason })
  state.begun = true
  if (manner === 'alone') answers.push(...(await Promise.allSettled([send(state.client, first.statement)])))
  for (const [index, { resolve, reject }] of group.entries()) {
    const answer = answers[index]
    if (answer?.status === 'fulfilled') resolve(answer.value)
    else reject(failed(state, answer?.reason))
  }
}

type NotBegun = { readonly mayRetry: boolean; readonly reason: unknown }

/** Nothing was done: a connection that had died meanwhile is replaced, once. */
async function notBegun(state: Transaction, group: readonly Waiting[], { mayRetry, reason }: NotBegun): Promise<void> {
  try {
    if (!mayRetry || !isBrokenConnection(reason)) throw failed(state, reason)
    state.gone = true
    state.connections.release(state.client, true)
    state.client = await state.connections.acquire()
    state.gone = false
  } catch (error) {
    for (const { reject } of group) reject(error)
    return
  }
  await exchange(state, group, false)
}

/** The error that led here is the one to report; a connection that cannot roll back is thrown away. */
async function rollBack(state: Transaction, text: string): Promise<void> {
  for (const { reject } of state.waiting.splice(0)) reject(ended())
  await state.sending
  if (state.broken || state.gone || !state.begun) return
  await state.client.query(text).catch(() => {
    state.broken = true
  })
}

function failed(state: Transaction, error: unknown): unknown {
  state.failed = true
  if (isBrokenConnection(error)) state.broken = true
  if (!isStaleStatement(error)) return toTandemError(error)
  // Only a fresh connection can prepare it again, and the transaction is lost: the caller may repeat it.
  state.broken = true
  return lost(error)
}

const ended = (): Error => new Error('The transaction has ended: use the outer database')

const lost = (cause?: unknown): TandemError =>
  new TandemError(
    { kind: 'unavailable', service: 'database', reason: 'The transaction was lost', retryAfter: 1 },
    { cause },
  )
