import { expect, test } from 'vitest'
import { newRoutes, newSpec } from '../app/test-app.ts'
import { createKnownValues, type Parameter } from './known-values.ts'
import { createChecks, type OperationCheck } from './validate.ts'

const inQuery = (name: string, schema: object, more: object = {}): Parameter => ({
  name,
  in: 'query',
  schema: { ...schema },
  ...more,
})

const find = (parameters: readonly Parameter[], query: object) =>
  createKnownValues(parameters)?.find({ path: {}, query: { ...query } })

test('values checked only by type and length skip the validator', () => {
  const short = [inQuery('a', { type: 'string', maxLength: 3 })]
  expect(find(short, { a: 'abc', other: 'x' })).toEqual({ a: 'abc', other: 'x' })
  expect(find(short, {})).toEqual({})
  expect(find(short, { a: 'abcd' })).toBeNull()
  expect(find(short, { a: ['abc'] })).toBeNull()
  expect(find([inQuery('a', { type: 'string', minLength: 1 })], { a: '' })).toBeNull()
  expect(find([inQuery('a', { type: 'string', minLength: 2 })], { a: '😀a' })).toBeNull()
  const open = [inQuery('o', { type: 'object', additionalProperties: true })]
  expect(find(open, { o: { a: 1 } })).toEqual({ o: { a: 1 } })
  expect(find(open, { o: '{"a":1}' })).toBeNull()
  expect(find(open, { o: [] })).toBeNull()
  expect(find([inQuery('o', { type: 'object', additionalProperties: { type: 'string' } })], { o: {} })).toBeNull()
  expect(find([inQuery('a', { type: 'string', pattern: '^a' })], { a: 'a' })).toBeNull()
})

test('validated text is recognized and coerced to the same value', () => {
  const values = createKnownValues([
    inQuery('limit', { type: 'integer' }),
    inQuery('o', { type: ['object', 'string'] }),
  ])
  expect(values?.find({ path: {}, query: { limit: '5' } })).toBeNull()
  values?.keep({ limit: '5', o: '{}' }, { limit: 5, o: {} })
  expect(values?.find({ path: {}, query: { limit: '5', more: 'x' } })).toEqual({ limit: 5, more: 'x' })
  expect(values?.find({ path: {}, query: { limit: '05' } })).toBeNull()
  expect(values?.find({ path: {}, query: { o: '{}' } })).toBeNull()
})

test('the cache keeps the latest texts', () => {
  const values = createKnownValues([inQuery('n', { type: 'integer' })])
  for (let n = 0; n < 1000; n += 1) values?.keep({ n: String(n) }, { n })
  expect(values?.find({ path: {}, query: { n: '0' } })).toBeNull()
  expect(values?.find({ path: {}, query: { n: '999' } })).toEqual({ n: 999 })
})

test('operations with other constraints always use the validator', () => {
  expect(createKnownValues([{ name: 'h', in: 'header', schema: { type: 'string' } }])).toBeNull()
  expect(createKnownValues([inQuery('n', { type: 'integer', default: 3 })])).toBeNull()
  expect(createKnownValues([inQuery('n', { type: 'integer' }, { required: true })])).toBeNull()
  expect(createKnownValues([inQuery('n', { type: 'object' }, { content: {} })])).toBeNull()
})

const items = newRoutes.filter(({ tag }) => tag === 'items')
const checkOf = () =>
  createChecks(newSpec, items, { strictQuery: false, validateResponses: false }).get('readItems') as OperationCheck

const pool = [
  '',
  '0',
  '5',
  '5 ',
  '-1',
  '1e3',
  'x',
  'a,b',
  '{"a":1}',
  '[1]',
  'null',
  'true',
  ['a', 'b'],
  [],
  { a: { b: 'c' } },
]

const outcome = (check: OperationCheck, query: object): Promise<unknown> =>
  check
    .request({ path: { collection: 'a' }, query: { ...query }, body: undefined, media: null, headers: {}, cookies: {} })
    .then(
      (parts) => parts.query,
      (error: unknown) => (error as Error & { failures: unknown }).failures,
    )

test('a check with a cache gives the same results as one without', async () => {
  const remembering = checkOf()
  const names = ['limit', 'fields', 'filter', 'mode', 'unknown']
  for (let n = 0; n < 75; n += 1) {
    const picked = names.flatMap((name, at) => {
      const value = pool[(n * 7 + at * (n % 11)) % pool.length]
      return (n + at) % 3 === 0 ? [] : [[name, value] as const]
    })
    const query = Object.fromEntries(picked)
    const fresh = await outcome(checkOf(), structuredClone(query))
    expect(await outcome(remembering, structuredClone(query)), JSON.stringify(query)).toEqual(fresh)
    expect(await outcome(remembering, structuredClone(query)), JSON.stringify(query)).toEqual(fresh)
  }
})
