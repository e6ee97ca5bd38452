/** What is read of the rows of a relation. */
import type { ToMany } from '../model/relations.ts'
import { templateFields } from '../model/texts.ts'

export function columnPaths({ many, junction, sortField }: ToMany): readonly string[] {
  const own = [many.key ?? 'id', ...(sortField === null ? [] : [sortField])]
  if (junction === null) return [...new Set([...own, ...templateFields(many)])]
  const { field, related, any } = junction
  if (any !== null) {
    const nested = any.allowed.flatMap((each) => templateFields(each).map((path) => `${field}:${each.name}.${path}`))
    return [...own, any.collectionField, ...nested]
  }
  if (related === null) return [...own, field]
  return [...own, ...templateFields(related).map((path) => `${field}.${path}`)]
}
