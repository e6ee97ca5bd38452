/** History and events in PostgreSQL's writes, and the text of keys that they name rows by. */

import { encodedInKeys, keySeparator } from '../../domain/schema/row-keys.ts'
import type { Entry, EventText, HistoryTables, HistoryText, RowColumns, Writes, WriteText } from './dialect.ts'
import { keyFromText } from './postgres-types.ts'
import { columnList } from './quoting.ts'

/** Where the row before and the row after the write come from: `w`, or `o` for the rows before an update. */
export type States = { readonly before: 'w' | 'o' | null; readonly after: 'w' | null }

const encoded = (text: string): string =>
  encodedInKeys.reduce((sql, [plain, code]) => `replace(${sql}, '${plain}', '${code}')`, text)

export const keyText: Writes['keyText'] = (columns) => {
  const texts = columns.map((column) => `${column}::text`)
  // A row without a key is written all the same.
  if (texts.length === 0) return `''::text`
  return texts.length === 1 ? (texts[0] as string) : `(${texts.map(encoded).join(` || '${keySeparator}' || `)})`
}

/** No text of a number or a uuid has characters that are encoded. */
export const keyPart: Writes['keyPart'] = (text, position, key) => {
  const part = `split_part(${text}, '${keySeparator}', ${position})`
  const match = keyFromText(part, { type: 'text', dataType: 'text' }, key)
  if (match !== part) return match
  return encodedInKeys.reduceRight((sql, [plain, code]) => `replace(${sql}, '${code}', '${plain}')`, part)
}

/** Key of the row, as answers and history have it. */
export const keyOf = ({ keys }: WriteText, row: string) => keyText(keys.map(({ column }) => `${row}.${column}`))

/** How a revision is joined with its row, its activity and its delta. */
export type Links = { readonly from: string; readonly row: string; readonly delta: string }

export const activityColumns = `"action", "user", "timestamp", "ip", "user_agent", "origin", "collection", "item", "comment"`

export function activityOf(
  { values }: HistoryTables,
  row: { action: string; collection: string; item: string },
): string {
  const { user, timestamp, ip, userAgent, origin, comment } = values
  const who = `${user}::uuid, ${timestamp}::timestamptz, ${ip}::text, ${userAgent}::text, ${origin}::text`
  return `${row.action}, ${who}, ${row.collection}, ${row.item}, ${comment}::text`
}

export function activity(plan: WriteText, history: HistoryText): string {
  const row = activityOf(history, { ...history, item: keyOf(plan, 'w') })
  return `insert into ${history.activity} (${activityColumns}) select ${row} from w returning "id", "item"`
}

export function revision(
  plan: WriteText,
  { revision, revisions, collection }: HistoryText,
  { from, row, delta }: Links,
): string {
  const data = sharedData(plan) === null ? dataOf(revision?.columns(row) ?? []) : `${row}.${afterName}`
  return (
    `insert into ${revisions} ("activity", "collection", "item", "data", "delta") ` +
    `select a."id", ${collection}, a."item", ${data}, ${delta} from ${from}`
  )
}

/** Inserts the events of a write: the JSON of each row before and after it, which the write returns. */
export function event(plan: WriteText, { events, action, collection }: EventText, { before, after }: States): string {
  return (
    `insert into ${events} ("action", "collection", "item", "before", "after") ` +
    `select ${action}, ${collection}, ${keyOf(plan, 'w')}, ${stored(beforeName, before)}, ${stored(afterName, after)} from w`
  )
}

const stored = (name: string, from: 'w' | 'o' | null): string => (from === null ? 'null' : `w.${name}`)

/** No column has this name, nor that of `afterName`. */
const beforeName = '"(before)"'

const afterName = '"(after)"'

/** A whole row of a table takes a third of what listed columns take. */
const stateOf = ({ row, isWhole }: EventText, alias: string): string =>
  isWhole ? `row_to_json(${alias}.*)` : dataOf(row(alias))

/** The columns whose JSON history and events share, so that the statement makes it once; null if they differ. */
export const sharedData = ({ history, events }: WriteText): RowColumns | null =>
  events?.isLikeHistory === true ? (history?.revision?.columns ?? null) : null

export function returnedStates(plan: WriteText, events: EventText, { before, after }: States): string {
  const { alias } = plan
  const shared = sharedData(plan)
  const written = shared === null ? stateOf(events, alias) : dataOf(shared(alias))
  const old = before === null ? '' : `, ${stateOf(events, before === 'o' ? 'o' : alias)} as ${beforeName}`
  return after === null ? old : `${old}, ${written} as ${afterName}`
}

export const dataOf = (columns: readonly Entry[]) => `(select row_to_json(r.*) from (select ${columnList(columns)}) r)`
