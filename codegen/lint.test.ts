import { expect, test } from 'vitest'
import { loadSpec } from './bundle.ts'
import { lintSpec } from './lint.ts'
import type { Operation, SpecModel } from './model.ts'

const failure = { description: 'Error.', content: { 'application/json': { schema: { type: 'object' }, example: {} } } }
const operation: Operation = {
  id: 'readThing',
  method: 'get',
  path: '/things/{id}',
  tag: 'things',
  summary: 'Read a thing',
  description: 'Answers with the thing.',
  search: false,
  transactional: false,
  administratorsOnly: false,
  changesModel: false,
  receives: false,
  independent: false,
  unidentified: false,
  current: null,
  secured: true,
  parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' }, example: 'a' }],
  requestBody: null,
  responses: {
    200: {
      description: 'Ok.',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' }, example: { name: 'x' } } },
    },
    400: failure,
    401: failure,
    403: failure,
    500: failure,
  },
}
const thing = {
  type: 'object',
  properties: { name: { type: 'string', description: 'Name.' } },
  additionalProperties: false,
}

const specWith = (changed: Partial<Operation>, schemas: object = {}, more: readonly Operation[] = []): SpecModel => ({
  generation: 'current',
  document: {
    openapi: '3.1.0',
    info: { title: 't', version: '1' },
    tags: [{ name: 'things', description: 'Things.' }],
    paths: {},
    components: { schemas: { Thing: thing, ...schemas } },
  },
  operations: [{ ...operation, ...changed }, ...more],
  records: [],
})

test('the specs of both generations follow the rules', async () => {
  expect((await Promise.all([loadSpec('current'), loadSpec('legacy')])).flatMap(lintSpec)).toEqual([])
})

const words = { type: 'string', enum: ['a', 'b'] }
const query = { name: 'q', in: 'query', allowReserved: true, schema: { type: 'string' } } as const
const json = (schema: object, more: object = {}) => ({
  content: { 'application/json': { schema: { ...schema }, ...more } },
})

const rows: readonly (readonly [string, SpecModel, readonly string[]])[] = [
  ['a spec that follows the rules', specWith({}), []],
  ['an operationId without a verb', specWith({ id: 'thing' }), ['current thing: operationId is not a verb and a noun']],
  ['no summary', specWith({ summary: '' }), ['current readThing: summary is missing']],
  ['no description', specWith({ description: '' }), ['current readThing: description is missing']],
  ['an undeclared tag', specWith({ tag: 'other' }), ['current readThing: the tag "other" is not declared']],
  ['an operationId twice', specWith({}, {}, [operation]), ['current: the operationId readThing exists twice']],
  [
    'a query parameter that refuses reserved characters',
    specWith({ parameters: [{ ...query, allowReserved: false }] }),
    ['current readThing: allowReserved is missing on q'],
  ],
  [
    'a parameter with oneOf',
    specWith({ parameters: [{ ...query, schema: { oneOf: [{ type: 'string' }] } }] }),
    ['current readThing: the parameter q uses oneOf or anyOf'],
  ],
  [
    'a body without example, and without the errors of a body',
    specWith({ requestBody: json({ type: 'object' }) }),
    [
      'current readThing: an example is missing for the request body',
      'current readThing: the answer 413 is missing',
      'current readThing: the answer 415 is missing',
    ],
  ],
  [
    'an example that does not fit',
    specWith({ parameters: [{ ...query, schema: { type: 'integer' }, example: 'x' }] }),
    ['current: the example of readThing, q does not fit: data must be integer'],
  ],
  [
    'an object of fixed shape that allows more',
    specWith({}, { Loose: { type: 'object', properties: { a: { description: 'A.' } } } }),
    ['current: additionalProperties is missing at /components/schemas/Loose'],
  ],
  [
    'the same schema twice',
    specWith({}, { Copy: { ...thing, description: 'The same.' } }),
    ['current: the same schema at /components/schemas/Thing and /components/schemas/Copy'],
  ],
  [
    'the same list of values twice, and not once beside a name',
    specWith({}, { Word: words, One: { type: 'array', items: words }, Two: { type: 'array', items: words } }),
    ['current: the same list of values at /components/schemas/One/items and /components/schemas/Two/items'],
  ],
  [
    'schemas in a cycle',
    specWith({}, { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } }),
    ['current: the schemas A → B → A are a cycle', 'current: the schemas B → A → B are a cycle'],
  ],
]
test.each(rows)('lint: %s', (_name, spec, found) => {
  expect(lintSpec(spec)).toEqual(found)
})
