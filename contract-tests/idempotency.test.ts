import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { deleteAllExpired } from '../src/core/batch/once-by-key.ts'
import { tryLockKey } from '../src/sql/statements/batch/idempotency.ts'
import { perVendor } from '../src/sql/testing/test-vendors.ts'
import { type OwnDatabase, openOwnDatabase } from './own-database.ts'

const tables = `
  create table notes (id serial primary key, text text not null, secret text);
  insert into platform_collections (collection, singleton) values ('notes', false);
  insert into platform_fields (collection, field, special) values ('notes', 'secret', 'hash')`

/** Of 24 requests each. */
const rounds = Number(process.env['IDEMPOTENCY_ROUNDS'] ?? 1)
const isServer = process.env['TEST_DATABASE_URL'] !== undefined

const own = await openOwnDatabase(tables, { IDEMPOTENCY_MAX_KEYS: '40', IDEMPOTENCY_MAX_ANSWER: '2kb' })
const other = (await own.openReplica()).ask
const user = await own.addUser(['create', 'read'].map((action) => ({ collection: 'notes', action })))
beforeEach(() => own.rows('truncate notes, platform_idempotency_keys, platform_activity restart identity cascade'))
afterAll(() => own.close())

type Sent = NonNullable<Parameters<OwnDatabase['ask']>[1]> & { readonly by?: OwnDatabase['ask'] }

async function send(request: string, key: string, { by = own.ask, ...asked }: Sent = {}) {
  const { status, body, headers } = await by(request, { ...asked, headers: { 'idempotency-key': key } })
  return { status, body, isReplayed: headers.get('idempotency-replayed') }
}

const notes = async (): Promise<unknown> =>
  (await own.rows('select text from notes order by id')).map(({ text }) => text)
const reused = {
  status: 422,
  body: expect.objectContaining({
    error: expect.objectContaining({ code: 'UNPROCESSABLE_CONTENT' }) as unknown,
  }) as unknown,
  isReplayed: null,
}

describe('a repetition', () => {
  test.for<[string, string, unknown]>([
    ['an item', 'POST /items/notes', { text: 'a' }],
    ['items in another form', 'POST /items/notes?fields=id', [{ text: 'a' }, { text: 'b' }]],
    ['an item of the legacy generation', 'POST /_/items/notes', { text: 'a' }],
    ['a system collection', 'POST /folders', { name: 'a' }],
    ['a system collection of the legacy generation', 'POST /_/folders', { name: 'b' }],
    ['a batch', 'POST /batch', { operations: [{ method: 'POST', path: '/items/notes', body: { text: 'a' } }] }],
    [
      'a batch of the legacy generation',
      'POST /_/batch',
      { operations: [{ method: 'POST', path: '/_/items/notes', body: { text: 'a' } }] },
    ],
  ])('of %s gets the same answer from any replica, and writes nothing', async ([, request, body]) => {
    const first = await send(request, 'one', { body })
    expect([first.status, first.isReplayed]).toEqual([200, null])
    const counts = await own.rows(
      'select (select count(*) from notes) as notes, (select count(*) from platform_activity) as activity',
    )
    for (const by of [own.ask, other])
      expect(await send(request, 'one', { body, by })).toEqual({ ...first, isReplayed: 'true' })
    expect(
      await own.rows(
        'select (select count(*) from notes) as notes, (select count(*) from platform_activity) as activity',
      ),
    ).toEqual(counts)
  })

  test('of a deletion is no error', async () => {
    await own.rows("insert into notes (text) values ('a')")
    expect((await send('DELETE /items/notes/1', 'two')).status).toBe(204)
    expect(await send('DELETE /items/notes/1', 'two', { by: other })).toEqual({
      status: 204,
      body: null,
      isReplayed: 'true',
    })
    expect((await own.ask('DELETE /items/notes/1')).status).toBe(403)
  })

  test.for<[string, string, unknown]>([
    ['another body', 'POST /items/notes', { text: 'b' }],
    ['another query', 'POST /items/notes?fields=id', { text: 'a' }],
    ['another path', 'POST /folders', { text: 'a' }],
    ['another generation', 'POST /_/items/notes', { text: 'a' }],
  ])('with %s is refused', async ([, request, body]) => {
    await send('POST /items/notes', 'three', { body: { text: 'a' } })
    const answer = await send(request, 'three', { body, by: other })
    expect(answer.status).toBe(422)
    if (!request.includes('/_/')) expect(answer).toEqual(reused)
    expect(await notes()).toEqual(['a'])
  })

  test('by another caller is another request', async () => {
    const body = { text: 'a' }
    expect((await send('POST /items/notes', 'four', { body })).body).toMatchObject({ data: { id: 1 } })
    expect((await send('POST /items/notes', 'four', { body, token: user })).body).toMatchObject({ data: { id: 2 } })
    expect((await send('POST /items/notes', 'four', { body: { text: 'b' }, token: user })).status).toBe(422)
    expect(await notes()).toEqual(['a', 'a'])
  })

  test('of a failed write runs again', async () => {
    expect((await send('POST /items/notes', 'five', { body: { text: null } })).status).toBe(400)
    expect(await own.rows('select key from platform_idempotency_keys')).toEqual([])
    expect((await send('POST /items/notes', 'five', { body: { text: 'a' } })).status).toBe(200)
  })

  test('after its time is another request, and what is over is deleted', async () => {
    const body = { text: 'a' }
    await send('POST /items/notes', 'six', { body })
    await send('POST /items/notes', 'seven', { body })
    await own.rows("update platform_idempotency_keys set expires = now() - interval '1 second'")
    expect((await send('POST /items/notes', 'six', { body: { text: 'b' } })).body).toMatchObject({ data: { id: 3 } })
    expect(await deleteAllExpired(own.db)).toBe(1)
    expect(await own.rows('select key from platform_idempotency_keys')).toEqual([{ key: 'six' }])
    const [found] = await own.rows(
      perVendor({
        postgres:
          'select round(extract(epoch from expires - now()) / 3600)::int as hours from platform_idempotency_keys',
        mariadb: `select cast(round(timestampdiff(second, now(6), expires) / 3600) as signed) as hours
          from platform_idempotency_keys`,
      }),
    )
    expect(found).toEqual({ hours: 24 })
  })

  test(
    `at the same time writes once, in ${rounds} rounds`,
    async () => {
      for (let round = 0; round < rounds; round += 1) {
        // The number of keys of a caller is limited.
        await own.rows('truncate notes, platform_idempotency_keys restart identity')
        const answers = await Promise.all(
          Array.from({ length: 24 }, (_, at) =>
            send('POST /items/notes', `many-${at % 4}`, {
              body: { text: `${at % 4}` },
              by: at % 2 === 0 ? own.ask : other,
            }),
          ),
        )
        expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([])
        expect(await own.rows('select text, count(*)::int as n from notes group by text order by text')).toEqual(
          ['0', '1', '2', '3'].map((text) => ({ text, n: 1 })),
        )
      }
    },
    30_000 + rounds * 1000,
  )

  // On the embedded database the second request waits for the first.
  const testOnServer = isServer ? test : () => {}
  testOnServer('while the first request is in progress is told so', async () => {
    const [{ id } = {}] = await own.rows("select id from platform_users where email like 'admin@%'")
    const caller = `user ${String(id)}`
    await own.db.transaction(async (inner) => {
      expect(await tryLockKey(inner, { caller, key: 'eight' })).toBe(true)
      const { status, body } = await send('POST /items/notes', 'eight', { body: { text: 'a' }, by: other })
      expect([status, body]).toEqual([
        409,
        expect.objectContaining({
          error: {
            code: 'CONFLICT',
            message: expect.any(String) as string,
            reason: 'A request with this Idempotency-Key is in progress',
          },
        }),
      ])
      expect((await send('POST /_/items/notes', 'eight', { body: { text: 'a' } })).body).toEqual({
        error: { code: 4, message: 'A request with this Idempotency-Key is in progress' },
      })
    })
    expect((await send('POST /items/notes', 'eight', { body: { text: 'a' } })).status).toBe(200)
  })
})

