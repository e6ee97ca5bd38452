/** The schemas that the legacy generation derives from a record. Its answers have one envelope for one and for several. */
import {
  type Forms,
  factsOf,
  isWordList,
  type KeyOf,
  listOf,
  oneOrSeveral,
  orNull,
  type Property,
  type RecordModel,
  readOf,
  ref,
  type Schema,
  without,
} from './record-parts.ts'

export const legacyForms: Forms = (record, key) => {
  const { name, description, collection } = record
  const isDerived = { 'x-derived': name }
  const inputs = inputsOf(record)
  const required = record.required.length === 0 ? {} : { required: record.required }
  const changed = { id: { ...factsOf(record.properties.id ?? {}), type: ['integer', 'string'] }, ...inputs }
  return [
    [name, { ...open(description, shownOf(record, key)), 'x-collection': collection }],
    [`${name}Input`, { ...isDerived, ...open(`${description} What creating it takes.`, inputs), ...required }],
    [`${name}Patch`, { ...isDerived, ...open(`${description} What changing it takes.`, changed) }],
    [
      `${name}OneOrSeveral`,
      { ...isDerived, description: 'One, or several in a list.', oneOf: oneOrSeveral(`${name}Input`) },
    ],
    [
      `${name}Changes`,
      { ...isDerived, description: 'A list of changes, each with its `id`.', ...listOf(ref(`${name}Patch`)) },
    ],
    [`${name}Related`, { ...isDerived, ...relatedOf(name) }],
    [`${name}OneEnvelope`, { ...closed('One of them.', { data: ref(name), ...around }), required: ['data'] }],
    [`${name}Envelope`, { ...envelopeOf(name, 'One where one was asked for, else a list.'), required: ['data'] }],
    [
      `${name}WrittenEnvelope`,
      envelopeOf(
        name,
        'One where one was written, else a list. No `data` where a caller without a token may not read it.',
      ),
    ],
  ]
}

const closed = (description: string, properties: object): Schema => ({
  description,
  type: 'object',
  properties,
  additionalProperties: false,
})

/** A project may add columns to records. The server refuses properties that are no columns. */
const open = (description: string, properties: object): Schema => ({
  ...closed(description, properties),
  additionalProperties: true,
})

const around = { meta: ref('Meta'), public: ref('IsPublic') }

const envelopeOf = (name: string, description: string): Schema =>
  closed(description, { data: { description: 'One, or a list.', oneOf: oneOrSeveral(name) }, ...around })

/** Properties of answers: an absent value that is shown as empty or as no is never null. */
const shownOf = (record: RecordModel, key: KeyOf): Schema =>
  Object.fromEntries(
    Object.entries(readOf(record, key) as { readonly [name: string]: Schema }).map(([name, property]) => {
      const { 'x-filled': filled, type, ...rest } = property
      return [name, filled === true ? { ...rest, type: [type].flat().find((each) => each !== 'null') } : property]
    }),
  )

/** Properties of bodies: none that only the server sets; related records are numbers, also as text, or objects. */
const inputsOf = ({ properties }: RecordModel): { readonly [name: string]: Schema } =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      const written = property['x-written'] ?? (property.readOnly === true ? null : inputOf(property))
      return written === null ? [] : [[name, written]]
    }),
  )

const inputOf = (property: Property): Schema => {
  const { 'x-one': one, 'x-many': many, 'x-secret': secret, 'x-filled': _filled, ...plain } = property
  if (one !== undefined)
    return {
      ...factsOf(property),
      anyOf: [{ type: ['integer', 'string'] }, ref(`${one}Patch`), ...orNull(property)],
    }
  if (many !== undefined) return ref(`${many}Related`)
  if (secret === true) return { ...without(plain, 'example'), writeOnly: true }
  return isWordList(plain) ? { ...plain, type: [plain.type, 'string'].flat() } : plain
}

const relatedOf = (name: string): Schema => ({
  description: 'Rows with an `id` are changed, rows without one are created, all others stay; `$delete` deletes.',
  ...listOf({ anyOf: [ref(`${name}Patch`), ref('Removal')] }),
})
