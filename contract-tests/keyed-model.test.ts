/** `Idempotency-Key` on changes of the data model and of accounts by SCIM, in both generations. */
import { afterAll, describe, expect, test, vi } from 'vitest'
import { type OwnDatabase, openOwnDatabase } from './own-database.ts'

// Each change makes both servers read the model again.
vi.setConfig({ testTimeout: 120_000 })

const own = await openOwnDatabase('create table shelves (id serial primary key)', { IDEMPOTENCY_MAX_ANSWER: '4kb' })
const other = (await own.openReplica()).ask
afterAll(() => own.close())

type Sent = { readonly body?: unknown; readonly by?: OwnDatabase['ask']; readonly type?: string }

async function send(request: string, key: string, { body, by = own.ask, type }: Sent = {}) {
  const headers = {
    'idempotency-key': key.replaceAll(' ', '-'),
    ...(type === undefined ? {} : { 'content-type': type }),
  }
  const answer = await by(request, { headers, ...(body === undefined ? {} : { body }) })
  return { status: answer.status, body: answer.body, isReplayed: answer.headers.get('idempotency-replayed') }
}

const books = { collection: 'books', schema: {}, fields: [{ field: 'title', type: 'string' }] }
const legacyBooks = {
  collection: 'old_books',
  fields: [
    {
      field: 'id',
      type: 'integer',
      datatype: 'int',
      primary_key: true,
      auto_increment: true,
      interface: 'primary-key',
    },
  ],
}

/** Each follows those before it. */
const changes: readonly (readonly [name: string, request: string, body?: unknown])[] = [
  ['a new collection', 'POST /collections', books],
  ['a changed collection', 'PATCH /collections/books', { meta: { note: 'What we read' } }],
  ['changed collections', 'PATCH /collections', [{ collection: 'books', meta: { icon: 'book' } }]],
  ['a new field', 'POST /fields/books', { field: 'shelf', type: 'integer' }],
  ['changed fields', 'PATCH /fields/books', [{ field: 'title', meta: { note: 'On the cover' } }]],
  ['a changed field', 'PATCH /fields/books/title', { meta: { note: 'On the spine' } }],
  ['a relation', 'POST /relations', { collection: 'books', field: 'shelf', related_collection: 'shelves' }],
  ['a changed relation', 'PATCH /relations/books/shelf', { meta: { one_field: 'books' } }],
  ['a deleted relation', 'DELETE /relations/books/shelf'],
  ['a deleted field', 'DELETE /fields/books/shelf'],
  ['deleted fields', 'DELETE /fields/books', ['title']],
  ['a deleted collection', 'DELETE /collections/books'],
  ['a new collection of version 8', 'POST /_/collections', legacyBooks],
  ['a changed collection of version 8', 'PATCH /_/collections/old_books', { note: 'What we read' }],
  [
    'a new field of version 8',
    'POST /_/fields/old_books',
    { field: 'title', type: 'string', datatype: 'varchar', length: 100, interface: 'text-input' },
  ],
  ['a changed field of version 8', 'PATCH /_/fields/old_books/title', { note: 'On the cover' }],
  ['a deleted field of version 8', 'DELETE /_/fields/old_books/title'],
  ['a deleted collection of version 8', 'DELETE /_/collections/old_books'],
]

describe('a repetition', () => {
  test.for(changes)('of %s gets the same answer from any replica', async ([name, request, body], { expect }) => {
    const first = await send(request, name, { body })
    expect([first.status < 300, first.isReplayed, first.body]).toEqual([true, null, first.body])
    for (const by of [own.ask, other])
      expect(await send(request, name, { body, by })).toEqual({ ...first, isReplayed: 'true' })
  })

  test('of a user and a group of SCIM gets the same answer', async () => {
    const type = 'application/scim+json'
    const person = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: 'ann@example.com' }
    const group = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: 'Readers' }
    for (const [base, at] of [
      ['/scim/v2', 'a'],
      ['/_/scim/v2', 'b'],
    ] as const) {
      const named = { ...person, userName: `${at}@example.com`, externalId: at }
      for (const [path, body] of [
        [`${base}/Users`, named],
        [`${base}/Groups`, { ...group, displayName: `Readers ${at}`, externalId: `group-${at}` }],
      ] as const) {
        const first = await send(`POST ${path}`, path, { body, type })
        expect([first.status, first.isReplayed]).toEqual([201, null])
        expect(await send(`POST ${path}`, path, { body, type, by: other })).toEqual({ ...first, isReplayed: 'true' })
        const { id } = first.body as { readonly id: string }
        expect((await send(`DELETE ${path}/${id}`, `gone ${path}`)).status).toBe(204)
        expect(await send(`DELETE ${path}/${id}`, `gone ${path}`, { by: other })).toMatchObject({
          status: 204,
          isReplayed: 'true',
        })
      }
    }
  })
})

test('a new collection is served at once, with its answer in the same transaction', async () => {
  expect((await send('POST /collections', 'new', { body: { collection: 'pages', schema: {} } })).status).toBe(200)
  expect((await own.ask('POST /items/pages', { body: {} })).body).toEqual({ data: { id: 1 } })
  await expect.poll(async () => (await other('GET /items/pages')).status).toBe(200)
  const again = await send('POST /collections', 'new', { body: { collection: 'leaves', schema: {} } })
  expect(again.status).toBe(422)
})

test('a change that fails keeps nothing, and can be sent again', async () => {
  const bad = { collection: 'rows', schema: {}, fields: [{ field: 'id', type: 'no-type' }] }
  expect((await send('POST /collections', 'bad', { body: bad })).status).toBe(400)
  const good = { collection: 'rows', schema: {} }
  expect((await send('POST /collections', 'bad', { body: good })).status).toBe(200)
})

test('a change whose answer cannot be kept is made once', async () => {
  const fields = Array.from({ length: 40 }, (_, at) => `field_${at}`)
  const wide = fields.map((collection) => ({ collection, schema: {}, meta: { note: 'n'.repeat(100) } }))
  expect((await send('POST /collections', 'wide', { body: wide })).status).toBe(200)
  // The status is one that only the header makes possible.
  const { ask: unchecked } = await own.openReplica({ VALIDATE_RESPONSES: 'false' })
  const again = await send('POST /collections', 'wide', { body: wide, by: unchecked })
  expect([again.status, JSON.stringify(again.body)]).toEqual([422, expect.stringContaining('is done')])
  expect((await own.ask('GET /collections/field_0')).status).toBe(200)
})
