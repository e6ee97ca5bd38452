/** Finds the codec of a field. */
import type { Field } from '../../domain/schema/schema.ts'
import { usualCodecs } from '../../domain/schema/usual-codecs.ts'
import type { Codec, View } from '../../domain/schema/view.ts'

/** The view's codec of a field. Concealed fields are always masked. */
export function codecOf(view: View, collection: string, field: Field): Codec {
  if (field.concealed) return { kind: 'mask' }
  return view.byCore.get(collection)?.byCore.get(field.name)?.codec ?? usualCodecs[field.type]
}
