/**
 * Transactions, each on its own connection. Statements of one turn are sent in one message, BEGIN with the first and
 * COMMIT with the last of them: a message costs more than most statements on both sides.
 */
import type pg from 'pg'
import type { Database, Rows, Statement } from '../../domain/ports/context.ts'
import type { TandemError } from '../../domain/rights/errors.ts'
import { isBrokenConnection, isStaleStatement, toTandemError } from '../errors/errors.ts'
import { databaseUnavailable } from '../errors/unavailable.ts'
import { isAlone, sendAlone, sendTogether } from './send.ts'

type Acquire = () => Promise<pg.PoolClient>

type Transaction = {
  readonly acquire: Acquire
  readonly dialect: string
  client: pg.PoolClient
  /** The client was released. */
  gone: boolean
  begun: boolean
  open: boolean
  /** A statement failed, so no further ones can run. */
  failed: boolean
  broken: boolean
  savepoints: number
  /** Statements that are not sent yet. */
  readonly waiting: WaitingStatement[]
  /** The message that is being sent or will be soon; null = none. */
  sending: Promise<void> | null
}

type WaitingStatement = PromiseWithResolvers<Rows> & { readonly statement: Statement }

/** Commits when `work` resolves, rolls back when it rejects. */
export async function inTransaction<T>(
  acquire: Acquire,
  dialect: string,
  work: (inner: Database) => Promise<T>,
): Promise<T> {
  const client = await acquire()
  const after: WaitingStatement[] = []
  const start = { gone: false, begun: false, open: true, failed: false, broken: false, savepoints: 0 }
  const state: Transaction = { acquire, dialect, client, ...start, waiting: [], sending: null }
  try {
    const last: Statement[] = []
    const runAfter = (statement: Statement): Promise<Rows> => wait(after, statement)
    const result = await work({ ...innerDatabase(state, last), runAfter })
    state.open = false
    if (state.begun || state.failed || state.sending !== null || last.length + after.length > 0)
      await commit(state, last, after)
    return result
  } catch (error) {
    state.open = false
    rejectAll(after, ended())
    await rollBack(state, 'rollback')
    throw error
  } finally {
    if (!state.gone) state.client.release(state.broken)
  }
}

const named = (text: string): Statement => ({ text, values: [], rows: 'array', name: text })
const unnamed = (text: string): Statement => ({ text, values: [], rows: 'array' })

/** COMMIT of a transaction in which a statement failed is a ROLLBACK, without an error. */
async function commit(
  state: Transaction,
  last: readonly Statement[],
  after: readonly WaitingStatement[],
): Promise<void> {
  while (state.sending !== null) await state.sending
  if (state.failed) throw new Error('The transaction was rolled back: a failed statement in it was ignored')
  const committed = all(state, [...last, named('commit')])
  const reads = after.map(({ statement, resolve, reject }) => ask(state, statement).then(resolve, reject))
  await committed
  await Promise.all(reads)
}

const all = (state: Transaction, statements: readonly Statement[]): Promise<readonly Rows[]> =>
  Promise.all(statements.map((statement) => ask(state, statement)))

/** `last` collects the statements for the end of the transaction. */
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

/** Statements are sent at the end of the turn, together. */
function ask(state: Transaction, statement: Statement): Promise<Rows> {
  const answer = wait(state.waiting, statement)
  state.sending ??= sendSoon(state)
  return answer
}

function wait(line: WaitingStatement[], statement: Statement): Promise<Rows> {
  const waiting: WaitingStatement = { statement, ...Promise.withResolvers<Rows>() }
  line.push(waiting)
  return waiting.promise
}

async function sendSoon(state: Transaction): Promise<void> {
  await new Promise((resolve) => process.nextTick(resolve))
  await exchange(state, take(state.waiting), true)
  state.sending = state.waiting.length === 0 ? null : sendSoon(state)
}

/** The first statements that can be sent together. */
function take(waiting: WaitingStatement[]): readonly WaitingStatement[] {
  const [first] = waiting
  if (first === undefined) return []
  const groupKind = groupKindOf(first)
  const end = groupKind === 'alone' ? 1 : waiting.findIndex((each) => groupKindOf(each) !== groupKind)
  return waiting.splice(0, end === -1 ? waiting.length : end)
}

function groupKindOf({ statement }: WaitingStatement): 'alone' | 'named' | 'unnamed' {
  if (isAlone(statement)) return 'alone'
  return statement.name === undefined ? 'unnamed' : 'named'
}

/** Sends the statements and passes on their results. BEGIN is sent before the first one. */
async function exchange(state: Transaction, group: readonly WaitingStatement[], mayRetry: boolean): Promise<void> {
  const [first] = group
  if (first === undefined) return
  const groupKind = groupKindOf(first)
  const begin = state.begun ? [] : [groupKind === 'unnamed' ? unnamed('begin') : named('begin')]
  const together = groupKind === 'alone' ? begin : [...begin, ...group.map(({ statement }) => statement)]
  const answers: PromiseSettledResult<Rows>[] = await Promise.allSettled(
    together.length === 0 ? [] : sendTogether(state.client, together),
  )
  const begun = begin.length === 0 ? null : (answers.shift() ?? null)
  if (begun?.status === 'rejected') {
    if (mayRetry && isBrokenConnection(begun.reason)) return again(state, group)
    return rejectAll(group, failed(state, begun.reason))
  }
  state.begun = true
  if (groupKind === 'alone') answers.push(...(await Promise.allSettled([sendAlone(state.client, first.statement)])))
  for (const [index, { resolve, reject }] of group.entries()) {
    const answer = answers[index]
    if (answer?.status === 'fulfilled') resolve(answer.value)
    else reject(failed(state, answer?.reason))
  }
}

/** Nothing was executed: a connection that died meanwhile is replaced, once. */
async function again(state: Transaction, group: readonly WaitingStatement[]): Promise<void> {
  state.gone = true
  state.client.release(true)
  try {
    state.client = await state.acquire()
  } catch (error) {
    return rejectAll(group, error)
  }
  state.gone = false
  await exchange(state, group, false)
}

const rejectAll = (group: readonly WaitingStatement[], error: unknown): void =>
  group.forEach(({ reject }) => reject(error))

/** Reports the original error. A connection that cannot roll back is closed. */
async function rollBack(state: Transaction, text: string): Promise<void> {
  rejectAll(state.waiting.splice(0), ended())
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
  // Only a new connection can prepare the statement again. The transaction is lost; the caller may repeat it.
  state.broken = true
  return lost(error)
}

const ended = (): Error => new Error('The transaction has ended: use the outer database')

const lost = (cause?: unknown): TandemError => databaseUnavailable('The transaction was lost', cause)
