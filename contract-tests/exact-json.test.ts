/** Numbers in JSON columns that a double cannot hold keep their digits wherever a value is read and written again. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openOwnDatabase } from './own-database.ts'

const large = '9007199254740993'
const long = '12345678901234567890.125'
const json = `{"i":${large},"n":[${long}]}`
const decimal = '12345678901234567890.1234500000'

const sql = `
create table notes (id integer primary key, j json, d numeric(30, 10), b bigint, t text);
insert into platform_collections (collection, versioning) values ('notes', true)`
const own = await openOwnDatabase(sql)
afterAll(() => own.close())

const values = `"j":${json},"d":${decimal},"b":${large}`
beforeEach(async () => {
  await own.rows('delete from notes')
  expect(await own.ask('POST /items/notes', { body: `{"id":1,${values}}` })).toMatchObject({ status: 200 })
})

/** The body as it was sent, because a parsed one has lost the digits. */
const textOf = async (request: string, body?: string): Promise<string> => {
  const [method = '', path = ''] = request.split(' ')
  const headers = { authorization: `Bearer ${own.adminToken}`, 'content-type': 'application/json' }
  const answer = await fetch(`${own.url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
  return (await answer.text()).replaceAll(/\s/g, '')
}

const shown = `"j":${json},"d":"${decimal}","b":"${large}"`

test('of JSON that comes as text', async () => {
  const text = JSON.stringify(json)
  expect(await textOf('PATCH /items/notes/1?fields=j', `{"j":${text}}`)).toBe(`{"data":{"j":${json}}}`)
  expect(await textOf('PATCH /_/items/notes/1?fields=j', `{"j":${text}}`)).toBe(`{"data":{"j":${json}}}`)
})

test.each([
  ['the current generation', (id: string) => `POST /utils/revert/${id}`],
  ['the legacy generation', (id: string) => `PATCH /_/items/notes/1/revert/${id}`],
])('when %s goes back to a revision', async (_name, requestOf) => {
  const [newest] = await own.rows(`select max(id) as id from platform_revisions where collection = 'notes'`)
  await own.ask('PATCH /items/notes/1', { body: { j: { a: 1 }, d: 1, b: 2 } })
  expect((await own.ask(requestOf(String(newest?.['id'])))).status).toBeLessThan(300)
  expect(await textOf('GET /items/notes/1?fields=j,d,b')).toBe(`{"data":{${shown}}}`)
})

test('in the history of the legacy generation, where long numbers are text as in items', async () => {
  const text = await textOf('GET /_/items/notes/1/revisions?fields=data&sort=-id&limit=1')
  expect(text).toBe(`{"data":[{"data":{"id":1,${shown},"t":null}}]}`)
})

test('in versions, which show and promote what was saved', async () => {
  await own.rows('update notes set j = null, d = null, b = null')
  const made = await own.ask('POST /versions', { body: { collection: 'notes', item: '1', key: 'next', name: 'Next' } })
  const { id, hash } = (made.body as { data: { id: string; hash: string } }).data
  expect(await textOf(`POST /versions/${id}/save`, `{${values}}`)).toContain(shown)
  expect(await textOf('GET /items/notes/1?version=next&fields=j,d,b')).toBe(`{"data":{${shown}}}`)
  expect((await own.ask(`POST /versions/${id}/promote`, { body: { mainHash: hash } })).status).toBe(200)
  expect(await textOf('GET /items/notes/1?fields=j,d,b')).toBe(`{"data":{${shown}}}`)
})

const file = (format: string) => textOf(`GET /items/notes?fields=j&export=${format}`)

test('in exported files', async () => {
  expect(await file('json')).toBe(`[{"j":${json}}]`)
  expect(await file('csv')).toBe(`"j""${json.replaceAll('"', '""')}"`)
  expect(await file('xml')).toContain(`<j><i>${large}</i><n>${long}</n></j>`)
  expect(await file('yaml')).toBe(`-j:i:${large}n:-${long}`)
})

test('in rules', async () => {
  const permissions = [{ collection: 'notes', action: 'read', permissions: {}, fields: 'id' }]
  const token = await own.addUser(permissions)
  await own.rows(`update platform_permissions set permissions = '{"b":{"_eq":${large}}}' where collection = 'notes'`)
  const replica = await own.openReplica()
  expect((await replica.ask('GET /items/notes', { token })).body).toEqual({ data: [{ id: 1 }] })
  await own.rows('update notes set b = 9007199254740992')
  expect((await replica.ask('GET /items/notes', { token })).body).toEqual({ data: [] })
})
