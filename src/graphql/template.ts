/**
 * The template for collections: the hand-written SDL, in which types named `example…` stand for those of a collection.
 * Everything else (scalars, operators, functions) is shared by all schemas.
 */
import {
  buildASTSchema,
  type DefinitionNode,
  type DocumentNode,
  GraphQLID,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  Kind,
  type NameNode,
  parse,
  visit,
} from 'graphql'
import { shareScalars } from './scalars.ts'

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
  update_example_items: 'update-many',
  update_example_batch: 'update-each',
  update_example_item: 'update',
  delete_example_items: 'delete-many',
  delete_example_item: 'delete',
  update_example_single: 'write-singleton',
} as const

export type RootKind = (typeof rootKinds)[keyof typeof rootKinds]

/** Names of item fields beside those of the system endpoint. */
const itemsRoots: { readonly [name: string]: string } = { Query: 'ItemsQuery', Mutation: 'ItemsMutation' }

type Texts = { readonly items: string; readonly system: string; readonly systemPrefix: string }

/** Creates the template once; `items` and `system` are the texts of the specs. */
export function createTemplate(texts: Texts): Template {
  const items = parse(texts.items, { noLocation: true }).definitions.map(renameRoot)
  const system = parse(texts.system, { noLocation: true }).definitions
  const types = buildASTSchema(
    withOwnKeys({ kind: Kind.DOCUMENT, definitions: [...items, ...system] }),
    // Validated by a test.
    { assumeValid: true, assumeValidSDL: true },
  )
  const keys = typeOf(types, ownKeys)
  keys.name = GraphQLID.name
  const names = items.flatMap((each) => ('name' in each && each.name !== undefined ? [each.name.value] : []))
  const common = [...names, 'Int', 'Float', 'String', 'Boolean', 'ID'].filter(
    (name) => !isExample(name) && !Object.values(itemsRoots).includes(name),
  )
  const shared = new Map(common.map((name) => [name, name === GraphQLID.name ? keys : typeOf(types, name)] as const))
  shareScalars(shared)
  const rootsOf = (query: string, mutation: string) => ({
    query: typeOf(types, query) as GraphQLObjectType,
    mutation: typeOf(types, mutation) as GraphQLObjectType,
  })
  const roots = { items: rootsOf('ItemsQuery', 'ItemsMutation'), system: rootsOf('Query', 'Mutation') }
  return { systemPrefix: texts.systemPrefix, types, roots, shared }
}

/** What `ID` is called while the types are built: the library's own takes no decimals and booleans, as keys may be. */
const ownKeys = 'OwnID'

function withOwnKeys(document: DocumentNode): DocumentNode {
  const name: NameNode = { kind: Kind.NAME, value: ownKeys }
  const renamed = visit(document, {
    NamedType: (node) => (node.name.value === GraphQLID.name ? { ...node, name } : undefined),
  })
  const description = { kind: Kind.STRING, value: GraphQLID.description ?? '' } as const
  return {
    ...renamed,
    definitions: [...renamed.definitions, { kind: Kind.SCALAR_TYPE_DEFINITION, name, description }],
  }
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
