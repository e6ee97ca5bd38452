import { assert, asyncProperty, constantFrom, dictionary, record as recordOf } from 'fast-check'
import { expect, test } from 'vitest'
import type { Route } from '../../domain/ports/operation.ts'
import { currentRoutes } from '../../generated/current.ts'
import currentSpec from '../../generated/current-spec.json' with { type: 'json' }
import { legacyRoutes } from '../../generated/legacy.ts'
import legacySpec from '../../generated/legacy-spec.json' with { type: 'json' }
import { parameterNames } from '../app/dispatch.ts'
import { createChecks, createPlainValues } from './checks.ts'

const specs = {
  current: { spec: currentSpec, routes: currentRoutes as readonly Route[] },
  legacy: { spec: legacySpec, routes: legacyRoutes as readonly Route[] },
} as const

const texts = [
  '',
  'a',
  '5',
  '-1',
  '1.5',
  'true',
  'csv',
  'id,title',
  '*',
  '[1]',
  '{"a":1}',
  '{',
  'items',
  'ä'.repeat(63),
]
const long = [64, 256, 1001, 20_001].map((length) => 'x'.repeat(length))
const value = constantFrom<unknown>(
  ...texts,
  ...long,
  ['a', 'b'],
  [],
  {},
  { a: { _eq: '1' } },
  { constructor: '1' },
  null,
)

const outcomeOf = (checked: Promise<object>): Promise<unknown> =>
  checked.catch((error: { readonly failures?: unknown }) => ({ failures: error.failures ?? error }))

test.each([
  ['current', 'readItems'],
  ['current', 'readItem'],
  ['current', 'readAsset'],
  ['current', 'readUsers'],
  ['current', 'deleteItem'],
  ['current', 'readOpenApiSpec'],
  ['legacy', 'readItems'],
  ['legacy', 'readItem'],
  ['legacy', 'readUsers'],
] as const)('%s %s: the result is that of the validator', async (generation, operationId) => {
  const { spec, routes } = specs[generation]
  const route = routes.find((each) => each.operationId === operationId) as Route
  const check = createChecks(spec, [route], { strictQuery: false, validateResponses: false }).get(operationId)
  const queries = dictionary(constantFrom(...route.query, 'other'), value, { maxKeys: 4 })
  const path = recordOf(
    Object.fromEntries(parameterNames(route).map((name) => [name, constantFrom('a', '5', '_', ...long.slice(0, 2))])),
  )
  const headers = constantFrom({}, { 'if-match': '"a"' }, { 'if-match': 'x'.repeat(4001) })
  const property = asyncProperty(path, queries, headers, async (...[path, query, headers]) => {
    const parts = { path, query, headers, body: undefined, media: null, cookies: {} }
    const outcome = await outcomeOf(check?.request(parts) as Promise<object>)
    // The validator drops this name, and sees the whole request because of it.
    const whole = await outcomeOf(check?.request({ ...parts, query: { ...query, '[': '' } }) as Promise<object>)
    expect(outcome).toEqual(whole)
  })
  await assert(property, { numRuns: 300 })
})

test.each([
  ['current', 'readItems', { query: { export: 'pdf' } }, 'csv, csv_utf8, json, xml, yaml'],
  ['current', 'readAsset', { query: { animated: '2' } }, 'true, false, 1, 0'],
  ['legacy', 'authenticate', { body: { email: 'a@example.com', password: 'x', mode: 'text' } }, 'jwt, cookie'],
] as const)('%s %s: the refusal of a value names those that a named list has', async (generation, id, sent, words) => {
  const { spec, routes } = specs[generation]
  const route = routes.find(({ operationId }) => operationId === id) as Route
  const check = createChecks(spec, [route], { strictQuery: false, validateResponses: false }).get(id)
  const media = 'body' in sent ? 'application/json' : null
  const path = Object.fromEntries(parameterNames(route).map((name) => [name, '5']))
  const parts = { path, query: {}, headers: {}, body: undefined, cookies: {}, ...sent, media }
  const { failures } = (await outcomeOf(check?.request(parts) as Promise<object>)) as {
    readonly failures: readonly { readonly reason: string }[]
  }
  expect(failures[0]?.reason).toContain(words)
})

