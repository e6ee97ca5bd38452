/** Versions, shares, manual sorting and import of rows whose key has several columns. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { perVendor } from '../src/sql/testing/test-vendors.ts'
import { openOwnDatabase } from './own-database.ts'
import type { RequestOptions } from './send.ts'

const admin = '10000000-0000-4000-8000-000000000001'
const sql = `
create table film (id serial primary key, title text);
create table actor (id serial primary key, name text);
create table film_actor (
  film_id int references film, actor_id int references actor, part text, place int, primary key (film_id, actor_id));
create table price (film_id int references film, day timestamptz, amount numeric(6, 2), primary key (film_id, day));
insert into platform_collections (collection, versioning, sort_field) values
  ('film', true, null), ('actor', true, null), ('film_actor', true, 'place'), ('price', true, null);
insert into platform_fields (collection, field, special) values ('film', 'film_actors', 'o2m'), ('film', 'prices', 'o2m');
insert into platform_relations (many_collection, many_field, one_collection, one_field) values
  ('film_actor', 'film_id', 'film', 'film_actors'), ('price', 'film_id', 'film', 'prices');
insert into platform_roles (id, name) values ('${admin}', 'guests')`

const rows = `
truncate film, actor, film_actor, price, platform_versions, platform_shares, platform_revisions restart identity cascade;
insert into film (title) values ('One'), ('Two');
insert into actor (name) values ('Ann'), ('Bo'), ('Cy');
insert into film_actor values (1, 1, 'lead', 1), (1, 2, 'extra', 2), (1, 3, 'extra', 3), (2, 1, 'villain', 4);
insert into price values (1, '2026-01-31T10:00:00.5Z', 1.5), (2, '2026-01-31T10:00:00.5Z', 2)`
const own = await openOwnDatabase(sql)
beforeEach(async () => {
  await own.rows(rows)
  await own.app.refresh()
})
afterAll(() => own.close())

const dataOf = async (request: string, options?: RequestOptions): Promise<unknown> => {
  const { status, body } = await own.ask(request, options)
  return status === 200 ? (body as { readonly data: unknown }).data : { status, body }
}
const priceKey = '1;2026-01-31T10:00:00.500Z'

test.each([
  ['film_actor', '1;2', { part: 'hero' }, { part: 'extra' }],
  ['price', priceKey, { amount: '9.00' }, { amount: '1.50' }],
] as const)('an item of %s has versions', async (collection, item, changes, before) => {
  const [name = ''] = Object.keys(changes)
  const path = `/items/${collection}/${encodeURIComponent(item)}?fields=${name}`
  const made = await dataOf('POST /versions?fields=id', { body: { collection, item, key: 'draft', name: 'Draft' } })
  const { id } = made as { readonly id: string }
  expect(await dataOf(`POST /versions/${id}/save`, { body: changes })).toMatchObject(changes)
  expect(await dataOf(`GET ${path}`)).toEqual(before)
  expect(await dataOf(`GET ${path}&version=draft`)).toEqual(changes)
  const compared = (await dataOf(`GET /versions/${id}/compare`)) as { readonly mainHash: string }
  expect(compared).toMatchObject({ outdated: false, current: changes })
  const promoted = await own.ask(`POST /versions/${id}/promote`, { body: { mainHash: compared.mainHash } })
  expect(promoted.status).toBe(200)
  expect(await dataOf(`GET ${path}`)).toEqual(changes)
  const other = { collection, item: item.replace('1', '9'), key: 'x' }
  expect((await own.ask('POST /versions', { body: other })).status).toBe(403)
  expect((await own.ask(`DELETE /items/${collection}/${encodeURIComponent(item)}`)).status).toBe(204)
  expect(await own.rows('select 1 from platform_versions')).toEqual([])
})

const read = (collection: string) => ({ collection, action: 'read' })

test('an item is shared with those around it', async () => {
  await own.addUser(['film', 'actor', 'film_actor', 'price'].map(read))
  await own.rows(`insert into platform_access (id, role, policy)
    select gen_random_uuid(), '${admin}', policy from platform_permissions limit 1`)
  await own.app.refresh()
  const visitor = async (collection: string, item: string): Promise<string> => {
    const body = { collection, item, role: admin, name: 'link' }
    const { id } = (await dataOf('POST /shares?fields=id', { body })) as { readonly id: string }
    const login = await dataOf('POST /shares/auth', { token: null, body: { share: id } })
    return (login as { readonly access_token: string }).access_token
  }
  const ofPart = await visitor('film_actor', '1;2')
  expect(await dataOf('GET /items/film_actor?fields=$key,film_id.title', { token: ofPart })).toEqual([
    { $key: '1;2', film_id: { title: 'One' } },
  ])
  expect((await own.ask('GET /items/film_actor/1;1', { token: ofPart })).status).toBe(403)
  expect(await dataOf('GET /items/actor?fields=name', { token: ofPart })).toEqual([{ name: 'Bo' }])
  expect(await dataOf('GET /_/items/film_actor?fields=$key,film_id.title', { token: ofPart })).toEqual([
    { $key: '1;2', film_id: { title: 'One' } },
  ])
  expect(await dataOf('GET /_/items/film_actor/1;2?fields=part', { token: ofPart })).toEqual({ part: 'extra' })
  expect((await own.ask('GET /_/items/film_actor/1;1', { token: ofPart })).status).toBe(404)
  expect(await dataOf('GET /_/items/actor?fields=name', { token: ofPart })).toEqual([{ name: 'Bo' }])
  const ofFilm = await visitor('film', '2')
  expect(
    await dataOf('GET /items/film/2?fields=title,film_actors.actor_id.name,prices.amount', { token: ofFilm }),
  ).toEqual({
    title: 'Two',
    film_actors: [{ actor_id: { name: 'Ann' } }],
    prices: [{ amount: '2.00' }],
  })
  expect(await dataOf('GET /items/film_actor?fields=$key', { token: ofFilm })).toEqual([{ $key: '2;1' }])
  expect(await dataOf('GET /items/price?fields=film_id', { token: ofFilm })).toEqual([{ film_id: 2 }])
})

test.each([
  { collection: 'film_actor', item: '1;2', recorded: '1;2', changes: { part: 'hero' }, before: { part: 'extra' } },
  {
    collection: 'price',
    item: priceKey,
    recorded: perVendor({ postgres: '1;2026-01-31 10:00:00.5+00', mariadb: '1;2026-01-31 10:00:00.500000' }),
    changes: { amount: 9 },
    before: { amount: 1.5 },
  },
])(
  'version 8 has the history, comments and versions of an item of $collection',
  async ({ collection, item, recorded, changes, before }) => {
    const [name = ''] = Object.keys(changes)
    const path = `/_/items/${collection}/${encodeURIComponent(item)}`
    const shown = (data: unknown) =>
      Number.isNaN(Number(Object.values(data as object)[0]))
        ? data
        : { [name]: Number((data as { [key: string]: unknown })[name]) }
    const made = await dataOf('POST /versions?fields=id', { body: { collection, item, key: 'draft', name: 'Draft' } })
    const { id } = made as { readonly id: string }
    await dataOf(`POST /versions/${id}/save`, { body: changes })
    expect(shown(await dataOf(`GET ${path}?fields=${name}`))).toEqual(before)
    const { mainHash } = (await dataOf(`GET /versions/${id}/compare`)) as { readonly mainHash: string }
    await own.ask(`POST /versions/${id}/promote`, { body: { mainHash } })
    expect(shown(await dataOf(`GET ${path}?fields=${name}`))).toEqual(changes)
    expect(shown(await dataOf(`PATCH ${path}?fields=${name}`, { body: before }))).toEqual(before)
    const revisions = (await dataOf(`GET ${path}/revisions?sort=id`)) as readonly {
      readonly id: number
      readonly item: string
    }[]
    expect(revisions.map((each) => each.item)).toEqual([recorded, recorded])
    expect(await dataOf(`GET ${path}/revisions/0`)).toMatchObject({ id: revisions[0]?.id, item: recorded })
    expect(shown(await dataOf(`PATCH ${path}/revert/${revisions[0]?.id}?fields=${name}`))).toEqual(changes)
    expect(
      await dataOf(
        `GET /_/revisions?filter[item]=${encodeURIComponent(recorded)}&filter[collection]=${collection}&fields=item`,
      ),
    ).toEqual([{ item: recorded }, { item: recorded }, { item: recorded }])
    const comment = { collection, item, comment: 'Look' }
    const told = (await dataOf('POST /_/activity/comment', { body: comment })) as { readonly id: number }
    expect(told).toMatchObject(comment)
    expect(await dataOf(`PATCH /_/activity/comment/${told.id}`, { body: { comment: 'See' } })).toMatchObject({
      item,
      comment: 'See',
    })
    const found = await dataOf(
      `GET /_/activity?filter[item]=${encodeURIComponent(item)}&filter[action]=comment&fields=item,comment`,
    )
    expect(found).toEqual([{ item, comment: 'See' }])
    expect(
      (await own.ask('POST /_/activity/comment', { body: { ...comment, item: item.replace('1', '9') } })).status,
    ).toBe(404)
    expect((await own.ask(`DELETE ${path}`)).status).toBe(204)
    expect(await own.rows('select 1 from platform_versions')).toEqual([])
    expect((await own.ask(`GET ${path}`)).status).toBe(404)
    expect((await own.ask(`GET ${path}/revisions`)).status).toBeLessThan(500)
  },
)

test('items are moved in their manual order', async () => {
  const order = async () =>
    (await own.rows('select film_id, actor_id from film_actor order by place')).map(Object.values)
  expect((await own.ask('POST /utils/sort/film_actor', { body: { item: '2;1', to: '1;2' } })).status).toBe(200)
  expect(await order()).toEqual([
    [1, 1],
    [2, 1],
    [1, 2],
    [1, 3],
  ])
  expect((await own.ask('POST /utils/sort/film_actor', { body: { item: '9;9', to: '1;2' } })).status).toBe(403)
})

test('nested items are found by moments in their key', async () => {
  const prices = [
    { day: '2026-01-31T11:00:00.500+01:00', amount: 3 },
    { day: '2026-02-01T00:00:00Z', amount: 4 },
  ]
  for (const path of ['/items/film/1', '/_/items/film/1'])
    expect((await own.ask(`PATCH ${path}`, { body: { prices } })).status).toBe(200)
  expect(await own.rows('select amount::text from price where film_id = 1 order by day')).toEqual([
    { amount: '3.00' },
    { amount: '4.00' },
  ])
})

test('a file changes the rows that are there, and adds others', async () => {
  const files = {
    'rows.csv': ['text/csv', 'film_id,actor_id,part\n1,1,star\n2,2,new\n'],
    'rows.json': ['application/json', JSON.stringify([{ film_id: 1, actor_id: 1, part: 'sun' }])],
  } as const
  const parts = ['star', 'sun']
  for (const [name, [type, text]] of Object.entries(files)) {
    const form = new FormData()
    form.append('file', new Blob([text], { type }), name)
    const sent = await fetch(`${own.url}/utils/import/film_actor`, {
      method: 'POST',
      headers: { authorization: 'Bearer static-token-of-admin-of-this-test' },
      body: form,
    })
    expect(sent.status).toBe(200)
    expect(await dataOf('GET /items/film_actor/1;1?fields=part')).toEqual({ part: parts.shift() })
  }
  expect(await own.rows('select count(*)::integer as n from film_actor')).toEqual([{ n: 5 }])
  const form = new FormData()
  const moment = '2026-01-31T10:00:00.500Z'
  form.append('file', new Blob([`film_id,day,amount\n1,${moment},7.25\n`], { type: 'text/csv' }), 'rows.csv')
  const headers = { authorization: 'Bearer static-token-of-admin-of-this-test' }
  const sent = await fetch(`${own.url}/utils/import/price`, { method: 'POST', headers, body: form })
  expect(sent.status).toBe(200)
  expect(await own.rows('select film_id, amount::text from price order by film_id')).toEqual([
    { film_id: 1, amount: '7.25' },
    { film_id: 2, amount: '2.00' },
  ])
})
