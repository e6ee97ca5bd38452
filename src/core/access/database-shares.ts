/**
 * Limits the database connections of each caller, so that one caller cannot block the others. Statements beyond the limit
 * wait in a queue per caller.
 */
import { networkOf } from '../../counters/network.ts'
import type { Asker, Database } from '../../domain/ports/context.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import { TandemError } from '../../domain/rights/errors.ts'

export type CallerShare = {
  /** Share of the connections that one caller may use at the same time; at least one connection. */
  readonly part: number
  /** Limit of the waiting time in milliseconds. */
  readonly patience: number
  /** Limit of a read in the database in milliseconds. */
  readonly timeout: number
}

/** `connections`: maximum number of connections. */
type SharedDatabase = Database & { readonly connections: number; readonly giveUp?: (asker: Asker) => void }

/** Returns the database with the limit of a caller. */
export type DatabaseShares = (actor: Actor, ip: string | null) => Database

/** A caller is a user, with all its sessions, or an anonymous address. */
export function createDatabaseShares(db: SharedDatabase, { part, patience, timeout }: CallerShare): DatabaseShares {
  const timed = withTimeout(db, timeout)
  if (part >= 1) return ({ kind }) => (kind === 'system' ? db : timed)
  const bounds: Bounds = { most: Math.max(1, Math.floor(db.connections * part)), patience }
  const byActor = new WeakMap<Actor, Database>()
  const byCaller = new Map<string, WeakRef<Database>>()
  const gone = new FinalizationRegistry((caller: string) => {
    if (byCaller.get(caller)?.deref() === undefined) byCaller.delete(caller)
  })
  const shareOf = (caller: string): Database => {
    const known = byCaller.get(caller)?.deref()
    if (known !== undefined) return known
    const share = createShare(timed, bounds)
    byCaller.set(caller, new WeakRef(share))
    gone.register(share, caller)
    return share
  }
  return (actor, ip) => {
    if (actor.kind === 'system') return db
    const known = byActor.get(actor)
    if (known !== undefined) return known
    const share = shareOf(actor.kind === 'user' ? `user ${actor.user}` : `address ${networkOf(ip)}`)
    byActor.set(actor, share)
    return share
  }
}

/** Cancels reads that take too long, as those of clients that have disconnected. */
function withTimeout(db: SharedDatabase, timeout: number): Database {
  const run: Database['run'] = async (statement) => {
    const { asker } = statement
    if (asker === undefined || db.giveUp === undefined) return db.run(statement)
    const timer = setTimeout(() => db.giveUp?.(asker), timeout)
    try {
      return await db.run(statement)
    } finally {
      clearTimeout(timer)
    }
  }
  return { ...db, run }
}

type Bounds = { readonly most: number; readonly patience: number }

/** A waiting statement; `isOver`: its waiting time has expired. */
type Waiting = { readonly begin: () => void; isOver: boolean }

type State = { held: number; readonly waiting: Waiting[] }

function createShare(db: Database, { most, patience }: Bounds): Database {
  const state: State = { held: 0, waiting: [] }
  const take = (): Promise<void> | null => {
    if (state.held >= most) return waitForSlot(state, patience)
    state.held += 1
    return null
  }
  const run: Database['run'] = async (statement) => {
    const turn = take()
    if (turn !== null) await turn
    try {
      return await db.run(statement)
    } finally {
      giveBack(state)
    }
  }
  return {
    dialect: db.dialect,
    run,
    runLast: async (statement) => void (await run(statement)),
    async transaction(work) {
      const turn = take()
      if (turn !== null) await turn
      try {
        return await db.transaction(work)
      } finally {
        giveBack(state)
      }
    },
  }
}

/** Passes a released connection to the next in the queue. */
function giveBack(state: State): void {
  for (let next = state.waiting.shift(); next !== undefined; next = state.waiting.shift()) {
    if (next.isOver) continue
    next.begin()
    return
  }
  state.held -= 1
}

function waitForSlot({ waiting }: State, patience: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      each.isOver = true
      const reason = 'The caller has too many requests at the same time'
      reject(new TandemError({ kind: 'unavailable', service: 'database', reason, retryAfter: 1 }))
    }
    const timer = setTimeout(giveUp, patience)
    const begin = (): void => {
      clearTimeout(timer)
      resolve()
    }
    const each: Waiting = { begin, isOver: false }
    waiting.push(each)
  })
}
