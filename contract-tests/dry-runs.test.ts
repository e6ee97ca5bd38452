/** A batch as a dry run changes nothing beside the database either: no file is deleted, no right is lost, no webhook is sent. */
import { afterAll, expect, test } from 'vitest'
import { openOwnDatabase } from './own-database.ts'
import { openReceiver } from './webhook-receiver.ts'

const receiver = await openReceiver()
const own = await openOwnDatabase('create table notes (id serial primary key, title text)', {
  WEBHOOKS_IP_ALLOW_LIST: '127.0.0.0/8',
})
const token = await own.addUser([{ collection: 'notes', action: 'read' }])
afterAll(async () => {
  await own.close()
  await receiver.close()
})

const dataOf = async <T = { readonly id: string }>(request: string, body?: unknown): Promise<T> => {
  const answer = await own.ask(request, { body })
  expect([request, answer.status, answer.body]).toEqual([request, 200, answer.body])
  return (answer.body as { readonly data: T }).data
}

async function upload(): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob(['kept'], { type: 'text/plain' }), 'kept.txt')
  const headers = { authorization: `Bearer ${own.adminToken}` }
  const answer = await fetch(`${own.url}/files`, { method: 'POST', headers, body: form })
  return ((await answer.json()) as { readonly data: { readonly id: string } }).data.id
}

test.each([
  ['', {}],
  [' under a key, told again,', { 'idempotency-key': crypto.randomUUID() }],
])('a dry run%s has no effects', async (_name, headers) => {
  const file = await upload()
  const [user] = await own.rows("select id from platform_users where email like 'user-%'")
  const hook = { name: 'Test', url: receiver.url, collections: ['notes'], actions: ['create', 'update', 'delete'] }
  const { id: webhook } = await dataOf('POST /webhooks', hook)
  const before = receiver.received.length
  const operations = [
    { method: 'DELETE', path: `/files/${file}` },
    { method: 'PATCH', path: `/users/${String(user?.['id'])}`, body: { status: 'suspended' } },
    { method: 'POST', path: '/items/notes', body: { title: 'dry' } },
  ]
  for (let turn = 0; turn < 2; turn += 1) {
    const { status, body } = await own.ask('POST /batch', { body: { operations, dry_run: true }, headers })
    const data = [{ status: 204 }, { status: 200 }, { status: 200, body: { data: { title: 'dry' } } }]
    expect([status, body]).toMatchObject([200, { dry_run: true, data }])
  }
  expect(await own.ask(`GET /assets/${file}`)).toMatchObject({ status: 200, body: 'kept' })
  expect((await own.ask('GET /items/notes', { token })).body).toEqual({
    data: expect.not.arrayContaining([expect.objectContaining({ title: 'dry' })]),
  })
  await dataOf('POST /items/notes', { title: 'real' })
  const told = (await receiver.until(before + 1)).slice(before).map(({ body }) => JSON.parse(body) as object)
  expect(told).toMatchObject([{ type: 'items.create', data: { item: { title: 'real' } } }])
  await own.ask(`DELETE /webhooks/${webhook}`)
})

test('a batch that fails deletes no contents of files, and holds no uploads', async () => {
  const file = await upload()
  const remove = { method: 'DELETE', path: `/files/${file}` }
  const failing = { method: 'POST', path: '/items/notes', body: { title: { no: 'text' }, unknown: 1 } }
  const failed = await own.ask('POST /batch', { body: { operations: [remove, failing] } })
  expect([failed.status, failed.body]).toMatchObject([400, { error: { operation: 1 } }])
  expect(await own.ask(`GET /assets/${file}`)).toMatchObject({ status: 200, body: 'kept' })
  const before = await own.rows('select id from platform_files')
  for (const path of ['/files', '/files/import', '/files/tus']) {
    const body = { operations: [remove, { method: 'POST', path, body: { url: receiver.url } }] }
    expect([path, (await own.ask('POST /batch', { body })).status]).toEqual([path, 400])
  }
  expect(await own.rows('select id from platform_files')).toEqual(before)
  expect(await own.ask(`GET /assets/${file}`)).toMatchObject({ status: 200, body: 'kept' })
})