test('a default beside a reference is set', async () => {
  const route = currentRoutes.find(({ operationId }) => operationId === 'importCollections') as Route
  const check = createChecks(currentSpec, [route], { strictQuery: false, validateResponses: false })
  const parts = { path: {}, query: {}, headers: {}, body: undefined, media: null, cookies: {} }
  const { query } = (await check.get('importCollections')?.request(parts)) ?? {}
  expect(query).toMatchObject({ mode: 'add' })
})

const body = constantFrom<unknown>({}, { id: 1 }, { constructor: null }, [], [{}], [[]], [{}, 1], null, 'a', 1)

test.each([
  ['current', 'createItems'],
  ['current', 'updateItem'],
  ['current', 'updateItems'],
  ['current', 'createUsers'],
  ['current', 'deleteItems'],
  ['legacy', 'createItems'],
  ['legacy', 'updateUsers'],
] as const)('%s %s: the result for a body is that of the validator', async (generation, operationId) => {
  const { spec, routes } = specs[generation]
  const route = routes.find((each) => each.operationId === operationId) as Route
  const check = createChecks(spec, [route], { strictQuery: false, validateResponses: false }).get(operationId)
  const path = Object.fromEntries(parameterNames(route).map((name) => [name, '5']))
  const media = constantFrom('application/json', 'application/merge-patch+json', null)
  const queries = dictionary(constantFrom(...route.query, 'other'), value, { maxKeys: 2 })
  const property = asyncProperty(body, media, queries, async (...given) => {
    const [body, media, query] = given
    const parts = { path, query, headers: {}, body, media, cookies: {} }
    const outcome = await outcomeOf(check?.request(parts) as Promise<object>)
    const whole = await outcomeOf(check?.request({ ...parts, query: { ...query, '[': '' } }) as Promise<object>)
    expect(outcome).toEqual(whole)
  })
  await assert(property, { numRuns: 200 })
})

const list = createPlainValues({
  parameters: [
    { in: 'path', name: 'collection', schema: { type: 'string', minLength: 1, maxLength: 3 } },
    { in: 'query', name: 'fields', schema: { type: ['string', 'array'], maxLength: 5 } },
    { in: 'query', name: 'filter', schema: { type: 'object', additionalProperties: true } },
    { in: 'query', name: 'limit', schema: { type: 'integer' } },
    { in: 'header', name: 'If-Match', schema: { type: 'string' } },
  ],
})
const request = { path: { collection: 'abc' }, query: {}, body: undefined, media: null, headers: {}, cookies: {} }

test.each([
  [{}, { query: {}, key: '' }],
  [{ path: { collection: 'abcd' } }, { query: {}, key: '[{"collection":"abcd"},{}]' }],
  [{ query: { fields: 'id', filter: { a: '1' }, other: '1' } }, { query: {}, key: '' }],
  [
    { query: { fields: 'id,age', filter: '{}', limit: '5' } },
    {
      query: { fields: 'id,age', filter: '{}', limit: '5' },
      key: '[{},{"fields":"id,age","filter":"{}","limit":"5"}]',
    },
  ],
  [{ query: { 'a[': '1' } }, null],
  [{ headers: { 'if-match': '"a"' } }, null],
  [{ body: {} }, null],
])('%j leaves %j for the validator', (parts, remaining) => {
  expect(list({ ...request, ...parts })).toEqual(remaining)
})

const record = { type: 'object', additionalProperties: true }
const records = { oneOf: [record, { type: 'array', items: record }] }

test.each([
  [records, { a: 1 }, true],
  [records, [{ a: 1 }, {}], true],
  [records, [{ a: 1 }, 2], false],
  [records, undefined, false],
  [{ ...record, required: ['a'] }, { a: 1 }, false],
  [{ type: 'array', items: record, maxItems: 1 }, [{}], false],
])('of the schema %j the body %j is plain: %s', (schema, body, isPlain) => {
  const plain = createPlainValues({ requestBody: { content: { 'application/json': { schema } } } })
  expect(plain({ ...request, body, media: 'application/json' }) !== null).toBe(isPlain)
  expect(plain({ ...request, body, media: null })).toBeNull()
})

test.each([
  [{ in: 'query', name: 'q', required: true, schema: { type: 'string' } }],
  [{ in: 'query', name: 'q', schema: { type: 'string', default: 'a' } }],
  [{ in: 'cookie', name: 'q', schema: { type: 'string' } }],
])('with the parameter %j the validator sees all requests', (parameter) => {
  expect(createPlainValues({ parameters: [parameter] })({ ...request, query: { q: 'a' } })).toBeNull()
})
