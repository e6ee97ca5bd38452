/** The mock behind MSW: rows that are written are read back, users have their rights, scenarios happen. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createCheck } from './src/http/check.ts'
import { current } from './src/http/current.ts'
import { exampleOf } from './src/http/examples.ts'
import { legacy } from './src/http/legacy.ts'
import { createMock, type Snapshot } from './src/mock.ts'
import { tasks } from './src/tasks/tasks.ts'
import { booksWith } from './testing/books.ts'

const column = { data_type: 'text', is_nullable: true }
const schema = booksWith({ title: { type: 'text', schema: column } })

const url = 'http://mock.example'
const ann = { email: 'ann@example.com', password: 'correct-horse', first_name: 'Ann', admin: true }
const bo = {
  email: 'bo@example.com',
  token: 'token-of-bo',
  permissions: [{ collection: 'books', action: 'read', fields: ['id'] }] as const,
}
const mock = createMock({ schema, url, rows: { books: [{ id: 1, title: 'One' }] }, users: [ann, bo] })
const server = setupServer(...mock.handlers)

beforeAll(() => server.listen())
afterEach(() => mock.reset())
afterAll(() => server.close())

const ask = (path: string, { token, method = 'GET', body }: { token?: string; method?: string; body?: object } = {}) =>
  fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

type Tokens = { readonly access_token: string; readonly refresh_token: string }

async function login(): Promise<Tokens> {
  const answer = await ask('/auth/login', { method: 'POST', body: { email: ann.email, password: ann.password } })
  return ((await answer.json()) as { readonly data: Tokens }).data
}

test('what is created is read back until the mock is reset', async () => {
  const { access_token: token } = await login()
  expect(await (await ask('/items/books', { token, method: 'POST', body: { title: 'Two' } })).json()).toEqual({
    data: { id: 2, title: 'Two' },
  })
  expect(mock.state()['books']).toEqual([
    { id: 1, title: 'One' },
    { id: 2, title: 'Two' },
  ])
  mock.reset()
  expect(mock.state()['books']).toHaveLength(1)
})

test('pages begin behind the row of a cursor', async () => {
  const { access_token: token } = await login()
  const body = [{ title: 'Two' }, { title: null }, { title: 'One' }] as unknown as object
  await ask('/items/books', { token, method: 'POST', body })
  const titles: (string | null)[] = []
  for (let cursor = ''; ; ) {
    const answer = await ask(`/items/books?fields=*,$cursor&sort=-title&limit=1${cursor}`, { token })
    const { data } = (await answer.json()) as { data: { id: number; title: string; $cursor: string }[] }
    if (data[0] === undefined) break
    titles.push(`${data[0].id} ${data[0].title}`)
    cursor = `&cursor=${data[0].$cursor}`
  }
  expect(titles).toEqual(['3 null', '2 Two', '1 One', '4 One'])
})

test('sessions are renewed once per refresh token and end with a logout', async () => {
  const first = await login()
  const renewed = await ask('/auth/refresh', { method: 'POST', body: { refresh_token: first.refresh_token } })
  const { data: second } = (await renewed.json()) as { readonly data: Tokens }
  const again = await ask('/auth/refresh', { method: 'POST', body: { refresh_token: first.refresh_token } })
  expect(again.status).toBe(401)
  // The use of an old refresh token ends the session.
  expect((await ask('/users/me?fields=first_name', { token: second.access_token })).status).toBe(401)
  const third = await login()
  expect((await ask('/users/me?fields=first_name', { token: third.access_token })).status).toBe(200)
  const logout = { method: 'POST', body: { refresh_token: third.refresh_token } }
  expect((await ask('/auth/logout', logout)).status).toBe(204)
  expect((await ask('/users/me', { token: third.access_token })).status).toBe(401)
})

test('a user sees the fields that it may see, and nobody sees nothing', async () => {
  expect(await (await ask('/items/books', { token: bo.token })).json()).toEqual({ data: [{ id: 1 }] })
  expect((await ask('/items/books?fields=title', { token: bo.token })).status).toBe(403)
  expect((await ask('/items/books')).status).toBe(403)
})

test('scenarios happen to one operation or to all, until they end', async () => {
  mock.scenario('rate-limited', { operation: 'readItems' })
  expect((await ask('/items/books', { token: bo.token })).status).toBe(429)
  expect((await ask('/items/books/1', { token: bo.token })).status).toBe(200)
  mock.scenario('offline')
  await expect(ask('/items/books/1', { token: bo.token })).rejects.toThrow(TypeError)
  mock.scenario(null)
  expect((await ask('/items/books', { token: bo.token })).status).toBe(200)
})

test.each([
  ['server-error', 500, 'INTERNAL_SERVER_ERROR', null],
  ['unavailable', 503, 'SERVICE_UNAVAILABLE', '1'],
] as const)('the scenario "%s" answers with %i', async (name, status, code, after) => {
  mock.scenario(name)
  const answer = await ask('/items/books', { token: bo.token })
  expect(answer.status).toBe(status)
  expect(answer.headers.get('retry-after')).toBe(after)
  expect(await answer.json()).toMatchObject({ error: { code } })
})

test('the scenario "slow" answers as usual, after its delay', async () => {
  mock.scenario('slow', { delay: 120 })
  const begin = performance.now()
  const answer = await ask('/items/books', { token: bo.token })
  expect(performance.now() - begin).toBeGreaterThanOrEqual(115)
  expect(await answer.json()).toEqual({ data: [{ id: 1 }] })
})

test('an avatar may name no file, and is cleared with its file', async () => {
  const { access_token: token } = await login()
  const form = new FormData()
  form.set('file', new File(['one'], 'one.txt', { type: 'text/plain' }))
  const headers = { authorization: `Bearer ${token}` }
  const made = await fetch(`${url}/files`, { method: 'POST', headers, body: form })
  const { data: file } = (await made.json()) as { readonly data: { readonly id: string } }
  const avatar = async (body?: object): Promise<unknown> => {
    const request = body === undefined ? {} : { method: 'PATCH', body }
    return (await ask('/users/me?fields=avatar,avatar.id', { token, ...request })).json()
  }
  expect(await avatar({ avatar: file.id })).toEqual({ data: { avatar: { id: file.id } } })
  expect((await ask(`/files/${file.id}`, { token, method: 'DELETE' })).status).toBe(204)
  expect(await (await ask('/users/me?fields=avatar', { token })).json()).toEqual({ data: { avatar: null } })
  expect(await avatar({ avatar: crypto.randomUUID() })).toEqual({ data: { avatar: null } })
})

test('the legacy generation reads and writes the same rows', async () => {
  const login = await ask('/_/auth/authenticate', {
    method: 'POST',
    body: { email: ann.email, password: ann.password },
  })
  const { data } = (await login.json()) as { readonly data: { readonly token: string; readonly user: object } }
  expect(data.user).toMatchObject({ first_name: 'Ann', email: ann.email })
  const { token } = data
  expect(await (await ask('/_/items/books', { token, method: 'POST', body: { title: 'Two' } })).json()).toEqual({
    data: { id: 2, title: 'Two' },
  })
  expect(await (await ask('/items/books/2', { token })).json()).toEqual({ data: { id: 2, title: 'Two' } })
  expect((await ask('/_/items/books')).status).toBe(401)
  expect((await ask('/other/items/books', { token })).status).toBe(404)
})

test('GraphQL reads and writes the same rows', async () => {
  const { access_token: token } = await login()
  const query = 'mutation { create_books_item(data: { title: "Two" }) { id title } }'
  expect(await (await ask('/graphql', { token, method: 'POST', body: { query } })).json()).toEqual({
    data: { create_books_item: { id: '2', title: 'Two' } },
  })
  const counted = `/graphql?query=${encodeURIComponent('{ books_aggregated { countAll max { id } } }')}`
  expect(await (await ask(counted, { token })).json()).toEqual({
    data: { books_aggregated: [{ countAll: 2, max: { id: 2 } }] },
  })
})

test('users, rights and other system collections are rows that both generations write', async () => {
  const { access_token: token } = await login()
  const cy = { email: 'cy@example.com', token: 'a-static-token-of-cy', status: 'active' }
  const made = (await (await ask('/users', { token, method: 'POST', body: cy })).json()) as { data: { id: string } }
  expect((await ask('/items/books', { token: cy.token })).status).toBe(403)
  const policy = { name: 'Reading', permissions: [{ collection: 'books', action: 'read', fields: ['*'] }] }
  const body = { policies: { create: [{ policy }], update: [], delete: [] } }
  expect((await ask(`/users/${made.data.id}`, { token, method: 'PATCH', body })).status).toBe(200)
  expect((await ask('/items/books', { token: cy.token })).status).toBe(200)
  const query = 'mutation { create_folders_item(data: { name: "Covers" }) { name } }'
  await ask('/graphql/system', { token, method: 'POST', body: { query } })
  expect(await (await ask('/_/folders?fields=id,name', { token })).json()).toEqual({
    data: [{ id: 1, name: 'Covers' }],
  })
  expect((await ask('/roles?limit=x', { token })).status).toBe(400)
  expect((await ask('/roles', { token: 'unknown' })).status).toBe(401)
})

test('mails are kept, with links that work', async () => {
  await ask('/auth/password/request', { method: 'POST', body: { email: ann.email } })
  const [mail] = mock.mails()
  expect(mail).toMatchObject({ to: ann.email, template: 'password-reset' })
  const reset = { token: new URL(mail?.url ?? '').searchParams.get('token'), password: 'another-horse' }
  expect((await ask('/auth/password/reset', { method: 'POST', body: reset })).status).toBe(204)
  expect(
    (await ask('/auth/login', { method: 'POST', body: { email: ann.email, password: ann.password } })).status,
  ).toBe(401)
  expect(
    (
      await ask('/auth/login', {
        method: 'POST',
        body: { ...ann, password: 'another-horse', admin: undefined, first_name: undefined },
      })
    ).status,
  ).toBe(200)
})

test('what would need a database answers with the example of the spec, and GraphQL refuses it', async () => {
  const { access_token: token } = await login()
  expect(await (await ask('/activity', { token })).json()).toMatchObject({ data: [{ action: 'update' }] })
  const query = 'mutation { delete_collections_item(collection: "books") { collection } }'
  expect(await (await ask('/graphql/system', { token, method: 'POST', body: { query } })).json()).toMatchObject({
    errors: [{ extensions: { code: 'UNPROCESSABLE_CONTENT' } }],
  })
})

test('the mock does every task that statements of the server name', () => {
  const folder = new URL('../src/sql/statements/', import.meta.url)
  // The mock has no logins of other providers, so nothing asks for their accounts and sessions.
  const ofProviders = ['provider-logins.ts', 'provider-sessions.ts']
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !ofProviders.includes(basename(file)),
  )
  const named = files.flatMap((file) =>
    [...readFileSync(new URL(file, folder), 'utf8').matchAll(/\btask: '(\w+)'/g)].map(([, name]) => name),
  )
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter((name) => !Object.hasOwn(tasks, name ?? ''))).toEqual([])
})

const listed = [current, legacy].flatMap(({ spec, routes }) => routes.map((route) => ({ spec, route })))

test.for(listed)('the spec has an example for $route.method $route.path', ({ spec, route }) => {
  const { status, body } = exampleOf(spec, route)
  expect(status).toBeLessThan(400)
  expect(body === null || JSON.stringify(body).length > 2).toBe(true)
  expect(createCheck(spec, route, false)).toBeTypeOf('function')
})

const linked: Snapshot = {
  collections: [...schema.collections, { collection: 'authors', schema: { name: 'authors' } }],
  fields: [
    ...schema.fields,
    { ...(schema.fields[0] as (typeof schema.fields)[number]), collection: 'authors' },
    { collection: 'books', field: 'author', type: 'integer', schema: { data_type: 'integer', is_nullable: true } },
    { collection: 'authors', field: 'books', type: 'alias', meta: { special: ['o2m'] }, schema: null },
  ],
  relations: [
    {
      collection: 'books',
      field: 'author',
      related_collection: 'authors',
      meta: { many_collection: 'books', many_field: 'author', one_collection: 'authors', one_field: 'books' },
    },
  ],
}

const create = (rows: object) => createMock({ schema: linked, rows: rows as never })

test('given rows may not contain rows, and the error says where they belong', async () => {
  expect(() => create({ authors: [{ id: 1, books: [{ title: 'One' }] }] })).toThrow(
    'The field "authors.books" of a given row contains rows. Give them as rows of their own collection, with references to this row',
  )
  expect(() => create({ books: [{ title: 'One', author: { id: 1 } }] })).toThrow(
    'The field "books.author" of a given row contains rows. Give them as rows of their own collection, with its key here',
  )
  const plain = create({ authors: [{ id: 1, books: [5] }], books: [{ id: 5, title: 'One', author: 1 }] })
  const answer = await plain.fetch(new Request('http://localhost:8055/items/authors?fields=books.title'))
  expect(await answer.json()).toEqual({ data: [{ books: [{ title: 'One' }] }] })
})

test('an API key counts until it is deleted', async () => {
  const { access_token: token } = await login()
  const made = await ask('/keys', { method: 'POST', token, body: { name: 'Shop' } })
  const { data } = (await made.json()) as { readonly data: { readonly id: string; readonly key: string } }
  expect((await ask('/users/me', { token: data.key })).status).toBe(200)
  const changed = await ask(`/keys/${data.id}`, { method: 'PATCH', token, body: { name: 'Market' } })
  expect(await changed.json()).toMatchObject({ data: { id: data.id, name: 'Market', policies: null } })
  expect((await ask(`/keys/${data.id}`, { method: 'DELETE', token })).status).toBe(204)
  expect((await ask('/users/me', { token: data.key })).status).toBe(401)
})
