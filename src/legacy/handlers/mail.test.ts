/** Mails of users, as clients of version 8 send them. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createTestServer, tokens } from '../testing/test-server.ts'

const server = await createTestServer()
await server.db.run({
  text: `update platform_users set first_name = 'Ada', last_name = 'Lovelace' where email = 'admin@example.com'`,
  values: [],
})
beforeEach(() => void (server.letters.length = 0))
afterAll(() => server.close())

const numberOf = async (email: string): Promise<number> => {
  const text = 'select number from platform_users where email = $1'
  const { rows } = await server.db.run({ text, values: [email] })
  return Number((rows as readonly { readonly number?: number }[])[0]?.number)
}

const send = (body: object, token: string | null = tokens.admin) => server.ask('POST /_/mail', { body, token })

const codeOf = ({ status, body }: { status: number; body: unknown }) => [
  status,
  (body as { error?: { code: number } }).error?.code,
]

test('users, addresses and objects each get the mail, and its placeholders are filled', async () => {
  const to = [await numberOf('reader@example.com'), 'Grace@Example.com', { email: 'ann@example.com', name: 'Ann' }]
  const data = { title: 'A & B', author: { name: '<i>Bo</i>' }, count: 3 }
  const body = '<p>{{ author.name }}: {{title}} ({{ count }}){{ nothing }}</p>'
  expect((await send({ to, subject: 'New', body, type: 'html', data })).status).toBe(204)
  expect(server.letters.map((each) => [each.to, each.name])).toEqual([
    ['grace@example.com', null],
    ['ann@example.com', 'Ann'],
    ['reader@example.com', null],
  ])
  expect(server.letters[0]?.text).toEqual({
    subject: 'New',
    body: '<p>&lt;i&gt;Bo&lt;/i&gt;: A &amp; B (3)</p>',
    isHtml: true,
    author: { name: 'Ada Lovelace', address: 'admin@example.com' },
  })
})

test('one recipient needs no list, and plain text is not escaped', async () => {
  const plain = { to: 'grace@example.com', body: '{{ title }}', type: 'plain', data: { title: 'A & B' } }
  expect((await send(plain)).status).toBe(204)
  expect(server.letters.map(({ text }) => [text.body, text.isHtml, text.subject])).toEqual([['A & B', false, '']])
})

test('a form names users by their ids, too', async () => {
  const fields = new URLSearchParams({ 'to[]': String(await numberOf('reader@example.com')), body: 'x' })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await server.ask('POST /_/mail', { body: String(fields), headers })).status).toBe(204)
  expect(server.letters.map(({ to }) => to)).toEqual(['reader@example.com'])
})

test('an address that is named twice gets one mail', async () => {
  await send({ to: ['grace@example.com', ' GRACE@example.com'], body: 'x' })
  expect(server.letters).toHaveLength(1)
})

test('administrators may write in the name of the project', async () => {
  const mail = { to: 'grace@example.com', body: 'x', use_default_email: true }
  expect((await send(mail)).status).toBe(204)
  expect(server.letters[0]?.text.author).toBeNull()
  expect(codeOf(await send(mail, tokens.reader))).toEqual([403, 10])
})

test.each([
  ['without a user', { to: 'grace@example.com', body: 'x' }, null, [401, 108]],
  ['to an unknown user', { to: [999_999], body: 'x' }, tokens.admin, [422, 12]],
  ['to something else than an address', { to: 'grace', body: 'x' }, tokens.admin, [400, 4]],
  ['to nobody', { to: [], body: 'x' }, tokens.admin, [400, 4]],
  ['without a body', { to: 'grace@example.com' }, tokens.admin, [400, 4]],
  [
    'that becomes too long',
    { to: 'grace@example.com', body: '{{ a }}'.repeat(10_000), data: { a: 'x'.repeat(1000) } },
    tokens.admin,
    [422, 12],
  ],
] as const)('a mail %s is refused', async (_name, body, token, expected) => {
  expect(codeOf(await send(body, token))).toEqual(expected)
  expect(server.letters).toEqual([])
})

test('a user whom the caller may not read is not found, and neither is one who is not active', async () => {
  expect(codeOf(await send({ to: [await numberOf('admin@example.com')], body: 'x' }, tokens.reader))).toEqual([422, 12])
  await server.db.run({
    text: `update platform_users set status = 'invited' where email = 'writer@example.com'`,
    values: [],
  })
  expect(codeOf(await send({ to: [await numberOf('writer@example.com')], body: 'x' }))).toEqual([422, 12])
})
