/**
 * Writes in MariaDB, as plans of several texts: rows are named and locked first, then written, then read, because an
 * update returns nothing there. A semicolon separates the texts; `$$1` is the list of keys that the first one has found.
 * The rows of a plan are those of its last text that returns any.
 */
import { geometryType } from '../../../domain/conditions/geometry.ts'
import type { ColumnType, EventText, HistoryTables, TypedColumn, Writes, WriteText } from '../dialect.ts'
import { columnNames, quoteText } from '../quoting.ts'
import { byKeyText, foundRows, keyIn, keyPart, keyText } from './found-rows.ts'
import { memberPath, most, objectText } from './json.ts'
import { hashOf } from './lists.ts'
import { bitsAsNumber, byCollation, bytesOf, longText, momentOf, shapeOf } from './types.ts'

/** The value of a JSON text, as the column takes it; a wrong one is an error of the server. */
export function stored(value: string, { type, dataType }: ColumnType): string {
  // MySQL makes no moment of what `nullif` gives.
  if (type === 'timestamp' || type === 'dateTime')
    return `if(${value} = '', null, replace(replace(${value}, 'T', ' '), 'Z', ''))`
  if (type === 'binary') return bytesOf(value)
  if (dataType === 'bit') return bitsAsNumber(value)
  // The text 0 is the year 2000, the number is the year 0.
  if (dataType === 'year') return `cast(${value} as signed)`
  if (dataType === 'boolean' || type === 'integer')
    return `case ${value} when 'true' then 1 when 'false' then 0 else ${value} end`
  // Long texts are copied to shorter ones without a look at their length; computed ones are not.
  if (/^(tiny|medium)?text$/.test(dataType)) return `concat(${value})`
  return value
}

/** The rows of a JSON list, or its single object: column `c<n>` for each. JSON is taken as it is, other values as texts. */
export function rowsOf(parameter: string, columns: readonly TypedColumn[], path = '$[*]'): string {
  const parts = columns.map(({ name, type }, at) => {
    const place = quoteText(memberPath(name))
    return `c${at} ${isObject(type) ? 'json' : longText} path ${place}`
  })
  return `json_table(${parameter}, ${quoteText(path)} columns (${['n for ordinality', ...parts].join(', ')})) r`
}

export const isObject = ({ type, dataType }: ColumnType): boolean => dataType === 'json' || type === 'geometry'

/** MySQL locks no list. */
const ofTable = (alias: string): string => ` /*!80000 of ${alias} */`

/** JSON null is no value. A geometry is written as text with its system, and restored from GeoJSON. */
export function storedObject(value: string, { type, dataType }: ColumnType): string {
  // A parameter in both places is of no character set on MySQL.
  const filled = `if(json_type(${value}) = 'NULL', null, concat('', ${value}))`
  if (type !== 'geometry') return filled
  const shape = shapeOf(`json_unquote(${filled})`)
  const inPlane = `if(json_type(${filled}) = 'STRING', ${shape}, st_geomfromgeojson(${filled} /*!80000 , 1, 0 */))`
  const { srid } = geometryType(dataType)
  return srid === null ? inPlane : `st_srid(${inPlane}, ${srid})`
}

export const valueOf = ({ type }: TypedColumn, at: number): string =>
  isObject(type) ? storedObject(`r.c${at}`, type) : stored(`r.c${at}`, type)

/** The value of a column in a JSON object. */
export function valueOfRow(row: string, path: string, type: ColumnType): string {
  if (isObject(type)) return storedObject(`json_extract(${row}, ${path})`, type)
  return stored(`json_value(${row}, ${path})`, type)
}

/** Rows of a parameter as rows of a table under an alias, and their position as a column. */
export function recordset(
  rows: string,
  columns: readonly TypedColumn[],
  { alias, position }: { readonly alias: string; readonly position: string },
): string {
  const values = columns.map((each, at) => `${valueOf(each, at)} as ${each.column}`)
  return `(select ${[...values, `r.n as ${position}`].join(', ')} from ${rowsOf(rows, columns)}) ${alias}`
}

/** What a write returns: the key, and its name and data for history. */
export function returned(plan: WriteText, row: string): string {
  const key = keyIn(plan, row)
  const { journal } = plan
  if (journal === null) return key
  return `${key}, ${key}, ${journal.data === null ? 'null' : objectText(journal.data(row))}`
}

/** The event of each row that was found, with its state in one of the columns of the event. */
export const eventsOf = (plan: WriteText, events: EventText, { action, state, keys = '$$1' }: EventPart): string =>
  `insert into ${events.events} ("action", "collection", "item", "${state}") ` +
  `select ${action}, ${events.collection}, ${keyIn(plan, plan.alias)}, ${objectText(events.row(plan.alias))} ` +
  `from ${foundRows(plan, keys)} order by k.n`

/** `keys`: the list of the keys that were found. */
type EventPart = { readonly action: string; readonly state: 'before' | 'after'; readonly keys?: string }

