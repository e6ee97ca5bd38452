/** `tandem legacy usage`. */
import type { Successors } from '../domain/ports/operation.ts'
import { successors } from '../generated/successors.ts'
import { type CountedCalls, noUser, readCalls } from '../sql/statements/operation/api-usage.ts'
import { print, withTables } from './database.ts'

type Client = {
  readonly agent: string
  readonly user: string | null
  readonly email: string | null
  readonly calls: number
  readonly first: string
  readonly last: string
}

/** An operation that is still called, with its clients, the most frequent ones first. */
export type Usage = {
  readonly operation: string
  /** Method and path. */
  readonly called: string
  readonly calls: number
  readonly first: string
  readonly last: string
  readonly clients: readonly Client[]
  /** The successor of the operation. */
  readonly current: readonly { readonly id: string; readonly method: string; readonly path: string }[]
  readonly changes: string
}

/** Prints the operations that clients still call. */
export const printUsage = ({ json }: { readonly json: boolean }): Promise<void> =>
  withTables(async (db) => {
    const usage = usageOf(await readCalls(db))
    if (json) print(JSON.stringify(usage, null, 2))
    else for (const line of linesOf(usage)) print(line)
  })

/** Counted calls by operation, the most frequent one first. */
function usageOf(counted: readonly CountedCalls[]): readonly Usage[] {
  const existing: Successors = successors
  const byOperation = Map.groupBy(counted, ({ operation }) => operation)
  const usage = [...byOperation].map(([operation, rows]): Usage => {
    const {
      called = operation,
      operations: current = [],
      changes = 'It is no longer served.',
    } = existing[operation] ?? {}
    const clients = rows.map(toClient)
    return {
      operation,
      called,
      calls: clients.reduce((sum, each) => sum + each.calls, 0),
      first: clients.map(({ first }) => first).toSorted()[0] ?? '',
      last:
        clients
          .map(({ last }) => last)
          .toSorted()
          .at(-1) ?? '',
      clients,
      current,
      changes,
    }
  })
  return usage.toSorted((a, b) => b.calls - a.calls)
}

const toClient = ({ agent, user, email, calls, first, last }: CountedCalls): Client => ({
  agent,
  user: user === noUser ? null : user,
  email,
  calls: Number(calls),
  first,
  last,
})

function linesOf(usage: readonly Usage[]): readonly string[] {
  if (usage.length === 0) return ['No calls of the version 8 API have been counted.']
  return usage.flatMap(({ called, calls, last, clients, current, changes }) => [
    `${called}: ${timesOf(calls)}, last ${last}`,
    ...clients.map((each) => `  ${each.agent}, ${nameOf(each)}: ${timesOf(each.calls)}, last ${each.last}`),
    `  now: ${[...current.map(({ method, path }) => `${method} ${path}`), changes].join('; ')}`,
  ])
}

const timesOf = (calls: number): string => (calls === 1 ? '1 call' : `${calls} calls`)

const nameOf = ({ user, email }: Client): string =>
  user === null ? 'nobody' : email === null ? `user ${user}` : `${email} (${user})`
