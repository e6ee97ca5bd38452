/** Counted calls of operations. */
import { allRows, type Runner } from '../answers.ts'
import { addCounts, withTimes } from './count-calls.ts'

/** Calls of one operation by one client: a kind of program, and a user (all zeros = none). Times in ISO 8601. */
export type Calls = {
  readonly operation: string
  readonly agent: string
  readonly user: string
  readonly calls: number
  readonly first: string
  readonly last: string
}

/** Stands for callers without a user. */
export const noUser = '00000000-0000-0000-0000-000000000000'

/** Stands for programs that are not listed one by one. */
export const otherAgent = 'other'

const counted = {
  table: 'platform_api_usage',
  keys: { operation: 'varchar(64)', agent: 'varchar(40)', user: 'uuid' },
  others: { agent: otherAgent, user: noUser },
}

export const addCalls = (db: Runner, calls: readonly Calls[], most: number): Promise<void> =>
  addCounts(db, counted, calls, most)

/** Counted calls with the address of the user, which is null for none and for deleted users. */
export type CountedCalls = Omit<Calls, 'calls'> & { readonly calls: string; readonly email: string | null }

/** All counted calls, the most frequent ones first. */
export function readCalls(db: Runner): Promise<readonly CountedCalls[]> {
  const texts = withTimes(
    (time) => `select c.operation, c.agent, c."user"::text as "user", c.calls::text as calls, p.email,
    ${time('c.first_call')} as first, ${time('c.last_call')} as last
  from platform_api_usage c left join platform_users p on p.id = c."user"
  order by c.calls desc, c.operation, c.agent, c."user"`,
  )
  return allRows(db, { ...texts, values: [] })
}
