import { setupServer } from 'msw/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { casesOf } from './cases.ts'
import { complaintsOf } from './checks.ts'
import { faults } from './faults.ts'
import { mockHandlers } from './mock.ts'
import { sendCase } from './send.ts'
import { specs } from './spec.ts'
import { createValidate } from './validate.ts'

const url = 'http://mock.example'

/** The mock validates as the server does, so of the invalid requests a sample shows that it refuses them. */
const sample = 20

for (const spec of specs) {
  const validate = createValidate(spec)
  const server = setupServer(...mockHandlers(url, [{ spec, validate }]))
  const cases = casesOf(spec, validate, faults)
    .filter((each) => !each.needsData)
    .filter(({ kind }, at) => kind === 'positive' || at % sample === 0)

  describe(`the mock of the ${spec.generation} generation`, () => {
    beforeAll(() => server.listen())
    afterAll(() => server.close())

    test.for(cases)('$operation.id, $kind, $rule', async (each) => {
      expect(complaintsOf(each, await sendCase(each, { url, token: 'good' }), validate)).toEqual([])
    })
  })
}

describe('a SEARCH of the mock', () => {
  const current = specs.filter(({ generation }) => generation === 'current')
  const server = setupServer(
    ...mockHandlers(
      url,
      current.map((spec) => ({ spec, validate: createValidate(spec) })),
    ),
  )
  beforeAll(() => server.listen())
  afterAll(() => server.close())

  test.each([
    [{ filter: '{"id":{"_eq":1}}', search: null }, 200],
    [{ filter: 'no JSON' }, 400],
    [{ limit: 'x' }, 400],
  ])('%j', async (query, status) => {
    const headers = { authorization: 'Bearer good', 'content-type': 'application/json' }
    const answer = await fetch(`${url}/items/articles`, { method: 'SEARCH', headers, body: JSON.stringify({ query }) })
    expect(answer.status).toBe(status)
  })
})
