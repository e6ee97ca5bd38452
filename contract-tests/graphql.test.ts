/** GraphQL over HTTP: the public suite of audits, hostile documents, and who is served how. */
import { serverAudits } from 'graphql-http'
import { afterAll, describe, expect, test } from 'vitest'
import { dataIn, send } from './send.ts'
import { openWorld, type UserKind, userKinds } from './world.ts'

const world = await openWorld()
afterAll(() => world.close())

type Answer = {
  readonly status: number
  readonly type: string | null
  readonly body: GraphqlBody
}
type GraphqlBody = {
  readonly data?: { readonly [key: string]: unknown } | null
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[]
}

type Options = {
  readonly as?: UserKind
  readonly path?: string
  readonly headers?: { readonly [name: string]: string }
}

async function ask(query: string, { as = 'admin', path = '/graphql', headers = {} }: Options = {}): Promise<Answer> {
  const answer = await send(world.url, `POST ${path}`, { body: { query }, token: world.tokens[as], headers })
  const body = answer.body as GraphqlBody
  return { status: answer.status, type: answer.headers.get('content-type'), body }
}

describe.each(['/graphql', '/graphql/system'])('%s', (path) => {
  test.each(serverAudits({ url: () => `${world.url}${path}` }).map((audit) => [audit.name, audit] as const))(
    '%s',
    async (_name, audit) => {
      const result = await audit.fn()
      expect(result.status === 'ok' ? 'ok' : `${result.status}: ${result.reason}`).toBe('ok')
    },
  )
})

const hostile: readonly (readonly [name: string, query: string])[] = [
  ['10,000 aliases', `{ ${Array.from({ length: 10_000 }, (_, at) => `a${at}: __typename`).join(' ')} }`],
  ['500 fields in each other', `${'{ a '.repeat(500)}${'}'.repeat(500)}`],
  ['100,000 brackets', `{ a(b: ${'['.repeat(100_000)}`],
  ['fragments that lead to each other', '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }'],
  ['a document of a megabyte', `{ ${'__typename '.repeat(80_000)} }`],
  ['one field named a thousand times', `{ ${'__typename '.repeat(1000)} }`],
  ['many fields of the root', `{ ${Array.from({ length: 100 }, (_, at) => `a${at}: __typename`).join(' ')} }`],
  ['many directives', `{ __typename ${'@include(if: true) '.repeat(300)} }`],
  [
    'fragments that multiply',
    `{ ...f0 } ${Array.from({ length: 12 }, (_, at) => `fragment f${at} on Query { ${Array.from({ length: 10 }, (_each, which) => `x${which}: __schema { queryType { name } } ... on Query { ...f${at + 1} }`).join(' ')} }`).join(' ')} fragment f12 on Query { __typename }`,
  ],
]

test.each(hostile)('%s are refused before anything is done', async (_name, query) => {
  const { status, body } = await ask(query)
  expect(status).toBe(400)
  expect(body.data).toBeUndefined()
  expect(body.errors?.[0]?.extensions?.code).toBe('GRAPHQL_VALIDATION')
})

test('who names application/json gets 200 for a document that cannot be run, as the draft has it', async () => {
  const accept = 'application/json'
  expect(await ask('{ nowhere { id } }', { headers: { accept } })).toMatchObject({
    status: 200,
    body: { errors: [{ extensions: { code: 'GRAPHQL_VALIDATION' } }] },
  })
})

/** The same question twice: a path of REST, and a field of GraphQL, which answers under the key `it`. */
const questions: readonly (readonly [rest: string, graphql: string, path?: string])[] = [
  ['/items/articles?fields=id,title&sort=id&limit=3', '{ it: articles(sort: ["id"], limit: 3) { id title } }'],
  [
    '/items/articles?fields=title,author.name,comments.text&sort=-id&deep[comments][_sort]=-id&deep[comments][_limit]=2',
    '{ it: articles(sort: ["-id"]) { title author { name } comments(sort: ["-id"], limit: 2) { text } } }',
  ],
  [
    '/items/articles?fields=id&sort=id&filter[comments][text][_eq]=b',
    '{ it: articles(sort: ["id"], filter: { comments: { text: { _eq: "b" } } }) { id } }',
  ],
  [
    '/items/articles?fields=id,tags.tags_id.name&sort=id',
    '{ it: articles(sort: ["id"]) { id tags { tags_id { name } } } }',
  ],
  [
    '/items/articles?fields=id,author.name&sort=id&deep[author][_filter][name][_neq]=Ann',
    '{ it: articles(sort: ["id"]) { id author(filter: { name: { _neq: "Ann" } }, sort: ["name"], limit: 1) { name } } }',
  ],
  ['/items/articles?fields=id,status&sort=id', '{ it: articles(sort: ["id"]) { id status } }'],
  ['/items/articles?fields=id&sort=-views&search=text', '{ it: articles(sort: ["-views"], search: "text") { id } }'],
  ['/items/articles?fields=id&sort=id&page=2&limit=2', '{ it: articles(sort: ["id"], page: 2, limit: 2) { id } }'],
  ['/items/articles/1?fields=title,body', '{ it: articles_by_id(id: 1) { title body } }'],
  ['/items/articles/3?fields=title', '{ it: articles_by_id(id: 3) { title } }'],
  ['/items/articles/999?fields=title', '{ it: articles_by_id(id: 999) { title } }'],
  ['/items/authors?fields=name,email&sort=id', '{ it: authors(sort: ["id"]) { name email } }'],
  ['/items/about?fields=headline', '{ it: about { headline } }'],
  ['/items/nowhere?fields=id', '{ it: nowhere { id } }'],
  [
    '/users?fields=email,password,role.name&sort=email',
    '{ it: users(sort: ["email"]) { email password role { name } } }',
    '/graphql/system',
  ],
  ['/users/me?fields=email', '{ it: users_me { email } }', '/graphql/system'],
  ['/roles?fields=name&sort=name', '{ it: roles(sort: ["name"]) { name } }', '/graphql/system'],
  ['/files?fields=title&sort=title', '{ it: files(sort: ["title"]) { title } }', '/graphql/system'],
  ['/settings?fields=project_name', '{ it: settings { project_name } }', '/graphql/system'],
  ['/collections/articles', '{ it: collections_by_name(name: "articles") { collection } }', '/graphql/system'],
]

