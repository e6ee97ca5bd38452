/** Compares the received responses with the documented (operation, status) pairs. */
import type { Operation, Spec } from '../verify/src/spec/operations.ts'

/** Pairs that a run need not receive, with the reason. `*` stands for every operation. */
export type Deviation = {
  readonly generation: string
  readonly operation: string
  readonly status: number
  readonly reason: string
}

export type Coverage = {
  readonly pairs: number
  readonly seen: number
  readonly excused: number
  /** Pairs such as `current readItems 422` that were neither received nor listed as deviations. */
  readonly missing: readonly string[]
  /** Deviations whose pair was received, or does not exist. */
  readonly stale: readonly string[]
}

/** The key of a received response. */
export const pairOf = ({ generation, id }: Pick<Operation, 'generation' | 'id'>, status: number): string =>
  `${generation} ${id} ${status}`

/** Compares received with documented pairs. */
export function coverageOf(
  specs: readonly Spec[],
  seen: ReadonlySet<string>,
  deviations: readonly Deviation[],
): Coverage {
  const pairs = specs.flatMap(({ operations }) =>
    operations.flatMap((operation) => [...operation.responses.keys()].map((status) => ({ operation, status }))),
  )
  const unseen = pairs.filter(({ operation, status }) => !seen.has(pairOf(operation, status)))
  const covers = (deviation: Deviation, { operation, status }: (typeof pairs)[number]): boolean =>
    deviation.status === status &&
    [operation.generation, '*'].includes(deviation.generation) &&
    [operation.id, '*'].includes(deviation.operation)
  const missing = unseen.filter((pair) => !deviations.some((deviation) => covers(deviation, pair)))
  return {
    pairs: pairs.length,
    seen: pairs.length - unseen.length,
    excused: unseen.length - missing.length,
    missing: missing.map(({ operation, status }) => pairOf(operation, status)),
    stale: deviations
      .filter((deviation) => !unseen.some((pair) => covers(deviation, pair)))
      .map(({ generation, operation, status }) => `${generation} ${operation} ${status}`),
  }
}

/** The table that a run prints: the statuses of each operation, with missing ones in brackets. */
export function coverageTable(specs: readonly Spec[], seen: ReadonlySet<string>): string {
  const rows = specs.flatMap(({ operations }) =>
    operations.map((operation) => {
      const statuses = [...operation.responses.keys()].map((status) =>
        seen.has(pairOf(operation, status)) ? String(status) : `(${status})`,
      )
      return `${operation.generation.padEnd(8)} ${operation.id.padEnd(20)} ${statuses.join(' ')}`
    }),
  )
  return rows.join('\n')
}
