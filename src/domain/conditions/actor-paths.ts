/** Paths of dynamic values, such as `$CURRENT_USER.department` and `$CURRENT_ROLE.parent.name`: fields of the actor's row and of related rows. */

import type { FieldType } from '../query/field-types.ts'
import { type DynamicValue, isDynamic, type Value } from '../query/filter.ts'
import { TandemError } from '../rights/errors.ts'
import type { Field, Schema } from '../schema/schema.ts'

const roots: { readonly [Kind in DynamicValue['kind']]?: string } = {
  'current-user': 'platform_users',
  'current-role': 'platform_roles',
}

/**
 * The type of the field at the end of the path; null for a key, and without a path. Throws `field-not-found` for the first
 * name of the path that does not exist, or that is not a relation but is followed by another name.
 */
export function assertPathLeads(value: Value, schema: Schema): FieldType | null {
  if (!isDynamic(value) || !('path' in value)) return null
  let collection = roots[value.kind]
  for (const [index, step] of value.path.entries()) {
    const target = collection === undefined ? undefined : schema.collections.get(collection)
    if (target === undefined || typeof step !== 'string') return null
    const field: Field | undefined = target.fields.get(step)
    const isLast = index === value.path.length - 1
    if (field === undefined || !(isLast ? holdsValue(field) : leadsOn(field))) {
      throw new TandemError({ kind: 'field-not-found', collection: target.name, field: step })
    }
    if (isLast && field.column !== null) return field.type
    collection =
      field.relation === null || field.relation.kind === 'many-to-any' ? undefined : field.relation.collection
  }
  return null
}

const leadsOn = ({ relation }: Field): boolean => relation !== null && relation.kind !== 'many-to-any'

const holdsValue = (field: Field): boolean => field.column !== null || leadsOn(field)