/** GraphQL has its keys as text. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, each: unknown) => (name === 'id' ? String(each) : each)) as unknown

/** What both have: of a model GraphQL is asked for one part. */
const common = (found: unknown, rest: string): unknown =>
  rest === '/collections/articles'
    ? { collection: (found as { readonly collection: string }).collection }
    : plain(found)

describe.each(userKinds)('%s asks', (as) => {
  const asked = questions.map(([rest, graphql, path = '/graphql']) => [rest, graphql, path] as const)
  test.each(asked)('%s', async (rest, graphql, path) => {
    const token = world.tokens[as]
    const headers = token === null ? {} : { authorization: `Bearer ${token}` }
    const answer = await fetch(`${world.url}${rest}`, { headers })
    const { data } = (await answer.json()) as { readonly data?: unknown }
    const { status, body } = await ask(graphql, { as, path })
    expect(status).toBe('data' in body ? 200 : 400)
    if (answer.status === 200) {
      // Whoever may not read the users is told no more of itself by REST than the key.
      const isKeyAlone = rest.startsWith('/users/me') && body.data === undefined
      if (!isKeyAlone) expect(body).toEqual({ data: { it: common(data, rest) } })
      return
    }
    expect([401, 403]).toContain(answer.status)
    expect(body.data?.['it'] ?? null).toBeNull()
    expect(['GRAPHQL_VALIDATION', 'FORBIDDEN', 'INVALID_CREDENTIALS']).toContain(body.errors?.[0]?.extensions?.code)
  })
})

test('a huge limit at every level is no way around the bounds', async () => {
  const nested = (depth: number): string =>
    depth === 0 ? 'id' : `author { articles(limit: -1) { comments(limit: -1) { article { ${nested(depth - 1)} } } } }`
  const { body } = await ask(`{ articles(limit: -1) { ${nested(4)} } }`)
  expect(body.data ?? null).toBeNull()
  expect(body.errors?.[0]?.extensions?.code).toMatch(/GRAPHQL_VALIDATION|INVALID_QUERY/)
})

test('a query in the URL has a tag, and is not sent again', async () => {
  const url = `${world.url}/graphql?query=${encodeURIComponent('{ articles(limit: 1) { id } }')}`
  const headers = { authorization: `Bearer ${world.tokens.admin}` }
  const first = await fetch(url, { headers })
  const tag = first.headers.get('etag') ?? ''
  expect(await first.json()).toEqual({ data: { articles: [{ id: '1' }] } })
  const again = await fetch(url, { headers: { ...headers, 'if-none-match': tag } })
  expect([again.status, tag === '']).toEqual([304, false])
  const failed = await fetch(`${world.url}/graphql?query=${encodeURIComponent('{ nowhere }')}`, { headers })
  expect(failed.headers.get('cache-control')).toBe('no-store')
})

test('an item as a content version has it', async () => {
  const next = { key: 'next', name: 'Next', collection: 'articles', item: '1' }
  const made = await send(world.url, 'POST /versions', { body: next, token: world.tokens.admin })
  const data = dataIn(made) as { readonly id: string } | undefined
  const query = `mutation { versions_save(id: "${data?.id}", data: { title: "Soon" }) }`
  expect((await ask(query, { path: '/graphql/system' })).body.errors).toBeUndefined()
  const asked = `{
    articles_by_version(version: "next", id: 1) { __typename id title author comments }
    articles_by_id(id: 1, version: "next") { title author { name } }
    now: articles_by_id(id: 1) { title }
    missing: articles_by_version(version: "never", id: 1) { title }
  }`
  const { body } = await ask(asked)
  expect(body.data).toEqual({
    articles_by_version: {
      __typename: 'version_articles',
      id: '1',
      title: 'Soon',
      author: 1,
      comments: ['1', '2', '3'],
    },
    articles_by_id: { title: 'Soon', author: { name: 'Ann' } },
    now: { title: 'Hello' },
    missing: null,
  })
  expect(body.errors).toMatchObject([{ path: ['missing'], extensions: { code: 'FORBIDDEN' } }])
  await world.reset()
})
