/**
 * Derives the plain part of the system spec of GraphQL from the records of the OpenAPI spec: types, filters, aggregates,
 * inputs, and the root fields that every collection has. The template is the hand-written spec of items, in which the
 * type `example` has a field for each kind of value, named like the kind.
 */
import {
  type DefinitionNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  type NamedTypeNode,
  type NameNode,
  type StringValueNode,
  visit,
} from 'graphql'
import { isRecordable } from '../src/domain/model/recordable.ts'
import type { SpecModel } from './model.ts'
import type { Property, RecordModel } from './record-parts.ts'

type Field = FieldDefinitionNode | InputValueDefinitionNode
type Type = Extract<DefinitionNode, { readonly fields?: readonly Field[] }>

type Deriving = { readonly template: ReadonlyMap<string, Type>; readonly records: ReadonlyMap<string, RecordModel> }

/** The definitions of all records. `written`: those by hand, which are left out. */
export function deriveRecords(
  { records, document }: Pick<SpecModel, 'records' | 'document'>,
  template: readonly DefinitionNode[],
  written: readonly DefinitionNode[],
): readonly DefinitionNode[] {
  const deriving: Deriving = {
    template: new Map(template.filter(isType).map((each) => [each.name.value, each])),
    records: new Map(records.map((each) => [each.name, each])),
  }
  const byHand = new Map(written.filter(isType).map((each) => [each.name.value, each]))
  const types = records.flatMap((record) => typesOf(record, deriving))
  const all = records.map((record) => ({ record, served: rootsOf(record, document.paths) }))
  const roots = ['Query', 'Mutation', 'Subscription'].map((name) => {
    const own = new Set(byHand.get(name)?.fields?.map((field) => field.name.value))
    const fields = all.flatMap(({ record, served }) => rootFields(deriving, { name, record, served }))
    return { ...typeOf(deriving, name), fields: fields.filter((field) => !own.has(field.name.value)) } as DefinitionNode
  })
  return reached([...types.filter((each) => !byHand.has(each.name.value)), ...roots], written)
}

const isType = (each: DefinitionNode): each is Type =>
  each.kind === Kind.OBJECT_TYPE_DEFINITION || each.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION

function typeOf({ template }: Pick<Deriving, 'template'>, name: string): Type {
  const found = template.get(name)
  if (found === undefined) throw new Error(`The template has no type ${name}`)
  return found
}

/** The types of the template, each with what is derived from it. */
const patterns = [
  'example',
  'example_filter',
  'example_related_quantifier_filter',
  'example_aggregated',
  'example_aggregated_count',
  'example_aggregated_fields',
  'create_example_input',
  'update_example_input',
  'example_mutated',
] as const

type Pattern = (typeof patterns)[number]

const typesOf = (record: RecordModel, deriving: Deriving): readonly Type[] => {
  const types = patterns.map((pattern) => typeFor(pattern, record, deriving))
  const empty = new Set(types.filter(({ fields = [] }) => fields.length === 0).map(({ name }) => name.value))
  const again = types.flatMap((type) =>
    type.name.value === ownName('update_example_input', record.collection)
      ? [{ ...type, name: named(`update_${record.collection}`) }]
      : [],
  )
  return [...types, ...again]
    .filter(({ name }) => !empty.has(name.value))
    .map((type) => ({ ...type, fields: type.fields?.filter((field) => !empty.has(nameOf(field))) }) as Type)
}

function typeFor(pattern: Pattern, record: RecordModel, deriving: Deriving): Type {
  const base = typeOf(deriving, pattern)
  const isQuantifier = pattern === 'example_related_quantifier_filter'
  const fieldsBase = isQuantifier ? typeOf(deriving, 'example_filter') : base
  const kinds = new Set(kindsOf(typeOf(deriving, 'example')))
  const fixed = (base.fields ?? []).filter(({ name }) => !kinds.has(name.value.replace(/(_func|__.*)$/, '')))
  const own = Object.entries(record.properties).flatMap(([name, property]) =>
    fieldsFor({ pattern, name, property, record, base: fieldsBase }, deriving),
  )
  const first = pattern.startsWith('example_aggregated')
  const copied = fixed.map((field) => renamed(field, record.collection, record.collection))
  return {
    ...base,
    name: named(isQuantifier ? `${record.collection}_quantifier_filter` : ownName(pattern, record.collection)),
    ...(pattern === 'example' ? { description: text(record.description) } : {}),
    fields: first ? [...copied, ...own] : [...own, ...copied],
  } as Type
}

