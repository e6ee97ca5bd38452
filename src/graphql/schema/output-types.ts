/** Output types: one object type per readable collection, and types derived from it. */

import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLUnionType,
  getNullableType,
} from 'graphql'
import { entryOf } from '../../domain/memoize.ts'
import type { Field } from '../../domain/schema/schema.ts'
import { hasCursors, type Inputs } from './input-types.ts'
import {
  collectionOf,
  functionName,
  functionsOf,
  hasType,
  isKey,
  keyType,
  type Readable,
  readableFields,
  templateField,
  valueField,
  wireName,
} from './readable.ts'
import type { SchemaFacts } from './schema-types.ts'
import { typeOf } from './template.ts'

type FieldConfig = GraphQLFieldConfig<unknown, unknown>
type Fields = GraphQLFieldConfigMap<unknown, unknown>

export type Outputs = {
  /** Null if the caller may not read the collection. */
  readonly item: (collection: string) => GraphQLObjectType | null
  readonly groups: (collection: string) => GraphQLObjectType
  readonly version: (collection: string) => GraphQLObjectType
}

/** The types that fields are made of. */
export type Types = { readonly outputs: Outputs; readonly inputs: Inputs }

/** The field of items with their places in the order of a list. */
export const cursorField = '_cursor'

/** Creates types on first use. */
export function createOutputs(facts: SchemaFacts, inputs: Inputs): Outputs {
  const types = new Map<string, GraphQLObjectType>()
  const once = (name: string, make: () => GraphQLObjectType): GraphQLObjectType => entryOf(types, name, make)
  const nameOf = (pattern: string, collection: string): string =>
    facts.names.derive(pattern, wireName(facts, collection))
  const item = (collection: string): GraphQLObjectType | null =>
    hasType(facts, collection)
      ? once(nameOf('example', collection), () => itemType(facts, collection, { item, inputs }))
      : null
  const version = (collection: string): GraphQLObjectType => {
    const name = nameOf('version_example', collection)
    return once(name, () => versionType(facts, collection, name))
  }
  const groups = (collection: string): GraphQLObjectType => {
    const name = nameOf('example_aggregated', collection)
    return once(name, () => groupsType(facts, collection, name))
  }
  return { item, groups, version }
}

type ItemTypes = { readonly item: Outputs['item']; readonly inputs: Inputs }

function itemType(facts: SchemaFacts, collection: string, making: ItemTypes): GraphQLObjectType {
  const name = wireName(facts, collection)
  return new GraphQLObjectType({
    name,
    description: describe(facts, name) ?? collectionOf(facts, collection).note,
    fields: () => itemFields(facts, collection, making),
  })
}

/** The description in the system spec. */
function describe({ template: { types } }: SchemaFacts, type: string, field?: string): string | undefined {
  const definition = types.getType(type)
  if (definition === undefined || field === undefined) return definition?.description ?? undefined
  if (!('getFields' in definition)) return undefined
  return definition.getFields()[field]?.description ?? undefined
}

function itemFields(facts: SchemaFacts, collection: string, making: ItemTypes): Fields {
  const readable = readableFields(facts, collection)
  const names = new Set(readable.map(({ name }) => name))
  const wire = wireName(facts, collection)
  const fields: Fields = {}
  for (const each of readable) {
    const { name, field } = each
    const description = describe(facts, wire, name) ?? noteOf(field)
    fields[name] = { description, ...fieldConfig(facts, collection, each, making) }
    const called = functionName(name)
    const type = names.has(called) ? null : functionsType(facts, each)
    if (type !== null) fields[called] = { description: `Functions of \`${name}\`.`, type: new GraphQLNonNull(type) }
  }
  const cursor = names.has(cursorField) ? undefined : cursorOf(facts, collection)
  return cursor === undefined ? fields : { ...fields, [cursorField]: cursor }
}

function cursorOf(facts: SchemaFacts, collection: string): FieldConfig | undefined {
  if (!hasCursors(facts, collection)) return undefined
  const template = (typeOf(facts.template.types, 'example') as GraphQLObjectType).getFields()[cursorField]
  return template === undefined ? undefined : { type: template.type, description: template.description }
}

const noteOf = ({ meta, column }: Field): string | null => {
  const note = meta?.['note']
  return typeof note === 'string' && note !== '' ? note : (column?.comment ?? null)
}

