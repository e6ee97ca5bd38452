/** Builds the GraphQL schema for a set of permissions: types by the template, and the meaning of each root field. */

import {
  type GraphQLDirective,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSchema,
  isObjectType,
  isScalarType,
  isSpecifiedDirective,
  specifiedDirectives,
} from 'graphql'
import { isRecordable } from '../../domain/model/recordable.ts'
import { isSystemName } from '../../domain/model/system-collections.ts'
import { createInputs } from './input-types.ts'
import { createOutputs, type Types } from './output-types.ts'
import { collectionOf, hasType, wireName } from './readable.ts'
import { itemRoots } from './root-fields.ts'
import type { Root, RootField, RootFields, SchemaFacts, ServedSchema } from './schema-types.ts'
import { systemRoots } from './system-root-fields.ts'
import { type Scope, typeOf } from './template.ts'

export type ServedRoots = {
  /** `system`: the roots of `/graphql/system`; the types are the same. */
  readonly scope: Scope
  readonly subscribes: boolean
}

export function createServedSchema(facts: SchemaFacts, { scope, subscribes }: ServedRoots): ServedSchema {
  const inputs = createInputs(facts)
  const outputs = createOutputs(facts, inputs)
  const roots = (scope === 'items' ? itemRoots : systemRoots)(facts, { inputs, outputs })
  const base = facts.template.roots[scope]
  const query = new GraphQLObjectType({
    name: 'Query',
    description: base.query.description,
    fields: fieldsOf(roots.query.size === 0 ? new Map([emptyRoot(facts)]) : roots.query),
  })
  const mutation =
    roots.mutation.size === 0
      ? null
      : new GraphQLObjectType({
          name: 'Mutation',
          description: base.mutation.description,
          fields: fieldsOf(roots.mutation),
        })
  const changes = subscribes ? subscriptionFields(facts, { inputs, outputs }, scope) : []
  const scalars = [...facts.template.shared.values()].filter(isScalarType)
  const schema = new GraphQLSchema({
    query,
    mutation,
    subscription: toSubscription(facts, changes),
    types: scalars,
    directives: [...specifiedDirectives, ...(mutation === null ? [] : ownDirectives(facts))],
    assumeValid: true,
  })
  const size = Object.keys(schema.getTypeMap()).length
  return {
    schema,
    size,
    query: rootsOf(roots.query),
    mutation: rootsOf(roots.mutation),
    subscription: collectionsOf(changes),
  }
}

const collectionsOf = (changes: readonly SubscriptionField[]): ReadonlyMap<string, string> =>
  new Map(changes.map(({ name, collection }) => [name, collection]))

const toSubscription = (
  { template }: SchemaFacts,
  changes: readonly SubscriptionField[],
): GraphQLObjectType | undefined =>
  changes.length === 0
    ? undefined
    : new GraphQLObjectType({
        name: 'Subscription',
        description: template.subscription.description,
        fields: Object.fromEntries(changes.map(({ name, field }) => [name, field])),
      })

/** Those of the spec, for mutations. */
const ownDirectives = ({ template }: SchemaFacts): readonly GraphQLDirective[] =>
  template.types.getDirectives().filter((directive) => !isSpecifiedDirective(directive))

const fieldsOf = (roots: RootFields): GraphQLFieldConfigMap<unknown, unknown> =>
  Object.fromEntries([...roots].map(([name, { field }]) => [name, field]))

const rootsOf = (roots: RootFields): ReadonlyMap<string, Root> =>
  new Map([...roots].map(([name, { root }]) => [name, root]))

function emptyRoot({ template }: SchemaFacts): readonly [string, RootField] {
  const field = template.roots.items.query.getFields()['_empty']
  if (field === undefined) throw new Error('The GraphQL spec has no field _empty')
  return ['_empty', { root: { kind: 'named' }, field: { type: field.type, description: field.description } }]
}

/** Fields of Subscription: the changes of each collection that the caller may read. */
type SubscriptionField = {
  readonly name: string
  readonly collection: string
  readonly field: GraphQLFieldConfig<unknown, unknown>
}

const pattern = 'example_mutated'

/** One field per collection of the endpoint whose changes are recorded; the only item of a collection needs no conditions. */
const subscriptionFields = (facts: SchemaFacts, types: Types, scope: Scope): readonly SubscriptionField[] =>
  [...facts.view.byCore.keys()]
    .filter((collection) => isServed(facts, collection, scope))
    .map((collection) => subscriptionField(facts, types, collection))

function isServed(facts: SchemaFacts, collection: string, scope: Scope): boolean {
  if (isSystemName(collection) !== (scope === 'system') || !isRecordable(collection)) return false
  const name = wireName(facts, collection)
  return facts.names.has(name) && collectionOf(facts, collection).keyColumns.length > 0 && hasType(facts, collection)
}

function subscriptionField(facts: SchemaFacts, { inputs, outputs }: Types, collection: string): SubscriptionField {
  const base = facts.template.subscription.getFields()[pattern]
  const item = outputs.item(collection)
  if (base === undefined || item === null) throw new Error('The GraphQL spec has no field for changes')
  const name = facts.names.derive(pattern, wireName(facts, collection))
  const { singleton } = collectionOf(facts, collection)
  const args = base.args.flatMap(({ description, type, name: argument }) => {
    if (singleton && argument !== 'event') return []
    return [[argument, { description, type: argument === 'filter' ? inputs.filter(collection) : type }] as const]
  })
  return {
    name,
    collection,
    field: { description: base.description, type: changeType(facts, name, item), args: Object.fromEntries(args) },
  }
}

function changeType({ template }: SchemaFacts, name: string, item: GraphQLObjectType): GraphQLOutputType {
  const base = typeOf(template.types, pattern)
  if (!isObjectType(base)) throw new Error(`The GraphQL spec has no type ${pattern}`)
  const fields = Object.values(base.getFields()).map((field) => {
    const type = field.name === 'data' ? item : field.type
    return [field.name, { description: field.description, type }] as const
  })
  return new GraphQLObjectType({ name, description: base.description, fields: Object.fromEntries(fields) })
}
