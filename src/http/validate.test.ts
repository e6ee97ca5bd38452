import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import * as OpenApiValidator from 'express-openapi-validator'
import specValidator from 'express-openapi-validator/dist/framework/openapi.schema.validator.js'
import { expect, test } from 'vitest'
import type { TandemError } from '../domain/errors.ts'
import type { Route } from '../domain/operation.ts'
import { enforcementSpec } from './enforcement.ts'
import { newRoutes, newSpec } from './test-app.ts'
import { createChecks, type OperationCheck } from './validate.ts'

const options = { strictQuery: false, validateResponses: true }
const itemRoutes = newRoutes.filter(({ tag }) => tag === 'items')
const checkOf = (id: string) => createChecks(newSpec, itemRoutes, options).get(id) as OperationCheck

/** The class of the validator before anything has changed it, in this file or in one that ran before in this process. */
const asItComes = (): typeof specValidator.OpenAPISchemaValidator => {
  const require = createRequire(import.meta.url)
  const path = require.resolve('express-openapi-validator/dist/framework/openapi.schema.validator.js')
  const known = require.cache[path]
  delete require.cache[path]
  const fresh = require(path) as typeof specValidator
  require.cache[path] = known
  return fresh.OpenAPISchemaValidator
}

const parts = (query: object = {}) => ({
  path: { collection: 'a' },
  query: { ...query },
  body: undefined,
  media: null,
  headers: {},
  cookies: {},
})

test('the validator is the pinned version and has the middlewares that are picked by name', () => {
  const { version } = JSON.parse(
    readFileSync(new URL('../../node_modules/express-openapi-validator/package.json', import.meta.url), 'utf8'),
  ) as { version: string }
  expect(version).toBe('5.6.2')
  const middlewares = OpenApiValidator.middleware({
    apiSpec: enforcementSpec(newSpec, itemRoutes, options) as never,
    validateApiSpec: false,
    validateResponses: true,
    validateSecurity: false,
    fileUploader: false,
  }) as readonly { readonly name: string }[]
  expect(middlewares.map(({ name }) => name)).toEqual([
    'pathParamsMiddleware',
    'metadataMiddleware',
    'securityMiddleware',
    'requestMiddleware',
    'responseMiddleware',
  ])
})

test('the schema of all specs is never compiled', async () => {
  await checkOf('readItems').request(parts())
  expect(new specValidator.OpenAPISchemaValidator({ version: '3.1.0', validateApiSpec: false })).toEqual({
    validate: expect.any(Function) as unknown,
  })
  // As it comes, it has compiled it by then.
  const AsItComes = asItComes()
  expect(new AsItComes({ version: '3.1.0', validateApiSpec: false })).toHaveProperty('validator')
})

test('the first request and all later ones are checked alike', async () => {
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

test('the same operations cost the same document however large the rest of the spec is', () => {
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
    ['no body where one is declared', { status: 200, type: null, value: undefined }, 'response body required'],
    [
      'a body where none is declared',
      { status: 204, type: 'application/json', value: {} },
      'response should NOT have a body',
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
