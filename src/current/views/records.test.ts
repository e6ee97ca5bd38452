/** Spec, tables and view agree about every record, in both directions. */
import { afterAll, expect, test } from 'vitest'
import { systemValue } from '../../core/rows/system-values.ts'
import { openTestWorld } from '../../core/testing/test-context.ts'
import type { FieldType } from '../../domain/query/field-types.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import spec from '../../generated/current-spec.json' with { type: 'json' }
import { createView } from './schema-view.ts'

type Schema = { readonly [keyword: string]: unknown }
type Properties = { readonly [name: string]: Schema }
type Facts = { readonly [name: string]: Schema }

const schemas = spec.components.schemas as unknown as { readonly [name: string]: Schema }
const records = Object.entries(schemas).filter(([, schema]) => 'x-collection' in schema)
const propertiesOf = (name: string): Properties =>
  Object.fromEntries(Object.entries((schemas[name]?.['properties'] ?? {}) as Properties).map(withWords))
/** The property with the keywords of the list of words that it refers to. */
const withWords = ([name, { $ref, ...own }]: [string, Schema]): [string, Schema] => [
  name,
  { ...schemas[String($ref).replace('#/components/schemas/', '')], ...own },
]

/** Collections whose rows are shown as metadata of something else. */
const metadata = {
  platform_collections: 'CollectionMeta',
  platform_fields: 'FieldMeta',
  platform_relations: 'RelationMeta',
}
const world = await openTestWorld()
const view = createView(world.ctx.schema)
afterAll(() => world.close())

test('every visible system collection has exactly one schema', () => {
  const shown = [...view.collections.values()].filter(({ collection }) => isSystem(collection)).map(({ name }) => name)
  const documented = [...records.map(([, schema]) => String(schema['x-collection'])), ...Object.keys(metadata)]
  expect(documented.toSorted()).toEqual(shown.toSorted())
})

const isSystem = (name: string): boolean => world.ctx.schema.collections.get(name)?.system === true

test.each(records)('%s has the properties of its collection, with their types', (name, schema) => {
  const table = factsOfTable(String(schema['x-collection']))
  expect(factsOfSpec(propertiesOf(name), table)).toEqual(table)
})

test.each(Object.entries(metadata))('%s is told as %s', (collection, name) => {
  const { system, ...told } = propertiesOf(name)
  expect(system).toBeDefined()
  expect(Object.keys(told).toSorted()).toEqual(Object.keys(factsOfTable(collection)).toSorted())
})

/** Keywords without a counterpart in columns; a column of addresses is one of texts. */
const beyondColumns: ReadonlySet<string> = new Set(['description', 'example', 'readOnly', 'enum', 'minimum'])

/** The parts of a property that can be compared with a column. For JSON the schema knows more than the column. */
const factsOfSpec = (properties: Properties, table: Facts): Facts =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([, property]) => property['x-computed'] !== true)
      .map(([name, property]) => {
        const documented = Object.fromEntries(
          Object.entries(property).filter(([keyword, value]) => !beyondColumns.has(keyword) && value !== 'uri'),
        )
        return [name, table[name]?.['json'] === true ? jsonOf(documented) : documented]
      }),
  )

const jsonOf = ({ type }: Schema): Schema => {
  const types = [type].flat()
  return { json: types.includes('object') || types.includes('array'), nullable: types.includes('null') }
}

const recordOf = new Map(records.map(([name, schema]) => [schema['x-collection'], name]))
const keyOf = (collection: string): Schema => {
  const { type, format } = propertiesOf(recordOf.get(collection) ?? '')['id'] ?? {}
  return { type: type ?? 'string', ...(format === undefined ? {} : { format }) }
}

function factsOfTable(name: string): Facts {
  const collection = world.ctx.schema.collections.get(name) as Collection
  const fields = [...(view.collections.get(name)?.fields.values() ?? [])]
  return Object.fromEntries(
    fields.map(({ name: shown, field, codec }) => [shown, factsOf(collection, field, codec.kind)]),
  )
}

