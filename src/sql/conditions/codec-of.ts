/** How values of a field are shown. */
import { isShort } from '../../domain/schema/long-numbers.ts'
import type { Field, Schema } from '../../domain/schema/schema.ts'
import { usualCodecs } from '../../domain/schema/usual-codecs.ts'
import type { Codec, View } from '../../domain/schema/view.ts'

/** The view's codec of a field. Concealed fields are always masked. */
export function codecOf(view: View, collection: string, field: Field): Codec {
  if (field.concealed) return { kind: 'mask' }
  return view.byCore.get(collection)?.byCore.get(field.name)?.codec ?? usualCodecs[field.type]
}

/**
 * Whether the shown value must be exact, because clients send it back: to name a row, or to write it again. Moments
 * that the server fills in are for reading.
 */
export function isWrittenBack(schema: Schema, collection: string, { type, column, relation, special }: Field): boolean {
  if (type === 'decimal' && isShort(column)) return false
  if (column?.primaryKey === true || relation?.kind === 'many-to-one') return true
  const isFilled = special.includes('date-created') || special.includes('date-updated')
  return !isFilled && schema.collections.get(collection)?.system !== true
}
