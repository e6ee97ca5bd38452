/** The `Database` port over MariaDB and MySQL: statements, transactions and cancellation. */
import type { PoolConnection } from 'mysql2'
import type { Asker, Database, Rows, Statement } from '../../../domain/ports/context.ts'
import type { MySqlDialectName } from '../../dialects/mysql/server.ts'
import { repeated } from '../../errors/conflicts.ts'
import { isBrokenConnection, toTandemError } from '../../errors/errors.ts'
import { refusalOf } from '../../errors/refusals.ts'
import { clientGone } from '../../errors/unavailable.ts'
import type { MySqlConnections } from './connections.ts'
import { limitOf, limitWrites } from './limit-writes.ts'
import type { Rendered } from './render.ts'
import { planOf, send, stream } from './send.ts'

export type MySqlDatabase = Database & { cancelReads(asker: Asker): void }

/** A read that a client waits for. */
type Running = { readonly asker: Asker; readonly connection: PoolConnection; cancellation: Promise<void> | null }

/** `onAnnounced` is called when an announcement is committed. */
export function databaseOn(connections: MySqlConnections, onAnnounced: () => void): MySqlDatabase {
  const running = new Set<Running>()
  const run = async (statement: Statement): Promise<Rows> => {
    const plan = planOf(statement, await connections.met())
    // One text is a transaction of its own.
    if (plan.length < 2 && plan[0]?.each === undefined) return repeated(() => runAlone(statement, plan))
    // Several belong together; without values they change tables.
    if (statement.values.length === 0) return runAlone(statement, plan)
    return repeated(() => inTransaction(connections, onAnnounced, (inner) => inner.run(statement)))
  }
  const runAlone = async (statement: Statement, plan: readonly Rendered[], mayRetry = true): Promise<Rows> => {
    const connection = await connections.acquire()
    const entry: Running | null =
      statement.asker === undefined ? null : { asker: statement.asker, connection, cancellation: null }
    if (entry !== null) running.add(entry)
    let isUseless = false
    try {
      if (statement.asker?.isGone === true) throw clientGone()
      const answer = await sendLimited(connections, { connection, time: connections.statementTimeout }, statement, plan)
      if (statement.announces === true) onAnnounced()
      return answer
    } catch (error) {
      isUseless = isBrokenConnection(error)
      if (isUseless && mayRetry && /^\s*(select|with)\b/i.test(statement.text))
        return await runAlone(statement, plan, false)
      throw toTandemError(error)
    } finally {
      if (entry !== null) running.delete(entry)
      await entry?.cancellation
      connections.release(connection, isUseless)
    }
  }
  return {
    get dialect() {
      return connections.dialect()
    },
    run,
    runLast: async (statement) => void (await run(statement)),
    stream: (statement, onPage) => streamAlone(connections, statement, onPage),
    transaction: (work) => inTransaction(connections, onAnnounced, work),
    cancelReads: (asker) => {
      for (const entry of running)
        if (entry.asker === asker) entry.cancellation ??= connections.cancel(entry.connection)
    },
  }
}

/** Sends a plan, of which the server of MySQL does not limit the time of writes. */
function sendLimited(
  connections: MySqlConnections,
  { connection, time }: { readonly connection: PoolConnection; readonly time: number },
  statement: Statement,
  plan: readonly Rendered[],
): Promise<Rows> {
  const work = () => send(connection, statement, plan)
  if (connections.dialect() !== 'mysql8') return work()
  return limitWrites(plan, { time, cancel: () => connections.cancel(connection) }, work)
}

async function streamAlone(
  connections: MySqlConnections,
  statement: Statement,
  onPage: (rows: readonly unknown[]) => Promise<void>,
): Promise<void> {
  const connection = await connections.acquire()
  let isDone = false
  try {
    await stream(connection, planOf(statement, connections.dialect()), statement, onPage)
    isDone = true
  } catch (error) {
    throw toTandemError(error)
  } finally {
    // A connection with unread rows is closed.
    connections.release(connection, !isDone)
  }
}

type Transaction = {
  readonly connections: MySqlConnections
  readonly connection: PoolConnection
  readonly dialect: MySqlDialectName
  /** How long its next statement may take. */
  time: number
  open: boolean
  broken: boolean
  /** Why the server has ended it before its time; null while it goes on. */
  lost: Error | null
  announces: boolean
  /** Whether it has changed limits of the session, or holds locks of the session. */
  sets: boolean
  savepoints: number
  /** The statements that are being run, one after another. */
  last: Promise<unknown>
}

