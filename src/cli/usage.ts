/** `tandem usage`: which clients use which operations and fields. */
import type { ReadUse } from '../core/usage/read-usage.ts'
import { usageLimits } from '../core/usage/usage.ts'
import { print } from './database.ts'
import { ago } from './project/plan-words.ts'
import { type Target, withConnection } from './project/with-connection.ts'

export type UsageOptions = Target & {
  readonly client?: string
  readonly generation?: string
  readonly operation?: string
  readonly json: boolean
  /** All operations and paths; absent: as many as fit on a page or two. */
  readonly all?: boolean
}

/** How many operations, and paths of one operation, are printed without `--all`. */
const shownOfUses = { operations: 30, paths: 8 } as const

/** Prints the uses, the latest first. */
export const printUsage = ({
  client,
  generation,
  operation,
  json,
  all = false,
  ...target
}: UsageOptions): Promise<void> =>
  withConnection(target, 'tandem usage', async (connection) => {
    const uses = await connection.usage({
      client: client ?? null,
      generation: generation ?? null,
      operation: operation ?? null,
      limit: usageLimits.rows,
    })
    if (json) print(JSON.stringify(uses, null, 2))
    else for (const line of usageLines(uses, new Date(), all)) print(line)
  })

/**
 * By client and operation, with the paths below; operations of an older generation with what takes their place. `all`:
 * also what is beyond 30 operations, and 8 paths of each.
 */
export function usageLines(uses: readonly ReadUse[], now: Date, all = false): readonly string[] {
  if (uses.length === 0) return ['No use by clients has been counted.']
  const most = all ? { operations: Number.POSITIVE_INFINITY, paths: Number.POSITIVE_INFINITY } : shownOfUses
  const byOperation = Map.groupBy(uses, ({ client, generation, operation }) => `${client}\n${generation}\n${operation}`)
  const lines = [...byOperation.values()].slice(0, most.operations).flatMap((own) => {
    const [first] = own
    if (first === undefined) return []
    const calls = own.find(({ access }) => access === 'call')?.calls ?? 0
    const title = [first.client, first.generation, first.operation].filter((each) => each !== '').join(' ')
    const paths = own
      .filter(({ access }) => access !== 'call')
      .toSorted((a, b) => b.calls - a.calls || (a.path < b.path ? -1 : 1))
    const successors = first.successors.map(({ method, path }) => `${method} ${path}`)
    return [
      `${title}: ${calls === 1 ? '1 call' : `${calls} calls`}, last ${ago(first.last, now)}`,
      ...paths.slice(0, most.paths).map(({ access, path, calls: count }) => `  ${access} ${path}: ${count}`),
      ...more(paths.length - most.paths, 'paths').map((line) => `  ${line}`),
      ...(first.called === null ? [] : [`  now: ${[...successors, first.changes].join('; ')}`]),
    ]
  })
  return [...lines, ...more(byOperation.size - most.operations, 'operations')]
}

const more = (count: number, what: string): readonly string[] =>
  count > 0 ? [`… and ${count} more ${what} (--all)`] : []
