/**
 * Derives the schemas of a record from its hand-written schema: for answers, for create and update, and the envelopes
 * of answers. A schema with `x-collection` is a record.
 *
 * Keywords of its properties: `x-one: Role` is a key or the record itself, `x-many: Panel` a list of these, `x-secret`
 * is written in plain text and read masked, `x-computed` has no column, `x-written` is the schema of what is written
 * where it differs from what is read, `x-filled` reads null as an empty list or as false, and `x-column: csv` is the type of the column where JSON does not tell
 * it; `x-default` says that the column has a default which is not told. `x-required` of the record
 * lists the properties that create needs, `x-named` says that a table without a record refers to it.
 */
import { currentForms } from './forms-current.ts'
import { legacyForms } from './forms-legacy.ts'
import type { Generation } from './model.ts'
import { keyOf, type RecordModel, type Schema, without } from './record-parts.ts'

type Schemas = { readonly [name: string]: unknown }
type Components = { readonly [kind: string]: Schemas }

const forms = { current: currentForms, legacy: legacyForms } as const

/** Adds the derived schemas of all records to the components. */
export const withRecords = (components: Components, generation: Generation): Components => {
  const schemas = components.schemas ?? {}
  const records = recordsOf(schemas).map(withoutColumns)
  const keys = new Map(records.map(({ name, properties }) => [name, keyOf(properties)]))
  const key = (of: string): Schema => keys.get(of) ?? { type: ['string', 'integer'] }
  const made = records.flatMap((record) => forms[generation](record, key))
  const twice = made.find(([name]) => name in schemas && !keys.has(name))
  if (twice !== undefined) throw new Error(`the schema ${twice[0]} is derived from a record and also hand-written`)
  return records.length === 0 ? components : { ...components, schemas: { ...schemas, ...Object.fromEntries(made) } }
}

/** Nothing in REST depends on the type of the column. */
const withoutColumns = (record: RecordModel): RecordModel => ({
  ...record,
  properties: Object.fromEntries(
    Object.entries(record.properties).map(([name, property]) => [name, without(property, 'x-column', 'x-default')]),
  ),
})

export const recordsOf = (schemas: Schemas): readonly RecordModel[] =>
  Object.entries(schemas).flatMap(([name, schema]) => recordOf(name, schema))

/** The records with properties that refer to no schema: the keywords of the schema stand beside their own. */
export const wholeRecordsOf = (schemas: Schemas): readonly RecordModel[] =>
  recordsOf(schemas).map((record) => ({
    ...record,
    properties: Object.fromEntries(
      Object.entries(record.properties).map(([name, { $ref, ...own }]) => {
        const named = schemas[String($ref).replace('#/components/schemas/', '')] as Schema | undefined
        return [name, { ...named, ...own }]
      }),
    ),
  }))

const recordOf = (name: string, schema: unknown): readonly RecordModel[] => {
  const {
    'x-collection': collection,
    'x-required': required,
    'x-named': isNamed,
    properties,
    description,
  } = schema as {
    readonly 'x-collection'?: string
    readonly 'x-required'?: readonly string[]
    readonly 'x-named'?: boolean
    readonly properties: RecordModel['properties']
    readonly description: string
  }
  if (collection === undefined) return []
  return [{ name, description, collection, required: required ?? [], isNamed: isNamed === true, properties }]
}

export const exampleOf = (schema: unknown): Schema => {
  const { properties = {} } = schema as { readonly properties?: { readonly [name: string]: Schema } }
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, each]) => ('example' in each ? [[name, each.example]] : [])),
  )
}
