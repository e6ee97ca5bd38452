/** Finds the codec of a field. */
import type { FieldType } from '../../domain/query/field-types.ts'
import type { Field } from '../../domain/schema/schema.ts'
import type { Codec, View } from '../../domain/schema/view.ts'

/** The view's codec of a field. Concealed fields are always masked. */
export function codecOf(view: View, collection: string, field: Field): Codec {
  if (field.concealed) return { kind: 'mask' }
  return view.byCore.get(collection)?.byCore.get(field.name)?.codec ?? storedCodecs[field.type]
}

/** Default codecs, for fields that the view does not contain. */
const storedCodecs = {
  string: { kind: 'text' },
  text: { kind: 'text' },
  boolean: { kind: 'boolean', nullAs: 'null' },
  integer: { kind: 'literal' },
  bigInteger: { kind: 'number-text' },
  float: { kind: 'literal' },
  decimal: { kind: 'number-text' },
  dateTime: { kind: 'iso-datetime' },
  timestamp: { kind: 'iso-instant' },
  date: { kind: 'date' },
  time: { kind: 'time' },
  json: { kind: 'json' },
  csv: { kind: 'csv', nullAs: 'null' },
  uuid: { kind: 'text' },
  hash: { kind: 'text' },
  binary: { kind: 'base64' },
  geometry: { kind: 'geojson' },
  alias: { kind: 'text' },
  unknown: { kind: 'text' },
} as const satisfies Record<FieldType, Codec>
