/** JSON and lists in PostgreSQL. */

import type { FieldType } from '../../domain/query/field-types.ts'
import type { ColumnType, Dialect } from './dialect.ts'
import { isList } from './postgres-types.ts'

export const jsonAt: Dialect['jsonAt'] = (expression, column, path) => {
  const whole = column.dataType === 'jsonb' ? expression : toJson(expression, column)
  const json = `(${whole} #> ${path}::text[])`
  const text = `(${whole} #>> ${path}::text[])`
  const type = column.dataType === 'jsonb' ? 'jsonb_typeof' : 'json_typeof'
  const number = `case when ${type}${json} = 'number' then ${text}::numeric end`
  return { json, text, number, order: `nullif(${json}::jsonb, 'null')` }
}

/** A json column as it is; jsonb and text converted, with empty text as null. */
export const toJson = (expression: string, column: ColumnType) =>
  column.dataType === 'json'
    ? expression
    : column.dataType === 'jsonb'
      ? `${expression}::json`
      : `nullif(${expression}::text, '')::json`

/** Version 8 can store a comma at each end too: `,a,b,` has two entries. */
export const csvArray = (expression: string): string =>
  `string_to_array(case when ${expression} like ',%,' then substr(${expression}, 2, length(${expression}) - 2) else ${expression} end, ',')`

export const elements: Dialect['elements'] = (expression, column) => {
  if (isList(column)) return { text: `unnest(${expression})`, join: '' }
  if (column.type === 'csv') return { text: `unnest(${csvArray(expression)})`, join: '' }
  if (column.type !== 'json') return null
  const json = toJson(expression, column)
  const list = `case json_typeof(${json}) when 'array' then ${json} else json_build_array(${json}) end`
  return { text: `json_array_elements_text(${list})`, join: '' }
}

export const wrap =
  (name: string, distinct = '') =>
  (expression: string) =>
    `${name}(${distinct}${expression})`

/** Types without min and max: the minimum or maximum of their text is converted back. */
export const unordered: { readonly [Type in FieldType]?: string } = { uuid: 'uuid', boolean: 'boolean', json: 'json' }
