import type { GuardedSelection, SelectedObject } from '../query/query.ts'
import type { Field, Schema } from './schema.ts'

type ClosedField = GuardedSelection & {
  readonly key: string
  readonly field: Pick<Field, 'name' | 'relation'>
}

/**
 * In place of a related item that may not be read: `{ "id": <its key> }` by the name of its key, and null where there is no
 * item. Null for lists, and for keys of several columns.
 */
export function keyObject(
  { collections }: Pick<Schema, 'collections'>,
  { key, field: { name, relation }, ...guard }: ClosedField,
): SelectedObject | null {
  if (relation?.kind !== 'many-to-one' || relation.relation.manyColumns !== undefined) return null
  const keyName = collections.get(relation.collection)?.primaryKey ?? 'id'
  return { kind: 'object', key, selection: [{ kind: 'field', key: keyName, field: name, ...guard }], orNull: true }
}
