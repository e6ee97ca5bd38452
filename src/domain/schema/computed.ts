import type { Field } from './schema.ts'

/** Whether the database computes the column in rows that the action writes, and takes no value of it. */
export const isComputedOn = (action: 'create' | 'update', { column }: Pick<Field, 'column'>): boolean =>
  column !== null && (column.generated || column.generatedOn === action)
