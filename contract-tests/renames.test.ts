/** Collections and fields get other names by files: rows, rights, related items and watched tables follow, on all vendors. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, expect, test } from 'vitest'
import { createApp } from '../src/app.ts'
import { loadConfig } from '../src/config/config.ts'
import type { Collection } from '../src/domain/schema/schema.ts'
import { watchTable } from '../src/sql/statements/feed/watch.ts'
import { createTestDatabase, silentLog } from '../src/sql/testing/test-database.ts'
import { worldSql } from '../src/sql/testing/test-world.ts'
import { send } from './send.ts'

const folder = mkdtempSync(`${tmpdir()}/tandem-renames-`)
const adminToken = 'a-static-token-for-tests'
const settings = { ADMIN_TOKEN: adminToken, DATA_DIR: folder, HASH_MEMORY_COST: '1024', HOST: '127.0.0.1', PORT: '0' }

async function ask(path: string, body?: object): Promise<{ readonly status: number; readonly data: unknown }> {
  const method = body === undefined ? 'GET' : 'POST'
  const response = await send(url, `${method} ${path}`, { body, token: adminToken })
  const { data = null, errors } = (response.body ?? {}) as { data?: unknown; errors?: unknown }
  return { status: response.status, data: errors ?? data }
}

const rowsOf = async (text: string): Promise<readonly unknown[]> => (await database.db.run({ text, values: [] })).rows

const database = await createTestDatabase({ sql: worldSql })
for (const text of [
  `insert into platform_collections (collection, singleton) values ('folder', false)`,
  `update platform_collections set "group" = 'headings' where collection = 'paragraphs'`,
  `update platform_collections set "group" = 'folder' where collection = 'headings'`,
  `insert into platform_policies (id, name, app_access, admin_access)
      values ('00000000-0000-4000-8000-0000000000aa', 'Reading', false, false)`,
  `insert into platform_permissions (policy, collection, action, fields)
      values ('00000000-0000-4000-8000-0000000000aa', 'headings', 'read', 'text,id,text_of_other')`,
])
  await rowsOf(text)
const app = await createApp(loadConfig(settings, folder), {
  log: silentLog,
  db: { ...database.db, close: () => Promise.resolve() },
})
const url = await app.listen()
afterAll(async () => {
  await app.close()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

type Configuration = { readonly collections: { readonly [name: string]: { readonly fields: object } } }
type Plan = { readonly changes: readonly { readonly words: string }[] }

/** The configuration with another name of a collection, and of a field of it. */
async function renamed(): Promise<object> {
  const found = (await ask('/configuration')).data as Configuration
  const { headings = { fields: {} }, paragraphs, ...others } = found.collections
  const { text, ...fields } = headings.fields as { readonly text: object }
  const titles = {
    ...headings,
    renamed_from: 'headings',
    fields: { ...fields, line: { ...text, renamed_from: 'text' } },
  }
  const grouped = JSON.parse(JSON.stringify({ paragraphs, ...others }).replaceAll('"headings"', '"titles"')) as object
  const rights = JSON.parse(JSON.stringify(titles).replaceAll('"text",', '"line",')) as object
  return { ...found, collections: { ...grouped, titles: rights } }
}

const words = ['Rename collection "headings" to "titles"', 'Rename field "titles.text" to "titles.line"']

test('a plan says the renames alone, and changes nothing', async () => {
  const before = await ask('/configuration')
  const { data } = await ask('/configuration/plan', { configuration: await renamed() })
  expect((data as Plan).changes.map((each) => each.words)).toEqual(words)
  expect(await ask('/configuration')).toEqual(before)
  expect(await rowsOf('select id, text from headings order by id limit 1')).toHaveLength(1)
})

test('a push that somebody else has overtaken changes nothing', async () => {
  const refused = await ask('/configuration/apply', { configuration: await renamed(), changes: words.toReversed() })
  expect(refused.status).toBe(422)
  expect(await rowsOf('select text from headings where id = 1')).toHaveLength(1)
})

test('a push keeps rows, rights, folders, lists of several collections, and watched tables', async () => {
  const [row] = (await rowsOf('select id, text from headings order by id')) as readonly { id: number; text: string }[]
  const schema = await database.loadSchema()
  await watchTable(database.db, schema.collections.get('headings') as Collection)
  expect(await ask('/configuration/apply', { configuration: await renamed(), changes: words })).toMatchObject({
    status: 204,
  })
  expect(await ask(`/items/titles/${row?.id}`)).toEqual({ status: 200, data: { id: row?.id, line: row?.text } })
  expect(await ask('/items/pages/1?fields=blocks.item:titles.line')).toMatchObject({ status: 200 })
  expect(
    await rowsOf(`select collection, "group" from platform_collections
      where collection in ('titles', 'headings', 'paragraphs') order by collection`),
  ).toEqual([
    { collection: 'paragraphs', group: 'titles' },
    { collection: 'titles', group: 'folder' },
  ])
  expect(
    await rowsOf(
      `select collection, fields from platform_permissions where policy = '00000000-0000-4000-8000-0000000000aa'`,
    ),
  ).toEqual([{ collection: 'titles', fields: 'line,id,text_of_other' }])
  const [{ one_allowed_collections: allowed }] = (await rowsOf(
    `select one_allowed_collections from platform_relations where many_collection = 'pages_blocks' and many_field = 'item'`,
  )) as readonly [{ readonly one_allowed_collections: string }]
  expect(allowed.split(',')).toEqual(['titles', 'paragraphs'])
  await rowsOf(`update platform_feed set until = '2037-01-01 00:00:00' where id = 1`)
  await rowsOf(`update titles set line = 'By another program' where id = ${row?.id}`)
  const events = (await rowsOf('select action, collection, item, after from platform_events')) as readonly {
    readonly after: unknown
  }[]
  expect(
    events.map(({ after, ...event }) => ({ ...event, after: typeof after === 'string' ? JSON.parse(after) : after })),
  ).toEqual([
    {
      action: 'update',
      collection: 'titles',
      item: String(row?.id),
      after: { id: row?.id, line: 'By another program' },
    },
  ])
})
