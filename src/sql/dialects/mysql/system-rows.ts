/** Rows of system tables as JSON, for statements in the words of MariaDB. */
import type { Expression } from '../dialect.ts'
import { listText, objectText } from './json.ts'

type Kind = 'text' | 'number' | 'boolean' | 'json'

const shown = (column: string, kind: Kind): Expression => ({
  sql: kind === 'boolean' ? `if(${column}, 'true', 'false')` : column,
  json: kind === 'text' ? 'text' : 'json',
})

type JsonRows = {
  readonly table: string
  readonly columns: string | { readonly [name: string]: Kind }
  readonly condition: string
  readonly order: string
}

/** The rows of `table`, whose alias is `x`, as a list of objects; of one column as a list of texts. */
export function jsonRows({ table, columns, condition, order }: JsonRows): string {
  const element =
    typeof columns === 'string'
      ? `json_quote(x.${columns})`
      : objectText(Object.entries(columns).map(([name, kind]) => ({ key: name, ...shown(`x."${name}"`, kind) })))
  // The driver reads what the server calls JSON.
  return `(select json_extract(${listText(element, ` order by ${order}`)}, '$') from ${table} where ${condition})`
}

/** The permissions that meet the condition. */
export const jsonPermissions = (condition: string): string =>
  jsonRows({
    table: 'platform_permissions x',
    columns: {
      id: 'number',
      policy: 'text',
      collection: 'text',
      action: 'text',
      permissions: 'json',
      validation: 'json',
      presets: 'json',
      fields: 'text',
      role: 'text',
    },
    condition,
    order: 'x.id',
  })
