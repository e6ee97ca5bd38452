/** Strict mode: which requests are errors, and what the errors tell. */
import { setupServer } from 'msw/node'
import { expect, test, vi } from 'vitest'
import { createMock, type MockRequestError } from './src/mock.ts'
import { booksWith } from './testing/books.ts'

const schema = booksWith({ pages: { type: 'integer', schema: { data_type: 'integer', is_nullable: true } } })
const url = 'http://strict.example'
const options = { schema, url, rows: { books: [{ pages: 3 }] } }
const strict = createMock({ ...options, strict: true })
const plain = createMock(options)

const request = (path: string, body?: object): Request =>
  new Request(
    `${url}${path}`,
    body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  )

test.each<[string, object | undefined, string | null, number, RegExp]>([
  ['/nowhere', undefined, null, 404, /^GET \/nowhere: .*nowhere/],
  ['/items/books?limit=many', undefined, 'readItems', 400, /^readItems \(GET .*\): .*limit.*many/],
  ['/items/books?page_size=2', undefined, 'readItems', 200, /^readItems .*Expected one of.*limit.*"page_size"/],
  ['/items/books?fields=title', undefined, 'readItems', 403, /^readItems .*title/],
  ['/items/books', { pages: 'many' }, 'createItems', 400, /^createItems .*integer.*pages.*many/],
  ['/items/books', { colour: 'red' }, 'createItems', 200, /^createItems .*field of the collection "books".*colour/],
  ['/auth/login', { email: 3, password: 'x' }, 'login', 400, /^login .*email/],
])('%s with %j is an error that tells what is wrong', async (path, body, ...[operation, status, message]) => {
  const error = await strict.fetch(request(path, body)).then(
    () => null,
    (reason: unknown) => reason as MockRequestError,
  )
  expect(error?.name).toBe('MockRequestError')
  expect(error?.operation).toBe(operation)
  expect(error?.message).toMatch(message)
  const answer = await plain.fetch(request(path, body))
  expect(error?.response.status).toBe(answer.status)
  expect(await error?.response.json()).toEqual(await answer.json())
  plain.reset()
  strict.reset()
  expect(answer.status).toBe(status)
})

test('a request that the spec allows is answered, also with a refusal', async () => {
  expect((await strict.fetch(request('/items/books?filter[pages][_gt]=1&access_token=x'))).status).toBe(200)
  const login = { email: 'nobody@example.com', password: 'x' }
  expect((await strict.fetch(request('/auth/login', login))).status).toBe(401)
})

test('MSW answers with 500 and the message', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const server = setupServer(...strict.handlers)
  server.listen()
  const answer = await fetch(`${url}/items/books?limit=many`)
  server.close()
  vi.restoreAllMocks()
  expect(answer.status).toBe(500)
  expect(await answer.text()).toContain('limit')
})
