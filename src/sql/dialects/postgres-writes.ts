/**
 * Writes in PostgreSQL. Rows are passed as one JSON parameter, which is read with the row type of the table, so the SQL
 * text depends on the columns but not on the number of rows. History is written in the same statement, or by one later
 * statement for a whole transaction.
 */
import type { TypedColumn, Writes, WriteText } from './dialect.ts'
import {
  activity,
  activityColumns,
  activityOf,
  dataOf,
  event,
  keyOf,
  keyPart,
  keyText,
  type Links,
  returnedStates,
  revision,
  type States,
  sharedData,
} from './postgres-history.ts'
import { moveText } from './postgres-sequences.ts'
import { columnNames, quoteText } from './quoting.ts'

/** A statement from the CTE `w` (written rows), the CTEs of history and of events, and the returned keys. */
function withHistory(plan: WriteText, written: string, { links, states, old = null }: HistoryParts): string {
  const { history, counted, events } = plan
  const parts = [...(old === null ? [] : [old]), `w as (${written})`]
  if (history === null && events === null)
    return counted.length === 0 ? written : withMoves(plan, parts, ['w."key"', ...noted(plan).map((n) => `w."${n}"`)])
  if (history !== null) {
    parts.push(`a as (${activity(plan, history)})`)
    if (history.revision !== null) parts.push(`v as (${revision(plan, history, links)})`)
  }
  if (events !== null) parts.push(`e as (${event(plan, events, states)})`)
  const shown = [keyOf(plan, 'w'), ...(history === null ? journalOf(plan, 'w') : [])]
  return counted.length === 0
    ? `with ${parts.join(', ')} select ${shown.join(', ')} from w`
    : withMoves(plan, parts, shown)
}

/** `old`: the CTE `o`. */
type HistoryParts = { readonly links: Links; readonly states: States; readonly old?: string | null }

/** Values that a written row returns for the journal besides its key. */
const noted = ({ journal }: WriteText): readonly string[] => (journal === null ? [] : ['item', 'data'])

const journalOf = (plan: WriteText, row: string): readonly string[] =>
  plan.journal === null
    ? []
    : [keyOf(plan, row), plan.journal.data === null ? 'null' : `${dataOf(plan.journal.data(row))}::text`]

/** The statement that also moves sequences past the values of imported rows. Its last column has the new values. */
function withMoves(plan: WriteText, parts: readonly string[], shown: readonly string[]): string {
  const { counted, history, events } = plan
  const isWhole = sharedData(plan) === null && (history?.revision != null || events !== null)
  const moves = counted.map((each, index) =>
    moveText(each, { values: `w.${isWhole ? each.column : `"n${index}"`}`, from: 'w' }),
  )
  const moved = `m as (select concat(${moves.join(', ')}) as "moved")`
  return `with ${[...parts, moved].join(', ')} select ${shown.join(', ')}, m."moved" from w cross join m`
}

const list = (columns: readonly TypedColumn[], alias: string) =>
  columns.map(({ column }) => `${alias}.${column}`).join(', ')

function returning(plan: WriteText, states: States): string {
  const { alias, keys, history, journal, counted, events } = plan
  const numberColumns = counted.map(({ column }, index) => `, ${alias}.${column} as "n${index}"`).join('')
  if (events !== null) {
    const columns = sharedData(plan) === null ? `${alias}.*` : `${list(keys, alias)}${numberColumns}`
    return `${columns}${returnedStates(plan, events, states)}`
  }
  if (history !== null) return history.revision === null ? `${list(keys, alias)}${numberColumns}` : `${alias}.*`
  const key = numberColumns === '' ? keyOf(plan, alias) : `${keyOf(plan, alias)} as "key"`
  if (journal === null) return `${key}${numberColumns}`
  const data = journal.data === null ? 'null' : `${dataOf(journal.data(alias))}::text`
  const rest =
    numberColumns === '' ? [keyOf(plan, alias), data] : [`${keyOf(plan, alias)} as "item"`, `${data} as "data"`]
  return `${[key, ...rest].join(', ')}${numberColumns}`
}

/** The rows as one value each. The quoted name avoids a conflict with a column of the table. */
const whole = '"(row)"'

/** The next id of a table with a sequence. */
const next = (table: string) => `nextval((select pg_get_serial_sequence(${quoteText(table)}, 'id')::regclass))`

