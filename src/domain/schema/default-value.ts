/** The constant default of a field in the form in which its values are shown. */
import { parseOr } from '../parse-or.ts'
import type { Column, Field } from './schema.ts'

type Defaulted = Pick<Field, 'type'> & {
  readonly column: Pick<Column, 'dataType' | 'defaultValue'> | null
}

/** JSON of a JSON field, a list of a list; null where only the database can say. */
export function shownDefault({ type, column }: Defaulted): unknown {
  const stored = column?.defaultValue ?? null
  if (typeof stored !== 'string') return stored
  if (type === 'json') return parseOr(stored, stored)
  const isNativeList = column?.dataType.endsWith('[]') === true
  if (isNativeList) return stored === '{}' ? [] : stored
  return type === 'csv' ? stored.split(',').filter((part) => part !== '') : stored
}
