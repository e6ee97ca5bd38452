import { buildSchema } from 'graphql'
import { expect, test } from 'vitest'
import { changesText } from './src/diff/change.ts'
import { compareTexts } from './src/diff/compare.ts'

type Parts = {
  readonly parameters?: readonly object[]
  readonly body?: object
  readonly item?: object
  readonly responses?: object
  readonly paths?: object
}

const plain = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, status: { enum: ['draft', 'live'] } },
}

function documentWith({ parameters = [], body = plain, item = plain, responses = {}, paths }: Parts = {}): string {
  const thing = { $ref: '#/components/schemas/Thing' }
  const list = { type: 'object', properties: { data: { type: 'array', items: thing } } }
  const ok = { description: 'Things.', content: { 'application/json': { schema: list } } }
  return JSON.stringify({
    openapi: '3.1.0',
    paths: paths ?? {
      '/things': {
        get: { operationId: 'readThings', parameters, responses: { 200: ok, ...responses } },
        post: {
          operationId: 'createThing',
          requestBody: { required: true, content: { 'application/json': { schema: body } } },
          responses: { 200: ok },
        },
      },
    },
    components: { schemas: { Thing: item } },
  })
}

const limit = { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } }

const breaking: readonly (readonly [name: string, before: Parts, after: Parts, text: string])[] = [
  ['a removed operation', {}, { paths: {} }, 'the operation is removed'],
  ['a removed parameter', { parameters: [limit] }, {}, 'the query parameter limit is removed'],
  [
    'a new required parameter',
    {},
    { parameters: [{ ...limit, required: true }] },
    'the query parameter limit is new and required',
  ],
  [
    'a parameter that becomes required',
    { parameters: [limit] },
    { parameters: [{ ...limit, required: true }] },
    'the query parameter limit is required',
  ],
  [
    'a narrowed parameter',
    { parameters: [limit] },
    { parameters: [{ ...limit, schema: { type: 'integer', maximum: 50 } }] },
    'the query parameter limit has maximum 50 in place of 100',
  ],
  [
    'a parameter of another type',
    { parameters: [limit] },
    { parameters: [{ ...limit, schema: { type: 'string' } }] },
    'the query parameter limit is no longer integer',
  ],
  [
    'a narrowed request type',
    {},
    { body: { ...plain, properties: { ...plain.properties, id: { type: 'string' } } } },
    'the body id is no longer integer',
  ],
  [
    'a new required property of a request',
    {},
    { body: { ...plain, required: ['id', 'name'], properties: { ...plain.properties, name: { type: 'string' } } } },
    'the body name is a new required property',
  ],
  [
    'a removed response property',
    {},
    { item: { ...plain, properties: { id: { type: 'integer' } } } },
    'the response 200 data[].status is removed',
  ],
  [
    'a response property that may be null',
    {},
    { item: { ...plain, properties: { ...plain.properties, id: { type: ['integer', 'null'] } } } },
    'the response 200 data[].id may be null',
  ],
  [
    'a response property that may be missing',
    {},
    { item: { ...plain, required: [] } },
    'the response 200 data[].id may be missing',
  ],
  [
    'a removed enum value',
    {},
    { body: { ...plain, properties: { ...plain.properties, status: { enum: ['draft'] } } } },
    'the body status no longer has the value live',
  ],
  ['a removed status of success', { responses: { 204: { description: 'None.' } } }, {}, 'the status 204 is removed'],
]

test.each(breaking)('%s is breaking', (_name, before, after, text) => {
  const changes = compareTexts(documentWith(before), documentWith(after))
  expect(changes.filter(({ isBreaking }) => isBreaking).map((each) => each.text)).toContain(text)
})