const compared = (each: TypedColumn, at: number): string =>
  each.type.folds === true ? byCollation(valueOf(each, at)) : valueOf(each, at)

/** An index of a column that folds case finds the candidates. */
const isSame = (column: string, each: TypedColumn, at: number): string => {
  const exact = `${column} = ${valueOf(each, at)}`
  return each.type.folds === true ? `${column} = ${compared(each, at)} and ${exact}` : exact
}

/** A row of defaults for each of the list. A key that counts up has the default 0, in whose place null asks for a number. */
function defaultsOf({ table, keys }: WriteText, rows: string): string {
  const key = keys[0]?.column
  if (key === undefined) return '() values ()'
  const list = `json_table(${rows}, '$[*]' columns (n for ordinality)) r`
  return `(${key}) select nullif(default(d.${key}), '0') from ${list} left join ${table} d on false order by r.n`
}

const insert: Writes['insert'] = (plan, { rows }) => {
  const { table, columns, events } = plan
  const values = columns.map(valueOf)
  const source = `(${columnNames(columns).join(', ')}) select ${values.join(', ')} from ${rowsOf(rows, columns)} order by r.n`
  const given = columns.length === 0 ? defaultsOf(plan, rows) : source
  const written = `insert into ${table} ${given} returning ${returned(plan, table)}`
  if (events === null) return written
  return `${written};\n${eventsOf(plan, events, { action: events.action, state: 'after' })}`
}

const update: Writes['update'] = (plan, source) => updateOf(plan, source, updateEvents)

/** `told`: the texts before and after the row is written, which record it; `moved`: the rows of a key that changes. */
export function updateOf(
  plan: WriteText,
  { rows, match, where }: Parameters<Writes['update']>[1],
  told: (
    plan: WriteText,
    events: EventText,
    moved: string | null,
  ) => readonly [before: readonly string[], after: readonly string[]],
): string {
  const { table, alias, events } = plan
  const [keyColumns, columns] = [columnNames(plan.keys), columnNames(plan.columns)]
  const key = keyIn(plan, alias)
  const each = match === null
  const others = each ? plan.keys.filter(({ column }) => !columns.includes(column)) : []
  const typed = [...plan.columns, ...others]
  const values = rowsOf(rows, typed, each ? '$[*]' : '$')
  const same = keyColumns
    .map((column) => {
      const at = typed.findIndex((each) => each.column === column)
      return each ? isSame(`${alias}.${column}`, typed[at] as TypedColumn, at) : ''
    })
    .join(' and ')
  // Each given row is looked up by its key.
  const source = each ? `${values} straight_join ${table} ${alias} on ${same}` : `${table} ${alias}`
  const lockedKeys = `select ${key} from ${source} where ${each ? 'true' : match}${where} order by ${key} for update${ofTable(alias)}`
  const sets = columns.flatMap((column, at) =>
    each && keyColumns.includes(column) ? [] : [`${alias}.${column} = ${valueOf(typed[at] as TypedColumn, at)}`],
  )
  const target = each ? `${source} straight_join ${foundKeys(key)}` : `${foundRows(plan)} join ${values}`
  const written = sets.length === 0 ? [] : [`update ${target} set ${sets.join(', ')}`]
  const moved = !each && keyColumns.some((column) => columns.includes(column))
  const rest = moved ? `${table} ${alias} where ${movedKey(plan, rows)}` : `${foundRows(plan)} order by k.n`
  const [before, after] = events === null ? [[], []] : told(plan, events, moved ? rest : null)
  return [lockedKeys, ...before, ...written, ...after, `select ${returned(plan, alias)} from ${rest}`].join(';\n')
}

/** The keys that were found, joined by their hash and their text. */
const foundKeys = (key: string): string => {
  const list = `select j.v, ${hashOf('j.v')} as h from json_table($$1, '$[*]' columns (v ${longText} path '$')) j`
  return `${limited(list)} f on f.h = ${hashOf(key)} and f.v = ${key}`
}

/** Each event gets its id before the row is written, and the written row afterwards. */
function updateEvents(
  plan: WriteText,
  events: EventText,
  moved: string | null,
): readonly [before: readonly string[], after: readonly string[]] {
  if (moved !== null) return movedEvents(plan, events, moved)
  const state = objectText(events.row(plan.alias))
  // Small tables would be read whole, with locks on the events of transactions that still run.
  const written =
    `update ${listOf('$$2')} i straight_join ${events.events} e force index (primary) on e.id = i.v straight_join ` +
    `${byKeyText(plan, 'e.item')} set e."after" = ${state}`
  return [[`${eventsOf(plan, events, { action: events.action, state: 'before' })} returning id`], [written]]
}

/** A key that changes is told as two. */
export function movedEvents(
  plan: WriteText,
  events: EventText,
  moved: string,
): readonly [before: readonly string[], after: readonly string[]] {
  const { alias } = plan
  const state = objectText(events.row(alias))
  const created =
    `insert into ${events.events} ("action", "collection", "item", "after") ` +
    `select 'create', ${events.collection}, ${keyIn(plan, alias)}, ${state} from ${moved}`
  return [[eventsOf(plan, events, { action: quoteText('delete'), state: 'before' })], [created]]
}

