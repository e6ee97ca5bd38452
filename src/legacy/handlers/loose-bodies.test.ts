/** Bodies that hold more than an operation reads, or null in place of what it may leave out. */
import { afterAll, expect, test } from 'vitest'
import { createTestServer, tokens } from '../testing/test-server.ts'

const server = await createTestServer()
afterAll(() => server.close())

const credentials = { email: 'admin@example.com', password: 'correct-horse-42' }

type Answer = { readonly data?: unknown; readonly error?: { readonly code: number } }

const send = async (request: string, body: unknown, token: string | null = tokens.admin) => {
  const answer = await server.ask(request, { body, token })
  const { data, error } = (answer.body ?? {}) as Answer
  return { status: answer.status, data: data ?? error?.code, ignored: answer.headers.get('ignored-fields') }
}

test('a login takes the whole form of a page', async () => {
  const sent = { ...credentials, remember: true, otp: null, mode: null }
  const { status, data, ignored } = await send('POST /_/auth/authenticate', sent, null)
  expect([status, ignored]).toEqual([200, 'remember'])
  expect(data).toMatchObject({ token: expect.any(String), user: { email: credentials.email } })
  const { token } = data as { readonly token: string }
  const refreshed = await send('POST /_/auth/refresh', { token, project: '_' }, null)
  expect(refreshed).toMatchObject({ status: 200, data: { token: expect.any(String) }, ignored: 'project' })
})

test('a login by an HTML form ignores the other fields of the form', async () => {
  const body = new URLSearchParams({ ...credentials, remember: '1' }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const { status, body: answer } = await server.ask('POST /_/auth/authenticate', { body, headers, token: null })
  expect([status, answer]).toMatchObject([200, { data: { user: { email: credentials.email } } }])
})

test.each([null, ''])('a password reset takes %j as no page', async (page) => {
  const sent = { email: credentials.email, reset_url: page, locale: 'en-US' }
  const before = server.mails.length
  expect(await send('POST /_/auth/password/request', sent, null)).toMatchObject({ status: 200, ignored: 'locale' })
  await expect.poll(() => server.mails.length).toBe(before + 1)
})

test.each([
  ['POST /_/utils/hash', { string: 'a', hasher: 'md5', salt: 1 }, { hash: expect.any(String) }, 'salt'],
  ['POST /_/utils/hash/match', { string: 'a', hash: 'b', salt: 1 }, { valid: false }, 'salt'],
  ['POST /_/utils/random/string', { length: 4, options: {} }, { random: expect.stringMatching(/^\w{4}$/) }, 'options'],
  ['PATCH /_/users/me/tracking/page', { last_page: '/a', time: 1 }, { last_page: '/a' }, 'time'],
  ['POST /_/gql', { query: '{ articles(limit: 1) { data { id } } }', extensions: {} }, {}, 'extensions'],
] as const)('%s ignores what it does not read', async (request, body, data, ignored) => {
  expect(await send(request, body)).toMatchObject({ status: 200, data, ignored })
})

test('a comment that was read is changed by its text alone', async () => {
  const { data } = await send('POST /_/activity/comment', { collection: 'articles', item: 1, comment: 'First' })
  const comment = data as { readonly id: number; readonly item: string }
  const changed = await send(`PATCH /_/activity/comment/${comment.id}`, { ...comment, item: '2', comment: 'Second' })
  expect(changed).toMatchObject({ status: 200, data: { id: comment.id, item: '1', comment: 'Second' } })
})

test('a mail takes null for its subject and its type, and the empty list of PHP for its values', async () => {
  const mail = { to: 'grace@example.com', body: 'Hello', subject: null, type: null, data: [] }
  for (const sent of [mail, { ...mail, data: null }, { ...mail, bcc: 'ann@example.com' }]) {
    expect((await send('POST /_/mail', sent)).status).toBe(204)
    expect(server.letters.at(-1)).toMatchObject({
      to: 'grace@example.com',
      text: { subject: '', body: 'Hello', isHtml: true },
    })
  }
  expect(server.letters).toHaveLength(3)
})
