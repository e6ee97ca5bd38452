/**
 * Writes in MySQL, which returns no rows of an insert: rows with keys of the client are found by these; numbers are told
 * by the server, and those of a list of values follow each other. In the rest they are those of MariaDB.
 */
import type { HistoryTables, TypedColumn, Writes, WriteText } from '../dialect.ts'
import { columnNames, quoteName, quoteText } from '../quoting.ts'
import { foundRows, keyIn } from './found-rows.ts'
import { objectText } from './json.ts'
import { longText } from './types.ts'
import {
  activityColumns,
  entriesOf,
  eventsOf,
  idsOf,
  isObject,
  limited,
  movedEvents,
  writes as onMariaDb,
  returned,
  revisionsText,
  rowsOf,
  stored,
  storedObject,
  updateOf,
  valueOf,
  who,
} from './writes.ts'

/** A value of a row of the list, of which the statement takes one or several: `$1->name` is JSON, `$1.name` a text. */
const valueOfEach = (rows: string, { name, type }: TypedColumn): string => {
  const field = quoteName(name)
  // A list of values has null in the place of JSON null.
  if (type.dataType === 'json') return `${rows}->${field}`
  return isObject(type) ? storedObject(`${rows}->${field}`, type) : stored(`${rows}.${field}`, type)
}

/**
 * Rows that are found by keys of the client. If one part of the key is absent, its default is computed first, or the
 * server tells the number that it gives.
 */
const insert: Writes['insert'] = (plan, { rows }) => {
  const { table, alias, keys, columns, events, counted } = plan
  const isGiven = ({ column }: TypedColumn) =>
    columns.some((each) => each.column === column) && !counted.some((each) => each.column === column)
  const parts = keys.filter(isGiven)
  const place = parts.length === keys.length ? '$$2' : '$$1'
  const eventText =
    events === null ? [] : [eventsOf(plan, events, { action: events.action, state: 'after', keys: '$$2' })]
  const same = parts.map((part) => {
    const value = valueOf(
      part,
      columns.findIndex(({ column }) => column === part.column),
    )
    return `${alias}.${part.column} = ${keyOf(value, part)}`
  })
  if (place === '$$2') {
    const source = `select ${columns.map(valueOf).join(', ')} from ${rowsOf(rows, columns)} order by r.n`
    return [
      `insert into ${table} (${columnNames(columns).join(', ')}) ${source}`,
      `select ${returned(plan, alias)} from ${rowsOf(rows, columns)} straight_join ${table} ${alias} on ${same.join(' and ')} order by r.n`,
      ...eventText,
    ].join(';\n')
  }
  const number = keys.find((part) => !isGiven(part)) as (typeof keys)[number]
  const { preset } = number
  if (preset !== null) return byDefault(plan, { rows, preset, absent: number, same })
  const written =
    columns.length === 0
      ? `(${number.column}) values each ${rows} by ${quoteText(number.name)} (null)`
      : `(${columnNames(columns).join(', ')}) values each ${rows} by ${quoteText(number.name)} (${columns.map((each) => valueOfEach(rows, each)).join(', ')})`
  const numbers = `json_table($$1, '$[*]' columns (n for ordinality, v ${longText} path '$')) k`
  const from =
    parts.length === 0
      ? foundRows(plan)
      : `${numbers} straight_join ${rowsOf(rows, columns)} on r.n = k.n straight_join ${table} ${alias} on ${[`${alias}.${number.column} = k.v`, ...same].join(' and ')}`
  return [
    `insert into ${table} ${written}`,
    `select ${returned(plan, alias)} from ${from} order by k.n`,
    ...eventText,
  ].join(';\n')
}

/** A text as the key that it is stored as: times and floats equal no text. */
function keyOf(value: string, { type: { type, dataType } }: TypedColumn): string {
  if (type === 'time') return `cast(${value} as time(6))`
  return dataType === 'float' ? `cast(${value} as float)` : value
}

type ByDefault = {
  readonly rows: string
  readonly preset: string
  readonly absent: TypedColumn
  readonly same: readonly string[]
}

/** The absent part of the key is computed before the insert, because the server would not tell it. */
function byDefault(plan: WriteText, { rows, preset, absent, same }: ByDefault): string {
  const { table, alias, columns, events } = plan
  const shown = absent.type.type === 'binary' ? `concat(${quoteText(String.raw`\x`)}, hex(${preset}))` : preset
  const each = `json_table($$1, '$[*]' columns (n for ordinality, v ${longText} path '$')) k straight_join ${rowsOf(rows, columns)} on r.n = k.n`
  const values = [stored('k.v', absent.type), ...columns.map(valueOf)]
  const found = [`${alias}.${absent.column} = ${keyOf(stored('k.v', absent.type), absent)}`, ...same].join(' and ')
  return [
    `select ${shown} from ${rowsOf(rows, [])} order by r.n`,
    `insert into ${table} (${[absent.column, ...columnNames(columns)].join(', ')}) select ${values.join(', ')} from ${each} order by k.n`,
    `select ${returned(plan, alias)} from ${each} straight_join ${table} ${alias} on ${found} order by k.n`,
    ...(events === null ? [] : [eventsOf(plan, events, { action: events.action, state: 'after', keys: '$$3' })]),
  ].join(';\n')
}

/** The rows as they were are kept by this program until they are written. */
const update: Writes['update'] = (plan, source) =>
  updateOf(plan, source, (_plan, events, moved) => {
    if (moved !== null) return movedEvents(plan, events, moved)
    const { alias } = plan
    const state = objectText(events.row(alias))
    const eventText =
      `insert into ${events.events} ("action", "collection", "item", "before", "after") ` +
      `select ${events.action}, ${events.collection}, ${keyIn(plan, alias)}, b.v, ${state} from ${foundRows(plan)} ` +
      `join json_table($$2, '$[*]' columns (n for ordinality, v ${longText} path '$')) b on b.n = k.n order by k.n`
    return [[`select ${state} from ${foundRows(plan)} order by k.n`], [eventText]]
  })

/** The ids of entries follow each other in their order; a revision is found by that of its entry. */
const history: Writes['history'] = ({ rows, hasParents, tables: tablesOf }) => {
  const list = rows()
  const entries = entriesOf(list)
  const tables = tablesOf()
  return [
    `insert into ${tables.activity} (${activityColumns}) values each ${list} by 'id' ` +
      `(${list}."action", ${who(tables)}, ${list}."collection", ${list}."item", ${tables.values.comment})`,
    revisionsText(tables, entries),
    ...(hasParents ? [parentsText(tables, entries)] : []),
  ].join(';\n')
}

/** The server counts the revisions of other transactions alone: without the index it would read all of a long list for each entry. */
const parentsText = ({ revisions }: HistoryTables, entries: ReturnType<typeof entriesOf>): string => {
  const byActivity = 'force index (platform_revisions_activity_index)'
  return (
    `update ${limited(`select h.n, h.parent from ${entries('data')} where h.data is not null and h.parent is not null`)} e ` +
    `straight_join ${idsOf('$$1')} c on c.n = e.n straight_join ${idsOf('$$1')} q on q.n = e.parent ` +
    `straight_join ${revisions} p ${byActivity} on p.activity = q.v ` +
    `straight_join ${revisions} x ${byActivity} on x.activity = c.v set x.parent = p.id`
  )
}

export const writes: Writes = { ...onMariaDb, insert, update, history }