/** Commits when `work` resolves, rolls back when it rejects. */
async function inTransaction<T>(
  connections: MySqlConnections,
  onAnnounced: () => void,
  work: (inner: Database) => Promise<T>,
): Promise<T> {
  const connection = await connections.acquire()
  const start = { open: true, broken: false, lost: null, announces: false, sets: false, savepoints: 0 }
  const time = connections.statementTimeout
  const last = Promise.resolve()
  const state: Transaction = { connections, connection, dialect: connections.dialect(), time, last, ...start }
  const atEnd: Statement[] = []
  try {
    await ask(state, plain('begin'))
    const result = await work(innerOf(state, atEnd))
    for (const statement of atEnd) await ask(state, statement)
    state.open = false
    await ask(state, plain('commit'))
    if (state.announces) onAnnounced()
    return result
  } catch (error) {
    state.open = false
    await state.last
    state.lost = null
    await ask(state, plain('rollback')).catch(() => {
      state.broken = true
    })
    throw error
  } finally {
    // A session that cannot be restored is closed.
    if (state.sets) await restore(state).catch(() => void (state.broken = true))
    connections.release(connection, state.broken)
  }
}

async function restore(state: Transaction): Promise<void> {
  for (const text of state.connections.restore) await ask(state, plain(text))
}

const plain = (text: string): Statement => ({ text, values: [] })

function ask(state: Transaction, statement: Statement): Promise<Rows> {
  const plan = planOf(statement, state.dialect)
  state.announces ||= statement.announces === true
  state.sets ||= plan.some(({ sql }) => /^set session |^select get_lock\(/i.test(sql))
  const sent = state.last.then(() => {
    const { connections, connection, lost } = state
    if (lost !== null) throw lost
    state.time = limitOf(plan) ?? state.time
    return sendLimited(connections, { connection, time: state.time }, statement, plan)
  })
  const answer = sent.catch((error: unknown) => {
    if (isBrokenConnection(error)) state.broken = true
    const failure = toTandemError(error)
    if (endsTransaction(failure)) state.lost = failure
    throw failure
  })
  state.last = answer.catch(() => undefined)
  return answer
}

/** Conflicts, waits for a lock that last too long, and a full table of locks. */
const endingStates: ReadonlySet<string | undefined> = new Set(['40001', '40P01', '55P03', '53200'])

/**
 * Whether the server may have rolled back the transaction because of the error. It would commit a later statement by
 * itself, so none is sent.
 */
const endsTransaction = (error: unknown): error is Error => endingStates.has(refusalOf(error)?.sqlState)

function ignoreMissing(error: unknown): void {
  if (refusalOf(error)?.sqlState !== '3B001') throw error
}

function innerOf(state: Transaction, atEnd: Statement[]): Database {
  const assertOpen = (): void => {
    if (!state.open) throw new Error('The transaction has ended')
  }
  return {
    dialect: state.dialect,
    isInner: true,
    run: async (statement) => {
      assertOpen()
      return ask(state, statement)
    },
    stream: async (statement, onPage) => {
      assertOpen()
      await state.last
      if (state.lost !== null) throw state.lost
      // The pages are read before other statements of the transaction.
      const pages = stream(state.connection, planOf(statement, state.dialect), statement, onPage)
      state.last = pages.catch(() => undefined)
      await pages.catch((error: unknown) => {
        throw toTandemError(error)
      })
    },
    runLast: async (statement) => {
      assertOpen()
      atEnd.push(statement)
    },
    transaction: async (work) => {
      assertOpen()
      return atSavepoint(state, work)
    },
  }
}

async function atSavepoint<T>(state: Transaction, work: (inner: Database) => Promise<T>): Promise<T> {
  state.savepoints += 1
  const savepoint = `s${state.savepoints}`
  await ask(state, plain(`savepoint ${savepoint}`))
  const atEnd: Statement[] = []
  try {
    const result = await work(innerOf(state, atEnd))
    for (const statement of atEnd) await ask(state, statement)
    // A change of tables has ended the transaction, and its savepoints with it.
    await ask(state, plain(`release savepoint ${savepoint}`)).catch(ignoreMissing)
    return result
  } catch (error) {
    // After a deadlock the server has rolled back everything, and knows no savepoint any more.
    await ask(state, plain(`rollback to savepoint ${savepoint}`)).catch(() => undefined)
    throw error
  }
}
