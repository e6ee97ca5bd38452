/** The filter on rows that are not archived. */
import { type Filter, matchAll, or } from '../query/filter.ts'
import type { Collection } from './schema.ts'

/** The rows that are not archived; all rows if the collection has no archive field. */
export function liveRows({ archive }: Pick<Collection, 'archive'>): Filter {
  if (archive === null) return matchAll
  const operand = { kind: 'field', field: archive.field } as const
  return or(
    { kind: 'compare', operand, operator: 'null', values: [] },
    { kind: 'compare', operand, operator: 'nin', values: archive.archived },
  )
}
