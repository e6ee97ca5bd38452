/** Conditions that version 8 understood in its own way. */
import { afterAll, expect, test } from 'vitest'
import { createTestServer } from '../testing/test-server.ts'

const server = await createTestServer()
afterAll(() => server.close())

const ids = async (parameters: string): Promise<readonly number[]> => {
  const { body } = await server.ask(`GET /_/items/articles?fields=id&sort=id&${parameters}`)
  const { data } = body as { readonly data?: readonly { readonly id: number }[] }
  expect(data, JSON.stringify(body)).toBeDefined()
  return (data ?? []).map(({ id }) => id)
}

test('contains and its like search the text of any column, as version 8 did', async () => {
  const all = await ids('')
  const found = await ids('filter[views][contains]=20')
  const { rows } = await server.db.run({
    text: `select id from articles where views::text like '%20%' and status <> 'archived' order by id`,
    values: [],
  })
  expect(found).toEqual(rows.map((row) => (row as { readonly id: number }).id))
  expect(found.length).toBeGreaterThan(0)
  expect(await ids('filter[views][ncontains]=20')).toEqual(all.filter((id) => !found.includes(id)))
  expect(await ids('filter[views][rlike]=12_')).toEqual([1])
  expect(await ids('filter[author.age][like]=3')).toEqual(await ids('filter[author.age][between]=30,39'))
  expect(await ids('filter[id][contains]=1')).toEqual([1])
  const year = `select id from articles where date_created::text like '%2024-03%' and status <> 'archived' order by id`
  const made = (await server.db.run({ text: year, values: [] })).rows.map((row) => (row as { readonly id: number }).id)
  expect([await ids('filter[date_created][like]=2024-03'), made.length > 0]).toEqual([made, true])
  const aged = await ids('filter[author.age][contains]=61')
  expect([await ids('filter[author][contains]=61'), aged.length > 0]).toEqual([aged, true])
  const hidden = await server.ask('GET /_/items/authors?filter[secret][contains]=1')
  expect(hidden.body).toMatchObject({ error: { code: 4 } })
})

test('booleans are the numbers 0 and 1 for operators of texts and numbers, as they were in version 8', async () => {
  const yes = await ids('filter[featured]=1')
  const no = await ids('filter[featured]=0')
  expect([yes.length > 0, no.length > 0]).toEqual([true, true])
  for (const condition of ['contains]=1', 'ncontains]=0', 'rlike]=1', 'rlike]=%251', 'nlike]=0', 'gt]=0', 'gte]=1'])
    expect([condition, await ids(`filter[featured][${condition}`)]).toEqual([condition, yes])
  for (const condition of ['contains]=0', 'lt]=1', 'lte]=0', 'nbetween]=1,2', 'between]=-1,0.5'])
    expect([condition, await ids(`filter[featured][${condition}`)]).toEqual([condition, no])
  for (const condition of ['contains]=true', 'gt]=1', 'rlike]=__'])
    expect([condition, await ids(`filter[featured][${condition}`)]).toEqual([condition, []])
  for (const condition of ['between]=0,1', 'rlike]=_', 'rlike]=%25', 'lt]=2'])
    expect([condition, await ids(`filter[featured][${condition}`)]).toEqual([
      condition,
      await ids('filter[featured][nnull]=1'),
    ])
  const wrong = await server.ask('GET /_/items/articles?filter[featured][gt]=x')
  expect(wrong.body).toMatchObject({ error: { code: 4 } })
})

test('texts are compared in their order', async () => {
  const { rows } = await server.db.run({
    text: `select id from articles where title > 'M' and status <> 'archived' order by id`,
    values: [],
  })
  const later = rows.map((row) => (row as { readonly id: number }).id)
  expect(await ids('filter[title][gt]=M')).toEqual(later)
  const all = await ids('')
  expect(await ids('filter[title][lte]=M')).toEqual(all.filter((id) => !later.includes(id)))
  expect(await ids('filter[title][between]=M,ZZ')).toEqual(await ids('filter[title][gte]=M&filter[title][lte]=ZZ'))
})

test('dates and times may have single digits, in conditions and in items', async () => {
  const march = await ids('filter[date_created][between]=2024-03-01T00:00:00,2024-03-31T00:00:00')
  expect(march.length).toBeGreaterThan(0)
  expect(await ids('filter[date_created][between]=2024-3-1%200:0:0,2024-3-31%200:0:0')).toEqual(march)
  const { body } = await server.ask('GET /_/items/articles/1?fields=date_created')
  const { data: before } = body as { readonly data: object }
  const change = { date_created: '2024-3-5 9:0:7.5' }
  const changed = await server.ask('PATCH /_/items/articles/1?fields=date_created', { body: change })
  expect(changed.body).toMatchObject({
    data: { date_created: expect.stringMatching(/^2024-03-05.09:00:07/) as unknown },
  })
  await server.ask('PATCH /_/items/articles/1', { body: before })
})

