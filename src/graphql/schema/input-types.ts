/** Input types: filters of readable collections, and items to write. */
import {
  type GraphQLFieldConfigArgumentMap,
  type GraphQLInputFieldConfig,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLObjectType,
} from 'graphql'
import { findReadGrant } from '../../authz/grants.ts'
import { entryOf } from '../../domain/memoize.ts'
import type { Collection, Field } from '../../domain/schema/schema.ts'
import { isName } from './names.ts'
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
import { mayWrite, writableFields } from './writable.ts'

type Fields = { [name: string]: GraphQLInputFieldConfig }

export type Inputs = {
  readonly filter: (collection: string) => GraphQLInputObjectType
  /** Arguments for filter, sort, page and search. */
  readonly listArguments: (collection: string) => GraphQLFieldConfigArgumentMap
  /** Arguments of a many-to-one. */
  readonly itemArguments: (collection: string) => GraphQLFieldConfigArgumentMap
  /** Null if the caller may not write any field in this way. */
  readonly written: (action: 'create' | 'update', collection: string) => GraphQLInputObjectType | null
}

const quantified = 'example_quantifier_filter'

/** Creates types on first use. */
export function createInputs(facts: SchemaFacts): Inputs {
  const cache = new Map<string, GraphQLInputObjectType>()
  const made = new Map<string, GraphQLInputObjectType>()
  const make = (pattern: string, collection: string, fields: () => Fields): GraphQLInputObjectType =>
    entryOf(made, `${pattern} ${collection}`, () => {
      const name = facts.names.derive(pattern, wireName(facts, collection))
      const described = pattern === quantified ? 'example_related_quantifier_filter' : pattern
      const { description } = typeOf(facts.template.types, described)
      return entryOf(cache, name, () => new GraphQLInputObjectType({ name, description, fields }))
    })
  const filter = (collection: string): GraphQLInputObjectType =>
    make('example_filter', collection, () => ({
      ...filterFields(facts, collection, { filter, quantifier }),
      ...logical(filter(collection)),
    }))
  const quantifier = (collection: string): GraphQLInputObjectType =>
    make(quantified, collection, () => ({
      ...filterFields(facts, collection, { filter, quantifier }),
      ...logical(filter(collection)),
      _some: { type: filter(collection), description: 'At least one related item meets them.' },
      _none: { type: filter(collection), description: 'No related item meets them.' },
    }))
  const written = (action: 'create' | 'update', collection: string): GraphQLInputObjectType | null =>
    mayWrite(facts, action, collection)
      ? make(`${action}_example_input`, collection, () => writtenFields(facts, { action, collection, written }))
      : null
  const lists = new Map<string, GraphQLFieldConfigArgumentMap>()
  const listArguments = (collection: string): GraphQLFieldConfigArgumentMap =>
    entryOf(lists, collection, () =>
      makeArguments(facts, { collection, of: 'one_to_many', filter: filter(collection) }),
    )
  const items = new Map<string, GraphQLFieldConfigArgumentMap>()
  const itemArguments = (collection: string): GraphQLFieldConfigArgumentMap =>
    entryOf(items, collection, () =>
      makeArguments(facts, { collection, of: 'many_to_one', filter: filter(collection) }),
    )
  return { filter, written, listArguments, itemArguments }
}

/** Lists of items whose keys the caller may read have cursors. */
export function hasCursors(facts: SchemaFacts, collection: string): boolean {
  const { system, keyColumns, singleton } = collectionOf(facts, collection)
  if (system || singleton || keyColumns.length === 0) return false
  const grant = findReadGrant(facts.actor, facts.schema, collection)
  return keyColumns.every((name) => grant?.fields.has(name) === true)
}

type ArgumentsOf = {
  readonly collection: string
  /** The field of `example` that has them. */
  readonly of: 'one_to_many' | 'many_to_one'
  readonly filter: GraphQLInputObjectType
}

function makeArguments(facts: SchemaFacts, { collection, of, filter }: ArgumentsOf): GraphQLFieldConfigArgumentMap {
  const base = (typeOf(facts.template.types, 'example') as GraphQLObjectType).getFields()[of]?.args ?? []
  const shown = base.filter(({ name }) => name !== 'cursor' || hasCursors(facts, collection))
  return Object.fromEntries(
    shown.map(({ name, type, description }) => [name, { type: name === 'filter' ? filter : type, description }]),
  )
}

const logical = (filter: GraphQLInputObjectType): Fields => ({
  _and: { type: new GraphQLList(filter), description: 'All of them have to be met.' },
  _or: { type: new GraphQLList(filter), description: 'One of them has to be met.' },
})

type FilterTypes = Pick<Inputs, 'filter'> & { readonly quantifier: Inputs['filter'] }

