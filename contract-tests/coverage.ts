/** Which (operation, status) pairs of the specs were seen, and which were not. */
import type { Operation, Spec } from './spec.ts'

/** Pairs that a run need not see, with the reason. `*` stands for every operation. */
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
  /** `current readItems 422`: neither seen nor excused. */
  readonly missing: readonly string[]
  /** Deviations that name a pair which was seen, or none at all. */
  readonly stale: readonly string[]
}

/** The key under which a seen answer is recorded. */
export const pairOf = ({ generation, id }: Pick<Operation, 'generation' | 'id'>, status: number): string =>
  `${generation} ${id} ${status}`

/** Compares what was seen with what is documented. */
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

/** The table that a run prints: per operation its statuses, unseen ones in brackets. */
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
