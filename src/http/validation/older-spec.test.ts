import { expect, test } from 'vitest'
import { toOlderSpec } from './older-spec.ts'

const schemaOf = (schema: unknown): unknown => {
  const older = toOlderSpec({ components: { schemas: { A: schema } } })
  return (older['components'] as { readonly schemas: { readonly A: unknown } }).schemas.A
}

test.each([
  ['a type or null', { type: ['string', 'null'], maxLength: 3 }, { type: 'string', maxLength: 3, nullable: true }],
  ['several types', { type: ['array', 'string'], items: {}, description: 'a' }, { description: 'a' }],
  ['a constant', { const: 'a' }, { enum: ['a'] }],
  [
    'null among the values',
    { type: ['string', 'null'], enum: ['a', null] },
    { type: 'string', enum: ['a'], nullable: true },
  ],
  ['a reference or null', { anyOf: [{ $ref: '#/a' }, { type: 'null' }] }, { allOf: [{ $ref: '#/a' }], nullable: true }],
  ['alternatives', { oneOf: [{ type: 'integer' }, { $ref: '#/a' }], example: 1 }, { example: 1 }],
  ['words beside a reference', { $ref: '#/a', description: 'a' }, { allOf: [{ $ref: '#/a' }], description: 'a' }],
  ['a list of anything', { type: 'array' }, { type: 'array', items: {} }],
  [
    'an exclusive limit',
    { type: 'integer', exclusiveMinimum: 0 },
    { type: 'integer', minimum: 0, exclusiveMinimum: true },
  ],
  ['JSON text', { type: 'string', contentMediaType: 'application/json', contentSchema: true }, { type: 'string' }],
  [
    'an open record',
    { type: 'object', properties: { type: { type: 'null' }, const: { const: 1 } }, additionalProperties: true },
    { type: 'object', properties: { type: { type: 'null' }, const: { enum: [1] } } },
  ],
  ['a map', { type: 'object', additionalProperties: true }, { type: 'object', additionalProperties: {} }],
])('%s in version 3.0', (_name, schema, older) => {
  expect(schemaOf(schema)).toEqual(older)
})

test('the document around schemas', () => {
  const binary = { schema: { type: 'string', format: 'binary' } }
  const content = { 'application/json': { schema: { const: 1 }, example: { schema: { const: 1 } } } }
  expect(
    toOlderSpec({
      openapi: '3.1.0',
      info: { title: 'A', license: { name: 'MIT', identifier: 'MIT' } },
      webhooks: {},
      paths: { '/a': { post: { requestBody: { content: { 'a/b': binary } }, responses: { 200: { content } } } } },
    }),
  ).toEqual({
    openapi: '3.0.3',
    info: { title: 'A', license: { name: 'MIT' } },
    paths: {
      '/a': {
        post: {
          requestBody: { content: { 'a/b': binary }, required: true },
          responses: {
            200: { content: { 'application/json': { schema: { enum: [1] }, example: { schema: { const: 1 } } } } },
          },
        },
      },
    },
  })
})
