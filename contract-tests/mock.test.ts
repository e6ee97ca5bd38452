import { readFileSync } from 'node:fs'
import { createCurrentClient } from '@tandem/sdk/current'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listBooks as listGenerated } from '../sdk/examples/generated-graphql.ts'
import { listBooks } from '../sdk/examples/typed-graphql.ts'
import { complaintsOf } from '../verify/src/cases/complaints.ts'
import { sendCase } from '../verify/src/cases/send.ts'
import { createValidate } from '../verify/src/spec/validate.ts'
import { casesOf } from './cases.ts'
import { faults } from './faults.ts'
import { mockHandlers } from './mock.ts'
import { specs } from './spec.ts'

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

describe('GraphQL of the mock', () => {
  const sdl =
    'type Query { articles(limit: Int): [articles!]! } type articles { id: ID! title: String author: articles }'
  const mocks = specs.map((spec) => ({ spec, validate: createValidate(spec), sdl: { '/graphql': sdl } }))
  const server = setupServer(...mockHandlers(url, mocks))
  beforeAll(() => server.listen())
  afterAll(() => server.close())

  test('documents get sample data of the types that the schema has', async () => {
    const client = createCurrentClient({ url, token: 'good' })
    expect(await client.graphql('{ articles(limit: 1) { id title author { __typename title } } }')).toEqual({
      articles: [{ id: '1', title: 'text', author: { __typename: 'articles', title: 'text' } }],
    })
    expect(await client.graphql('{ users_me { id email } server_ping }', null, { system: true })).toEqual({
      users_me: { id: '1', email: 'text' },
      server_ping: 'text',
    })
    const legacy = await fetch(`${url}/_/gql`, {
      method: 'POST',
      headers: { authorization: 'Bearer good', 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ example { data { id } meta { total_count } } }' }),
    })
    expect(await legacy.json()).toEqual({ data: { example: { data: [{ id: 1 }], meta: { total_count: 1 } } } })
  })

  test('a name that the schema lacks is refused', async () => {
    const client = createCurrentClient({ url, token: 'good' })
    await expect(client.graphql('{ articles { nowhere } }')).rejects.toThrow('Cannot query field "nowhere"')
  })
})

describe('the example of typed GraphQL', () => {
  const sdl = readFileSync(new URL('../sdk/examples/bookshop.graphql', import.meta.url), 'utf8')
  const mocks = specs.map((spec) => ({ spec, validate: createValidate(spec), sdl: { '/graphql': sdl } }))
  const server = setupServer(...mockHandlers(url, mocks))
  beforeAll(() => server.listen())
  afterAll(() => server.close())

  test('runs against the mock of its own schema', async () => {
    for (const list of [listBooks, listGenerated]) expect(await list(url, 'good')).toEqual(['text, by text'])
  })
})
