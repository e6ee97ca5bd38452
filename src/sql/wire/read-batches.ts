/**
 * Sends reads of one turn of the event loop in one message, because a message costs more than most reads on both sides.
 * A lone read is not delayed.
 */

import { performance } from 'node:perf_hooks'
import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import type { Asker, Rows, Statement } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { isBrokenConnection, isStaleStatement, toTandemError } from '../errors/errors.ts'
import type { ConnectionPool } from './connection-pool.ts'
import type { Cancel } from './driver-internals.ts'
import { type Question, sendApart } from './send.ts'

export type ReadStatement = Statement & { readonly asker: Asker }

export type Reads = {
  /**
   * Runs a read, unless its client has disconnected. Repeats it once if the connection or the prepared statement
   * failed.
   */
  readonly read: (statement: ReadStatement) => Promise<Rows>
  /** Cancels the reads of that client, and nothing else. */
  readonly cancelReads: (asker: Asker) => void
}

type Read = {
  readonly statement: ReadStatement
  readonly mayRetry: boolean
  readonly resolve: (rows: Rows) => void
  readonly reject: (error: unknown) => void
}

/** The reads in progress on one connection. */
type Batch = {
  readonly client: pg.PoolClient
  /** Reads without a result, in order. */
  readonly open: Set<Read>
  /** Reads that a client waits for. */
  readonly wanted: Set<Read>
  /** The cancellation in progress; null = none. */
  cancellation: Promise<void> | null
}

type State = {
  readonly connections: ConnectionPool
  readonly cancel: Cancel | null
  readonly estimates: LatencyEstimates
  readonly running: Set<Batch>
}

/**
 * Limit of the expected time in ms that a read waits for earlier reads of its batch. `beside` is about ten times the
 * cost of a message: a slower read gains nothing in a batch, and runs in parallel on its own connection. While requests
 * wait for connections there is no parallel connection, and batches shorten the queue.
 */
const timeouts = { beside: 0.5, inQueue: 5 } as const

const longestWait = ({ waiting }: ConnectionPool): number => (waiting() > 0 ? timeouts.inQueue : timeouts.beside)

/** Maximum number of reads in a batch. */
const mostReads = 16

/** Without `cancel`, the reads of disconnected clients run to their end. */
export function batchReads(
  connections: ConnectionPool,
  cancel: Cancel | null,
  estimates = createLatencyEstimates(),
): Reads {
  const state: State = { connections, cancel, estimates, running: new Set() }
  let waiting: Read[] = []
  const sendWaiting = (): void => {
    const reads = waiting
    waiting = []
    for (const batch of inBatches(reads, estimates, longestWait(connections))) void send(state, batch)
  }
  return {
    read: (statement) =>
      new Promise((resolve, reject) => {
        const read: Read = { statement, mayRetry: true, resolve, reject }
        // A slow read is sent alone, so it need not wait for the end of the turn.
        if (waiting.length === 0 && estimates.expect(statement.name) > longestWait(connections))
          return void send(state, [read])
        waiting.push(read)
        if (waiting.length === 1) setImmediate(sendWaiting)
      }),
    cancelReads: (asker) => {
      for (const batch of state.running) cancelBatch(state, batch, asker)
    },
  }
}

/** A slow or unknown read is the last one of its batch. */
function inBatches(reads: readonly Read[], estimates: LatencyEstimates, longest: number): readonly (readonly Read[])[] {
  const batches: Read[][] = []
  let expected = Number.POSITIVE_INFINITY
  for (const read of reads) {
    const last = batches.at(-1)
    if (last === undefined || expected > longest || last.length === mostReads) {
      batches.push([read])
      expected = 0
    } else last.push(read)
    expected += estimates.expect(read.statement.name)
  }
  return batches
}

async function send(state: State, reads: readonly Read[]): Promise<void> {
  let client: pg.PoolClient
  try {
    client = await state.connections.acquire()
  } catch (error) {
    for (const { reject } of reads) reject(error)
    return
  }
  const wanted = reads.filter(isWanted)
  const batch: Batch = { client, open: new Set(wanted), wanted: new Set(wanted), cancellation: null }
  state.running.add(batch)
  const { again, isUseless } = await exchange(state, batch).catch((error: unknown) => {
    for (const { reject } of batch.open) reject(error)
    return { again: [], isUseless: true }
  })
  state.running.delete(batch)
  state.connections.release(
    client,
    isUseless || (batch.cancellation !== null && !(await hasSucceeded(batch.cancellation))),
  )
  for (const read of again) void send(state, [read])
}

