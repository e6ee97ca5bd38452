/** Which numbers may have more digits than a number of eight bytes holds. */
import type { AggregateName } from '../query/functions.ts'
import type { Field } from './schema.ts'

/** Whether numbers of eight bytes, which hold fifteen digits, hold the decimals of the column. */
export const isShort = (column: Field['column']): boolean => column !== null && (column.precision ?? 16) <= 15

/**
 * Whether the result may be long. Counts are short. Means of up to fifteen digits have the digits of a quotient, which the
 * database has rounded.
 */
export function mayBeLong(aggregate: AggregateName, { type, column }: Field): boolean {
  if (aggregate.startsWith('count') || !exactTypes.has(type)) return false
  return !aggregate.startsWith('avg') || type === 'bigInteger' || (type === 'decimal' && !isShort(column))
}

const exactTypes: ReadonlySet<string> = new Set(['integer', 'bigInteger', 'decimal'])
