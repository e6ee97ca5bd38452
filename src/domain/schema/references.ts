/**
 * Foreign keys of several columns. Each is a field without a column, named by `manyField` of its relation, whose value is
 * the key of the referenced row as one text (`row-keys.ts`).
 */
import type { Collection, Field, FieldRelation, Relation, Schema } from './schema.ts'

/** The columns of a foreign key of several columns, in the order of the key that they refer to; null for other fields. */
export function referenceColumns({ relation }: Pick<Field, 'relation'>): readonly string[] | null {
  return relation?.kind === 'many-to-one' ? (relation.relation.manyColumns ?? null) : null
}

/** Whether rows have a value of the field: that of a column, or the key that several columns refer to. */
export const holdsValue = (field: Pick<Field, 'column' | 'relation'>): boolean =>
  field.column !== null || referenceColumns(field) !== null

/** The columns that hold the key: the foreign key itself, or its columns. */
export const manyColumnsOf = ({ manyField, manyColumns }: Pick<Relation, 'manyField' | 'manyColumns'>) =>
  manyColumns ?? [manyField]

/** Whether an index leads from a row to its related rows. */
export function leadsToList(
  { collections }: Pick<Schema, 'collections'>,
  { collection, relation }: Extract<FieldRelation, { readonly kind: 'one-to-many' }>,
): boolean {
  const [first = ''] = manyColumnsOf(relation)
  return collections.get(collection)?.fields.get(first)?.column?.leads === true
}

/**
 * Whether the key of the child's rows contains the whole foreign key, so that no row can move to another parent. A key
 * of one column is never part of a longer one.
 */
export function isInOwnKey(
  { keyColumns }: Pick<Collection, 'keyColumns'>,
  { relation }: Extract<FieldRelation, { readonly kind: 'one-to-many' }>,
): boolean {
  return keyColumns.length > 1 && manyColumnsOf(relation).every((name) => keyColumns.includes(name))
}
