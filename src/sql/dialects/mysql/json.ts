/** JSON as text that MariaDB joins: it knows no JSON type, so that nested values would become strings with quotes. */
import type { Entry, Expression, LinkedRows } from '../dialect.ts'
import { quoteText } from '../quoting.ts'

/**
 * An error of the server. It gives null in place of a text that is longer than a packet (`max_allowed_packet`), with a
 * warning only, so that a list would come back empty.
 */
export const tooLong = 'exp(710)'

/** The path of a member. MariaDB reads a minus at the start of a quoted name as that of a place in a list. */
export const memberPath = (name: string): string => `$.${JSON.stringify(name).replace(/^"-/, String.raw`"\u002d`)}`

/** A text that is not null unless it is too long. */
export const whole = (sql: string): string => `ifnull(${sql}, ${tooLong})`

/** The value as the text of its JSON. */
export const valueText = ({ sql, json }: Pick<Expression, 'sql' | 'json'>): string =>
  json === 'text' ? `ifnull(json_quote(${sql}), 'null')` : `ifnull(${sql}, 'null')`

export function objectText(entries: readonly Entry[]): string {
  if (entries.length === 0) return quoteText('{}')
  const parts = entries.flatMap((entry, index) => [
    quoteText(`${index === 0 ? '{' : ','}${JSON.stringify(entry.key)}:`),
    valueText(entry),
  ])
  return whole(`concat(${parts.join(', ')}, '}')`)
}

/** A list of what the expression gives for each row. */
export const listText = (element: string, rest = ''): string =>
  whole(`concat('[', ifnull(group_concat(${element}${rest} separator ','), ''), ']')`)

const orderText = ({ order }: LinkedRows): string => (order.length === 0 ? '' : ` order by ${order.join(', ')}`)

/** All rows. */
export const most = '18446744073709551615'

function limitText({ limit, offset }: LinkedRows): string {
  if (limit === null && offset === null) return ''
  return offset === null ? ` limit ${limit}` : ` limit ${offset}, ${limit ?? most}`
}

/** The limit is the last part of the function, after the separator. */
export const linkedList = (element: string, rows: LinkedRows): string =>
  `(select ${whole(`concat('[', ifnull(group_concat(${element}${orderText(rows)} separator ','${limitText(rows)}), ''), ']')`)} ` +
  `from ${rows.table}${rows.where})`
