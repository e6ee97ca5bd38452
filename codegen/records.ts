/**
 * Derives the schemas of a record from its hand-written schema: for answers, for create and update, and the envelopes
 * of answers. A schema with `x-collection` is a record.
 *
 * Keywords of its properties: `x-one: Role` is a key or the record itself, `x-many: Panel` a list of these, `x-secret`
 * is written in plain text and read masked, `x-computed` has no column. `x-required` of the record lists the
 * properties that create needs.
 */
type Schema = { readonly [keyword: string]: unknown }
type Property = Schema & { readonly 'x-one'?: string; readonly 'x-many'?: string; readonly 'x-secret'?: boolean }
type Schemas = { readonly [name: string]: unknown }
type Components = { readonly [kind: string]: Schemas }

type RecordModel = {
  readonly name: string
  readonly description: string
  readonly collection: string
  readonly required: readonly string[]
  readonly properties: { readonly [name: string]: Property }
}

type Made = readonly (readonly [name: string, schema: unknown])[]

/** Adds the derived schemas of all records to the components. */
export const withRecords = (components: Components): Components => {
  const schemas = components.schemas ?? {}
  const records = Object.entries(schemas).flatMap(([name, schema]) => recordOf(name, schema))
  const keys = new Map(records.map(({ name, properties }) => [name, keyOf(properties)]))
  const made = records.flatMap((record) => formsOf(record, keys))
  const twice = made.find(([name]) => name in schemas && !keys.has(name))
  if (twice !== undefined) throw new Error(`the schema ${twice[0]} is derived from a record and also hand-written`)
  return records.length === 0 ? components : { ...components, schemas: { ...schemas, ...Object.fromEntries(made) } }
}

const recordOf = (name: string, schema: unknown): readonly RecordModel[] => {
  const {
    'x-collection': collection,
    'x-required': required,
    properties,
    description,
  } = schema as {
    readonly 'x-collection'?: string
    readonly 'x-required'?: readonly string[]
    readonly properties: RecordModel['properties']
    readonly description: string
  }
  if (collection === undefined) return []
  return [{ name, description, collection, required: required ?? [], properties }]
}

/** The example of a record, from the examples of its properties. */
export const exampleOf = (schema: unknown): Schema => {
  const { properties = {} } = schema as { readonly properties?: { readonly [name: string]: Schema } }
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, each]) => ('example' in each ? [[name, each.example]] : [])),
  )
}

/** The schema of the record's key, for references to it. */
const keyOf = ({ id }: RecordModel['properties']): Schema => {
  const { type = 'string', format } = id ?? {}
  return format === undefined ? { type } : { type, format }
}

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

const formsOf = (record: RecordModel, keys: ReadonlyMap<string, Schema>): Made => {
  const { name, description, collection } = record
  const key: KeyOf = (of) => keys.get(of) ?? { type: ['string', 'integer'] }
  const patch = inputOf(record, key)
  const required = record.required.length === 0 ? {} : { required: record.required }
  const isDerived = { 'x-derived': name }
  return [
    [
      name,
      {
        description,
        type: 'object',
        'x-collection': collection,
        properties: readOf(record, key),
        additionalProperties: true,
      },
    ],
    [`${name}Input`, { ...patch, ...isDerived, description: `${description} What creating it takes.`, ...required }],
    [`${name}Patch`, { ...patch, ...isDerived, description: `${description} What changing it takes.` }],
    [
      `${name}OneOrSeveral`,
      {
        ...isDerived,
        description: 'One, or several in a list.',
        oneOf: [ref(`${name}Input`), listOf(ref(`${name}Input`))],
      },
    ],
    [`${name}Changes`, { ...isDerived, ...changesOf(name) }],
    [`${name}Related`, { ...isDerived, ...relatedOf(name, key(name)) }],
    [`${name}Envelope`, envelope('One of them.', { data: ref(name) })],
    [
      `${name}ListEnvelope`,
      envelope('A list, and counts when they were asked for.', {
        meta: ref('Counts'),
        data: { ...listOf(ref(name)), description: 'The list.' },
      }),
    ],
    [
      `${name}OrListEnvelope`,
      envelope('One where one was sent, else a list.', {
        data: { description: 'One, or a list.', oneOf: [ref(name), listOf(ref(name))] },
      }),
    ],
  ]
}

