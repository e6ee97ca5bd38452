/** The filter on rows that are not archived. */
import { and, type Filter, matchAll, or } from '../query/filter.ts'
import type { Collection, Field, Schema } from './schema.ts'

/** The rows that are not archived; all rows if the collection has no archive field. */
export function liveRows({ archive }: Pick<Collection, 'archive'>): Filter {
  if (archive === null) return matchAll
  const operand = { kind: 'field', field: archive.field } as const
  return or(
    { kind: 'compare', operand, operator: 'null', values: [] },
    { kind: 'compare', operand, operator: 'nin', values: archive.archived },
  )
}

/** The related rows of a to-many field that are not archived, and whose item beyond a junction is not archived either. */
export function liveRelatedRows({ collections }: Pick<Schema, 'collections'>, { relation }: Field): Filter {
  const related = relation?.kind === 'one-to-many' ? collections.get(relation.collection) : undefined
  if (relation?.kind !== 'one-to-many' || related === undefined) return matchAll
  const field = related.fields.get(relation.junctionField ?? '')
  const beyond = field?.relation?.kind === 'many-to-any' ? field.relation.allowed : [field?.relation?.collection ?? '']
  const hidden = beyond.flatMap((name): readonly Filter[] => {
    const target = collections.get(name)
    if (field === undefined || target === undefined || target.archive === null) return []
    const archived: Filter = { kind: 'not', filter: liveRows(target) }
    return [{ kind: 'related', field: field.name, collection: name, quantifier: 'none', filter: archived }]
  })
  return and(liveRows(related), ...hidden)
}