test('secrets of requests and answers are not kept', async () => {
  const body = { email: 'kept@example.com', password: 'a-password-of-mine', token: 'a-token-of-mine-that-is-long' }
  const { status, body: answer } = await send('POST /users', 'nine', { body })
  expect(status).toBe(200)
  expect((await send('POST /users', 'nine', { body })).body).toEqual(answer)
  const [{ whole } = {}] = await own.rows(
    perVendor({
      postgres: 'select string_agg(k::text, $$ $$) as whole from platform_idempotency_keys k',
      mariadb: `select group_concat(concat_ws(' ', caller, "key", digest, status, body, headers)) as whole
        from platform_idempotency_keys`,
    }),
  )
  expect(whole).not.toMatch(/of-mine/)
})

test.for<[string, unknown]>([
  ['POST /auth/login', { email: 'admin@example.com', password: 'x' }],
  ['POST /utils/hash/generate', { string: 'x' }],
  ['POST /users/invite', { email: 'a@example.com', role: '00000000-0000-4000-8000-000000000001' }],
  ['POST /_/auth/authenticate', { email: 'admin@example.com', password: 'x' }],
])('%s takes no key', async ([request, body]) => {
  const { status, body: answer } = await send(request, 'ten', { body })
  expect([status, JSON.stringify(answer)]).toEqual([400, expect.stringContaining('Idempotency-Key')])
})

test('keys that differ by case alone are two', async () => {
  for (const key of ['case', 'CASE'])
    expect((await send('POST /items/notes', key, { body: { text: key } })).status).toBe(200)
  expect(await notes()).toEqual(['case', 'CASE'])
})

test('reads ignore a key', async () => {
  expect((await send('GET /items/notes', 'eleven')).body).toEqual({ data: [] })
})

test.for(['', 'a b', 'é', 'k'.repeat(256)])('the key %j is refused', async (key) => {
  expect((await send('POST /items/notes', key, { body: { text: 'a' } })).status).toBe(400)
  expect(await notes()).toEqual([])
})

test('an answer that is too large is not kept, and its write is not repeated', async () => {
  const body = { text: 'a'.repeat(3000) }
  const long = await send('POST /items/notes', 'long', { body })
  expect([long.status, long.body]).toMatchObject([200, { data: body }])
  const again = await send('POST /items/notes', 'long', { body, by: other })
  expect([again.status, JSON.stringify(again.body)]).toEqual([422, expect.stringContaining('is done')])
  expect(await notes()).toHaveLength(1)
})

test('the number of keys is bounded, and what is beyond is not written', async () => {
  await send('POST /items/notes', 'first', { body: { text: 'a' } })
  await own.rows(`insert into platform_idempotency_keys (caller, key, digest, status, headers, expires)
    select caller, 'k' || n, '', 204, '{}', expires from platform_idempotency_keys, generate_series(1, 39) n`)
  expect((await send('POST /items/notes', 'beyond', { body: { text: 'b' } })).status).toBe(422)
  expect((await send('POST /items/notes', 'beyond', { body: { text: 'b' }, token: user })).status).toBe(200)
})