/** A row whose key was changed is found by the new one; parts that stayed are those that the first text has found. */
function movedKey(plan: WriteText, rows: string): string {
  const { alias, keys, columns } = plan
  const parts = keys.map(({ column }) => {
    const at = columns.findIndex((each) => each.column === column)
    if (at === -1) return 'true'
    return `${alias}.${column} = (select ${valueOf(columns[at] as TypedColumn, at)} from ${rowsOf(rows, columns, '$')})`
  })
  return `${parts.join(' and ')} and json_length($$1) > 0`
}

const remove: Writes['delete'] = (plan, where) => {
  const { table, alias, events } = plan
  const key = keyIn(plan, alias)
  return [
    `select ${returned(plan, alias)} from ${table} ${alias} where ${where} order by ${key} for update${ofTable(alias)}`,
    ...(events === null ? [] : [eventsOf(plan, events, { action: events.action, state: 'before' })]),
    `delete ${alias} from ${foundRows(plan)}`,
  ].join(';\n')
}

export const activityColumns = `"action", "user", "timestamp", ip, user_agent, origin, collection, item, comment`

export const who = ({ values }: HistoryTables): string => {
  const { user, timestamp, ip, userAgent, origin } = values
  return `${user}, ${momentOf(timestamp)}, ${ip}, ${userAgent}, ${origin}`
}

export const listOf = (result: string): string =>
  `json_table(${result}, '$[*]' columns (n for ordinality, v bigint path '$'))`

/** With a limit, rows are kept in a table, which gets the index that a join needs. */
export const limited = (select: string): string => `(${select} limit ${most})`

export const idsOf = (result: string): string => limited(`select l.n, l.v from ${listOf(result)} l`)

/** Ids come in the order of the entries, because one statement gives them. */
const history: Writes['history'] = ({ rows, hasParents, tables: tablesOf }) => {
  const entries = entriesOf(rows())
  const tables = tablesOf()
  const revised = limited(
    `select h.n, h.parent, row_number() over (order by h.n) as place from ${entries('data')} where h.data is not null`,
  )
  return [
    `insert into ${tables.activity} (${activityColumns}) select h."action", ${who(tables)}, h."collection", h.item, ` +
      `${tables.values.comment} from ${entries('action', 'collection', 'item')} order by h.n returning id`,
    `${revisionsText(tables, entries)} returning id`,
    ...(hasParents ? [parentsText(tables, revised)] : []),
  ].join(';\n')
}

type Entries = ReturnType<typeof entriesOf>

/** The named parts of each entry of the list, and its parent. */
export const entriesOf =
  (list: string) =>
  (...names: readonly string[]): string => {
    const parts = names.map((name) => `"${name}" ${longText} path '$.${name}'`)
    return `json_table(${list}, '$[*]' columns (n for ordinality, ${parts.join(', ')}, parent int path '$.parent')) h`
  }

/** The revisions of entries whose ids are the first result. */
export const revisionsText = (tables: HistoryTables, entries: Entries): string =>
  `insert into ${tables.revisions} (activity, collection, item, data, delta) ` +
  `select a.v, h."collection", h.item, h.data, h.delta from ${idsOf('$$1')} a ` +
  `straight_join ${limited(`select h.* from ${entries('collection', 'item', 'data', 'delta')} where h.data is not null`)} h on h.n = a.n order by a.n`

const parentsText = (tables: HistoryTables, revised: string): string =>
  `update ${limited(`select e.place, e.parent from ${revised} e where e.parent is not null`)} e ` +
  `straight_join ${idsOf('$$2')} c on c.n = e.place straight_join ${revised} p on p.n = e.parent ` +
  `straight_join ${idsOf('$$2')} q on q.n = p.place straight_join ${tables.revisions} x on x.id = c.v set x.parent = q.v`

export const writes: Writes = {
  keyText,
  keyPart,
  insert,
  update,
  delete: remove,
  history,
  lock: ({ table, keys, columns, conditions }) => {
    const texts = [keyIn({ keys }, table), ...columns.map((column) => `cast(${column} as char)`)]
    return `select ${texts.join(', ')} from ${table} where ${conditions.join(' or ')} order by ${columnNames(keys).join(', ')} for update`
  },
  conflicts: ({ table, keys, columns }, rows) => {
    const same = columns.map((each, at) => `t.${each.column} = ${compared(each, at)}`).join(' and ')
    const order = keys.map(({ column }) => `t.${column}`).join(', ')
    return `select cast(r.n as char), ${keyIn({ keys }, 't')} from ${rowsOf(rows, columns)} join ${table} t on ${same} order by ${order} for update${ofTable('t')}`
  },
  // The server converts values only where it stores them.
  fits: (_table, row) => `select json_valid(${row})`,
  highest: ({ table, column, parent, condition }) =>
    `select cast(${parent} as char), cast(max(${column}) as char) from ${table} where ${condition} group by ${parent}`,
}
