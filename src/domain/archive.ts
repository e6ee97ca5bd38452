/** Archived rows as a condition, for places where they are left out row by row. */
import { type Filter, matchAll, or } from './filter.ts'
import type { Collection } from './schema.ts'

/** The rows that are not archived; all of them where nothing ever is. */
export function liveRows({ archive }: Pick<Collection, 'archive'>): Filter {
  if (archive === null) return matchAll
  const operand = { kind: 'field', field: archive.field } as const
  return or(
    { kind: 'compare', operand, operator: 'null', values: [] },
    { kind: 'compare', operand, operator: 'nin', values: archive.archived },
  )
}