const compatible: readonly (readonly [name: string, before: Parts, after: Parts])[] = [
  ['the same document', {}, {}],
  ['a new optional parameter', {}, { parameters: [limit] }],
  [
    'a widened parameter',
    { parameters: [limit] },
    { parameters: [{ ...limit, schema: { type: ['integer', 'string'], maximum: 200 } }] },
  ],
  [
    'a new response property',
    {},
    { item: { ...plain, properties: { ...plain.properties, name: { type: 'string' } } } },
  ],
  ['a new status', {}, { responses: { 404: { description: 'None.' } } }],
  [
    'a new enum value',
    {},
    { body: { ...plain, properties: { ...plain.properties, status: { enum: ['draft', 'live', 'old'] } } } },
  ],
  ['a new operation', { paths: {} }, {}],
]

test.each(compatible)('%s is not breaking', (_name, before, after) => {
  const changes = compareTexts(documentWith(before), documentWith(after))
  expect(changes.filter(({ isBreaking }) => isBreaking)).toEqual([])
})

test('a change names the method and the type of the SDK', () => {
  const item = { ...plain, properties: { id: { type: 'integer' } } }
  const [first] = compareTexts(documentWith(), documentWith({ item }))
  expect(first?.sdk).toEqual({ method: 'readThings', type: "components['schemas']['Thing']['status']" })
  expect(changesText(compareTexts(documentWith(), documentWith({ item })))).toBe(`Breaking

GET /things
  the response 200 data[].status is removed
    SDK: readThings(), components['schemas']['Thing']['status']

POST /things
  the response 200 data[].status is removed
    SDK: createThing(), components['schemas']['Thing']['status']

Breaking: 2 breaking, 0 compatible
`)
})

/** A document whose one body is a thing of this name, or a list. */
const bodyOf = (name: string, type: string) =>
  JSON.stringify({
    openapi: '3.1.0',
    paths: {
      '/things': {
        post: {
          operationId: 'createThing',
          requestBody: {
            content: {
              'application/json': {
                schema: { oneOf: [{ $ref: `#/components/schemas/${name}` }, { type: 'array', items: {} }] },
              },
            },
          },
          responses: {},
        },
      },
    },
    components: { schemas: { [name]: { type: 'object', properties: { id: { type } } } } },
  })

const changesOf = (name: string, type: string) =>
  compareTexts(bodyOf('Thing', 'integer'), bodyOf(name, type)).map((each) => each.text)

test('a list of values may get a name, and what stands beside its reference counts', () => {
  const words = { type: 'string', enum: ['draft', 'live'] }
  const documentOf = (status: object): string =>
    JSON.stringify({
      ...(JSON.parse(documentWith({ body: { ...plain, properties: { id: { type: 'integer' }, status } } })) as object),
      components: { schemas: { Thing: plain, Status: words } },
    })
  const named = { $ref: '#/components/schemas/Status', default: 'draft' }
  expect(compareTexts(documentOf({ ...words, default: 'draft' }), documentOf(named))).toEqual([])
  expect(compareTexts(documentOf(named), documentOf({ ...named, default: 'live' })).map(({ text }) => text)).toEqual([
    'the body status is "live" by default',
  ])
})

test('a variant with another name is compared with the one of its type', () => {
  expect(changesOf('NewThing', 'integer')).toEqual([])
  expect(changesOf('NewThing', 'string')).toEqual(changesOf('Thing', 'string'))
  expect(changesOf('NewThing', 'string')).not.toEqual([])
})

test('schemas that contain themselves are compared once', () => {
  const item = {
    type: 'object',
    properties: { id: { type: 'integer' }, parent: { $ref: '#/components/schemas/Thing' } },
  }
  expect(compareTexts(documentWith({ item }), documentWith({ item }))).toEqual([])
})

test('GraphQL schemas are compared by type', () => {
  const before = 'type Query { things(limit: Int): [Thing] }\ntype Thing { id: ID! name: String }'
  const after = 'type Query { things(limit: Int!): [Thing] }\ntype Thing { id: ID! }'
  buildSchema(after)
  const changes = compareTexts(before, after)
  expect(changes.map(({ operation, isBreaking }) => [operation, isBreaking])).toEqual([
    ['Query', true],
    ['Thing', true],
  ])
  expect(compareTexts(before, before)).toEqual([])
  expect(() => compareTexts(before, documentWith())).toThrow('One document is OpenAPI and the other one GraphQL')
})
