/** The positive cases of the suite, and a sample of the others, against the published mock with the rows of the world. */
import { setupServer } from 'msw/node'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createMock } from '../mock/src/mock.ts'
import { listBooks as listGenerated } from '../sdk/examples/generated-graphql.ts'
import { listBooks } from '../sdk/examples/typed-graphql.ts'
import { complaintsOf } from '../verify/src/cases/complaints.ts'
import { sendCase } from '../verify/src/cases/send.ts'
import { createValidate } from '../verify/src/spec/validate.ts'
import { casesOf } from './cases.ts'
import { faults } from './faults.ts'
import { fillTokens } from './live-tokens.ts'
import { modelOf, openMockWorld } from './packaged-mock.ts'
import { specs } from './spec.ts'

const url = 'http://mock.example'

/** The mock validates as the server does, so of the invalid requests a sample shows that it refuses them. */
const sample = 20
/** Answered with an example, or from a form. Their values are read by the core, and not checked against the spec. */
const unchecked: ReadonlySet<string> = new Set(['legacy createFile', 'current importItems'])

/** The mock begins without API keys and names of rows: tests of their own change and delete those that they have created. */
const withoutRow: ReadonlySet<string> = new Set(
  ['updateKey', 'deleteKey', 'readSyncKey', 'deleteSyncKey'].map((id) => `current ${id}`),
)

const world = await openMockWorld(url)
const server = setupServer(...world.mock.handlers)
server.listen()
beforeEach(() => world.mock.reset())
afterAll(() => server.close())

for (const spec of specs) {
  const validate = createValidate(spec)
  const cases = casesOf(spec, validate, faults)
    .filter((each) => each.kind === 'positive' || !each.needsData)
    // They are too large for the server of the contract tests only.
    .filter(({ rule }) => rule !== 'body is too large')
    .filter(({ kind }, at) => kind === 'positive' || at % sample === 0)
    .filter(({ kind, operation: { id, generation } }) =>
      kind === 'positive' ? !withoutRow.has(`${generation} ${id}`) : !unchecked.has(`${generation} ${id}`),
    )

  describe(`the mock of the ${spec.generation} generation`, () => {
    test.for(cases)('$operation.id, $kind, $rule', async (each) => {
      const asked = await fillTokens(world, each)
      const answer = await sendCase(asked, { url, token: world.tokens[each.as] })
      expect(complaintsOf(each, answer, validate), `${asked.request.method} ${asked.request.target}`).toEqual([])
    })
  })
}

test.each([
  ['/items/articles', 413],
  ['/_/items/articles', 400],
] as const)('POST %s refuses a body that is too large', async (path, status) => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${world.tokens.admin}` }
  const body = JSON.stringify({ title: 'a'.repeat(2_000_000) })
  const answer = await world.mock.fetch(new Request(`${url}${path}`, { method: 'POST', headers, body }))
  expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining('1048576 bytes')])
})

test('the examples of typed GraphQL run against the mock of their data model', async () => {
  const shop = 'http://shop.example'
  const author = { collection: 'books', field: 'author', related_collection: 'authors', schema: {} }
  const mock = createMock({
    schema: modelOf({ books: ['title'], authors: ['name'] }, [author]),
    rows: { authors: [{ id: 1, name: 'Ann' }], books: [{ title: 'Hills', author: 1 }, { title: 'Sea' }] },
    url: shop,
  })
  server.use(...mock.handlers)
  for (const list of [listBooks, listGenerated]) expect(await list(shop, 'good')).toEqual(['Hills, by Ann', 'Sea'])
})
