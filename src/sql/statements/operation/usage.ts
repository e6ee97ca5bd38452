/** Counted use of operations and fields. */
import type { UsageCount } from '../../../domain/query/usage.ts'
import { allRows, change, type Runner } from '../answers.ts'
import { addCounts, withTimes } from './count-calls.ts'

/** The row of everything that is not counted by itself. */
export const otherUse = { client: 'other', generation: '', operation: 'other', access: 'call', path: '' } as const

const counted = {
  table: 'platform_usage',
  keys: {
    client: 'varchar(64)',
    generation: 'varchar(16)',
    operation: 'varchar(64)',
    access: 'varchar(8)',
    path: 'varchar(255)',
  },
  others: otherUse,
}

export const addUsage = (db: Runner, counts: readonly UsageCount[], most: number): Promise<void> =>
  addCounts(db, counted, counts, most)

/** Deletes uses whose last call was before the time. */
export const deleteUsage = (db: Runner, before: Date): Promise<void> =>
  change(db, { text: 'delete from platform_usage where last_call < $1', values: [before] })

/** A null selects all. */
export type UsageFilter = {
  readonly client: string | null
  readonly generation: string | null
  readonly operation: string | null
  readonly limit: number
}

/** Counted uses, the latest first. `calls` is a decimal text. */
export type CountedUse = Omit<UsageCount, 'calls'> & { readonly calls: string }

export function readUsageCounts(
  db: Runner,
  { client, generation, operation, limit }: UsageFilter,
): Promise<readonly CountedUse[]> {
  const keys = Object.keys(counted.keys).join(', ')
  const texts = withTimes(
    (time) => `select ${keys}, calls::text as calls, ${time('first_call')} as first, ${time('last_call')} as last
    from platform_usage
    where ($1::text is null or client = $1) and ($2::text is null or generation = $2)
      and ($3::text is null or operation = $3)
    order by last_call desc, ${keys} limit $4`,
  )
  return allRows(db, { ...texts, values: [client, generation, operation, limit] })
}
