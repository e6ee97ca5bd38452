import { afterAll, expect, test } from 'vitest'
import { createTestServer, tokens } from '../testing/test-server.ts'

const server = await createTestServer()
afterAll(() => server.close())

const run = (text: string) => server.db.run({ text, values: [] })

type Revision = { readonly id: number; readonly data: object; readonly delta: object }

const dataOf = async (request: string, body?: object): Promise<unknown> =>
  ((await server.ask(request, body === undefined ? {} : { body })).body as { readonly data: unknown }).data

const failureOf = async (request: string, token: string | null = tokens.admin): Promise<readonly unknown[]> => {
  const { status, body } = await server.ask(request, { token })
  return [status, (body as { readonly error?: { readonly code: number } }).error?.code]
}

const folder = '/_/items/articles'
const values = {
  title: 'First',
  price: 1.5,
  keywords: ['ice', 'water'],
  embargo: '2024-02-01 09:00:00',
  featured: true,
  metadata: { pages: 3 },
}

async function article(): Promise<number> {
  const { id } = (await dataOf(`POST ${folder}?fields=id`, values)) as { readonly id: number }
  await dataOf(`PATCH ${folder}/${id}`, { title: 'Second' })
  await dataOf(`PATCH ${folder}/${id}`, { title: 'Third', status: 'published' })
  return id
}

test('revisions of an item are read by position, in the format of this generation', async () => {
  const id = await article()
  const all = (await dataOf(`GET ${folder}/${id}/revisions`)) as readonly Revision[]
  const item = { collection: 'articles', item: String(id) }
  const [row] = (await server.db.run({ text: 'select user_created from articles where id = $1', values: [id] })).rows
  const { user_created: owner } = row as { readonly user_created: string }
  const { rows } = await server.db.run({ text: 'select number from platform_users where id = $1', values: [owner] })
  const [{ number: user_created }] = rows as unknown as readonly [{ readonly number: number }]
  expect(all).toMatchObject([
    { ...item, data: { id, ...values, user_created }, delta: values },
    { ...item, data: { ...values, title: 'Second' }, delta: { title: 'Second' } },
    { ...item, data: { title: 'Third', status: 'published' }, delta: { title: 'Third', status: 'published' } },
  ])
  const titleAt = async (place: number) =>
    ((await dataOf(`GET ${folder}/${id}/revisions/${place}`)) as { readonly data: { readonly title: string } }).data
      .title
  expect([await titleAt(0), await titleAt(2), await titleAt(-1)]).toEqual(['First', 'Third', 'Second'])
  expect(await failureOf(`GET ${folder}/${id}/revisions/3`)).toEqual([404, 207])
})

test('an item can be reverted to its own revisions only, whatever its status', async () => {
  const id = await article()
  const [first, second] = (await dataOf(`GET ${folder}/${id}/revisions?fields=id`)) as readonly Revision[]
  expect(await dataOf(`PATCH ${folder}/${id}/revert/${first?.id}`, {})).toMatchObject({
    id,
    ...values,
    status: 'draft',
  })
  await server.ask(`PATCH ${folder}/${id}`, { body: { status: 'archived' } })
  expect(await dataOf(`PATCH ${folder}/${id}/revert/${second?.id}`, {})).toMatchObject({
    title: 'Second',
    status: 'draft',
  })
  expect(await failureOf(`PATCH ${folder}/1/revert/${first?.id}`)).toEqual([404, 207])
})

test('content versions are not revisions of the item', async () => {
  const id = await article()
  await run(`insert into platform_versions (id, key, collection, item) values (gen_random_uuid(), 'draft', 'articles', '${id}');
    insert into platform_revisions (activity, collection, item, data, version)
      select max(a.id), 'articles', '${id}', '{"title":"Waits"}', (select id from platform_versions) from platform_activity a`)
  expect(await dataOf(`GET ${folder}/${id}/revisions`)).toHaveLength(3)
  const [{ id: waiting }] = (await run('select max(id) as id from platform_revisions')).rows as [{ id: number }]
  expect(await failureOf(`PATCH ${folder}/${id}/revert/${waiting}`)).toEqual([404, 207])
})

test('reading revisions needs permissions for the item and for revisions', async () => {
  const id = await article()
  for (const path of [`${folder}/${id}/revisions`, `${folder}/${id}/revisions/0`, `${folder}/999/revisions`])
    expect(await failureOf(`GET ${path}`, null), path).toEqual([401, 3])
  expect(await failureOf(`GET ${folder}/999999/revisions`)).toEqual([404, 203])
  expect(await failureOf('GET /_/items/platform_users/1/revisions')).toEqual([401, 201])
})

test('revisions of a deleted item remain for those who may read every item', async () => {
  const id = await article()
  const before = await dataOf(`GET ${folder}/${id}/revisions`)
  expect(before).toHaveLength(3)
  await server.ask(`DELETE ${folder}/${id}`)
  expect(await dataOf(`GET ${folder}/${id}/revisions`)).toEqual(before)
  expect(await dataOf(`GET ${folder}/${id}/revisions/1`)).toMatchObject({ data: { title: 'Second' } })
  expect(await failureOf(`GET ${folder}/${id}/revisions`, null)).toEqual([401, 3])
  const [first] = before as readonly Revision[]
  expect(await failureOf(`PATCH ${folder}/${id}/revert/${first?.id}`)).toEqual([404, 203])
})

test('several keys, and a text that is no key, have no revisions', async () => {
  const id = await article()
  for (const path of [`${folder}/${id},1`, `${folder}/+`, '/_/users/+', '/_/users/1,2']) {
    expect(await dataOf(`GET ${path}/revisions`), path).toEqual([])
    expect((await failureOf(`GET ${path}/revisions/0`))[0], path).toBe(404)
  }
  expect(await failureOf('GET /_/users/999999/revisions')).toEqual([404, 203])
})

test('a webhook has revisions, in the words of this generation', async () => {
  const body = {
    url: 'https://example.com/',
    collection: 'articles',
    directus_action: 'item.create:after',
    status: 'inactive',
  }
  const { id } = (await dataOf('POST /_/webhooks', body)) as { readonly id: number }
  await dataOf(`PATCH /_/webhooks/${id}`, { url: 'https://example.com/new' })
  expect(await dataOf(`GET /_/webhooks/${id}/revisions`)).toMatchObject([
    { data: { id, ...body }, delta: body },
    { data: { ...body, url: 'https://example.com/new' }, delta: { url: 'https://example.com/new' } },
  ])
  expect(await dataOf(`GET /_/webhooks/${id}/revisions/0`)).toMatchObject({ data: body })
})

test('a revision without a state of its item cannot be reverted to', async () => {
  const id = await article()
  const [first] = (await dataOf(`GET ${folder}/${id}/revisions`)) as readonly Revision[]
  for (const data of ['null', `'"text"'`, `'[1]'`]) {
    await server.db.run({ text: `update platform_revisions set data = ${data} where id = $1`, values: [first?.id] })
    expect(await failureOf(`PATCH ${folder}/${id}/revert/${first?.id}`), data).toEqual([422, 208])
  }
  expect(await dataOf(`GET ${folder}/${id}?fields=title`)).toEqual({ title: 'Third' })
})