const listOf = (items: Schema): Schema => ({ type: 'array', items })

const envelope = (description: string, properties: { readonly [name: string]: Schema }): Schema => ({
  description,
  type: 'object',
  properties,
  required: ['data'],
  additionalProperties: false,
})

const facts = ['description', 'example', 'readOnly', 'deprecated'] as const

const factsOf = (schema: Schema): Schema =>
  Object.fromEntries(facts.flatMap((name) => (name in schema ? [[name, schema[name]]] : [])))

const isNullable = ({ type }: Schema): boolean => Array.isArray(type) && type.includes('null')

const orNull = (schema: Schema): readonly Schema[] => (isNullable(schema) ? [{ type: 'null' }] : [])

type KeyOf = (name: string) => Schema

const readOf = ({ properties }: RecordModel, key: KeyOf): Schema =>
  Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const { 'x-one': one, 'x-many': many, 'x-secret': secret, ...plain } = property
      if (one !== undefined) return [name, { ...factsOf(property), anyOf: [key(one), ref(one), ...orNull(property)] }]
      if (many !== undefined) {
        return [name, { ...factsOf(property), type: 'array', items: { anyOf: [key(many), ref(many)] } }]
      }
      return [name, secret === true ? { ...factsOf(plain), type: ['string', 'null'] } : plain]
    }),
  )

/** The schema of bodies: without properties that only the server sets; related records may be objects. */
const inputOf = ({ properties }: RecordModel, key: KeyOf): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(properties)
      .filter(([, { readOnly }]) => readOnly !== true)
      .map(([name, property]) => {
        const { 'x-one': one, 'x-many': many, 'x-secret': secret, ...plain } = property
        if (one !== undefined)
          return [name, { ...factsOf(property), anyOf: [key(one), ref(`${one}Patch`), ...orNull(property)] }]
        if (many !== undefined) {
          return [name, { ...factsOf(property), anyOf: [ref(`${many}Related`), { type: 'null' }] }]
        }
        if (secret === true) return [name, { ...withoutExample(plain), writeOnly: true }]
        return [name, isNamed(name, plain) ? { ...plain, type: [plain.type, writtenToo(name)].flat() } : plain]
      }),
  ),
  additionalProperties: true,
})

/** Lists of strings may also be one comma-separated text; an absent or null key is generated. */
const isNamed = (name: string, { type, items }: Schema): boolean =>
  name === 'id' || ([type].flat().includes('array') && (items as Schema).type === 'string')

const writtenToo = (name: string): string => (name === 'id' ? 'null' : 'string')

const withoutExample = (schema: Schema): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== 'example'))

const changesOf = (name: string): Schema => ({
  description:
    'The same changes for those that `keys` or `query` name, or a list with the key and the changes of each.',
  oneOf: [
    {
      type: 'object',
      properties: { keys: ref('Keys'), query: ref('OpenObject'), data: ref(`${name}Patch`) },
      required: ['data'],
      additionalProperties: false,
    },
    listOf(ref(`${name}Patch`)),
  ],
})

const relatedOf = (name: string, key: Schema): Schema => ({
  description: 'The whole list, as keys and objects, or what is created, changed and taken out of it.',
  oneOf: [
    listOf({ anyOf: [key, ref(`${name}Patch`)] }),
    {
      type: 'object',
      properties: { create: listOf(ref(`${name}Input`)), update: listOf(ref(`${name}Patch`)), delete: listOf(key) },
      additionalProperties: false,
    },
  ],
})
