/** `Idempotency-Key` on writes whose answers show a secret: done once, and the secret is kept nowhere. */
import { afterAll, expect, test } from 'vitest'
import { perVendor } from '../src/sql/testing/test-vendors.ts'
import { openOwnDatabase } from './own-database.ts'

const own = await openOwnDatabase('create table notes (id serial primary key, text text)')
const other = (await own.openReplica()).ask
afterAll(() => own.close())

const send = (request: string, key: string, body: unknown, by = own.ask) =>
  by(request, { body, headers: { 'idempotency-key': key } })

const hook = { name: 'a', url: 'https://example.com/hook', collections: ['notes'], actions: ['create'] }
const query = (text: string) => ({ query: text })
const newKey = 'mutation { create_keys_item(data: { name: "by GraphQL" }) { id key } }'
const rotation = 'mutation { webhooks_rotate_secret(id: 1) { secret } }'

const countAll = async () =>
  (
    await own.rows(
      'select (select count(*) from platform_keys) as a, (select count(*) from platform_webhooks) as b, (select max(secret) from platform_webhooks where id = 1) as c',
    )
  )[0]

/** Each follows those before it. */
test.for<readonly [string, string, unknown]>([
  ['an API key', 'POST /keys', { name: 'by REST' }],
  ['a webhook', 'POST /webhooks', hook],
  ['webhooks', 'POST /webhooks?fields=*', [hook, hook]],
  ['a replaced secret', 'POST /webhooks/1/rotate-secret', { overlap: 0 }],
  ['a batch', 'POST /batch', { operations: [{ method: 'POST', path: '/webhooks', body: hook }] }],
  ['an API key by GraphQL', 'POST /graphql/system', query(newKey)],
  ['a replaced secret by GraphQL', 'POST /graphql/system', query(rotation)],
])('%s is made once, and its secret is kept nowhere', async ([name, request, body]) => {
  const key = name.replaceAll(' ', '-')
  const first = await send(request, key, body)
  expect(first.status).toBe(200)
  const [secret] = /(?:whsec_|tk_)[A-Za-z0-9+/_-]{24,}/.exec(JSON.stringify(first.body)) ?? []
  expect(secret).toBeTypeOf('string')
  const made = await countAll()
  for (const by of [own.ask, other]) {
    const { status, body: answer } = await send(request, key, body, by)
    expect([status, JSON.stringify(answer)]).toEqual([422, expect.stringContaining('a secret, which is shown once')])
  }
  expect((await send(request, key, { other: 1, ...(body as object) })).status).toBeGreaterThanOrEqual(400)
  expect(await countAll()).toEqual(made)
  const [{ whole } = {}] = await own.rows(
    perVendor({
      postgres: 'select string_agg(k::text, $$ $$) as whole from platform_idempotency_keys k',
      mariadb: `select group_concat(concat_ws(' ', caller, "key", digest, status, body, headers)) as whole
        from platform_idempotency_keys`,
    }),
  )
  expect(whole).toContain(key)
  expect(whole).not.toContain(secret)
})

test('a failed key of an API makes none, and can be sent again', async () => {
  expect((await send('POST /keys', 'failed', { name: '' })).status).toBe(400)
  expect((await send('POST /keys', 'failed', { name: 'now' })).status).toBe(200)
})

test('an export into a file is written once', async () => {
  const body = { format: 'json', query: {} }
  const [first, second] = [
    await send('POST /utils/export/notes', 'export', body),
    await send('POST /utils/export/notes', 'export', body, other),
  ]
  expect([first.status, second.status, second.headers.get('idempotency-replayed')]).toEqual([204, 204, 'true'])
  const text = `select (select count(*) from platform_files) as files, (select count(*) from platform_notifications) as told`
  expect(await own.rows(text)).toEqual([{ files: expect.anything() as unknown, told: expect.anything() as unknown }])
  expect(Object.values((await own.rows(text))[0] ?? {}).map(Number)).toEqual([1, 1])
  expect((await send('POST /utils/export/notes', 'export', { ...body, format: 'csv' })).status).toBe(422)
})