/** A connection is not released before a pending cancellation has ended, which would hit the next user's statement. */
const hasSucceeded = (cancellation: Promise<void>): Promise<boolean> =>
  cancellation.then(
    () => true,
    () => false,
  )

function isWanted({ statement, reject }: Read): boolean {
  if (!statement.asker.isGone) return true
  const reason = 'The client has disconnected'
  reject(new TandemError({ kind: 'unavailable', service: 'api', reason, retryAfter: 1 }))
  return false
}

type Exchanged = {
  /** Reads that failed because of the connection. */
  readonly again: readonly Read[]
  readonly isUseless: boolean
}

/** Resolves when all reads have succeeded or failed. */
async function exchange(state: State, batch: Batch): Promise<Exchanged> {
  const { open, wanted, client } = batch
  if (open.size === 0) return { again: [], isUseless: false }
  const ended = Promise.withResolvers<void>()
  const again: Read[] = []
  let isUseless = false
  const watch = startWatch()
  const settle = (read: Read): void => {
    open.delete(read)
    wanted.delete(read)
    state.estimates.note(read.statement.name, watch())
    if (open.size === 0) ended.resolve()
    else endUnwanted(state, batch)
  }
  const fail = (read: Read, error: unknown): void => {
    settle(read)
    const isConnection = isBrokenConnection(error) || isStaleStatement(error)
    if (isConnection) isUseless = true
    if (isConnection && read.mayRetry) again.push(unprepared(read))
    else read.reject(toTandemError(error))
  }
  const toQuestion = (read: Read): Question => ({
    statement: read.statement,
    resolve: (rows) => {
      settle(read)
      read.resolve(rows)
    },
    reject: (error) => fail(read, error),
  })
  sendApart(client, [...open].map(toQuestion))
  await ended.promise
  return { again, isUseless }
}

/** After a schema change another connection may have outdated prepared statements too, so the retry has no name. */
function unprepared(read: Read): Read {
  const { name: _name, ...statement } = read.statement
  return { ...read, statement, mayRetry: false }
}

function cancelBatch(state: State, batch: Batch, asker: Asker): void {
  for (const read of batch.wanted) if (read.statement.asker === asker) batch.wanted.delete(read)
  endUnwanted(state, batch)
}

/** Cancels the running read if no client waits for any remaining read. */
function endUnwanted({ cancel }: State, batch: Batch): void {
  if (cancel === null || batch.wanted.size > 0 || batch.open.size === 0) return
  batch.cancellation = (batch.cancellation ?? Promise.resolve()).then(() => cancel(batch.client))
  batch.cancellation.catch(() => undefined)
}

/** In ms; infinite for an unknown name. */
type LatencyEstimates = {
  readonly expect: (name: string | undefined) => number
  readonly note: (name: string | undefined, waited: number) => void
}

/** Maximum number of stored names. */
const mostNames = 10_000

/** Weight of a new measurement in the mean. */
const weight = 1 / 8

export function createLatencyEstimates(): LatencyEstimates {
  const times = new LRUCache<string, number>({ max: mostNames })
  return {
    expect: (name) => (name === undefined ? undefined : times.get(name)) ?? Number.POSITIVE_INFINITY,
    note(name, waited) {
      if (name === undefined) return
      const cached = times.get(name)
      times.set(name, cached === undefined ? waited : cached + (waited - cached) * weight)
    },
  }
}

/** Milliseconds, in total and of idling. */
type Clock = { readonly now: () => number; readonly idle: () => number }

const ownClock: Clock = { now: () => performance.now(), idle: () => performance.nodeTiming.idleTime }

/**
 * Each call returns the ms of idle time since the last call. While the process is busy it does not process results, so
 * that time is no measure of the database; at least a sixteenth of the total time is counted.
 */
export function startWatch(clock: Clock = ownClock): () => number {
  let at = clock.now()
  let idle = clock.idle()
  return () => {
    const [before, idleBefore] = [at, idle]
    at = clock.now()
    idle = clock.idle()
    return Math.max(idle - idleBefore, (at - before) / 16)
  }
}
