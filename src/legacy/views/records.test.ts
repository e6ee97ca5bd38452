/** Spec, names and tables agree about every record, in both directions. */
import { afterAll, expect, test } from 'vitest'
import { systemValue } from '../../core/rows/system-values.ts'
import { openTestWorld } from '../../core/testing/test-context.ts'
import type { Collection, Field } from '../../domain/schema/schema.ts'
import type { Codec, FieldView } from '../../domain/schema/view.ts'
import spec from '../../generated/legacy-spec.json' with { type: 'json' }
import { createView } from './schema-view.ts'
import { systemFields } from './system-fields.ts'

type Schema = { readonly [keyword: string]: unknown }
type Properties = { readonly [name: string]: Schema }

const schemas = spec.components.schemas as unknown as { readonly [name: string]: Schema }
const records = Object.entries(schemas).filter(([, schema]) => 'x-collection' in schema)
const propertiesOf = (name: string): Properties =>
  Object.fromEntries(Object.entries((schemas[name]?.['properties'] ?? {}) as Properties).map(withWords))
/** The property with the keywords of the list of words that it refers to. */
const withWords = ([name, { $ref, ...own }]: [string, Schema]): [string, Schema] => [
  name,
  { ...schemas[String($ref).replace('#/components/schemas/', '')], ...own },
]
const collectionOf = (schema: Schema): string => String(schema['x-collection'])
/** Postgres does not say which columns of a view are never null; the key is not. */
const isNullable = ({ table }: Collection, column: Field['column']): boolean =>
  column?.nullable === true || (table?.kind === 'view' && column?.primaryKey === false)
const columnsOf = (name: string): Properties =>
  Object.fromEntries(Object.entries(propertiesOf(name)).filter(([, property]) => property['x-computed'] !== true))

/** Settings are rows of key and value here; the names of `settings.ts` are keys. */
const asRows: ReadonlySet<string> = new Set(['platform_settings'])
/** The data model has operations and schemas of its own. */
const ofModel: ReadonlySet<string> = new Set(['platform_collections', 'platform_fields', 'platform_relations'])
const world = await openTestWorld()
const view = createView(world.ctx.schema)
afterAll(() => world.close())

test('every system collection that is named here has exactly one schema', () => {
  const documented = records.map(([, schema]) => collectionOf(schema))
  expect([...documented, ...asRows, ...ofModel].toSorted()).toEqual([...systemFields.keys()].toSorted())
})

/** Keywords of a property that columns have no counterpart for. */
const beyondColumns: ReadonlySet<string> = new Set(['description', 'example', 'readOnly', 'enum', 'deprecated'])

/** What a property and a column can both say. Of JSON the spec says more than its column. */
const factsOfSpec = (name: string, table: Properties): Properties =>
  Object.fromEntries(
    Object.entries(columnsOf(name)).map(([property, schema]) => {
      const documented = Object.fromEntries(
        Object.entries(schema).filter(([keyword, value]) => !beyondColumns.has(keyword) && value !== 'uri'),
      )
      return [property, table[property]?.['json'] === true ? jsonOf(documented) : documented]
    }),
  )

const jsonOf = ({ type }: Schema): Schema => {
  const types = [type].flat()
  return { json: types.includes('object') || types.includes('array'), nullable: types.includes('null') }
}

test.each(records)('%s shows the columns of its collection with their types', (name, schema) => {
  const computed = Object.keys(propertiesOf(name)).filter((property) => !(property in columnsOf(name)))
  const table = factsOfTable(collectionOf(schema), new Set(computed))
  expect(factsOfSpec(name, table)).toEqual(table)
})

/** The fields that are columns; some columns have several names. */
function factsOfTable(name: string, computed: ReadonlySet<string>): Properties {
  const { collection, fields } = shown(name)
  return Object.fromEntries(
    fields
      .filter(({ name: said, codec }) => codec.kind !== 'file-facts' && !computed.has(said))
      .map(({ name: said, field, codec }) => [said, factsOf(collection, collection.fields.get(field) as Field, codec)]),
  )
}

function shown(name: string): { readonly collection: Collection; readonly fields: readonly FieldView[] } {
  const collection = world.ctx.schema.collections.get(name) as Collection
  return { collection, fields: [...(view.byCore.get(name)?.fields.values() ?? [])] }
}

const recordOf = new Map(records.map(([name, schema]) => [schema['x-collection'], name]))

