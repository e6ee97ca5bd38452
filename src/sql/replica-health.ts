/**
 * Watches replicas: how far each one has come, and which ones answer reads. Positions in the log of a server, such as
 * `0/16B3748`, say how far.
 */
import type { Database, Log } from '../domain/ports/context.ts'

type Runner = Pick<Database, 'run'>

export type WatchedReplica<Db extends Runner> = {
  readonly db: Db
  /** Whether it answers, and lags no longer than allowed. */
  readonly isUsable: () => boolean
  /** Whether the replica had replayed this position at the last check. */
  readonly hasReached: (position: bigint) => boolean
  /** Queries the replayed position; false if it is earlier, or if the replica does not answer. */
  readonly askReached: (position: bigint) => Promise<boolean>
  /** The replica has failed: it gets no statements until it answers again. */
  readonly leaveOut: (error: unknown) => void
}

export type HealthSettings = {
  /** Milliseconds between two looks. */
  readonly interval: number
  /** Milliseconds that a replica may lag. */
  readonly maxLag: number
}

type Mark = { readonly at: number; readonly position: bigint }

/** Looks at the primary and at each replica until it is closed. The first look is over when it resolves. */
export async function watchReplicas<Db extends Runner>(
  primary: Runner,
  dbs: readonly Db[],
  { interval, maxLag, log }: HealthSettings & { readonly log?: Log | undefined },
): Promise<{ readonly replicas: readonly WatchedReplica<Db>[]; readonly close: () => Promise<void> }> {
  const marks: Mark[] = []
  const mark = async (): Promise<void> => {
    const position = await readPosition(primary, currentPosition).catch(() => null)
    if (position === null) return
    marks.push({ at: Date.now(), position })
    while (marks.length > 2 && Date.now() - (marks[1]?.at ?? 0) > maxLag + interval) marks.shift()
  }
  const watched = dbs.map((db, at) => watchOne(db, { number: at + 1, marks, maxLag, log }))
  const look = async (): Promise<void> => {
    await mark()
    await Promise.all(watched.map(({ look: lookAt }) => lookAt()))
  }
  await look()
  let looking = Promise.resolve()
  const timer = setInterval(() => {
    looking = look()
  }, interval)
  timer.unref()
  return {
    replicas: watched.map(({ replica }) => replica),
    close: async () => {
      clearInterval(timer)
      await looking
    },
  }
}

type Watching = {
  readonly number: number
  readonly marks: readonly Mark[]
  readonly maxLag: number
  readonly log: Log | undefined
}

function watchOne<Db extends Runner>(
  db: Db,
  { number, marks, maxLag, log }: Watching,
): { readonly replica: WatchedReplica<Db>; readonly look: () => Promise<void> } {
  const state: { reached: bigint | null; isUsable: boolean; isAsking: boolean } = {
    reached: null,
    isUsable: false,
    isAsking: false,
  }
  const turn = (isUsable: boolean, detail: object): void => {
    if (state.isUsable === isUsable) return
    state.isUsable = isUsable
    if (isUsable) log?.info({ replica: number, ...detail }, 'A read replica answers reads')
    else log?.warn({ replica: number, ...detail }, 'A read replica is left out')
  }
  const ask = async (): Promise<void> => {
    const reached = await readPosition(db, replayedPosition)
    if (reached === null) throw new Error('The server is not a replica')
    state.reached = reached
  }
  const look = async (): Promise<void> => {
    if (state.isAsking) return turn(false, { reason: 'no answer' })
    state.isAsking = true
    try {
      await ask()
      const lag = lagOf(marks, state.reached ?? 0n)
      turn(lag <= maxLag, { lag })
    } catch (error) {
      turn(false, { err: error })
    } finally {
      state.isAsking = false
    }
  }
  const hasReached = (position: bigint): boolean => state.reached !== null && state.reached >= position
  return {
    look,
    replica: {
      db,
      isUsable: () => state.isUsable,
      hasReached,
      askReached: (position) =>
        ask().then(
          () => hasReached(position),
          () => false,
        ),
      leaveOut: (error) => turn(false, { err: error }),
    },
  }
}

/** Milliseconds since the primary had a position that the replica does not have. */
function lagOf(marks: readonly Mark[], reached: bigint): number {
  const missing = marks.find(({ position }) => position > reached)
  return missing === undefined ? 0 : Date.now() - missing.at
}

async function readPosition(db: Runner, statement: typeof currentPosition): Promise<bigint | null> {
  const { rows } = await db.run(statement)
  return toPosition((rows[0] as { readonly position: string | null } | undefined)?.position)
}

/** The position as a comparable number; null for a text that is not a position. */
export function toPosition(text: string | null | undefined): bigint | null {
  const match = /^([\dA-F]{1,8})\/([\dA-F]{1,8})$/i.exec(text ?? '')
  if (match === null) return null
  return (BigInt(`0x${match[1]}`) << 32n) | BigInt(`0x${match[2]}`)
}

/** The position of everything that is committed now. */
export const currentPosition = {
  task: 'readPosition',
  text: 'select pg_current_wal_insert_lsn()::text as position',
  values: [],
}

/** The position up to which a replica has replayed; null on a server that is not a replica. */
const replayedPosition = {
  task: 'readReplayedPosition',
  text: 'select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as position',
  values: [],
}
