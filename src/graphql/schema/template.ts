/**
 * The template for collections: the hand-written SDL, in which types named `example…` stand for those of a collection.
 * Everything else (scalars, operators, functions) is shared by all schemas.
 */
import { makeExecutableSchema } from '@graphql-tools/schema'
import {
  type DefinitionNode,
  GraphQLFloat,
  GraphQLID,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  Kind,
  parse,
} from 'graphql'
import { ownName, ownScalars, ownScalarsText, withOwnScalars } from './own-scalars.ts'
import { scalarsOf } from './scalars.ts'

export type Scope = 'items' | 'system'

export type Template = {
  /** The prefix of the names of types of system collections. */
  readonly systemPrefix: string
  /** All types of the specs: the example's, the system's, and shared ones. */
  readonly types: GraphQLSchema
  /** The root types of the two endpoints. */
  readonly roots: {
    readonly [Each in Scope]: { readonly query: GraphQLObjectType; readonly mutation: GraphQLObjectType }
  }
  /** The root type of subscriptions, the same for both endpoints. */
  readonly subscription: GraphQLObjectType
  /** Types shared by all schemas, by name. */
  readonly shared: ReadonlyMap<string, GraphQLNamedType>
}

/** The kinds of root fields, by their names in the template. */
export const rootKinds = {
  example: 'list',
  example_by_id: 'item',
  example_aggregated: 'groups',
  example_by_version: 'version',
  example_single: 'singleton',
  example_single_by_version: 'singleton-version',
  create_example_items: 'create-many',
  create_example_item: 'create',
  upsert_example_items: 'upsert-many',
  update_example_items: 'update-many',
  update_example_batch: 'update-each',
  update_example_item: 'update',
  delete_example_items: 'delete-many',
  delete_example_item: 'delete',
  update_example_single: 'write-singleton',
} as const

export type RootKind = (typeof rootKinds)[keyof typeof rootKinds]

/** Names of item fields beside those of the system endpoint. */
const itemsRoots: { readonly [name: string]: string } = {
  Query: 'ItemsQuery',
  Mutation: 'ItemsMutation',
  Subscription: 'ItemsSubscription',
}

type Texts = { readonly items: string; readonly system: readonly string[]; readonly systemPrefix: string }

/** Creates the template once; `items` is the text of the items spec, `system` those of the system. */
export function createTemplate(texts: Texts): Template {
  const [items, ...system] = [texts.items, ...texts.system].map((text) => parse(text, { noLocation: true }))
  const definitions = (items?.definitions ?? []).map(renameRoot)
  const types = makeExecutableSchema({
    typeDefs: [withOwnScalars({ kind: Kind.DOCUMENT, definitions }), ...system.map(withOwnScalars), ownScalarsText],
    resolvers: scalarsOf({ keys: ownName(GraphQLID.name), floats: ownName(GraphQLFloat.name) }),
    // Validated by a test.
    assumeValid: true,
    assumeValidSDL: true,
  })
  const own = new Map(ownScalars.map(({ name }) => [name, typeOf(types, ownName(name))]))
  for (const [name, type] of own) type.name = name
  const named = definitions.filter(({ kind }) => kind !== Kind.DIRECTIVE_DEFINITION)
  const names = named.flatMap((each) => ('name' in each && each.name !== undefined ? [each.name.value] : []))
  const common = [...names, 'Int', 'Float', 'String', 'Boolean', 'ID'].filter(
    (name) => !isExample(name) && !Object.values(itemsRoots).includes(name),
  )
  const shared = new Map(common.map((name) => [name, own.get(name) ?? typeOf(types, name)] as const))
  const rootsOf = (query: string, mutation: string) => ({
    query: typeOf(types, query) as GraphQLObjectType,
    mutation: typeOf(types, mutation) as GraphQLObjectType,
  })
  const roots = { items: rootsOf('ItemsQuery', 'ItemsMutation'), system: rootsOf('Query', 'Mutation') }
  const subscription = typeOf(types, 'ItemsSubscription') as GraphQLObjectType
  return { systemPrefix: texts.systemPrefix, types, roots, subscription, shared }
}

function renameRoot(definition: DefinitionNode): DefinitionNode {
  if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return definition
  const value = itemsRoots[definition.name.value]
  return value === undefined ? definition : { ...definition, name: { ...definition.name, value } }
}

export const isExample = (name: string): boolean => /(^|_)example(_|$)/.test(name)

/** Finds a type by name; a missing one is a bug. */
export function typeOf(schema: GraphQLSchema, name: string): GraphQLNamedType {
  const type = schema.getType(name)
  if (type === undefined) throw new Error(`The GraphQL spec has no type ${name}`)
  return type
}
