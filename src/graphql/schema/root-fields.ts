/** Root fields: those of the template for each collection, or those of the system spec. */

import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldMap,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isListType,
  isNonNullType,
} from 'graphql'
import { memoizeByName } from '../../domain/memoize.ts'
import type { Types } from './output-types.ts'
import { collectionOf, hasType, wireName } from './readable.ts'
import type { RootField, Roots, SchemaFacts } from './schema-types.ts'
import { isExample, type RootKind, rootKinds } from './template.ts'
import { mayDo, mayWrite } from './writable.ts'

export type Fields = GraphQLFieldMap<unknown, unknown>
export type Field = GraphQLField<unknown, unknown>
export type NamedRootField = [string, RootField]

/** Root fields for each collection, as permitted to the caller. */
export function itemRoots(facts: SchemaFacts, types: Types): Roots {
  const collections = [...facts.view.byCore.keys()].filter(
    (name) => facts.schema.collections.get(name)?.system === false && facts.names.has(wireName(facts, name)),
  )
  const rootsOf = (fields: Fields): Map<string, RootField> =>
    new Map(
      Object.values(fields)
        .filter(({ name }) => isExample(name))
        .flatMap((field) => collections.flatMap((collection) => itemRoot(facts, types, { field, collection }))),
    )
  const { query, mutation } = facts.template.roots.items
  return { query: rootsOf(query.getFields()), mutation: rootsOf(mutation.getFields()) }
}

type CollectionField = { readonly field: Field; readonly collection: string }

function itemRoot(facts: SchemaFacts, types: Types, { field, collection }: CollectionField): readonly NamedRootField[] {
  const kind = rootKinds[field.name as keyof typeof rootKinds]
  if (field.name.includes('example_single') !== collectionOf(facts, collection).singleton) return []
  if (!isServed(facts, kind, collection)) return []
  const name = facts.names.derive(field.name, wireName(facts, collection))
  return [[name, { root: { kind, collection }, field: crudField(facts, types, { field, kind, collection }) }]]
}

/** Whether the caller's permissions and the collection's key allow the field. */
export function isServed(facts: SchemaFacts, kind: RootKind, collection: string): boolean {
  const { keyColumns } = collectionOf(facts, collection)
  const isKeyed = keyColumns.length > 0
  const isReadable = hasType(facts, collection)
  switch (kind) {
    case 'list':
    case 'groups':
    case 'singleton':
      return isReadable
    case 'item':
      return isReadable && isKeyed
    case 'version':
    case 'singleton-version':
      return isReadable && isKeyed && hasType(facts, 'platform_versions')
    case 'create':
    case 'create-many':
      return mayWrite(facts, 'create', collection)
    case 'upsert-many':
      return isKeyed && (mayWrite(facts, 'create', collection) || mayWrite(facts, 'update', collection))
    case 'update':
    case 'update-many':
    case 'update-each':
      return isKeyed && mayWrite(facts, 'update', collection)
    case 'write-singleton':
      return mayWrite(facts, 'update', collection)
    case 'delete':
    case 'delete-many':
      return isKeyed && mayDo(facts, 'delete', collection)
  }
}

type Crud = CollectionField & { readonly kind: RootKind }

export function crudField(facts: SchemaFacts, types: Types, crud: Crud): RootField['field'] {
  const { field, kind, collection } = crud
  const own = (type: GraphQLInputType, name: string): GraphQLInputType =>
    argumentType(types, { type, name, kind, collection })
  return {
    description: field.description,
    type: resultType(facts, types, crud),
    args: argumentsOf(facts, types, { args: field.args, crud, own }),
  }
}

type OwnArguments = {
  readonly args: readonly GraphQLArgument[]
  readonly crud: Crud
  readonly own: (type: GraphQLInputType, name: string) => GraphQLInputType
}

/** Arguments that only select are dropped if the caller cannot read. */
function argumentsOf(
  facts: SchemaFacts,
  types: Types,
  { args, crud, own }: OwnArguments,
): GraphQLFieldConfigArgumentMap {
  const { collection } = crud
  const isReadable = hasType(facts, collection)
  const lists = isReadable ? types.inputs.listArguments(collection) : {}
  const shown = args.filter(({ name }) => isReadable || !listNames.has(name))
  return Object.fromEntries(
    shown.map(({ name, type, description }) => [
      name,
      { type: name === 'filter' && 'filter' in lists ? lists['filter'].type : own(type, name), description },
    ]),
  )
}

const listNames: ReadonlySet<string> = new Set(['filter', 'sort', 'limit', 'offset', 'page', 'search', 'cursor'])

type Argument = {
  readonly type: GraphQLInputType
  readonly name: string
  readonly kind: RootKind
  readonly collection: string
}

/** Only the type of `data` depends on the collection. */
function argumentType(types: Types, { type, name, kind, collection }: Argument): GraphQLInputType {
  if (name !== 'data') return type
  const { written } = types.inputs
  const created = kind.startsWith('create') || kind === 'upsert-many' ? written('create', collection) : null
  const own = created ?? written('update', collection)
  if (own === null) throw new Error(`Nothing of ${collection} can be written`)
  const named = getNamedType(type).name
  return rewrap(type, named.endsWith('_input') ? own : renamed(own, named))
}

/** The same input type under another name of the spec. */
const renamed = memoizeByName(
  (type: GraphQLInputObjectType, name) =>
    new GraphQLInputObjectType({ ...type.toConfig(), name, fields: () => type.toConfig().fields }),
)

/** Wraps a type in the lists and non-nulls of another type. */
export function rewrap(pattern: GraphQLInputType, named: GraphQLInputType): GraphQLInputType {
  if (isNonNullType(pattern))
    return new GraphQLNonNull(rewrap(getNullableType(pattern), named) as GraphQLInputObjectType)
  if (isListType(pattern)) return new GraphQLList(rewrap(pattern.ofType, named))
  return named
}

export const boolean = (facts: SchemaFacts): GraphQLOutputType =>
  facts.template.shared.get('Boolean') as GraphQLObjectType

function resultType(facts: SchemaFacts, { outputs }: Types, { field, kind, collection }: Crud): GraphQLOutputType {
  if (kind === 'delete' || kind === 'delete-many') return field.type
  const item = outputs.item(collection)
  if (item === null) return boolean(facts)
  if (kind === 'groups') return listOf(outputs.groups(collection))
  if (kind === 'version' || kind === 'singleton-version') return outputs.version(collection)
  return isListType(getNullableType(field.type)) ? listOf(item) : item
}

export const listOf = (type: GraphQLObjectType): GraphQLOutputType =>
  new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)))
