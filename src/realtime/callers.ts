/** Counts connections: in all, and of each caller. */
import { networkOf } from '../counters/network.ts'
import type { Actor } from '../domain/rights/actor.ts'

/** A place among the connections. */
export type Seat = {
  /** Another caller has authenticated on the connection. False if it has too many connections. */
  readonly rename: (caller: string) => boolean
  readonly leave: () => void
}

export type Seats = {
  /** Null if there are too many. */
  readonly take: (caller: string) => Seat | null
}

export function createSeats({ most, perCaller }: { readonly most: number; readonly perCaller: number }): Seats {
  const counts = new Map<string, number>()
  let all = 0
  const add = (caller: string, by: number): void => {
    const count = (counts.get(caller) ?? 0) + by
    if (count === 0) counts.delete(caller)
    else counts.set(caller, count)
  }
  const hasRoom = (caller: string): boolean => (counts.get(caller) ?? 0) < perCaller
  return {
    take(first) {
      if (all >= most || !hasRoom(first)) return null
      let caller: string | null = first
      all += 1
      add(first, 1)
      return {
        rename(next) {
          if (caller === null || next === caller) return caller !== null
          if (!hasRoom(next)) return false
          add(caller, -1)
          add(next, 1)
          caller = next
          return true
        },
        leave() {
          if (caller === null) return
          add(caller, -1)
          all -= 1
          caller = null
        },
      }
    },
  }
}

/** The name under which connections are counted: the user, else the network of the address. */
export const callerOf = (project: string, actor: Actor | null, ip: string | null): string =>
  actor?.kind === 'user' ? `${project} user ${actor.user}` : `address ${networkOf(ip)}`
