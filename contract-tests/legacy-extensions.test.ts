/** What an operator adds in the folder of extensions, as old clients ask for it. */
import { afterAll, expect, test } from 'vitest'
import { openWorld, type UserKind } from './world.ts'

const world = await openWorld()
afterAll(() => world.close())

async function ask(path: string, as: UserKind, headers: Record<string, string> = {}) {
  const token = world.tokens[as]
  const own = token === null ? {} : { authorization: `Bearer ${token}` }
  const answer = await fetch(`${world.url}${path}`, { headers: { ...own, ...headers } })
  return [answer.status, answer.headers.get('content-type')?.split(';')[0], await answer.text()] as const
}

test('extensions say what their descriptions say; those that are hidden or broken are left out', async () => {
  const [status, , text] = await ask('/interfaces', 'nobody')
  const stars = { id: 'stars', path: 'extensions/custom/interfaces/stars/meta.json' }
  expect([status, JSON.parse(text)]).toEqual([
    200,
    { data: [{ ...stars, name: 'Stars', version: '1.0.0', types: ['integer'] }] },
  ])
  expect((await ask('/pages', 'nobody'))[2]).toBe('{"data":[]}')
})

test.each(['/interfaces', '/layouts', '/modules', '/pages', '/types'])('%s needs a user', async (path) => {
  const [status, , text] = await ask(path, 'public')
  expect([status, text]).toEqual([401, '{"error":{"code":108,"message":"User not authenticated"}}'])
})

test.each([
  ['/interfaces?project=nowhere', {}],
  ['/interfaces', { 'x-anything-project': 'nowhere' }],
])('%s with %o is asked of another project', async (path, headers) => {
  const [status, , text] = await ask(path, 'admin', headers)
  expect([status, JSON.parse(text)]).toMatchObject([404, { error: { code: 8 } }])
})

test('a custom endpoint answers everybody, and is not told who asks', async () => {
  const hello = { hello: 'Ann', project: '_', token: null }
  const [status, type, text] = await ask('/_/custom/hello?name=Ann', 'admin')
  expect([status, type, JSON.parse(text)]).toEqual([200, 'application/json', hello])
  expect(await ask('/_/custom/plain', 'public')).toEqual([200, 'text/plain', 'plain'])
})

test.each(['/_/custom/hello?nobody=1', '/_/custom/broken', '/_/custom/nothing'])('%s is not found', async (path) => {
  const [status, , text] = await ask(path, 'public')
  expect([status, JSON.parse(text)]).toMatchObject([404, { error: { code: 5 } }])
})

test.each(['interfaces', 'layouts', 'modules', 'pages'])(
  '/_/%s answers as without a project, to users',
  async (kind) => {
    expect(await ask(`/_/${kind}`, 'nobody')).toEqual(await ask(`/${kind}`, 'nobody'))
    expect(await ask(`/_/${kind}`, 'public')).toEqual(await ask(`/${kind}`, 'public'))
  },
)