function factsOf(collection: Collection, { column, relation }: Field, codec: Codec): Schema {
  const mayBeNull = isNullable(collection, column)
  if (relation !== null && relation.kind !== 'many-to-any') {
    const record = recordOf.get(relation.collection)
    const forms = [{ type: propertiesOf(record ?? '')['id']?.['type'] }, { $ref: `#/components/schemas/${record}` }]
    if (relation.kind === 'one-to-many') return { type: 'array', items: { anyOf: forms } }
    return { anyOf: mayBeNull ? [...forms, { type: 'null' }] : forms }
  }
  if (codec.kind === 'mask') return { type: ['string', 'null'] }
  if (codec.kind === 'json') return { json: true, nullable: mayBeNull && codec.nullAs !== 'empty' }
  const { type, ...form } = wire[codec.kind] ?? {}
  const isFilled = 'nullAs' in codec && codec.nullAs !== 'null'
  return {
    ...form,
    type: mayBeNull && !isFilled ? [type, 'null'] : type,
    ...(column?.maxLength == null ? {} : { maxLength: column.maxLength }),
    ...(column?.defaultValue == null ? {} : { default: shownDefault(column.defaultValue, codec) }),
  }
}

const shownDefault = (stored: unknown, codec: Codec): unknown =>
  codec.kind === 'words' ? (codec.words[String(stored)] ?? stored) : stored

const wire: { readonly [Kind in Codec['kind']]?: Schema } = {
  text: { type: 'string' },
  words: { type: 'string' },
  boolean: { type: 'boolean' },
  literal: { type: 'integer' },
  number: { type: 'integer' },
  'offset-datetime': { type: 'string', format: 'date-time' },
  csv: { type: 'array', items: { type: 'string' } },
}

test.each(records)('%s takes null where its columns do', (name, schema) => {
  const { collection, fields } = shown(collectionOf(schema))
  const expected = fields
    .filter(({ name: said, codec }) => said in propertiesOf(`${name}Input`) && codec.kind !== 'file-facts')
    .map(({ name: said, field }) => [said, collection.fields.get(field)?.column?.nullable === true])
  const nullable = expected.map(([said]) => [said, takesNull(propertiesOf(`${name}Input`)[String(said)] ?? {})])
  expect(nullable).toEqual(expected)
})

const takesNull = ({ type, anyOf }: Schema): boolean =>
  [type].flat().includes('null') || (Array.isArray(anyOf) && (anyOf as readonly Schema[]).some(takesNull))

/** Columns that are not nullable and that the server fills in on create. */
const filled: { readonly [place: string]: true } = {
  'platform_files.storage': true,
  'platform_files.filename_download': true,
}

test.each(records)('creating %s requires what its columns need', (name, schema) => {
  const { collection, fields } = shown(collectionOf(schema))
  const needed = fields.flatMap(({ name: said, field, codec }) => {
    const column = collection.fields.get(field)?.column
    if (column == null || column.nullable || column.hasDefault || column.primaryKey || column.generated) return []
    const isGiven = propertiesOf(name)[said]?.['readOnly'] === true || filled[`${collection.name}.${field}`] === true
    return isGiven || codec.kind === 'file-facts' ? [] : [said]
  })
  const required = (schemas[`${name}Input`]?.['required'] ?? []) as readonly string[]
  expect(required.filter((each) => propertiesOf(name)[each]?.['x-computed'] !== true).toSorted()).toEqual(
    needed.toSorted(),
  )
})

const words = records.flatMap(([name, schema]) =>
  Object.entries(propertiesOf(name)).flatMap(([property, { enum: listed }]) =>
    listed === undefined ? [] : [[name, property, collectionOf(schema), listed as readonly unknown[]] as const],
  ),
)

test.each(words)('%s.%s accepts its enum values only', (_name, property, collection, listed) => {
  const stored = systemFields.get(collection)?.[property]
  const renamed = stored?.codec?.kind === 'words' ? stored.codec.words : {}
  const toStored = (word: unknown) => Object.entries(renamed).find(([, shownAs]) => shownAs === word)?.[0] ?? word
  for (const word of listed) {
    expect(systemValue(collection, String(stored?.field), toStored(word))).toBe(toStored(word))
  }
  const failures = expect.arrayContaining([expect.objectContaining({ field: stored?.field })]) as unknown
  expect(() => systemValue(collection, String(stored?.field), 'no-such-word')).toThrow(
    expect.objectContaining({ failures }),
  )
})
