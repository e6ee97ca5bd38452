/** The view of the schema in core names and with exact values, for internal reads and for history. */
import { memoizeBy } from '../memoize.ts'
import type { Collection, Field, Schema } from './schema.ts'
import type { Codec, CollectionView, View } from './view.ts'

/** Codecs that depend only on the column. */
export type ExactCodec = Exclude<Codec, { readonly kind: 'number-of' | 'file-facts' }>

/** The complete view, made once per schema version. */
export const coreView = memoizeBy((schema: Schema): View => {
  const collections = new Map([...schema.collections].map(([name, collection]) => [name, viewOf(collection)]))
  return { name: 'core', collections, byCore: collections }
})

function viewOf(collection: Collection): CollectionView {
  const fields = new Map(
    [...collection.fields.values()].map((field) => [
      field.name,
      { name: field.name, field: field.name, codec: exactCodec(field) },
    ]),
  )
  return { name: collection.name, collection: collection.name, fields, byCore: fields }
}

/** The lossless codec of a field: a write accepts its output. Concealed fields get the mask. */
export function exactCodec(field: Field): ExactCodec {
  if (field.concealed) return { kind: 'mask' }
  switch (field.type) {
    case 'hash':
      return { kind: 'mask' }
    case 'bigInteger':
    case 'decimal':
      return { kind: 'number-text' }
    case 'integer':
    case 'float':
      return { kind: 'literal' }
    case 'boolean':
      return { kind: 'boolean', nullAs: 'null' }
    case 'timestamp':
      return { kind: 'iso-instant' }
    case 'dateTime':
      return { kind: 'iso-datetime' }
    case 'date':
      return { kind: 'date' }
    case 'time':
      return { kind: 'time' }
    case 'json':
      return { kind: 'json' }
    case 'csv':
      return { kind: 'csv', nullAs: 'null' }
    case 'binary':
      return { kind: 'base64' }
    case 'geometry':
      return { kind: 'geojson' }
    default:
      return { kind: 'text' }
  }
}