test('in of no keys finds nothing, and nin of none whatever has a value', async () => {
  expect(await ids('filter[id][in]=')).toEqual([])
  expect(await ids('filter[id][in]=,1')).toEqual([1])
  expect(await ids('filter[author][nin]=')).toEqual(await ids('filter[author][nnull]=1'))
})

test('an asterisk below a field without a relation says nothing, and a name is refused', async () => {
  const { body } = await server.ask('GET /_/items/articles/1?fields=id.*,title.*,author.*,views.*.*,id')
  const { body: plain } = await server.ask('GET /_/items/articles/1?fields=id,title,author.*,views')
  expect(body).toEqual(plain)
  expect(plain).toMatchObject({ data: { id: 1, author: { id: expect.any(Number) as unknown } } })
  const refused = await server.ask('GET /_/items/articles/1?fields=title.x')
  expect(refused.body).toMatchObject({ error: { code: 202 } })
})

test('a page before the first is the first, and an offset before the first row skips none', async () => {
  const first = await ids('limit=2')
  for (const place of ['page=-1', 'page=0', 'offset=-3'])
    expect([place, await ids(`limit=2&${place}`)]).toEqual([place, first])
})

test('items that count as deleted do not count as related ones, nor do the rows that lead to them', async () => {
  const tags = async (condition: string) => {
    const { body } = await server.ask(`GET /_/items/tags?fields=name&sort=name&${condition}`)
    return (body as { readonly data: readonly { readonly name: string }[] }).data.map(({ name }) => name)
  }
  const authors = async (condition: string) => {
    const { body } = await server.ask(`GET /_/items/authors?fields=id&sort=id&${condition}`)
    return (body as { readonly data: readonly { readonly id: number }[] }).data.map(({ id }) => id)
  }
  const counts = `select t.name, count(j.id)::int as "all", count(case when a.status <> 'archived' then 1 end)::int as live
    from tags t left join articles_tags j on j.tag = t.name left join articles a on a.id = j.article group by 1 order by 1`
  await server.db.run({ text: `insert into tags (name) values ('gone'), ('mixed')`, values: [] })
  const links = `insert into articles_tags (article, tag) select a.id, t.name from articles a join tags t
    on t.name in ('gone', 'mixed') and a.status = 'archived' or t.name = 'mixed' and a.status = 'published'`
  await server.db.run({ text: links, values: [] })
  const { rows } = await server.db.run({ text: counts, values: [] })
  const counted = rows as readonly { readonly name: string; readonly all: number; readonly live: number }[]
  const named = (isWanted: (row: (typeof counted)[number]) => boolean) =>
    counted.filter(isWanted).map(({ name }) => name)
  expect(counted.find(({ name }) => name === 'gone')).toMatchObject({ all: 1, live: 0 })
  expect(await tags('filter[articles][has]=1')).toEqual(named(({ live }) => live >= 1))
  expect(await tags('filter[articles][has]=2')).toEqual(named(({ live }) => live >= 2))
  expect(await tags('filter[articles][nhas]=1')).toEqual(named(({ live }) => live < 1))
  expect(await tags('filter[articles][empty]=1')).toEqual(named(({ live }) => live === 0))
  expect(await tags('filter[articles][nempty]=1')).toEqual(named(({ live }) => live > 0))
  expect(await tags('filter[articles][all]=4')).toEqual([])
  const own = `select u.id, count(case when a.status <> 'archived' then 1 end)::int as live from authors u
    left join articles a on a.author = u.id group by 1 order by 1`
  const lives = (await server.db.run({ text: own, values: [] })).rows as readonly {
    readonly id: number
    readonly live: number
  }[]
  for (const least of [1, 2]) {
    const expected = lives.flatMap(({ id, live }) => (live >= least ? [id] : []))
    expect(await authors(`filter[articles][has]=${least}`)).toEqual(expected)
  }
  await server.db.run({ text: `delete from articles_tags where tag in ('gone', 'mixed')`, values: [] })
  await server.db.run({ text: `delete from tags where name in ('gone', 'mixed')`, values: [] })
})
