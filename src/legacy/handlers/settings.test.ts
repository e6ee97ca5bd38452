/** Settings by key and value, over the one row that the other generation writes. */
import { afterAll, expect, test } from 'vitest'
import { createTestServer, tokens } from '../testing/test-server.ts'

const server = await createTestServer()
afterAll(() => server.close())

const dataOf = async (request: string, body?: unknown): Promise<unknown> => {
  const answer = await server.ask(request, { body })
  expect(answer.status).toBe(200)
  return (answer.body as { readonly data: unknown }).data
}

test('every key that clients know has a row, with a value of its type', async () => {
  const rows = (await dataOf('GET /_/settings?limit=-1')) as readonly { readonly id: number; readonly key: string }[]
  expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 23 }, (_, at) => at + 1))
  const byKey = Object.fromEntries(rows.map((row) => [row.key, 'value' in row ? row.value : undefined]))
  expect(byKey).toMatchObject({
    project_name: 'Tandem',
    project_logo: null,
    default_limit: 200,
    sort_null_last: true,
    login_attempts_allowed: 25,
    file_naming: 'uuid',
  })
})

test('a change by key is a change of the stored row', async () => {
  expect(await dataOf('PATCH /_/settings/21', { value: 'Renamed' })).toEqual({
    id: 21,
    key: 'project_name',
    value: 'Renamed',
  })
  const { rows } = await server.db.run({ text: 'select project_name from platform_settings', values: [] })
  expect(rows).toEqual([{ project_name: 'Renamed' }])
})

test('a list, JSON and an integer are stored as such and shown as text or number', async () => {
  const sizes = JSON.stringify([{ key: 'card', width: 200, height: 100, fit: 'crop', quality: 60 }])
  const written = await dataOf('PATCH /_/settings', [
    { id: 15, value: 'image/png,image/jpeg' },
    { id: 19, value: sizes },
    { id: 9, value: '50' },
  ])
  expect(written).toEqual([
    { id: 9, key: 'default_limit', value: 50 },
    { id: 15, key: 'file_mimetype_whitelist', value: 'image/png,image/jpeg' },
    { id: 19, key: 'asset_whitelist', value: sizes },
  ])
  const text = 'select file_mimetype_whitelist as types, storage_asset_presets::text as sizes from platform_settings'
  const { rows } = await server.db.run({ text, values: [] })
  expect(rows).toEqual([{ types: 'image/png,image/jpeg', sizes: expect.stringMatching(/"fit":\s*"cover"/) as unknown }])
})

test('keys of clients get numbers of their own, and go again', async () => {
  const made = await dataOf('POST /_/settings', [
    { key: 'homepage', value: '3' },
    { key: 'footer', value: null },
  ])
  expect(made).toEqual([
    { id: 24, key: 'homepage', value: '3' },
    { id: 25, key: 'footer', value: null },
  ])
  const twice = await server.ask('POST /_/settings', { body: { key: 'homepage', value: '4' } })
  expect([twice.status, twice.body]).toMatchObject([409, { error: { code: 204 } }])
  expect((await server.ask('DELETE /_/settings/24,25')).status).toBe(204)
  const gone = await server.ask('GET /_/settings/24')
  expect([gone.status, gone.body]).toMatchObject([404, { error: { code: 203 } }])
})

test('a known key that is deleted comes back when it is created anew', async () => {
  expect((await server.ask('DELETE /_/settings/6,23')).status).toBe(204)
  expect(await dataOf('GET /_/settings?filter[key][in]=project_public_note,auth_token_ttl')).toEqual([])
  expect(await dataOf('POST /_/settings', { key: 'project_public_note', value: 'Hello' })).toEqual({
    id: 6,
    key: 'project_public_note',
    value: 'Hello',
  })
})

test('lists are filtered, sorted, counted and cut', async () => {
  const path = '/_/settings?filter[key][contains]=project&sort=-key&limit=2&fields=key&meta=filter_count,result_count'
  expect((await server.ask(`GET ${path}`)).body).toEqual({
    meta: { filter_count: 7, result_count: 2 },
    data: [{ key: 'project_url' }, { key: 'project_public_note' }],
  })
})

test('a logo is a file, and is written by its number', async () => {
  const file = await dataOf('POST /_/files', {
    data: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    filename_disk: 'logo.png',
    filename_download: 'logo.png',
  })
  const { id } = file as { readonly id: number }
  expect(await dataOf('PATCH /_/settings/2', { value: id })).toMatchObject({ value: { id, type: 'image/png' } })
})

test.each([
  ['GET /_/settings', undefined, 403, 300],
  ['PATCH /_/settings/21', { value: 'Mine' }, 403, 302],
  ['POST /_/settings', { key: 'mine', value: 'x' }, 403, 302],
  ['DELETE /_/settings/21', undefined, 403, 302],
  ['GET /_/settings/fields', undefined, 403, 300],
])('%s is refused without the right', async (request, body, status, code) => {
  const answer = await server.ask(request, { token: tokens.reader, body })
  expect([answer.status, answer.body]).toMatchObject([status, { error: { code } }])
})

test('an unknown setting is refused by name', async () => {
  const wrong = await server.ask('PATCH /_/settings', { body: [{ id: 9, value: 'many' }] })
  expect([wrong.status, wrong.body]).toEqual([
    400,
    { error: { code: 4, message: 'default_limit: This value should be of type numeric.' } },
  ])
  const renamed = await server.ask('PATCH /_/settings/21', { body: { key: 'other', value: 'x' } })
  expect(renamed.body).toEqual({ error: { code: 12, message: 'The key of a setting cannot change' } })
  const keyless = await server.ask('POST /_/settings', { body: { value: 'x' } })
  expect(keyless.body).toEqual({ error: { code: 4, message: 'key: This value should not be blank.' } })
})