export const writes: Writes = {
  keyText,
  keyPart,

  insert: (plan, { rows, many }) => {
    const { table, alias, columns } = plan
    // An insert without columns uses the defaults of all columns.
    const input = columns.length === 0 ? '' : ` (${columnNames(columns).join(', ')})`
    const source = `insert into ${table} as ${alias}${input} select ${list(columns, 'r')} from json_populate_recordset(null::${table}, ${rows}::json) r`
    const delta = plan.history?.revision?.delta ?? ''
    const links: Links = many
      ? {
          from:
            `(select ${whole}, row_number() over () as n from w ${whole}) s join a on a."item" = ${keyOf(plan, `(s.${whole})`)} ` +
            `join json_array_elements(${delta}::json) with ordinality d("delta", "n") on d."n" = s.n`,
          row: `(s.${whole})`,
          delta: 'd."delta"',
        }
      : { from: 'w cross join a', row: 'w', delta: `(${delta}::json -> 0)` }
    const states = { before: null, after: 'w' } as const
    return withHistory(plan, `${source} returning ${returning(plan, states)}`, { links, states })
  },

  update: (plan, { rows, match, where }) => {
    const { table, alias, columns, keys } = plan
    const set =
      columns.map(({ column }) => `${column} = r.${column}`).join(', ') ||
      `${keys[0]?.column} = ${alias}.${keys[0]?.column}`
    const each = match === null
    const source = each ? 'json_populate_recordset' : 'json_populate_record'
    const sameKey = keys.map(({ column }) => `${alias}.${column} = r.${column}`).join(' and ')
    const delta = plan.history?.revision?.delta ?? ''
    const links: Links = each
      ? {
          from: `w join a on a."item" = ${keyOf(plan, 'w')} join json_to_recordset(${delta}::json) d("item" text, "delta" json) on d."item" = a."item"`,
          row: 'w',
          delta: 'd."delta"',
        }
      : { from: `w join a on a."item" = ${keyOf(plan, 'w')}`, row: 'w', delta: `${delta}::json` }
    const received = `${source}(null::${table}, ${rows}::json) r`
    const condition = `${match ?? sameKey}${where}`
    const isNoted = plan.events !== null
    const ownOld = keys.map(({ column }) => ` and ${alias}.${column} = o.${column}`).join('')
    const written =
      `update ${table} ${alias} set ${set} from ${received}${isNoted ? ', o' : ''} ` +
      `where ${condition}${isNoted ? ownOld : ''} returning ${returning(plan, { before: 'o', after: 'w' })}`
    // The rows are locked as they are read, so that nobody changes them in between; rows may still refer to them.
    const lock = plan.events?.isTable === true ? ` for no key update of ${alias}` : ''
    const rest = each ? `, ${received}` : ''
    const old = isNoted
      ? `o as materialized (select ${alias}.* from ${table} ${alias}${rest} where ${condition}${lock})`
      : null
    return withHistory(plan, written, { links, states: { before: 'o', after: 'w' }, old })
  },

  delete: (plan, where) => {
    const { table, alias } = plan
    const states = { before: 'w', after: null } as const
    const written = `delete from ${table} ${alias} where ${where} returning ${returning(plan, states)}`
    const links = { from: '', row: '', delta: '' }
    return withHistory(plan, written, { links, states })
  },

  // Ids are allocated first, so that an entry can refer to another entry of the same statement.
  history: (entries) => {
    const { action, collection, item, data, delta, parent } = entries.lists()
    const tables = entries.tables()
    const lists = [
      ...[action, collection, item].map((list) => `${list}::text[]`),
      `${data}::json[]`,
      `${delta}::json[]`,
    ]
    const entry = { action: 'h."action"', collection: 'h."collection"', item: 'h."item"' }
    return (
      `with h as materialized (select h.*, ${next(tables.activity)} as "activity", ` +
      `case when h."data" is not null then ${next(tables.revisions)} end as "id" ` +
      `from unnest(${lists.join(', ')}, ${parent}::integer[]) with ordinality ` +
      `h("action", "collection", "item", "data", "delta", "parent", "n")), ` +
      `a as (insert into ${tables.activity} ("id", ${activityColumns}) ` +
      `select h."activity", ${activityOf(tables, entry)} from h) ` +
      `insert into ${tables.revisions} ("id", "activity", "collection", "item", "data", "delta", "parent") ` +
      `select h."id", h."activity", h."collection", h."item", h."data", h."delta", p."id" ` +
      `from h left join h p on p."n" = h."parent" where h."id" is not null`
    )
  },

  lock: ({ table, keys, columns, conditions }) => {
    const texts = [keyText(columnNames(keys)), ...columns.map((column) => `${column}::text`)]
    return `select ${texts.join(', ')} from ${table} where ${conditions.join(' or ')} order by ${columnNames(keys).join(', ')} for update`
  },

  conflicts: ({ table, keys, columns }, rows) => {
    const same = columns.map(({ column }) => `t.${column} = r.${column}`).join(' and ')
    return (
      `select e."n"::text, ${keyText(keys.map(({ column }) => `t.${column}`))} from json_array_elements(${rows}::json) with ordinality e("row", "n") ` +
      `cross join lateral json_populate_record(null::${table}, e."row") r join ${table} t on ${same} ` +
      `order by ${list(keys, 't')} for update of t`
    )
  },

  fits: (table, row) => `select 1 from json_populate_record(null::${table}, ${row}::json)`,

  highest: ({ table, column, parent, condition }) =>
    `select ${parent}::text, max(${column})::text from ${table} where ${condition} group by ${parent}`,
}