function fieldConfig(facts: SchemaFacts, collection: string, readable: Readable, making: ItemTypes): FieldConfig {
  const { field, guard } = readable
  const { relation } = field
  if (isKey(collectionOf(facts, collection), field)) return { type: demand(keyType(facts), guard === null) }
  if (relation?.kind === 'many-to-one') {
    const type = making.item(relation.collection)
    if (type !== null) return { type, args: making.inputs.itemArguments(relation.collection) }
  }
  if (relation?.kind === 'one-to-many') {
    const type = making.item(relation.collection)
    if (type !== null) return { type: new GraphQLList(type), args: making.inputs.listArguments(relation.collection) }
  }
  if (relation?.kind === 'many-to-any') {
    const types = relation.allowed.flatMap((each) => making.item(each) ?? [])
    if (types.length > 0) return { type: unionType(facts, collection, readable.name, types) }
  }
  return { type: demand(typeOfField(facts, valueField(field)), guard === null && isAlwaysThere(field)) }
}

const demand = (type: GraphQLOutputType, isDemanded: boolean): GraphQLOutputType =>
  isDemanded ? new GraphQLNonNull(type) : type

const isAlwaysThere = ({ column }: Field): boolean => column !== null && !column.nullable && !column.hasDefault

function typeOfField({ template }: SchemaFacts, name: string): Exclude<GraphQLOutputType, GraphQLNonNull<never>> {
  const exampleField = (typeOf(template.types, 'example') as GraphQLObjectType).getFields()[name]
  if (exampleField === undefined) throw new Error(`The GraphQL spec has no field ${name} of example`)
  return getNullableType(exampleField.type)
}

function functionsType({ template }: SchemaFacts, { field }: Readable): GraphQLObjectType | null {
  if (functionsOf(field).length === 0) return null
  const name = field.column === null ? 'one_to_many' : templateField(field)
  const exampleField = (typeOf(template.types, 'example') as GraphQLObjectType).getFields()[functionName(name)]
  return exampleField === undefined ? null : (getNullableType(exampleField.type) as GraphQLObjectType)
}

function unionType(
  facts: SchemaFacts,
  collection: string,
  field: string,
  types: readonly GraphQLObjectType[],
): GraphQLUnionType {
  const name = facts.names.derive(`example_${field}_union`, wireName(facts, collection))
  return new GraphQLUnionType({
    name,
    description: typeOf(facts.template.types, 'example_many_to_any_union').description,
    types,
  })
}

function versionType(facts: SchemaFacts, collection: string, name: string): GraphQLObjectType {
  const described = typeOf(facts.template.types, 'version_example').description
  const fields = readableFields(facts, collection).map((readable): readonly [string, FieldConfig] => {
    const { field } = readable
    const isOwn = isKey(collectionOf(facts, collection), field)
    const type = isOwn
      ? demand(keyType(facts), readable.guard === null)
      : typeOfField(facts, field.relation === null ? valueField(field) : 'json')
    return [readable.name, { type, description: noteOf(field) }]
  })
  return new GraphQLObjectType({ name, description: described, fields: Object.fromEntries(fields) })
}

const numeric: ReadonlySet<string> = new Set(['integer', 'bigInteger', 'float', 'decimal'])

function groupsType(facts: SchemaFacts, collection: string, name: string): GraphQLObjectType {
  const { types } = facts.template
  const readable = readableFields(facts, collection).filter(({ field }) => field.column !== null && !field.concealed)
  const partOf = (pattern: string, parts: readonly Readable[], more: Fields): GraphQLObjectType | null => {
    const base = typeOf(types, pattern) as GraphQLObjectType
    const type = Object.values(base.getFields())[1]?.type as GraphQLOutputType
    const fields = parts.map((each) => [each.name, { type, description: `Of \`${each.name}\`.` }] as const)
    if (fields.length === 0 && Object.keys(more).length === 0) return null
    const own = facts.names.derive(pattern, wireName(facts, collection))
    return new GraphQLObjectType({
      name: own,
      description: base.description,
      fields: { ...more, ...Object.fromEntries(fields) },
    })
  }
  const countBase = (typeOf(types, 'example_aggregated_count') as GraphQLObjectType).getFields()['_all']
  if (countBase === undefined) throw new Error('The GraphQL spec has no count of all')
  const all = { _all: { type: countBase.type, description: countBase.description } }
  const counts = partOf('example_aggregated_count', readable, all)
  const numbers = partOf(
    'example_aggregated_fields',
    readable.filter(({ field }) => numeric.has(field.type)),
    {},
  )
  const base = typeOf(types, 'example_aggregated') as GraphQLObjectType
  const fields = Object.entries(base.getFields()).flatMap(([key, { type, description }]) => {
    const own =
      String(type) === 'example_aggregated_count'
        ? counts
        : String(type) === 'example_aggregated_fields'
          ? numbers
          : type
    return own === null ? [] : [[key, { type: own, description }] as const]
  })
  return new GraphQLObjectType({ name, description: base.description, fields: Object.fromEntries(fields) })
}
