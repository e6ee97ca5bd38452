/** Counted calls of operations. */
import { allRows, change, type Runner } from '../answers.ts'

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

const moment = (column: string): string => `cast(replace(replace(${column}, 'T', ' '), 'Z', '') as datetime(6))`

const addTexts = {
  mysql: `insert into platform_api_usage (operation, agent, "user", calls, first_call, last_call)
    select x.operation, x.agent, x."user", x.calls, x.first_call, x.last_call from (
      select p.operation, if(p.fits, p.agent, '${otherAgent}') as agent, if(p.fits, p."user", '${noUser}') as "user",
        sum(p.calls) as calls, min(p.first) as first_call, max(p.last) as last_call
      from (select k.*, k.known or row_number() over (partition by k.known order by k.calls desc)
          <= $2 - (select count(*) from platform_api_usage) as fits
        from (select g.operation, g.agent, g."user", g.calls, ${moment('g.first')} as first, ${moment('g.last')} as last,
            u.operation is not null as known
          from json_table($1, '$[*]' columns (operation varchar(64) path '$.operation', agent varchar(40) path '$.agent',
            "user" char(36) path '$.user', calls bigint path '$.calls', first varchar(30) path '$.first',
            last varchar(30) path '$.last')) g
          left join platform_api_usage u on u.operation = g.operation and u.agent = g.agent and u."user" = g."user") k) p
      group by 1, 2, 3 order by 1, 2, 3) x
    on duplicate key update calls = platform_api_usage.calls + values(calls),
      first_call = if(platform_api_usage.first_call < values(first_call), platform_api_usage.first_call, values(first_call)),
      last_call = if(platform_api_usage.last_call > values(last_call), platform_api_usage.last_call, values(last_call))`,
}

/**
 * Adds calls in one statement. If the table has `most` rows, calls of further clients are added up per operation. Rows
 * are locked in the same order on all replicas.
 */
export async function addCalls(db: Runner, calls: readonly Calls[], most: number): Promise<void> {
  const text = `with given as (
    select g.*, u.operation is not null as known
    from json_to_recordset($1::json) as g(operation text, agent text, "user" uuid, calls bigint, first timestamptz, last timestamptz)
    left join platform_api_usage u on (u.operation, u.agent, u."user") = (g.operation, g.agent, g."user")
  ), placed as (
    select *, known or row_number() over (partition by known order by calls desc) <= $2 - (select count(*) from platform_api_usage) as fits
    from given
  )
  insert into platform_api_usage as u (operation, agent, "user", calls, first_call, last_call)
  select operation, case when fits then agent else '${otherAgent}' end, case when fits then "user" else '${noUser}' end,
    sum(calls), min(first), max(last)
  from placed group by 1, 2, 3 order by 1, 2, 3
  on conflict (operation, agent, "user") do update set calls = u.calls + excluded.calls,
    first_call = least(u.first_call, excluded.first_call), last_call = greatest(u.last_call, excluded.last_call)`
  await change(db, { text, texts: addTexts, values: [JSON.stringify(calls), most] })
}

/** Counted calls with the address of the user, which is null for none and for deleted users. */
export type CountedCalls = Omit<Calls, 'calls'> & { readonly calls: string; readonly email: string | null }

const time = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

/** All counted calls, the most frequent ones first. */
export function readCalls(db: Runner): Promise<readonly CountedCalls[]> {
  const text = `select c.operation, c.agent, c."user"::text as "user", c.calls::text as calls, p.email,
    ${time('c.first_call')} as first, ${time('c.last_call')} as last
  from platform_api_usage c left join platform_users p on p.id = c."user"
  order by c.calls desc, c.operation, c.agent, c."user"`
  const texts = {
    mysql: `select c.operation, c.agent, cast(c."user" as char) as "user", cast(c.calls as char) as calls, p.email,
      date_format(c.first_call, '%Y-%m-%dT%H:%i:%sZ') as first, date_format(c.last_call, '%Y-%m-%dT%H:%i:%sZ') as last
    from platform_api_usage c left join platform_users p on p.id = c."user"
    order by c.calls desc, c.operation, c.agent, c."user"`,
  }
  return allRows(db, { text, texts, values: [] })
}
