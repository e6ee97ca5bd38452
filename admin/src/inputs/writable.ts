/** Whether a field can be written, and whether it has to be. */
import { type Collection, type Field, hasFieldRight } from '../model/model.ts'

export type Writing = 'create' | 'update'

/** What the server fills in. */
const automatic =
  /^(uuid|date-created|date-updated|user-created|user-updated|role-created|role-updated|user-created|user-modified|auto-.*)$/

const isFilledIn = ({ meta, schema }: Field): boolean =>
  schema?.has_auto_increment === true ||
  schema?.is_generated === true ||
  (meta?.special ?? []).some((each) => automatic.test(each))

export function isWritable(collection: Collection, field: Field, action: Writing): boolean {
  if (field.meta?.readonly || isFilledIn(field)) return false
  if (action === 'update' && field.schema?.is_primary_key) return false
  return hasFieldRight(collection, action, field.field)
}

/** Keys that the server makes, and what it fills in, are not asked for in a new item. */
export const isAsked = (collection: Collection, field: Field, action: Writing): boolean => {
  if (action === 'update')
    return hasFieldRight(collection, 'read', field.field) || isWritable(collection, field, action)
  if (field.schema?.is_primary_key && field.schema.default_value !== null) return false
  return !isFilledIn(field) && hasFieldRight(collection, 'create', field.field)
}

export const isRequired = ({ meta, schema }: Field, action: Writing): boolean =>
  meta?.required === true ||
  (schema !== null &&
    !schema.is_nullable &&
    (action === 'update' || schema.default_value === null) &&
    !schema.has_auto_increment)
