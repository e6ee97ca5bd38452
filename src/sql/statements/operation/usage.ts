/** Counted use of operations and fields. */
import type { UsageCount } from '../../../domain/query/usage.ts'
import { allRows, change, type Runner } from '../answers.ts'

/** The row of everything that is not counted by itself. */
export const otherUse = { client: 'other', generation: '', operation: 'other', access: 'call', path: '' } as const

const moment = (column: string): string => `cast(replace(replace(${column}, 'T', ' '), 'Z', '') as datetime(6))`

const keys = ['client', 'generation', 'operation', 'access', 'path'] as const

const keyList = keys.join(', ')

/** The given names, or those of the row of all others. */
const placed = (when: (name: (typeof keys)[number]) => string): string => keys.map(when).join(', ')

const addTexts = {
  mysql: `insert into platform_usage (${keyList}, calls, first_call, last_call)
    select x.* from (
      select ${placed((name) => `if(p.fits, p.${name}, '${otherUse[name]}') as ${name}`)},
        sum(p.calls) as calls, min(p.first) as first_call, max(p.last) as last_call
      from (select k.*, k.known or row_number() over (partition by k.known order by k.calls desc)
          <= $2 - (select count(*) from platform_usage) as fits
        from (select ${placed((name) => `g.${name}`)}, g.calls, ${moment('g.first')} as first, ${moment('g.last')} as last,
            u.client is not null as known
          from json_table($1, '$[*]' columns (client varchar(64) path '$.client', generation varchar(16) path '$.generation',
            operation varchar(64) path '$.operation', access varchar(8) path '$.access', path varchar(255) path '$.path',
            calls bigint path '$.calls', first varchar(30) path '$.first', last varchar(30) path '$.last')) g
          left join platform_usage u on u.client = g.client and u.generation = g.generation
            and u.operation = g.operation and u.access = g.access and u.path = g.path) k) p
      group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5) x
    on duplicate key update calls = platform_usage.calls + values(calls),
      first_call = least(platform_usage.first_call, values(first_call)),
      last_call = greatest(platform_usage.last_call, values(last_call))`,
}

/**
 * Adds counts in one statement. If the table has `most` rows, uses that it does not have yet are added up in one row.
 * Rows are locked in the same order on all replicas.
 */
export async function addUsage(db: Runner, counts: readonly UsageCount[], most: number): Promise<void> {
  const text = `with given as (
    select g.*, u.client is not null as known
    from json_to_recordset($1::json) as g(client text, generation text, operation text, access text, path text,
      calls bigint, first timestamptz, last timestamptz)
    left join platform_usage u on (${placed((name) => `u.${name}`)}) = (${placed((name) => `g.${name}`)})
  ), placed as (
    select *, known or row_number() over (partition by known order by calls desc)
      <= $2 - (select count(*) from platform_usage) as fits
    from given
  )
  insert into platform_usage as u (${keyList}, calls, first_call, last_call)
  select ${placed((name) => `case when fits then ${name} else '${otherUse[name]}' end`)},
    sum(calls), min(first), max(last)
  from placed group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (${keyList}) do update set calls = u.calls + excluded.calls,
    first_call = least(u.first_call, excluded.first_call), last_call = greatest(u.last_call, excluded.last_call)`
  await change(db, { text, texts: addTexts, values: [JSON.stringify(counts), most] })
}

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

const time = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

/** Counted uses, the latest first. `calls` is a decimal text. */
export type CountedUse = Omit<UsageCount, 'calls'> & { readonly calls: string }

export function readUsageCounts(
  db: Runner,
  { client, generation, operation, limit }: UsageFilter,
): Promise<readonly CountedUse[]> {
  const order = `last_call desc, ${keyList}`
  const text = `select ${keyList}, calls::text as calls, ${time('first_call')} as first, ${time('last_call')} as last
    from platform_usage
    where ($1::text is null or client = $1) and ($2::text is null or generation = $2)
      and ($3::text is null or operation = $3)
    order by ${order} limit $4`
  const texts = {
    mysql: `select ${keyList}, cast(calls as char) as calls,
      date_format(first_call, '%Y-%m-%dT%H:%i:%sZ') as first, date_format(last_call, '%Y-%m-%dT%H:%i:%sZ') as last
      from platform_usage
      where ($1 is null or client = $1) and ($2 is null or generation = $2) and ($3 is null or operation = $3)
      order by ${order} limit $4`,
  }
  return allRows(db, { text, texts, values: [client, generation, operation, limit] })
}
