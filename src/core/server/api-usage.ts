/** Counts calls of operations per client, in memory, and adds them to the database in batches. */
import type { Context, Database, Log } from '../../domain/ports/context.ts'
import { addCalls, type Calls, noUser, otherAgent } from '../../sql/statements/operation/api-usage.ts'
import { repeatEvery } from '../recurring.ts'

export type ApiUsage = {
  /** Counts a call of the operation by the caller of the context. */
  readonly note: (ctx: Pick<Context, 'actor' | 'request'>, operationId: string) => void
  /** Adds what was counted to the database. */
  readonly flush: () => Promise<void>
  /** Adds the rest and stops. */
  readonly close: () => Promise<void>
}

/** Clients in memory between two batches, and rows in the database; beyond them, clients are added up. */
export const usageBounds = { clients: 1000, rows: 10_000 } as const

type Options = { readonly log: Log; readonly clock: () => Date; readonly interval?: number }

/** Starts to count. Nothing is kept about a caller but its user and the name of its program. */
export function createApiUsage(db: Pick<Database, 'run'>, { log, clock, interval = 60_000 }: Options): ApiUsage {
  let counted = new Map<string, Calls>()
  const add = (calls: Calls): void => {
    const existing = countedAs(counted, calls)
    counted.set(keyOf(existing), existing)
  }
  const flush = async (): Promise<void> => {
    if (counted.size === 0) return
    const batch = [...counted.values()]
    counted = new Map()
    try {
      await addCalls(db, batch, usageBounds.rows)
    } catch (error) {
      log.warn({ err: error }, 'Calls of operations could not be counted; they are added later')
      for (const each of batch) add(each)
    }
  }
  const flushes = repeatEvery(interval, flush)
  return {
    note({ actor, request }, operation) {
      const now = clock().toISOString()
      const user = actor.kind === 'user' ? actor.user : noUser
      add({ operation, agent: agentOf(request.userAgent), user, calls: 1, first: now, last: now })
    },
    flush: flushes.run,
    async close() {
      await flushes.close()
      await flush()
    },
  }
}

const keyOf = ({ operation, agent, user }: Calls): string => `${operation} ${user} ${agent}`

/** The new count of the client; if there are too many clients, of all others together. */
function countedAs(counted: ReadonlyMap<string, Calls>, calls: Calls): Calls {
  const own = counted.get(keyOf(calls))
  if (own !== undefined) return sum(own, calls)
  if (counted.size < usageBounds.clients) return calls
  const others = { ...calls, agent: otherAgent, user: noUser }
  const cached = counted.get(keyOf(others))
  return cached === undefined ? others : sum(cached, others)
}

const sum = (existing: Calls, added: Calls): Calls => ({
  ...existing,
  calls: existing.calls + added.calls,
  first: existing.first < added.first ? existing.first : added.first,
  last: existing.last > added.last ? existing.last : added.last,
})

/** Browsers name many others in their user agent; the first of these that occurs is the right one. */
const browsers = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const

/**
 * The name of a program without version and platform.
 * @example agentOf('axios/1.7.2') // axios
 */
export function agentOf(userAgent: string | null): string {
  const text = userAgent ?? ''
  if (text.startsWith('Mozilla/')) return browsers.find((each) => text.includes(each)) ?? 'Mozilla'
  return /^[A-Za-z][\w.-]{0,39}(?=[/\s(;]|$)/.exec(text)?.[0] ?? 'unknown'
}