function filterFields(facts: SchemaFacts, collection: string, making: FilterTypes): Fields {
  const readable = readableFields(facts, collection)
  const names = new Set(readable.map(({ name }) => name))
  const fields: Fields = {}
  for (const each of readable) {
    Object.assign(fields, filterField(facts, { ...each, of: collectionOf(facts, collection) }, making))
    const called = functionName(each.name)
    const type = names.has(called) ? null : functionsFilter(facts, each)
    if (type !== null) fields[called] = { type, description: `Functions of \`${each.name}\`.` }
  }
  return fields
}

type FilterField = Readable & { readonly of: Collection }

function filterField(
  facts: SchemaFacts,
  { name, field, of }: FilterField,
  { filter, quantifier }: FilterTypes,
): Fields {
  const { relation } = field
  if (relation?.kind === 'many-to-one' && hasType(facts, relation.collection)) {
    return { [name]: { type: filter(relation.collection), description: 'Conditions on the related item.' } }
  }
  if (relation?.kind === 'one-to-many') {
    if (!hasType(facts, relation.collection)) return {}
    const description = 'Conditions on the related items, one of which has to meet them all.'
    return { [name]: { type: quantifier(relation.collection), description } }
  }
  const holdsKey = isKey(of, field) || relation?.kind === 'many-to-one'
  const plain = holdsKey ? keyOperators(facts, field) : operatorsOf(facts, templateField(field))
  const own: Fields = plain === null ? {} : { [name]: { type: plain } }
  if (relation?.kind !== 'many-to-any') return own
  const scoped = relation.allowed
    .filter((each) => hasType(facts, each))
    .map((each) => [
      `${name}__${wireName(facts, each)}`,
      { type: filter(each), description: 'Conditions on the related item, if it is one of that collection.' },
    ])
  return { ...own, ...(Object.fromEntries(scoped) as Fields) }
}

function operatorsOf({ template }: SchemaFacts, name: string): GraphQLInputType | null {
  return (typeOf(template.types, 'example_filter') as GraphQLInputObjectType).getFields()[name]?.type ?? null
}

/** The operators for keys, which are of type `ID`. Keys that are neither numbers nor texts have those of their type. */
function keyOperators(facts: SchemaFacts, field: Field): GraphQLInputType | null {
  const { types } = facts.template
  const plain = operatorsOf(facts, templateField(field))
  const name = plain === null ? '' : (ofKeys[String(plain)] ?? String(plain))
  return (types.getType(name) as GraphQLInputObjectType | undefined) ?? null
}

const ofKeys: { readonly [operators: string]: string } = {
  number_filter_operators: 'number_key_filter_operators',
  big_int_filter_operators: 'number_key_filter_operators',
  string_filter_operators: 'string_key_filter_operators',
}

function functionsFilter(facts: SchemaFacts, { field }: Readable): GraphQLInputType | null {
  if (functionsOf(field).length === 0) return null
  return operatorsOf(facts, functionName(field.column === null ? 'one_to_many' : templateField(field)))
}

type InputTypeOptions = {
  readonly action: 'create' | 'update'
  readonly collection: string
  readonly written: Inputs['written']
}

function writtenFields(facts: SchemaFacts, { action, collection, written }: InputTypeOptions): Fields {
  const fields: Fields = {}
  for (const { name, field, isRequired } of writableFields(facts, action, collection)) {
    if (!isName(name)) continue
    const type = writtenType(facts, { action, field, written, of: collectionOf(facts, collection) })
    fields[name] = { type: isRequired ? new GraphQLNonNull(type) : type }
  }
  return fields
}

type WrittenField = Omit<InputTypeOptions, 'collection'> & { readonly field: Field; readonly of: Collection }

/** The input of a related item: an object if its items may be written, otherwise the key. */
function writtenType(facts: SchemaFacts, { action, field, written, of }: WrittenField): GraphQLInputType {
  const { relation } = field
  if (isKey(of, field)) return keyType(facts)
  if (relation?.kind === 'many-to-any') return plainType(facts, 'json')
  if (relation === null) return plainType(facts, valueField(field))
  const other = action === 'create' ? 'update' : 'create'
  const related = written(action, relation.collection) ?? written(other, relation.collection)
  if (relation.kind === 'many-to-one') return related ?? keyType(facts)
  return new GraphQLList(related ?? keyType(facts))
}

function plainType({ template }: SchemaFacts, name: string): GraphQLInputType {
  const base = typeOf(template.types, 'create_example_input') as GraphQLInputObjectType
  const operators = base.getFields()[name === 'json' || name in base.getFields() ? name : 'unknown']
  if (operators === undefined) throw new Error(`The GraphQL spec has no field ${name} of create_example_input`)
  return operators.type
}
