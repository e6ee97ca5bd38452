/** Names of a system collection's fields in this generation → the stored columns. A column that is not named is not shown. */
import type { Codec } from '../../../domain/schema/view.ts'

/** `codec` is given only where the column's own type does not decide it. */
type StoredField = { readonly field: string; readonly codec?: Codec; readonly unlisted?: true }

export type FieldTable = { readonly [name: string]: StoredField }

/** The integer beside a uuid. */
export const number: StoredField = { field: 'number', codec: { kind: 'literal' } }

export const masked: Codec = { kind: 'mask' }
