/** The root fields of the endpoint of system collections. */
import {
  type GraphQLFieldConfigArgumentMap,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
} from 'graphql'
import { isSystemCollection, isSystemName, systemPrefix } from '../../domain/model/system-collections.ts'
import { isOwnType } from './names.ts'
import type { Types } from './output-types.ts'
import { collectionOf, hasType } from './readable.ts'
import {
  boolean,
  crudField,
  type Field,
  type Fields,
  isServed,
  listOf,
  type NamedRootField,
  rewrap,
} from './root-fields.ts'
import type { Root, RootField, Roots, SchemaFacts } from './schema-types.ts'
import { rootKinds } from './template.ts'

/** Root fields of the system spec: the template for its collections, and operations of its own. */
export function systemRoots(facts: SchemaFacts, types: Types): Roots {
  const { query, mutation } = facts.template.roots.system
  const byName = new Map(
    [...facts.view.byCore.keys()].filter(isSystemName).flatMap((collection) => crudNames(facts, collection)),
  )
  const rootsOf = (fields: Fields, unreadable: GraphQLOutputType | null): Map<string, RootField> =>
    new Map(
      Object.values(fields).flatMap((field) =>
        systemRoot(facts, types, { field, crud: byName.get(field.name), unreadable }),
      ),
    )
  return { query: rootsOf(query.getFields(), null), mutation: rootsOf(mutation.getFields(), boolean(facts)) }
}

type CrudRoot = Exclude<Root, { readonly kind: 'named' }>

/** Names such as `files_by_id`, without the prefix of the collection's name. */
function crudNames(facts: SchemaFacts, collection: string): readonly (readonly [string, CrudRoot])[] {
  const { singleton } = collectionOf(facts, collection)
  const short = collection.replace(/^platform_/, '')
  return Object.entries(rootKinds).flatMap(([pattern, kind]) =>
    pattern.includes('example_single') === singleton
      ? [[pattern.replace(/example(_single)?/, short), { kind, collection }] as const]
      : [],
  )
}

/** `unreadable`: the type for callers that may not read the result. */
type SystemField = {
  readonly field: Field
  readonly crud: CrudRoot | undefined
  readonly unreadable: GraphQLOutputType | null
}

function systemRoot(
  facts: SchemaFacts,
  types: Types,
  { field, crud, unreadable }: SystemField,
): readonly NamedRootField[] {
  if (crud !== undefined && !ownOperations.has(field.name)) {
    if (!isServed(facts, crud.kind, crud.collection)) return []
    return [[field.name, { root: crud, field: crudField(facts, types, { ...crud, field }) }]]
  }
  const type = ownOutput(facts, types, field.type) ?? unreadable
  if (type === null) return []
  const args: GraphQLFieldConfigArgumentMap = {}
  for (const each of field.args) {
    const own = ownInput(facts, types, each.type)
    if (own === null) return []
    const { defaultValue, description } = each
    args[each.name] = { type: own, description, ...(defaultValue === undefined ? {} : { defaultValue }) }
  }
  return [[field.name, { root: { kind: 'named' }, field: { description: field.description, type, args } }]]
}

/** Collections, fields and relations have operations of their own. */
const ownOperations: ReadonlySet<string> = new Set(
  ['collections', 'fields', 'relations'].flatMap((name) => [
    name,
    `create_${name}_item`,
    `create_${name}_items`,
    `update_${name}_item`,
    `update_${name}_batch`,
    `delete_${name}_item`,
    `delete_${name}_items`,
  ]),
)

/** Types of collections depend on the caller and can be null; all other types of the spec are shared. */
function ownOutput(facts: SchemaFacts, { outputs }: Types, type: GraphQLOutputType): GraphQLOutputType | null {
  const collection = collectionOfType(facts, getNamedType(type).name)
  if (collection === null) return type
  const item = outputs.item(collection)
  if (item === null) return null
  return isListType(getNullableType(type)) ? listOf(item) : item
}

/** The collection whose rows the type describes; null for all other types. */
function collectionOfType({ view, template }: SchemaFacts, name: string): string | null {
  const prefix = template.systemPrefix
  if (isOwnType(name, template)) return null
  const collection = name.startsWith(prefix) ? `${systemPrefix}${name.slice(prefix.length)}` : name
  return view.byCore.has(collection) || isSystemCollection(collection) ? collection : null
}

function ownInput(facts: SchemaFacts, { inputs }: Types, type: GraphQLInputType): GraphQLInputType | null {
  const named = getNamedType(type)
  const [, action, written = ''] = /^(create|update)_(\w+?)(?:_input)?$/.exec(named.name) ?? []
  const collection = collectionOfType(facts, written)
  if (collection === null || !isInputObjectType(named)) {
    return listInput(facts, inputs, type)
  }
  const own = inputs.written(action as 'create' | 'update', collection)
  return own === null ? null : rewrap(type, own)
}

function listInput(facts: SchemaFacts, inputs: Types['inputs'], type: GraphQLInputType): GraphQLInputType | null {
  const [, filtered = ''] = /^(\w+)_filter$/.exec(getNamedType(type).name) ?? []
  const collection = collectionOfType(facts, filtered)
  if (collection === null) return type
  return hasType(facts, collection) ? inputs.filter(collection) : null
}
