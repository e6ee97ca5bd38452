/**
 * Reads of clients go to replicas; everything else goes to the primary: writes, transactions, and reads of sessions,
 * rights and the schema. A client that has written is answered by a replica that has its write, or by the primary.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isSystemName } from '../domain/model/system-collections.ts'
import type { Log, Rows, Statement } from '../domain/ports/context.ts'
import { TandemError } from '../domain/rights/errors.ts'
import type { OpenDatabase } from './database.ts'
import {
  currentPosition,
  type HealthSettings,
  toPosition,
  type WatchedReplica,
  watchReplicas,
} from './replica-health.ts'
import { isRead } from './shapes/is-read.ts'

export type ReplicaSettings = HealthSettings & {
  /** Milliseconds that a read waits for a replica to reach the position of the client. */
  readonly wait: number
}

type Replica = WatchedReplica<OpenDatabase>

/** The primary with its replicas as one database. Closing it closes them all. */
export async function withReplicas(
  primary: OpenDatabase,
  dbs: readonly OpenDatabase[],
  { log, ...settings }: ReplicaSettings & { readonly log?: Log | undefined },
): Promise<OpenDatabase> {
  const { replicas, close } = await watchReplicas(primary, dbs, { ...settings, log })
  let turn = 0
  const choose = async (position: string | null): Promise<Replica | null> => {
    const usable = replicas.filter(({ isUsable }) => isUsable())
    turn = (turn + 1) % Math.max(1, usable.length)
    const inOrder = [...usable.slice(turn), ...usable.slice(0, turn)]
    const wanted = toPosition(position)
    return wanted === null ? (inOrder[0] ?? null) : findReached(inOrder, wanted, settings.wait)
  }
  const read = async (statement: Statement): Promise<Rows> => {
    const replica = await choose(statement.asker?.position ?? null)
    if (replica === null) return primary.run(statement)
    try {
      return await replica.db.run(statement)
    } catch (error) {
      if (!isOfReplica(error)) throw error
      if (isUnavailable(error)) replica.leaveOut(error)
      return primary.run(statement)
    }
  }
  return {
    ...primary,
    connections: dbs.reduce((sum, { connections }) => sum + connections, primary.connections),
    run: (statement) => (isForReplica(statement) ? read(statement) : primary.run(statement)),
    position: async () => {
      const { rows } = await primary.run(currentPosition)
      return (rows[0] as { readonly position: string }).position
    },
    cancelReads(asker) {
      for (const db of [primary, ...dbs]) db.cancelReads(asker)
    },
    async close(within) {
      await close()
      await Promise.all([primary, ...dbs].map((db) => db.close(within)))
    },
  }
}

/** Reads of rows that a client waits for, of tables that hold no rights. */
function isForReplica({ asker, rows, reads, text }: Statement & { readonly text: string }): boolean {
  if (asker === undefined || rows === undefined || reads === undefined) return false
  return isRead({ text }) && !reads.some(isSystemName)
}

/** A replica that has come so far: at once, or within the time. */
async function findReached(replicas: readonly Replica[], position: bigint, wait: number): Promise<Replica | null> {
  const existing = replicas.find(({ hasReached }) => hasReached(position))
  if (existing !== undefined || replicas.length === 0) return existing ?? null
  const end = Date.now() + wait
  for (let pause = 1; ; pause *= 2) {
    for (const replica of replicas) if (await replica.askReached(position)) return replica
    if (Date.now() + pause > end) return null
    await sleep(pause)
  }
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof TandemError && error.failures[0].kind === 'unavailable'

/** The replica is gone, or has ended the read because of what it had to replay. */
const isOfReplica = (error: unknown): boolean => {
  if (isUnavailable(error)) return true
  const cause = (error as { readonly cause?: { readonly code?: string } } | null)?.cause ?? error
  return ['40001', '25006', '57P01'].includes((cause as { readonly code?: string } | null)?.code ?? '')
}
