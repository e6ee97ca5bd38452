/** The data model → the types that GraphQL shows of it, after the example of the spec. */
import { memoizeBy, memoizeByName } from '../../domain/memoize.ts'
import type { Field, Schema } from '../../domain/schema/schema.ts'
import type { View } from '../../domain/schema/view.ts'
import { isName } from '../../graphql/schema/names.ts'
import type { Root, ServedSchema } from '../../graphql/schema/schema-types.ts'
import { readSdl } from '../../graphql/schema/sdl.ts'
import { readSpecText, type SpecText, schemaOfText } from '../../graphql/schema/text-schema.ts'
import { findField, keyOf, type NamedField, type ParseScope, relatedCollection } from '../wire/parse-scope.ts'

const schemaOf = memoizeBy((_schema: Schema, scope: ParseScope): ServedSchema => makeSchema(scope))

/** The schema for administrators; made once for each version of the data model. */
export const servedSchema = (scope: ParseScope): ServedSchema => schemaOf(scope.schema, scope)

const isExample = (name: string): boolean => name.startsWith('Example') || name === 'Query'

let spec: SpecText | null = null

/** Type and root field of each collection. */
type TypeNames = ReadonlyMap<string, { readonly type: string; readonly root: string }>

type SchemaOptions = { readonly scope: ParseScope; readonly spec: SpecText; readonly naming: TypeNames }

function makeSchema(scope: ParseScope): ServedSchema {
  spec ??= readSpecText(readSdl('legacy'), isExample)
  const making: SchemaOptions = { scope, spec, naming: nameTypes(scope.view, spec) }
  const texts = [...making.naming.keys()].flatMap((collection) => typesOf(making, collection))
  const roots = [...making.naming.keys()].map((collection) => rootOf(making, collection))
  const query = new Map(
    [...making.naming].map(([collection, { root }]): [string, Root] => [root, { kind: 'list', collection }]),
  )
  return schemaOfText([spec.shared, ...texts, `type Query {\n${roots.join('\n')}\n}`].join('\n'), query)
}

function nameTypes(view: View, { types }: SpecText): TypeNames {
  const reserved = new Set([
    ...[...types.keys()].filter((each) => !each.startsWith('Example')),
    'JSON',
    'NumberOrText',
    'Node',
    'Int',
    'Float',
    'String',
    'Boolean',
    'ID',
  ])
  const named = [...view.byCore.values()].flatMap(({ collection, name: root, fields }) => {
    if (!isName(root) || ![...fields.keys()].some(isName)) return []
    let type = pascal(root)
    while ([type, `${type}Item`, `${type}Filter`].some((each) => reserved.has(each))) type = `${type}_`
    for (const each of [type, `${type}Item`, `${type}Filter`]) reserved.add(each)
    return [[collection, { type, root }] as const]
  })
  return new Map(named)
}

/** `blog_posts` → `BlogPosts`; what begins with a digit then keeps its underscore. */
function pascal(name: string): string {
  const words = name.split('_').filter((word) => word !== '')
  const joined = words.map((word) => `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`).join('')
  return /^[A-Za-z]/.test(joined) ? joined : `_${joined}`
}

const quote = (text: string): string => JSON.stringify(text)

function typesOf(making: SchemaOptions, collection: string): readonly string[] {
  const { type } = namesOf(making, collection)
  const fields = fieldsOf(making, collection)
  const isNode = fields.some(({ name, output }) => name === 'id' && output.type === 'Int')
  const items = fields.map(({ name, output }) => `  ${quote(output.description)}\n  ${name}: ${output.type}`)
  const filters = fields.flatMap(({ filters: each }) => each)
  const of = (pattern: string): string => quote(making.spec.types.get(pattern)?.description ?? '')
  const list = [...fieldsIn(making, 'Example')].map(
    ([name, each]) => `  ${quote(each.description)}\n  ${name}: ${each.type.replace('Example', type)}`,
  )
  const logical = ['and', 'or'].map((name) => {
    const each = textOf(making, 'ExampleFilter', name)
    return `  ${quote(each.description)}\n  ${name}: ${each.type.replace('Example', type)}`
  })
  return [
    `${of('Example')}\ntype ${type} {\n${list.join('\n')}\n}`,
    `${of('ExampleItem')}\ntype ${type}Item${isNode ? ' implements Node' : ''} {\n${items.join('\n')}\n}`,
    `${of('ExampleFilter')}\ninput ${type}Filter {\n${[...filters, ...logical].join('\n')}\n}`,
  ]
}

