/**
 * Relations to collections that the caller may not read. In `fields` they are no error: in place of the item stands an
 * object with its key alone, lists are left out, and `messages` says so.
 */
import { keyObject } from '../../domain/query/key-object.ts'
import type { Selected } from '../../domain/query/query.ts'
import type { Field } from '../../domain/schema/schema.ts'
import type { NamedField, ParseScope } from './parse-scope.ts'

/** The collection that the field leads to, if the caller may not know of its rows; null for other fields. */
export function closedTarget({ view }: Pick<ParseScope, 'view'>, { relation }: Pick<Field, 'relation'>): string | null {
  if (relation === null || relation.kind === 'many-to-any') return null
  const target = view.byCore.get(relation.collection)
  return target === undefined || target.hidden === true ? relation.collection : null
}

/** What a path behind such a field selects: the key of the item, or nothing of a list. */
export function selectClosed(named: NamedField, target: string, { schema }: ParseScope): readonly Selected[] {
  const { field, view } = named
  if (field.relation?.kind !== 'many-to-one' || field.relation.relation.manyColumns !== undefined) return []
  const name = schema.collections.get(target)?.primaryKey ?? 'id'
  return [keyObject({ key: view.name, field: field.name, name })]
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
    if (field === undefined || closedTarget(scope, field) === null) return []
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
