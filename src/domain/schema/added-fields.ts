/** Fields that a project adds to system collections. */
import type { Field } from './schema.ts'

/**
 * Whether a field was added to a system collection: added columns have a metadata row, system columns have none, system
 * aliases are marked in it.
 */
export const isAdded = ({ meta, column }: Field): boolean => (meta === null ? column === null : meta['system'] !== true)
