/** What is read of the rows of a relation. */

import { toName } from '../../model/names.ts'
import type { ToMany } from '../../model/relations.ts'
import { templateFields } from '../../model/texts.ts'

export function columnPaths({ many, junction, sortField }: ToMany): readonly string[] {
  const own = [many.key ?? 'id', ...(sortField === null ? [] : [sortField])].map(toName)
  if (junction === null) return [...new Set([...own, ...templateFields(many)])]
  const { field, related, any } = junction
  const name = toName(field)
  if (any !== null) {
    const nested = any.allowed.flatMap((each) =>
      templateFields(each).map((path) => `${name}:${toName(each.name)}.${path}`),
    )
    return [...own, toName(any.collectionField), ...nested]
  }
  if (related === null) return [...own, name]
  return [...own, ...templateFields(related).map((path) => `${name}.${path}`)]
}
