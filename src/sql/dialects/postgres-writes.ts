/**
 * Writes of PostgreSQL: rows travel as one JSON parameter that the table's own row type reads, so
 * the text depends on the columns and never on the number of rows; history rides in the same statement.
 */
import type { HistoryText, Writes, WriteText } from '../dialect.ts'

/** `written` (w), then what history adds, then the keys. */
function withHistory(plan: WriteText, written: string, links: Links): string {
  const { history } = plan
  if (history === null) return written
  const parts = [`w as (${written})`, `a as (${activity(plan, history)})`]
  if (history.revision !== null) parts.push(`v as (${revision(history.revision, links)})`)
  return `with ${parts.join(', ')} select w.${plan.key}::text from w`
}

/** How history names a row: by its key, or by all columns of it, joined by commas. */
function itemOf({ keyColumns }: WriteText, row: string): string {
  const columns = keyColumns.map((column) => `${row}.${column}`)
  return columns.length === 1 ? `(${columns[0]})::text` : `concat_ws(',', ${columns.join(', ')})`
}

/** How a revision finds its row, its activity and its delta. */
type Links = { readonly from: string; readonly row: string; readonly delta: string }

function activity(plan: WriteText, { activity: into, values }: HistoryText): string {
  const { action, user, timestamp, ip, userAgent, origin, collection, comment } = values
  const [column, value] = comment === null ? ['', ''] : [', "comment"', `, ${comment}`]
  return (
    `insert into ${into} ("action", "user", "timestamp", "ip", "user_agent", "origin", "collection", "item"${column}) ` +
    `select ${action}, ${user}::uuid, ${timestamp}::timestamptz, ${ip}, ${userAgent}, ${origin}, ${collection}, ` +
    `${itemOf(plan, 'w')}${value} from w returning "id", "item"`
  )
}

function revision(revision: NonNullable<HistoryText['revision']>, { from, row, delta }: Links): string {
  const data = `(select row_to_json(r) from (select ${revision.columns(row).join(', ')}) r)`
  return (
    `insert into ${revision.into} ("activity", "collection", "item", "data", "delta") ` +
    `select a."id", ${revision.collection}, a."item", ${data}, ${delta} from ${from}`
  )
}

const list = (columns: readonly string[], alias: string) => columns.map((column) => `${alias}.${column}`).join(', ')

const returning = (plan: WriteText, alias: string) =>
  plan.history === null
    ? `${alias}${plan.key}::text`
    : plan.history.revision === null
      ? plan.keyColumns.map((column) => `${alias}${column}`).join(', ')
      : `${alias}*`

export const writes: Writes = {
  insert: (plan, { rows, many }) => {
    const { table, columns } = plan
    const source =
      columns.length === 0 && !many
        ? `insert into ${table} default values`
        : `insert into ${table} (${columns.join(', ')}) select ${list(columns, 'r')} from json_populate_recordset(null::${table}, ${rows}::json) r`
    const delta = plan.history?.revision?.delta ?? ''
    const links: Links = many
      ? {
          from:
            `(select w, row_number() over () as n from w) s join a on a."item" = ${itemOf(plan, '(s.w)')} ` +
            `join json_array_elements(${delta}::json) with ordinality d("delta", "n") on d."n" = s.n`,
          row: '(s.w)',
          delta: 'd."delta"',
        }
      : { from: 'w cross join a', row: 'w', delta: `(${delta}::json -> 0)` }
    return withHistory(plan, `${source} returning ${returning(plan, '')}`, links)
  },

  update: (plan, { rows, keys, where }) => {
    const { table, alias, columns, key } = plan
    const set = columns.map((column) => `${column} = r.${column}`).join(', ') || `${key} = ${alias}.${key}`
    const each = keys === null
    const source = each ? 'json_populate_recordset' : 'json_populate_record'
    const match = each ? `${alias}.${key} = r.${key}` : `${alias}.${key} = any(${keys})`
    const delta = plan.history?.revision?.delta ?? ''
    const links: Links = each
      ? {
          from: `w join a on a."item" = ${itemOf(plan, 'w')} join json_to_recordset(${delta}::json) d("item" text, "delta" json) on d."item" = a."item"`,
          row: 'w',
          delta: 'd."delta"',
        }
      : { from: `w join a on a."item" = ${itemOf(plan, 'w')}`, row: 'w', delta: `${delta}::json` }
    const written =
      `update ${table} ${alias} set ${set} from ${source}(null::${table}, ${rows}::json) r ` +
      `where ${match}${where} returning ${returning(plan, `${alias}.`)}`
    return withHistory(plan, written, links)
  },

  delete: (plan, { keys, where }) => {
    const { table, alias, key } = plan
    const written = `delete from ${table} ${alias} where ${alias}.${key} = any(${keys})${where} returning ${returning(plan, `${alias}.`)}`
    return withHistory(plan, written, { from: '', row: '', delta: '' })
  },

  lock: ({ table, key, columns, keys, foreign }) => {
    const texts = [key, ...columns].map((column) => `${column}::text`)
    const found = [`${key} = any(${keys})`, ...foreign.map(({ column, parents }) => `${column} = any(${parents})`)]
    return `select ${texts.join(', ')} from ${table} where ${found.join(' or ')} order by ${key} for update`
  },

  highest: ({ table, column, foreign }) =>
    `select ${foreign.column}::text, max(${column})::text from ${table} ` +
    `where ${foreign.column} = any(${foreign.parents}) group by ${foreign.column}`,

  linkRevisions: (revisions, links) => {
    const newest = (collection: number) =>
      `(select max("id") from ${revisions} where "collection" = l->>${collection} and "item" = l->>${collection + 1})`
    // Materialized, or each of the two would be looked for again wherever it is named.
    return (
      `with p as materialized (select ${newest(0)} as "child", ${newest(2)} as "parent" from json_array_elements(${links}::json) l) ` +
      `update ${revisions} r set "parent" = p."parent" from p where r."id" = p."child" and p."child" <> p."parent"`
    )
  },
}
