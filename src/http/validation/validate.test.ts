import { expect, test } from 'vitest'
import type { Route } from '../../domain/ports/operation.ts'
import type { TandemError } from '../../domain/rights/errors.ts'
import { newRoutes, newSpec } from '../app/test-app.ts'
import { createChecks, type OperationCheck } from './checks.ts'
import { enforcementSpec } from './enforcement.ts'

const options = { strictQuery: false, validateResponses: true }
const itemRoutes = newRoutes.filter(({ tag }) => tag === 'items')
const listRoutes = itemRoutes.filter(({ path }) => path === '/items/{collection}')
/** Of other routes than those of all tests before. */
const checkOf = (id: string) => createChecks(newSpec, [...itemRoutes], options).get(id) as OperationCheck

const parts = (query: object = {}) => ({
  path: { collection: 'a' },
  query: { ...query },
  body: undefined,
  media: null,
  headers: {},
  cookies: {},
})

test('the first request and later ones are checked the same', async () => {
  const check = checkOf('readItems')
  for (let round = 0; round < 3; round += 1) {
    const fine = await check.request(parts({ limit: '5', filter: '{"a":1}', unknown: 'x' }))
    expect(fine.query).toEqual({ limit: 5, filter: { a: 1 }, unknown: 'x' })
    const failed = (await check.request(parts({ limit: 'x' })).catch((error: unknown) => error)) as TandemError
    expect(failed.failures).toEqual([
      { kind: 'invalid-query', name: 'limit', reason: 'Expected an integer for "limit" but received "x"' },
    ])
  }
})

test.each(['Infinity', '-Infinity', '1e400'])(
  '%s is no number of a query string, at first and ever after',
  async (text) => {
    const check = checkOf('readItems')
    for (let round = 0; round < 2; round += 1) {
      const failed = (await check.request(parts({ limit: text })).catch((error: unknown) => error)) as TandemError
      const reason = `Expected a finite number for "limit" but received "${text}"`
      expect(failed.failures).toEqual([{ kind: 'invalid-query', name: 'limit', reason }])
    }
  },
)

test('a first request that fails does not weaken the checks of later ones', async () => {
  const check = checkOf('readItems')
  await expect(check.request(parts({ limit: 'x' }))).rejects.toThrow('invalid-query')
  await expect(check.request(parts({ mode: 'c' }))).rejects.toThrow('invalid-query')
  await expect(check.request(parts({ limit: 'x' }))).rejects.toThrow('invalid-query')
})

test('concurrent first requests are all checked', async () => {
  const check = checkOf('readItems')
  const results = await Promise.allSettled(['1', 'x', '2', 'y'].map((limit) => check.request(parts({ limit }))))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
})

test('the document of an operation does not depend on the rest of the spec', () => {
  expect(enforcementSpec({ ...newSpec, paths: { ...newSpec.paths, '/more': {} } }, itemRoutes, options)).toEqual(
    enforcementSpec(newSpec, itemRoutes, options),
  )
})

test('properties named like keywords of a spec are kept', () => {
  const schema = {
    type: 'object',
    properties: { description: { type: 'string' }, example: {}, tags: { type: 'array' } },
  }
  const content = { 'application/json': { schema, example: {} } }
  const spec = { ...newSpec, paths: { '/a': { post: { requestBody: { content }, responses: {} } } } }
  const route = { ...(itemRoutes[0] as Route), method: 'POST', path: '/a', search: false } as const
  expect(enforcementSpec(spec, [route], options).paths).toEqual({
    '/a': { post: { requestBody: { required: false, content: { 'application/json': { schema } } }, responses: {} } },
  })
})

const replies: readonly (readonly [string, { status: number; type: string | null; value: unknown }, string | null])[] =
  [
    ['a declared body', { status: 200, type: 'application/json', value: { data: 1 } }, null],
    ['a declared error', { status: 403, type: 'application/json', value: { error: {} } }, null],
    ['no body where none is declared', { status: 204, type: null, value: undefined }, null],
    [
      'an unknown key',
      { status: 200, type: 'application/json', value: { data: 1, x: 1 } },
      'must NOT have additional properties',
    ],
    [
      'a status that is not declared',
      { status: 418, type: null, value: undefined },
      'the status 418 is not in the spec',
    ],
    ['JSON that is written while it is sent', { status: 200, type: 'application/json', value: undefined }, null],
    [
      'no body where one is declared',
      { status: 200, type: null, value: undefined },
      'it has no body, although the spec declares one',
    ],
    [
      'a body where none is declared',
      { status: 204, type: 'application/json', value: {} },
      'it has a body, which the spec does not declare',
    ],
    [
      'another media type',
      { status: 200, type: 'text/csv', value: undefined },
      'the media type text/csv is not in the spec',
    ],
  ]
test.each(replies)('answers are checked: %s', async (_name, reply, message) => {
  const check = checkOf('readItem')
  const outcome = await check.reply(reply).then(
    () => null,
    (error: Error) => error.message,
  )
  if (message === null) expect(outcome).toBeNull()
  else expect(outcome).toContain(message)
})

test('applications that serve the same routes share the validators, which take long to build', async () => {
  let built = 0
  const paths = Object.defineProperty({}, '/items/{collection}', {
    get() {
      built += 1
      return (newSpec.paths as { readonly [path: string]: object })['/items/{collection}']
    },
  })
  const spec = { ...newSpec, paths }
  const limits = ['5', 'x', '6', 'y'].map(async (limit) => {
    const check = createChecks(spec, listRoutes, { strictQuery: false, validateResponses: false }).get('readItems')
    return check?.request(parts({ limit }))
  })
  expect((await Promise.allSettled(limits)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
  ])
  expect(built).toBe(listRoutes.length)
})