const kindsOf = ({ fields = [] }: Type): readonly string[] =>
  fields.map(({ name }) => name.value).filter((name) => !name.endsWith('_func'))

type Deriver = {
  readonly pattern: Pattern
  readonly name: string
  readonly property: Property
  readonly record: RecordModel
  readonly base: Type
}

/** The fields of the template for the kind of the property: the value, and its functions. */
function fieldsFor({ pattern, name, property, record, base }: Deriver, deriving: Deriving): readonly Field[] {
  if (property['x-computed'] === true) return []
  const kind = kindOf(name, property)
  if (pattern === 'example_aggregated_fields' && !isNumeric(kind, { property, deriving })) return []
  const target = deriving.records.get(String(property['x-one'] ?? property['x-many']))?.collection
  if (target === undefined && kind.startsWith('many_to_')) throw new Error(`${record.name}.${name} refers to no record`)
  const isDescribed = pattern === 'example' || pattern.endsWith('_input')
  return (base.fields ?? []).flatMap((field) => {
    const value = field.name.value
    if (value !== kind && value !== `${kind}_func`) return []
    const copy = renamed(field, record.collection, target ?? record.collection)
    const description = value === kind && isDescribed ? text(property.description) : rewritten(copy, kind, name)
    const isDemanded = value === kind && (pattern === 'example' || isNeeded({ pattern, name, record }, deriving))
    const type = isDemanded ? demanded(copy, property) : copy.type
    const own = kind === 'id' && pattern.endsWith('_filter') ? { ...type, name: named(keyFilter(property)) } : type
    return [{ ...copy, name: named(value === kind ? name : `${name}_func`), type: own, description } as Field]
  })
}

/** A description of the template that names its field. */
const rewritten = ({ description }: Field, kind: string, name: string): StringValueNode | undefined =>
  description === undefined ? undefined : text(description.value.replaceAll(`\`${kind}\``, `\`${name}\``))

const keyFilter = ({ type }: Property): string =>
  type === 'integer' ? 'number_key_filter_operators' : 'string_key_filter_operators'

/** Whether a new item must have the value: unless its input can also stand for an item that there is. */
const isNeeded = (
  { pattern, name, record }: Pick<Deriver, 'pattern' | 'name' | 'record'>,
  deriving: Deriving,
): boolean =>
  pattern === 'create_example_input' && record.required.includes(name) && !isNamedElsewhere(record, deriving)

const isNamedElsewhere = ({ name, isNamed }: RecordModel, { records }: Deriving): boolean =>
  isNamed ||
  [...records.values()].some(({ properties }) =>
    Object.values(properties).some((each) => each['x-one'] === name || each['x-many'] === name),
  )

/** Values that are never null and that nothing else sets. */
function demanded({ type }: Field, property: Property): Field['type'] {
  const isNullable = [property.type].flat().includes('null') || 'default' in property || 'x-default' in property
  const isDemanded = !isNullable && property['x-one'] === undefined && property['x-many'] === undefined
  return isDemanded && type.kind !== Kind.NON_NULL_TYPE ? { kind: Kind.NON_NULL_TYPE, type } : type
}

/** The kind of a value: the name of a field of `example`. */
function kindOf(name: string, property: Property): string {
  if (name === 'id') return 'id'
  if (property['x-secret'] === true) return 'hash'
  if (property['x-one'] !== undefined) return 'many_to_one'
  if (property['x-many'] !== undefined) return 'one_to_many'
  if (typeof property['x-column'] === 'string') return property['x-column']
  const type = [property.type].flat().find((each) => each !== 'null')
  if (type === 'string') return property.format === 'date-time' ? 'timestamp' : 'string'
  if (type === 'integer') return 'integer'
  if (type === 'number') return 'float'
  return type === 'boolean' ? 'boolean' : 'json'
}

const numbers: ReadonlySet<string> = new Set(['integer', 'bigInteger', 'float'])

