/**
 * Relations to collections that the caller may not read. In `fields` they are no error: in place of the item stands an
 * object with its key alone, lists are left out, and `messages` says so.
 */

import type { Selected } from '../../domain/query/query.ts'
import { keyObject } from '../../domain/schema/key-object.ts'
import type { Field } from '../../domain/schema/schema.ts'
import type { NamedField, ParseScope } from './parse-scope.ts'

/** Whether the field leads to a collection of which the caller may not know the rows. */
export function isClosed({ view }: Pick<ParseScope, 'view'>, { relation }: Pick<Field, 'relation'>): boolean {
  if (relation === null || relation.kind === 'many-to-any') return false
  const target = view.byCore.get(relation.collection)
  return target === undefined || target.hidden === true
}

/** What a path behind such a field selects: the key of the item, or nothing of a list. */
export function selectClosed({ field, view }: NamedField, { schema }: ParseScope): readonly Selected[] {
  const shown = keyObject(schema, { key: view.name, field })
  return shown === null ? [] : [shown]
}

/** The fields of the item itself of which paths ask for more than the caller may read. */
export function closedFields(
  paths: readonly (readonly string[])[],
  collection: string,
  scope: ParseScope,
): readonly string[] {
  const fields = scope.schema.collections.get(collection)?.fields
  const all = paths.some(([name, ...rest]) => name === '*' && rest.length > 0)
  const named = new Set(paths.flatMap(([name = '', ...rest]) => (rest.length > 0 ? [name] : [])))
  return [...(scope.view.byCore.get(collection)?.fields.values() ?? [])].flatMap(({ name, field: core }) => {
    const field = fields?.get(core)
    if (field === undefined || !isClosed(scope, field)) return []
    const isList = field.relation?.kind === 'one-to-many' && paths.some(([first]) => first === name)
    return all || isList || named.has(name) ? [name] : []
  })
}

/** The warning of version 8, but for the name of the collection, which the caller may not know. */
export const warningOf = (field: string): object => ({
  type: 'warning',
  message: `Can't read \`${field}\`: read access to its collection denied`,
  code: 18,
  fields: [field],
})
