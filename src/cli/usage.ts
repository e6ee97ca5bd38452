/** `tandem usage`: which clients use which operations and fields. */
import type { ReadUse } from '../core/usage/read-usage.ts'
import { usageLimits } from '../core/usage/usage.ts'
import { print } from './database.ts'
import { ago } from './project/plan-words.ts'
import { type Target, withPlace } from './project/with-place.ts'

export type UsageOptions = Target & {
  readonly client?: string
  readonly generation?: string
  readonly operation?: string
  readonly json: boolean
}

/** Prints the uses, the latest first. */
export const printUsage = ({ client, generation, operation, json, ...target }: UsageOptions): Promise<void> =>
  withPlace(target, 'tandem usage', async (place) => {
    const uses = await place.usage({
      client: client ?? null,
      generation: generation ?? null,
      operation: operation ?? null,
      limit: usageLimits.rows,
    })
    if (json) print(JSON.stringify(uses, null, 2))
    else for (const line of usageLines(uses, new Date())) print(line)
  })

/** By client and operation, with the paths below; operations of an older generation with what takes their place. */
export function usageLines(uses: readonly ReadUse[], now: Date): readonly string[] {
  if (uses.length === 0) return ['No use by clients has been counted.']
  const byOperation = Map.groupBy(uses, ({ client, generation, operation }) => `${client}\n${generation}\n${operation}`)
  return [...byOperation.values()].flatMap((own) => {
    const [first] = own
    if (first === undefined) return []
    const calls = own.find(({ access }) => access === 'call')?.calls ?? 0
    const title = [first.client, first.generation, first.operation].filter((each) => each !== '').join(' ')
    const paths = own.filter(({ access }) => access !== 'call').toSorted((a, b) => (a.path < b.path ? -1 : 1))
    const successors = first.successors.map(({ method, path }) => `${method} ${path}`)
    return [
      `${title}: ${calls === 1 ? '1 call' : `${calls} calls`}, last ${ago(first.last, now)}`,
      ...paths.map(({ access, path, calls: count }) => `  ${access} ${path}: ${count}`),
      ...(first.called === null ? [] : [`  now: ${[...successors, first.changes].join('; ')}`]),
    ]
  })
}