function isNumeric(
  kind: string,
  { property, deriving }: { readonly property: Property; readonly deriving: Deriving },
): boolean {
  if (kind === 'id') return property.type === 'integer'
  if (kind !== 'many_to_one') return numbers.has(kind)
  return deriving.records.get(String(property['x-one']))?.properties['id']?.type === 'integer'
}

/**
 * The copy of a field, with the names of the collection and of the related one. Rows of the system have neither content
 * versions nor cursors.
 */
const renamed = <T extends Field>(field: T, collection: string, related: string): T =>
  visit(field, {
    FieldDefinition: (node: FieldDefinitionNode) => ({
      ...node,
      arguments: node.arguments?.filter(({ name }) => name.value !== 'version' && name.value !== 'cursor') ?? [],
    }),
    NamedType: (node: NamedTypeNode) => ({ ...node, name: named(typeName(node.name.value, collection, related)) }),
  })

const typeName = (name: string, collection: string, related: string): string =>
  name.includes('example_related')
    ? name.replace('example_related', related)
    : name.replace('example_single', collection).replace('example', collection)

const ownName = (pattern: string, collection: string): string => pattern.replace('example', collection)

const named = (value: string): NameNode => ({ kind: Kind.NAME, value })

const text = (value: unknown): StringValueNode => ({ kind: Kind.STRING, value: String(value).trim() })

const nameOf = ({ type }: Field): string => (type.kind === Kind.NAMED_TYPE ? type.name.value : '')
type Served = { readonly isSingle: boolean; readonly verbs: ReadonlySet<string> }

function rootsOf({ collection }: RecordModel, paths: SpecModel['document']['paths']): Served {
  const short = shortOf(collection)
  const many = paths[`/${short}`] ?? {}
  const one = paths[`/${short}/{id}`]
  const creates = 'post' in many && !JSON.stringify(many['post']).includes('multipart/form-data')
  const verbs = ['read', creates ? 'create' : '', 'patch' in many ? 'update' : '', 'delete' in many ? 'delete' : '']
  return { isSingle: one === undefined, verbs: new Set(verbs) }
}

const shortOf = (collection: string): string => collection.replace(/^platform_/, '')

type Root = { readonly name: string; readonly record: RecordModel; readonly served: Served }

function rootFields(deriving: Deriving, { name, record, served }: Root): readonly FieldDefinitionNode[] {
  const fields = (typeOf(deriving, name).fields ?? []) as readonly FieldDefinitionNode[]
  if (name === 'Subscription') return fields.flatMap((field) => changesOf(field, record, served))
  return fields.flatMap((field) => {
    const { value } = field.name
    if (!value.includes('example') || value.includes('by_version') || value.startsWith('upsert_')) return []
    if (value.includes('example_single') !== served.isSingle) return []
    const verb = /^(create|update|delete)_/.exec(value)?.[1] ?? 'read'
    if (!served.verbs.has(verb)) return []
    const own = value.replace(/example(_single)?/, shortOf(record.collection))
    return [{ ...renamed(field, record.collection, record.collection), name: named(own) }]
  })
}

/** Changes are told by the whole name of the collection. The only item of a collection needs no conditions. */
function changesOf(field: FieldDefinitionNode, record: RecordModel, { isSingle }: Served): FieldDefinitionNode[] {
  const { collection } = record
  if (!isRecordable(collection)) return []
  const copy = renamed(field, collection, collection)
  const kept = copy.arguments?.filter((argument) => !isSingle || argument.name.value === 'event') ?? []
  return [{ ...copy, name: named(ownName(field.name.value, collection)), arguments: kept }]
}

/** The root types, and what they and the definitions by hand lead to. */
function reached(derived: readonly DefinitionNode[], written: readonly DefinitionNode[]): readonly DefinitionNode[] {
  const byName = new Map(derived.filter(isType).map((each) => [each.name.value, each]))
  const found = new Set<DefinitionNode>()
  const follow = (definition: DefinitionNode): void => {
    visit(definition, {
      NamedType({ name }) {
        const next = byName.get(name.value)
        if (next === undefined || found.has(next)) return
        found.add(next)
        follow(next)
      },
    })
  }
  const roots = derived.filter((each) => isType(each) && /^(Query|Mutation|Subscription)$/.test(each.name.value))
  for (const each of [...roots, ...written]) follow(each)
  return derived.filter((each) => found.has(each) || roots.includes(each))
}