type FieldTexts = {
  readonly name: string
  readonly output: { readonly type: string; readonly description: string }
  readonly filters: readonly string[]
}

function fieldsOf(making: SchemaOptions, collection: string): readonly FieldTexts[] {
  const { scope } = making
  return [...(scope.view.byCore.get(collection)?.fields.keys() ?? [])].filter(isName).flatMap((name) => {
    const named = findField(scope, collection, name)
    if (named === null) return []
    const related = namedRelated(making, named.field)
    if (named.field.relation?.kind === 'one-to-many' && related === null) return []
    const pattern = related === null ? patternOf(named) : relationOf(named.field)
    // Lists and records are JSON, and compared like texts.
    const output = textOf(making, 'ExampleItem', named.field.column?.form === undefined ? pattern : 'json')
    const type = output.type.replace(
      'ExampleRelatedItem',
      related === null ? '' : `${namesOf(making, related).type}Item`,
    )
    const key = related === null ? null : keyType(scope, related)
    const filters = filtersOf(making.spec, pattern).map(
      ([operator, each]) => `  ${quote(each.description)}\n  ${name}_${operator}: ${withKey(each.type, key, operator)}`,
    )
    return [{ name, output: { type, description: output.description }, filters }]
  })
}

const relationOf = ({ relation }: Field): string => (relation?.kind === 'many-to-one' ? 'many_to_one' : 'one_to_many')

/** The collection that a field leads to, if it has a type. */
function namedRelated({ scope, naming }: SchemaOptions, field: Field): string | null {
  const related = relatedCollection(scope, field)
  return related !== null && naming.has(related) ? related : null
}

/** The field of the example that is like this one. */
function patternOf({ field, view: { codec } }: NamedField): string {
  if (codec.kind === 'mask') return 'hash'
  if (codec.kind === 'file-facts') return 'file_links'
  if (codec.kind === 'words') return 'string'
  if (codec.kind === 'number' && field.type === 'bigInteger') return 'float'
  return field.type === 'alias' ? 'json' : field.type
}

type Operators = readonly (readonly [string, { type: string; description: string }])[]

/** Operators and types of their operands. */
const filtersOf = memoizeByName(
  (spec: SpecText, pattern: string): Operators =>
    [...fieldsOfType(spec, 'ExampleFilter')].flatMap(([name, each]) =>
      name.startsWith(`${pattern}_`) && !name.slice(pattern.length + 1).includes('_')
        ? [[name.slice(pattern.length + 1), each] as const]
        : [],
    ),
)

const counting: ReadonlySet<string> = new Set(['has', 'nhas'])

/** Relations are compared by keys, which are whole numbers or texts. */
const withKey = (type: string, key: string | null, operator: string): string =>
  key === null || counting.has(operator) ? type : type.replace('Int', key)

function keyType(scope: ParseScope, collection: string): string {
  const { schema, view } = scope
  if (schema.collections.get(collection)?.keyColumns.length !== 1 || !view.byCore.has(collection)) return 'String'
  return keyOf(scope, collection).field.type === 'integer' ? 'Int' : 'String'
}

function rootOf(making: SchemaOptions, collection: string): string {
  const { type, root } = namesOf(making, collection)
  const pattern = textOf(making, 'Query', 'example')
  const isKeyed = making.scope.schema.collections.get(collection)?.keyColumns.length !== 0
  const args = [...pattern.args].flatMap(([name, each]) => {
    if (name === 'id' && !isKeyed) return []
    const own = name === 'id' ? keyType(making.scope, collection) : each.type.replace('Example', type)
    return [`    ${quote(each.description)}\n    ${name}: ${own}`]
  })
  return `  ${quote(pattern.description)}\n  ${root}(\n${args.join('\n')}\n  ): ${type}`
}

function namesOf({ naming }: SchemaOptions, collection: string): { readonly type: string; readonly root: string } {
  const name = naming.get(collection)
  if (name === undefined) throw new Error(`The collection ${collection} has no type`)
  return name
}

const fieldsIn = ({ spec }: SchemaOptions, type: string) => fieldsOfType(spec, type)

function fieldsOfType({ types }: SpecText, type: string) {
  const definition = types.get(type)
  if (definition === undefined) throw new Error(`The GraphQL spec has no type ${type}`)
  return definition.fields
}

function textOf(making: SchemaOptions, type: string, field: string) {
  const definition = fieldsIn(making, type).get(field)
  if (definition === undefined) throw new Error(`The GraphQL spec has no field ${field} of ${type}`)
  return definition
}
