import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import * as OpenApiValidator from 'express-openapi-validator'
import specValidator from 'express-openapi-validator/dist/framework/openapi.schema.validator.js'
import { expect, test } from 'vitest'
import { newRoutes, newSpec } from '../app/test-app.ts'
import { enforcementSpec } from './enforcement.ts'
import { createChecks, type OperationCheck } from './validate.ts'

const options = { strictQuery: false, validateResponses: true }
const itemRoutes = newRoutes.filter(({ tag }) => tag === 'items')

/** The validator's class as published, before this file or an earlier one in the same process patched it. */
const asItComes = (): typeof specValidator.OpenAPISchemaValidator => {
  const require = createRequire(import.meta.url)
  const path = require.resolve('express-openapi-validator/dist/framework/openapi.schema.validator.js')
  const known = require.cache[path]
  delete require.cache[path]
  const fresh = require(path) as typeof specValidator
  require.cache[path] = known
  return fresh.OpenAPISchemaValidator
}

test('the validator has the pinned version and the middlewares that are selected by name', () => {
  const { version } = JSON.parse(
    readFileSync(new URL('../../../node_modules/express-openapi-validator/package.json', import.meta.url), 'utf8'),
  ) as { version: string }
  expect(version).toBe('5.6.2')
  const middlewares = OpenApiValidator.middleware({
    apiSpec: enforcementSpec(newSpec, itemRoutes, options) as never,
    validateApiSpec: false,
    validateResponses: false,
    validateSecurity: false,
    fileUploader: false,
  }) as readonly { readonly name: string }[]
  expect(middlewares.map(({ name }) => name)).toEqual([
    'pathParamsMiddleware',
    'metadataMiddleware',
    'securityMiddleware',
    'requestMiddleware',
  ])
})

test('the schema of all specs is never compiled', async () => {
  const check = createChecks(newSpec, itemRoutes, options).get('readItems') as OperationCheck
  await check.request({ path: { collection: 'a' }, query: {}, body: undefined, media: null, headers: {}, cookies: {} })
  expect(new specValidator.OpenAPISchemaValidator({ version: '3.1.0', validateApiSpec: false })).toEqual({
    validate: expect.any(Function) as unknown,
  })
  // Unpatched, it would have compiled the schema by now.
  const AsItComes = asItComes()
  expect(new AsItComes({ version: '3.1.0', validateApiSpec: false })).toHaveProperty('validator')
})
