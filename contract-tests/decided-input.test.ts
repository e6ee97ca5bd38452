/** Input that says nothing, or names what is not there: both generations answer it in one way. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { openOwnDatabase } from './own-database.ts'

const own = await openOwnDatabase(
  `create table writers (id serial primary key, name text);
     create table books (id serial primary key, title text, writer integer references writers);
     insert into writers (name) values ('Ann'); insert into books (title, writer) values ('One', 1), ('Two', 1)`,
  { IMPORT_IP_DENY_LIST: '192.0.2.1', IMPORT_IP_ALLOW_LIST: '127.0.0.0/8' },
)
const origin = createServer((_request, response) => response.setHeader('content-type', 'text/plain').end('some words'))
await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve))
afterAll(async () => {
  await new Promise((resolve) => origin.close(resolve))
  await own.close()
})

const codeOf = async (request: string, token?: string) => {
  const { status, body } = await own.ask(request, token === undefined ? {} : { token })
  return [status, (body as { readonly error?: { readonly code: unknown } }).error?.code]
}

test.each([
  ['GET /items/books?fields=title.x', [403, 'FORBIDDEN']],
  ['GET /items/books?fields=id,title,title.x', [403, 'FORBIDDEN']],
  ['GET /items/books?fields=writer.name.x', [403, 'FORBIDDEN']],
  ['GET /items/books?fields=nothing', [403, 'FORBIDDEN']],
  ['GET /versions?fields=delta', [403, 'FORBIDDEN']],
  ['GET /_/items/books?fields=title.x', [404, 202]],
  ['GET /_/items/books?fields=writer.name.x', [404, 202]],
  ['GET /_/items/books?fields=nothing', [400, 209]],
  ['GET /_/items/books?filter={"_or":[]}', [400, 209]],
  ['GET /_/items/books?filter={"nothing":{}}', [400, 209]],
])('%s', async (request, expected) => {
  expect(await codeOf(request)).toEqual(expected)
  const reader = await own.addUser(['books', 'writers'].map((collection) => ({ collection, action: 'read' })))
  const [status] = await codeOf(request, reader)
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
})

test.each([
  [{ _and: [] }, 2],
  [{ _or: [] }, 0],
  [{ title: { _or: [] } }, 0],
  [{ title: { _and: [] } }, 2],
  [{ _and: [{ _or: [] }] }, 0],
  [{ _or: [{ _and: [] }] }, 2],
  [{ writer: { _or: [] } }, 0],
])('the filter %j finds %d', async (filter, count) => {
  const text = encodeURIComponent(JSON.stringify(filter))
  const list = (await own.ask(`GET /items/books?filter=${text}`)).body as { readonly data: readonly unknown[] }
  expect(list.data).toHaveLength(count)
  const searched = await own.ask('SEARCH /items/books', { body: { query: { filter } } })
  expect((searched.body as typeof list).data).toHaveLength(count)
  const query = 'query ($filter: books_filter) { books(filter: $filter) { id } }'
  const asked = await own.ask('POST /graphql', { body: { query, variables: { filter } } })
  // Conditions on one column have no lists in GraphQL.
  if ('_and' in filter || '_or' in filter)
    expect((asked.body as { data: { books: unknown[] } }).data.books).toHaveLength(count)
})

test('an import takes the properties of a file, and says which it does not take', async () => {
  const url = `http://127.0.0.1:${(origin.address() as AddressInfo).port}/far.txt`
  const data = { title: 'Near', filename_download: 'near.txt', description: 'd', tags: ['a'], width: 3 }
  const made = await own.ask('POST /files/import', { body: { url, data } })
  expect(made).toMatchObject({ status: 200, body: { data: { ...data, width: null, type: 'text/plain' } } })
  const query =
    'mutation ($url: String!, $data: create_platform_files_input!) { import_file(url: $url, data: $data) { title filename_download } }'
  const named = { title: 'Nearer', filename_download: 'nearer.txt' }
  const asked = await own.ask('POST /graphql/system', { body: { query, variables: { url, data: named } } })
  expect(asked.body).toEqual({ data: { import_file: named } })
  for (const name of ['filename_disk', 'filesize', 'uploaded_on']) {
    const refusal = await own.ask('POST /files/import', { body: { url, data: { [name]: null } } })
    expect([refusal.status, JSON.stringify(refusal.body).includes(name)]).toEqual([400, true])
  }
  const writer = await own.addUser([{ collection: 'platform_files', action: 'create', fields: 'title' }])
  expect((await own.ask('POST /files/import', { token: writer, body: { url, data: named } })).status).toBe(403)
})

test('an import says which media types it accepts, and replaces the file whose id it has', async () => {
  const url = `http://127.0.0.1:${(origin.address() as AddressInfo).port}/far.txt`
  const ask = (body: object, token?: string) =>
    own.ask('POST /files/import', { body: { url, ...body }, ...(token === undefined ? {} : { token }) })
  const refused = await ask({ options: { filterMimeType: ['image/*', 'video/mp4'] } })
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('image/*, video/mp4')])
  const made = await ask({ data: { title: 'Kept' }, options: { filterMimeType: ['image/*', 'text/plain'] } })
  const { id, filename_disk: old } = (made.body as { data: { id: string; filename_disk: string } }).data
  for (const options of [{}, { filterMimeType: null }, { filterMimeType: [] }])
    expect(await ask({ data: { id }, options })).toMatchObject({ status: 200, body: { data: { id, title: 'Kept' } } })
  const named = { id, description: 'New', filename_download: 'new.txt' }
  const replaced = await ask({ data: named })
  expect(replaced).toMatchObject({ status: 200, body: { data: { ...named, title: 'Kept', filesize: '10' } } })
  expect(replaced.body).not.toMatchObject({ data: { filename_disk: old } })
  const fresh = '00000000-0000-4000-8000-0000000000a1'
  expect(await ask({ data: { id: fresh } })).toMatchObject({ status: 200, body: { data: { id: fresh } } })
  const creator = await own.addUser([{ collection: 'platform_files', action: 'create' }])
  expect((await ask({ data: { id } }, creator)).status).toBe(403)
  const updater = await own.addUser([{ collection: 'platform_files', action: 'update', fields: 'description' }])
  expect((await ask({ data: { id, description: 'Own' } }, updater)).status).toBe(204)
  expect((await ask({ data: { id, title: 'Own' } }, updater)).status).toBe(403)
  expect((await ask({}, updater)).status).toBe(403)
})
