/** Fields of Subscription: the changes of each collection that the caller may read. */
import { type GraphQLFieldConfig, GraphQLObjectType, type GraphQLOutputType, isObjectType } from 'graphql'
import { isRecordable } from '../domain/model/recordable.ts'
import { isSystemName } from '../domain/model/system-collections.ts'
import type { Types } from './built-types.ts'
import { collectionOf, hasType, wireName } from './readable.ts'
import type { SchemaPlace } from './schema-types.ts'
import { type Scope, typeOf } from './template.ts'

export type SubscriptionField = {
  readonly name: string
  readonly collection: string
  readonly field: GraphQLFieldConfig<unknown, unknown>
}

const pattern = 'example_mutated'

/** One field per collection of the endpoint whose changes are recorded; the only item of a collection needs no conditions. */
export const subscriptionFields = (place: SchemaPlace, types: Types, scope: Scope): readonly SubscriptionField[] =>
  [...place.view.byCore.keys()]
    .filter((collection) => isTold(place, collection, scope))
    .map((collection) => subscriptionField(place, types, collection))

function isTold(place: SchemaPlace, collection: string, scope: Scope): boolean {
  if (isSystemName(collection) !== (scope === 'system') || !isRecordable(collection)) return false
  const name = wireName(place, collection)
  return place.names.has(name) && collectionOf(place, collection).keyColumns.length > 0 && hasType(place, collection)
}

function subscriptionField(place: SchemaPlace, { inputs, outputs }: Types, collection: string): SubscriptionField {
  const base = place.template.subscription.getFields()[pattern]
  const item = outputs.item(collection)
  if (base === undefined || item === null) throw new Error('The GraphQL spec has no field for changes')
  const name = place.names.derive(pattern, wireName(place, collection))
  const { singleton } = collectionOf(place, collection)
  const args = base.args.flatMap(({ description, type, name: argument }) => {
    if (singleton && argument !== 'event') return []
    return [[argument, { description, type: argument === 'filter' ? inputs.filter(collection) : type }] as const]
  })
  return {
    name,
    collection,
    field: { description: base.description, type: changeType(place, name, item), args: Object.fromEntries(args) },
  }
}

function changeType({ template }: SchemaPlace, name: string, item: GraphQLObjectType): GraphQLOutputType {
  const base = typeOf(template.types, pattern)
  if (!isObjectType(base)) throw new Error(`The GraphQL spec has no type ${pattern}`)
  const fields = Object.values(base.getFields()).map((field) => {
    const type = field.name === 'data' ? item : field.type
    return [field.name, { description: field.description, type }] as const
  })
  return new GraphQLObjectType({ name, description: base.description, fields: Object.fromEntries(fields) })
}
