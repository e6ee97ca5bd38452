/**
 * The template that each collection follows: the hand-written SDL, whose types named `example…` stand for those of a
 * collection. Everything else in it (scalars, operators, functions) is the same for every schema and shared by all.
 */
import {
  buildASTSchema,
  type DefinitionNode,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  Kind,
  parse,
} from 'graphql'
import { shareScalars } from './scalars.ts'

export type Scope = 'items' | 'system'

export type Template = {
  /** All types of the specs: those of `example`, those of the system, and what they share. */
  readonly types: GraphQLSchema
  /** What the specs have for each of the two endpoints. */
  readonly roots: {
    readonly [Each in Scope]: { readonly query: GraphQLObjectType; readonly mutation: GraphQLObjectType }
  }
  /** Types that are the same for everybody, by name. */
  readonly shared: ReadonlyMap<string, GraphQLNamedType>
}

/** What the fields of Query and Mutation are for, by their names in the template. */
export const rootKinds = {
  example: 'list',
  example_by_id: 'item',
  example_aggregated: 'groups',
  example_by_version: 'version',
  example_single: 'singleton',
  example_single_by_version: 'singleton-version',
  create_example_items: 'create-many',
  create_example_item: 'create',
  update_example_items: 'update-many',
  update_example_batch: 'update-each',
  update_example_item: 'update',
  delete_example_items: 'delete-many',
  delete_example_item: 'delete',
  update_example_single: 'write-singleton',
} as const

export type RootKind = (typeof rootKinds)[keyof typeof rootKinds]

/** Under these names the fields of the one endpoint stand beside those of the other. */
const itemsRoots: { readonly [name: string]: string } = { Query: 'ItemsQuery', Mutation: 'ItemsMutation' }

/** Made once: `items` and `system` are the texts of the specs. */
export function createTemplate(texts: { readonly items: string; readonly system: string }): Template {
  const items = parse(texts.items, { noLocation: true }).definitions.map(renameRoot)
  const system = parse(texts.system, { noLocation: true }).definitions
  const types = buildASTSchema(
    { kind: Kind.DOCUMENT, definitions: [...items, ...system] },
    // A test has validated them.
    { assumeValid: true, assumeValidSDL: true },
  )
  const names = items.flatMap((each) => ('name' in each && each.name !== undefined ? [each.name.value] : []))
  const common = [...names, 'Int', 'Float', 'String', 'Boolean', 'ID'].filter(
    (name) => !isExample(name) && !Object.values(itemsRoots).includes(name),
  )
  const shared = new Map(common.map((name) => [name, typeOf(types, name)] as const))
  shareScalars(shared)
  const rootsOf = (query: string, mutation: string) => ({
    query: typeOf(types, query) as GraphQLObjectType,
    mutation: typeOf(types, mutation) as GraphQLObjectType,
  })
  const roots = { items: rootsOf('ItemsQuery', 'ItemsMutation'), system: rootsOf('Query', 'Mutation') }
  return { types, roots, shared }
}

function renameRoot(definition: DefinitionNode): DefinitionNode {
  if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return definition
  const value = itemsRoots[definition.name.value]
  return value === undefined ? definition : { ...definition, name: { ...definition.name, value } }
}

export const isExample = (name: string): boolean => /(^|_)example(_|$)/.test(name)

/** The type of that name; that the spec lacks it is a bug. */
export function typeOf(schema: GraphQLSchema, name: string): GraphQLNamedType {
  const type = schema.getType(name)
  if (type === undefined) throw new Error(`The GraphQL spec has no type ${name}`)
  return type
}
