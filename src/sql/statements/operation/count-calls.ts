/** Tables of counted calls, whose number of rows is limited. */
import { quoteName } from '../../dialects/quoting.ts'
import { change, type Runner } from '../answers.ts'

/** `keys`: the types of the key columns. `others`: their values in the row of what is not counted by itself. */
export type CountTable = {
  readonly table: string
  readonly keys: { readonly [name: string]: string }
  readonly others: { readonly [name: string]: string }
}

type Words = { readonly given: string; readonly moment: (column: string) => string }

/**
 * Adds counts in one statement. If the table has `most` rows, counts that it does not have yet are added up in the rows of
 * others. Rows are locked in the same order on all replicas.
 */
export function addCounts(db: Runner, counted: CountTable, counts: readonly object[], most: number): Promise<void> {
  const { table, keys, others } = counted
  const names = Object.keys(keys)
  const columns = (of: (quoted: string, name: string) => string) => names.map((name) => of(quoteName(name), name))
  const list = columns((column) => column).join(', ')
  const placed = columns((column, name) =>
    others[name] === undefined
      ? `p.${column}`
      : `case when p.fits then p.${column} else '${others[name]}' end as ${column}`,
  )
  const places = names.map((_, at) => at + 1).join(', ')
  const textWith = ({ given, moment }: Words) => `insert into ${table} (${list}, calls, first_call, last_call)
  select x.* from (
    select ${placed.join(', ')}, sum(p.calls) as calls, min(p.first) as first_call, max(p.last) as last_call
    from (select k.*, k.known or row_number() over (partition by k.known order by k.calls desc)
        <= $2 - (select count(*) from ${table}) as fits
      from (select ${columns((column) => `g.${column}`).join(', ')}, g.calls, ${moment('g.first')} as first, ${moment('g.last')} as last,
          u.calls is not null as known
        from ${given} left join ${table} u on ${columns((column) => `u.${column} = g.${column}`).join(' and ')}) k) p
    group by ${places} order by ${places}) x
  on conflict (${list}) do update set calls = ${table}.calls + excluded.calls,
    first_call = least(${table}.first_call, excluded.first_call), last_call = greatest(${table}.last_call, excluded.last_call)`
  const types = columns((column, name) => `${column} ${keys[name]}`).join(', ')
  const text = textWith({
    given: `json_to_recordset($1::json) as g(${types}, calls bigint, first timestamptz, last timestamptz)`,
    moment: (column) => column,
  })
  const paths = columns((column, name) => `${column} ${keys[name]?.replace('uuid', 'char(36)')} path '$.${name}'`).join(
    ', ',
  )
  const mysql = textWith({
    given: `json_table($1, '$[*]' columns (${paths}, calls bigint path '$.calls', first varchar(30) path '$.first',
      last varchar(30) path '$.last')) g`,
    moment: (column) => `cast(replace(replace(${column}, 'T', ' '), 'Z', '') as datetime(6))`,
  })
  return change(db, { text, texts: { mysql }, values: [JSON.stringify(counts), most] })
}

/** A statement with moments in ISO 8601, of whole seconds. */
export const withTimes = (textWith: (time: (column: string) => string) => string) => ({
  text: textWith((column) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`),
  texts: { mysql: textWith((column) => `date_format(${column}, '%Y-%m-%dT%H:%i:%sZ')`) },
})
