/** What the derived schemas of records have in common in both generations. */
export type Schema = { readonly [keyword: string]: unknown }

export type Property = Schema & {
  readonly 'x-one'?: string
  readonly 'x-many'?: string
  readonly 'x-secret'?: boolean
  readonly 'x-written'?: Schema
}

export type RecordModel = {
  readonly name: string
  readonly description: string
  readonly collection: string
  readonly required: readonly string[]
  /** Whether a table that is no record refers to it. */
  readonly isNamed: boolean
  readonly properties: { readonly [name: string]: Property }
}

export type KeyOf = (name: string) => Schema

export type Made = readonly (readonly [name: string, schema: unknown])[]

export type Forms = (record: RecordModel, key: KeyOf) => Made

export const keyOf = ({ id }: RecordModel['properties']): Schema => {
  const { type = 'string', format } = id ?? {}
  return format === undefined ? { type } : { type, format }
}

export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

export const listOf = (items: Schema): Schema => ({ type: 'array', items })

export const oneOrSeveral = (name: string): readonly Schema[] => [ref(name), listOf(ref(name))]

const facts = ['description', 'example', 'readOnly', 'deprecated'] as const

export const factsOf = (schema: Schema): Schema =>
  Object.fromEntries(facts.flatMap((name) => (name in schema ? [[name, schema[name]]] : [])))

export const orNull = ({ type }: Schema): readonly Schema[] =>
  [type].flat().includes('null') ? [{ type: 'null' }] : []

export const without = (schema: Schema, ...keywords: readonly string[]): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)))

/** The properties of an answer: relations as keys or records, secrets masked. */
export const readOf = ({ properties }: RecordModel, key: KeyOf): Schema =>
  Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const { 'x-one': one, 'x-many': many, 'x-secret': secret, 'x-written': _written, ...plain } = property
      if (one !== undefined) return [name, { ...factsOf(property), anyOf: [key(one), ref(one), ...orNull(property)] }]
      if (many !== undefined) {
        return [name, { ...factsOf(property), type: 'array', items: { anyOf: [key(many), ref(many)] } }]
      }
      return [name, secret === true ? { ...factsOf(plain), type: ['string', 'null'] } : plain]
    }),
  )

/** Whether the schema is a list of texts, which may also be written as one text with commas. */
export const isWordList = ({ type, items }: Schema): boolean =>
  [type].flat().includes('array') && (items as Schema).type === 'string'
