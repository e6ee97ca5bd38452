import { expect, test } from 'vitest'
import { exampleOf, withRecords } from './records.ts'

const key = { type: 'string', format: 'uuid', description: 'Key.', example: 'a' }
const role = {
  description: 'A role.',
  type: 'object',
  'x-collection': 'platform_roles',
  'x-required': ['name'],
  properties: {
    id: key,
    name: { type: 'string', maxLength: 9, description: 'Name.', example: 'Author' },
    password: { type: ['string', 'null'], 'x-secret': true, description: 'Masked.', example: null },
    parent: { type: ['string', 'null'], format: 'uuid', 'x-one': 'Role', description: 'Above.', example: null },
    children: { type: 'array', 'x-many': 'Role', description: 'Below.', example: [] },
    created: { type: 'string', readOnly: true, description: 'When.', example: 'now' },
    system: { type: 'boolean', readOnly: true, 'x-computed': true, description: 'Whether it is built in.' },
  },
  additionalProperties: true,
}

type Schema = { readonly [keyword: string]: unknown }
const schemas = withRecords({ schemas: { Role: role } }, 'current').schemas as { readonly [name: string]: Schema }
const propertyOf = (name: string, property: string): unknown =>
  (schemas[name]?.['properties'] as Schema | undefined)?.[property]

test('a record gets all derived schemas, and other components are unchanged', () => {
  expect(Object.keys(schemas)).toEqual(
    ['', 'Input', 'Patch', 'OneOrSeveral', 'Changes', 'Related', 'Envelope', 'ListEnvelope', 'OrListEnvelope'].map(
      (form) => `Role${form}`,
    ),
  )
  expect(withRecords({ schemas: { Key: key } }, 'current')).toEqual({ schemas: { Key: key } })
})

test('create has the required properties of the record, update none', () => {
  expect(schemas['RoleInput']?.['required']).toEqual(['name'])
  expect(schemas['RolePatch']).not.toHaveProperty('required')
  expect(schemas['Role']).not.toHaveProperty('required')
})

test('related records are keys or objects, in answers and in bodies', () => {
  const uuid = { type: 'string', format: 'uuid' }
  const record = { $ref: '#/components/schemas/Role' }
  const patch = { $ref: '#/components/schemas/RolePatch' }
  expect(propertyOf('Role', 'parent')).toMatchObject({ anyOf: [uuid, record, { type: 'null' }] })
  expect(propertyOf('RolePatch', 'parent')).toMatchObject({ anyOf: [uuid, patch, { type: 'null' }] })
  expect(propertyOf('Role', 'children')).toMatchObject({ type: 'array', items: { anyOf: [uuid, record] } })
  expect(propertyOf('RoleInput', 'children')).toMatchObject({
    anyOf: [{ $ref: '#/components/schemas/RoleRelated' }, { type: 'null' }],
  })
})

test('bodies omit properties set by the server, and examples omit secrets', () => {
  expect(propertyOf('Role', 'created')).toBeDefined()
  expect(propertyOf('RoleInput', 'created')).toBeUndefined()
  expect(propertyOf('RoleInput', 'password')).toEqual({
    type: ['string', 'null'],
    writeOnly: true,
    description: 'Masked.',
  })
})

test('the example consists of the examples of the properties', () => {
  expect(exampleOf(role)).toEqual({
    id: 'a',
    name: 'Author',
    password: null,
    parent: null,
    children: [],
    created: 'now',
  })
})

test('a derived schema that is also hand-written is refused', () => {
  expect(() => withRecords({ schemas: { Role: role, RolePatch: {} } }, 'current')).toThrow('RolePatch')
})

const file = {
  description: 'A file.',
  type: 'object',
  'x-collection': 'platform_files',
  'x-required': ['data'],
  properties: {
    id: { type: 'integer', readOnly: true, description: 'Number.', example: 1 },
    above: { type: ['integer', 'null'], 'x-one': 'File', description: 'Above.', example: null },
    below: { type: 'array', 'x-many': 'File', description: 'Below.', example: [] },
    tags: { type: ['array', 'null'], items: { type: 'string' }, description: 'Words.', example: [] },
    data: { type: 'object', readOnly: true, 'x-written': { type: 'string' }, description: 'Where it is.', example: {} },
  },
}
const old = withRecords({ schemas: { File: file } }, 'legacy').schemas as { readonly [name: string]: Schema }

test('a legacy record has one envelope for one and for several, and closed bodies', () => {
  expect(Object.keys(old)).toEqual(
    ['', 'Input', 'Patch', 'OneOrSeveral', 'Changes', 'Related', 'OneEnvelope', 'Envelope', 'WrittenEnvelope'].map(
      (form) => `File${form}`,
    ),
  )
  expect(old['FileEnvelope']).toMatchObject({ required: ['data'], additionalProperties: false })
  expect(old['FileWrittenEnvelope']).not.toHaveProperty('required')
  for (const form of ['', 'Input', 'Patch']) expect(old[`File${form}`]?.['additionalProperties']).toBe(true)
})

test('legacy bodies take numbers as text, lists with commas, and what is written in another form than read', () => {
  const patch = { $ref: '#/components/schemas/FilePatch' }
  expect(old['FileInput']).toMatchObject({
    required: ['data'],
    properties: {
      above: { anyOf: [{ type: ['integer', 'string'] }, patch, { type: 'null' }] },
      below: { $ref: '#/components/schemas/FileRelated' },
      tags: { type: ['array', 'null', 'string'] },
      data: { type: 'string' },
    },
  })
  expect(old['FileInput']?.['properties']).not.toHaveProperty('id')
  expect(old['FilePatch']?.['properties']).toMatchObject({ id: { type: ['integer', 'string'] } })
  expect(old['File']?.['properties']).toMatchObject({ data: { type: 'object' } })
})
