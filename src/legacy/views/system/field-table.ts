/** Maps this generation's field names of a system collection to stored columns. Unlisted columns are hidden. */
import type { Codec } from '../../../domain/schema/view.ts'

/** `codec` overrides the one that the column's type implies. `holds`: the value is the name of a collection. */
type StoredField = {
  readonly field: string
  readonly codec?: Codec
  readonly unlisted?: true
  readonly holds?: 'collection'
}

export type FieldTable = { readonly [name: string]: StoredField }

/** The integer id beside a uuid. */
export const number: StoredField = { field: 'number', codec: { kind: 'literal' } }

export const masked: Codec = { kind: 'mask' }
