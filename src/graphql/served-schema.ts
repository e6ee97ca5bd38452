/** Builds the GraphQL schema for a set of permissions: types by the template, and the meaning of each root field. */

import {
  type GraphQLDirective,
  type GraphQLFieldConfigMap,
  GraphQLObjectType,
  GraphQLSchema,
  isScalarType,
  isSpecifiedDirective,
  specifiedDirectives,
} from 'graphql'
import { createInputs } from './input-types.ts'
import { createOutputs } from './output-types.ts'
import { itemRoots, systemRoots } from './root-fields.ts'
import type { Root, RootField, RootFields, SchemaPlace, ServedSchema } from './schema-types.ts'
import { type SubscriptionField, subscriptionFields } from './subscription-fields.ts'
import type { Scope } from './template.ts'

export type ServedRoots = {
  /** `system`: the roots of `/graphql/system`; the types are the same. */
  readonly scope: Scope
  /** Whether there are subscriptions. */
  readonly subscribes: boolean
}

export function createServedSchema(place: SchemaPlace, { scope, subscribes }: ServedRoots): ServedSchema {
  const inputs = createInputs(place)
  const outputs = createOutputs(place, inputs)
  const roots = (scope === 'items' ? itemRoots : systemRoots)(place, { inputs, outputs })
  const base = place.template.roots[scope]
  const query = new GraphQLObjectType({
    name: 'Query',
    description: base.query.description,
    fields: fieldsOf(roots.query.size === 0 ? new Map([emptyRoot(place)]) : roots.query),
  })
  const mutation =
    roots.mutation.size === 0
      ? null
      : new GraphQLObjectType({
          name: 'Mutation',
          description: base.mutation.description,
          fields: fieldsOf(roots.mutation),
        })
  const changes = subscribes ? subscriptionFields(place, { inputs, outputs }, scope) : []
  const scalars = [...place.template.shared.values()].filter(isScalarType)
  const schema = new GraphQLSchema({
    query,
    mutation,
    subscription: toSubscription(place, changes),
    types: scalars,
    directives: [...specifiedDirectives, ...(mutation === null ? [] : ownDirectives(place))],
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
  { template }: SchemaPlace,
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
const ownDirectives = ({ template }: SchemaPlace): readonly GraphQLDirective[] =>
  template.types.getDirectives().filter((directive) => !isSpecifiedDirective(directive))

const fieldsOf = (roots: RootFields): GraphQLFieldConfigMap<unknown, unknown> =>
  Object.fromEntries([...roots].map(([name, { field }]) => [name, field]))

const rootsOf = (roots: RootFields): ReadonlyMap<string, Root> =>
  new Map([...roots].map(([name, { root }]) => [name, root]))

function emptyRoot({ template }: SchemaPlace): readonly [string, RootField] {
  const field = template.roots.items.query.getFields()['_empty']
  if (field === undefined) throw new Error('The GraphQL spec has no field _empty')
  return ['_empty', { root: { kind: 'named' }, field: { type: field.type, description: field.description } }]
}
