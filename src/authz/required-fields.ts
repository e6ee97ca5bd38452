/** Fields that items must have by their status. */
import type { Payload } from '../domain/conditions/evaluate.ts'
import { compare, type Filter, matchAll, or } from '../domain/query/filter.ts'
import type { RowAlternative } from '../domain/query/mutation.ts'
import { typeGroups } from '../domain/query/operators.ts'
import type { Action } from '../domain/rights/actor.ts'
import type { Collection } from '../domain/schema/schema.ts'

/**
 * Conditions on the rows as they will be: each required field has a value, or the status asks for none. A change that
 * touches neither the status nor one of these fields is not checked.
 */
export function requiredByStatus(
  { collection, action }: { readonly collection: Collection; readonly action: Action },
  payload: Payload,
): RowAlternative[][] {
  const { requiredBy } = collection
  if (requiredBy === undefined) return []
  const { field: status, statuses, required } = requiredBy
  const touched = action === 'create' || payload.has(status) ? required : required.filter((name) => payload.has(name))
  return touched.map((name) => {
    const isOpen = or(compare(status, 'nin', statuses), compare(status, 'null'))
    return [{ rows: matchAll, after: or(isFilled(collection, name), isOpen), type: 'required' }]
  })
}

const isFilled = ({ fields }: Collection, name: string): Filter => {
  const type = fields.get(name)?.type
  return compare(name, type !== undefined && typeGroups[type] === 'text' ? 'nempty' : 'nnull')
}
