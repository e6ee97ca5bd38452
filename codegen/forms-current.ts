/** The schemas that the current generation derives from a record. */
import {
  type Forms,
  factsOf,
  isWordList,
  type KeyOf,
  listOf,
  oneOrSeveral,
  orNull,
  type RecordModel,
  readOf,
  ref,
  type Schema,
  without,
} from './record-parts.ts'

export const currentForms: Forms = (record, key) => {
  const { name, description, collection } = record
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
      { ...isDerived, description: 'One, or several in a list.', oneOf: oneOrSeveral(`${name}Input`) },
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
        data: { description: 'One, or a list.', oneOf: oneOrSeveral(name) },
      }),
    ],
  ]
}

const envelope = (description: string, properties: { readonly [name: string]: Schema }): Schema => ({
  description,
  type: 'object',
  properties,
  required: ['data'],
  additionalProperties: false,
})

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
        if (secret === true) return [name, { ...without(plain, 'example'), writeOnly: true }]
        const more = name === 'id' ? ['null'] : isWordList(plain) ? ['string'] : []
        return [name, more.length === 0 ? plain : { ...plain, type: [plain.type, more].flat(2) }]
      }),
  ),
  additionalProperties: true,
})

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