function factsOf(collection: Collection, name: string, codec: string): Schema {
  const { column, relation, type } = collection.fields.get(name) as NonNullable<ReturnType<Collection['fields']['get']>>
  // Built-in rules belong to no policy and are listed among the permissions.
  const isNullable = column?.nullable === true || (collection.name === 'platform_permissions' && name === 'policy')
  if (relation !== null && relation.kind !== 'many-to-any') {
    const forms = [keyOf(relation.collection), { $ref: `#/components/schemas/${recordOf.get(relation.collection)}` }]
    if (relation.kind === 'one-to-many') return { type: 'array', items: { anyOf: forms } }
    return { anyOf: isNullable ? [...forms, { type: 'null' }] : forms }
  }
  if (codec === 'mask') return { type: ['string', 'null'] }
  if (type === 'json') return { json: true, nullable: isNullable }
  const form = wire[type] ?? {}
  return {
    ...form,
    type: isNullable ? [form['type'], 'null'] : form['type'],
    ...(column?.maxLength == null ? {} : { maxLength: column.maxLength }),
    ...(column?.defaultValue == null || name === 'times_used' ? {} : { default: column.defaultValue }),
  }
}

const wire: { readonly [Type in FieldType]?: Schema } = {
  string: { type: 'string' },
  text: { type: 'string' },
  boolean: { type: 'boolean' },
  integer: { type: 'integer' },
  bigInteger: { type: 'string' },
  timestamp: { type: 'string', format: 'date-time' },
  uuid: { type: 'string', format: 'uuid' },
  csv: { type: 'array', items: { type: 'string' } },
}

/** Columns that are not nullable and that the server fills in on create. */
const filled: { readonly [place: string]: true } = {
  'platform_files.storage': true,
  'platform_files.filename_download': true,
  'platform_permissions.policy': true,
}

/** What names contents that are stored already. Uploads have the contents themselves. */
const naming: { readonly [name: string]: readonly string[] } = { File: ['filename_disk', 'type'] }

test.each(records)('creating %s requires what its columns need', (name, schema) => {
  const table = String(schema['x-collection'])
  const collection = world.ctx.schema.collections.get(table) as Collection
  const needed = [...collection.fields.values()].flatMap(({ name: field, column }) => {
    if (column === null || column.nullable || column.hasDefault || column.primaryKey || column.generated) return []
    const isGiven = propertiesOf(name)[field]?.['readOnly'] === true || filled[`${table}.${field}`] === true
    return isGiven ? [] : [field]
  })
  const all = [...needed, ...(naming[name] ?? [])]
  expect(((schemas[`${name}Input`]?.['required'] ?? []) as string[]).toSorted()).toEqual(all.toSorted())
})

/** Lists of strings that are stored as one text. */
const csv: ReadonlySet<string> = new Set(['ip_access', 'fields', 'file_mimetype_whitelist', 'actions', 'collections'])

const kinds = records.flatMap(([name, schema]) =>
  Object.entries(propertiesOf(`${name}Input`)).flatMap(([field, { type }]) => {
    const types = [type].flat()
    const kind = types.includes('object') ? 'object' : types.includes('array') && !csv.has(field) ? 'array' : null
    return kind === null ? [] : [[name, field, String(schema['x-collection']), kind] as const]
  }),
)

test.each(kinds)('%s.%s is JSON of one kind', (_name, field, collection, kind) => {
  const [right, wrong] = kind === 'object' ? [{}, []] : [[], {}]
  expect(systemValue(collection, field, right)).toBe(right)
  for (const value of [wrong, 5, true]) expectRefused(collection, field, value)
})

const words = records.flatMap(([name, schema]) =>
  Object.entries(propertiesOf(name)).flatMap(([field, { enum: listed }]) =>
    listed === undefined ? [] : [[name, field, String(schema['x-collection']), listed as readonly unknown[]] as const],
  ),
)

test.each(words)('%s.%s accepts its enum values only', (_name, field, collection, listed) => {
  for (const word of listed) expect(systemValue(collection, field, word)).toBe(word)
  expectRefused(collection, field, 'no-such-word')
})

function expectRefused(collection: string, field: string, value: unknown): void {
  const failures = expect.arrayContaining([expect.objectContaining({ field })]) as unknown
  expect(() => systemValue(collection, field, value)).toThrow(expect.objectContaining({ failures }))
}
