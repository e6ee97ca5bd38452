/** The GraphQL view of the schema: as in REST, but keys are strings and numbers are numbers. */
import { memoizeBy } from '../../domain/memoize.ts'
import type { FieldType } from '../../domain/query/field-types.ts'
import type { Collection, Schema } from '../../domain/schema/schema.ts'
import type { Codec, CollectionView, FieldView, View } from '../../domain/schema/view.ts'

/** Made once per view. */
export const graphqlView = memoizeBy((view: View, schema: Schema): View => {
  const collections = [...view.byCore.values()].map((each) => toTyped(each, schema.collections.get(each.collection)))
  const byName = new Map(collections.map((each) => [each.name, each]))
  const byCore = new Map(collections.map((each) => [each.collection, each]))
  return {
    ...view,
    name: `${view.name} graphql`,
    collections: byName,
    byCore,
    computed: 'number',
    computedExtremes: true,
  }
})

function toTyped(view: CollectionView, collection: Collection | undefined): CollectionView {
  if (collection === undefined) return view
  const fields = [...view.fields.values()].map((each): FieldView => ({ ...each, codec: codecOf(each, collection) }))
  return {
    ...view,
    fields: new Map(fields.map((field) => [field.name, field])),
    byCore: new Map(fields.map((field) => [field.field, field])),
  }
}

function codecOf({ field, codec }: FieldView, { fields, primaryKey, keyColumns }: Collection): Codec {
  const type = fields.get(field)?.type
  if (field === primaryKey && keyColumns.length === 1 && type !== undefined && toText.has(type))
    return { kind: 'number-text' }
  return type === 'decimal' && codec.kind === 'number-text' ? { kind: 'number' } : codec
}

/** Types of keys whose values are no strings in REST. */
const toText: ReadonlySet<FieldType> = new Set(['integer', 'bigInteger', 'float', 'decimal', 'boolean'])
