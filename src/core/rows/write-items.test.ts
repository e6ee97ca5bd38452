import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Context, Database, Statement } from '../../domain/ports/context.ts'
import { matchAll } from '../../domain/query/filter.ts'
import { perVendor } from '../../sql/testing/test-vendors.ts'
import { world } from '../../sql/testing/test-world.ts'
import { writeItems } from '../items/items.ts'
import {
  changesOf,
  failuresOf,
  is,
  openTestWorld,
  queryOf,
  type TestWorld,
  testUser,
  userWith,
} from '../testing/test-context.ts'

let opened: TestWorld
let ctx: Context
let statements: Statement[]
let rowsOf: TestWorld['rowsOf']

beforeAll(async () => {
  opened = await openTestWorld()
  ;({ ctx, statements, rowsOf } = opened)
})

afterAll(() => opened.close())

const count = async () =>
  rowsOf(
    'select (select count(*)::int from platform_activity) as a, (select count(*)::int from platform_revisions) as r',
  )

const paint = (color: string) =>
  writeItems(ctx, {
    kind: 'update',
    collection: 'tags',
    target: { kind: 'keys', keys: ['unused'] },
    changes: changesOf({ color }),
  })

describe('create', () => {
  test('one statement writes the row, its activity and its revision', async () => {
    statements.length = 0
    const keys = await writeItems(ctx, {
      kind: 'create',
      collection: 'authors',
      items: [
        changesOf({ name: 'Dora', email: 'dora@example.com', secret: 'open sesame', region: world.regions.north }),
      ],
    })
    // On MariaDB, a write is a transaction of its own.
    expect(statements.length).toBe(perVendor({ postgres: 1, mariadb: 0 }))
    const [key] = keys as [number]
    expect(typeof key).toBe('number')
    const [author] = (await rowsOf(`select * from authors where id = ${key}`)) as [{ secret: string }]
    expect(author).toMatchObject({ name: 'Dora', email: 'dora@example.com', age: null })
    expect(author.secret).toMatch(/^\$argon2id\$/)
    const history = await rowsOf(
      `select a.action, a."user", a."timestamp", a.ip, a.user_agent, a.collection, a.item, r.data, r.delta
       from platform_activity a join platform_revisions r on r.activity = a.id where a.collection = 'authors' and a.item = '${key}'`,
    )
    expect(history).toEqual([
      {
        action: 'create',
        user: testUser,
        timestamp: '2026-01-31T10:00:00Z',
        ip: '192.0.2.1',
        user_agent: 'test',
        collection: 'authors',
        item: String(key),
        data: {
          id: key,
          name: 'Dora',
          email: 'dora@example.com',
          age: null,
          region: world.regions.north,
          mentor: null,
          secret: '**********',
        },
        delta: { name: 'Dora', email: 'dora@example.com', secret: '**********', region: world.regions.north },
      },
    ])
  })

  test('a thousand rows of one shape are one statement, with keys in order and a revision each', async () => {
    statements.length = 0
    const items = Array.from({ length: 1000 }, (_, index) => changesOf({ name: `tag ${index}`, color: `c${index}` }))
    const noted = (db: Database): Database => ({
      ...db,
      run: (statement) => {
        statements.push(statement)
        return db.run(statement)
      },
    })
    const db: Database = { ...ctx.db, transaction: (work) => ctx.db.transaction((inner) => work(noted(inner))) }
    const keys = await writeItems({ ...ctx, db }, { kind: 'create', collection: 'tags', items })
    expect(statements.length).toBe(1)
    expect(keys).toEqual(items.map((_, index) => `tag ${index}`))
    const text = `select r.item, r.delta->>'color' as color, r.data->>'name' as name from platform_revisions r where r.collection = 'tags' order by r.id`
    expect(await rowsOf(text)).toEqual(
      items.map((_, at) => ({ item: `tag ${at}`, color: `c${at}`, name: `tag ${at}` })),
    )
  })

  test('serial keys come back in the order of the items, and rows of several shapes keep their defaults', async () => {
    const items = [
      changesOf({ title: 'a' }),
      changesOf({ title: 'b', status: 'published', views: 3 }),
      changesOf({
        title: 'c',
        metadata: { deep: [1, 'ü'] },
        keywords: ['x', 'y'],
        price: '12.5',
        reads: '9007199254740993',
      }),
      changesOf({ id: 5000, title: 'd' }),
    ]
    const keys = await writeItems(ctx, { kind: 'create', collection: 'articles', items })
    expect(keys[3]).toBe(5000)
    const rows = await rowsOf(
      `select title, status, views, metadata, keywords, price, reads, featured from articles where id in (${keys.join(', ')}) order by title`,
    )
    expect(rows).toEqual([
      {
        title: 'a',
        status: 'draft',
        views: 0,
        metadata: null,
        keywords: null,
        price: null,
        reads: null,
        featured: false,
      },
      {
        title: 'b',
        status: 'published',
        views: 3,
        metadata: null,
        keywords: null,
        price: null,
        reads: null,
        featured: false,
      },
      {
        title: 'c',
        status: 'draft',
        views: 0,
        metadata: { deep: [1, 'ü'] },
        keywords: 'x,y',
        price: '12.50000',
        reads: '9007199254740993',
        featured: false,
      },
      {
        title: 'd',
        status: 'draft',
        views: 0,
        metadata: null,
        keywords: null,
        price: null,
        reads: null,
        featured: false,
      },
    ])
    expect(await rowsOf(`select title from articles where id = ${keys[0]}`)).toEqual([{ title: 'a' }])
    expect(await rowsOf(`select title from articles where id = ${keys[2]}`)).toEqual([{ title: 'c' }])
  })

  test('items without a value are rows of defaults, a revision each', async () => {
    const [at] = (await rowsOf('select coalesce(max(id), 0) as id from platform_revisions')) as [{ id: number }]
    const keys = await writeItems(ctx, {
      kind: 'create',
      collection: 'articles_tags',
      items: [changesOf({}), changesOf({}), changesOf({})],
    })
    expect(new Set(keys).size).toBe(3)
    const history = await rowsOf(`select item, delta from platform_revisions where id > ${at.id} order by id`)
    expect(history).toEqual(keys.map((key) => ({ item: String(key), delta: {} })))
  })

  test('flags fill in times, authors and uuids, whatever was submitted', async () => {
    const [key] = await writeItems(ctx, {
      kind: 'create',
      collection: 'articles',
      items: [changesOf({ title: 'flags', date_created: '1999-01-01T00:00:00Z', user_created: null, token: '' })],
    })
    expect(
      await rowsOf(
        `select date_created, date_updated, user_created, user_updated, token from articles where id = ${key}`,
      ),
    ).toEqual([
      {
        date_created: '2026-01-31T10:00:00Z',
        date_updated: null,
        user_created: testUser,
        user_updated: null,
        token: expect.stringMatching(/^00000000-0000-4000-8000-/) as string,
      },
    ])
  })

  test('every broken value is reported with its field, and nothing is stored', async () => {
    const before = await rowsOf('select count(*) from articles')
    const failures = await failuresOf(
      writeItems(ctx, {
        kind: 'create',
        collection: 'articles',
        items: [
          changesOf({ views: 'many', sort: 3_000_000_000, status: 'x'.repeat(21), token: 'no', address: ['::1'] }),
        ],
      }),
    )
    expect(failures).toEqual([
      { kind: 'value-too-long', collection: 'articles', field: 'status' },
      { kind: 'value-out-of-range', collection: 'articles', field: 'sort' },
      { kind: 'failed-validation', field: 'title', type: 'required' },
      {
        kind: 'failed-validation',
        field: 'views',
        type: 'type',
        message: 'Expected an integer for field "views" but received "many"',
      },
      {
        kind: 'failed-validation',
        field: 'token',
        type: 'type',
        message: 'Expected a UUID for field "token" but received "no"',
      },
      expect.objectContaining({ kind: 'failed-validation', field: 'address', type: 'type' }),
    ])
    expect(await rowsOf('select count(*) from articles')).toEqual(before)
  })

  test('the condition of a field holds for administrators too, with its own message', async () => {
    const items = [changesOf({ name: 'Eve', email: 'nowhere' })]
    expect(await failuresOf(writeItems(ctx, { kind: 'create', collection: 'authors', items }))).toEqual([
      { kind: 'failed-validation', field: 'email', type: 'contains', limit: '@', message: 'Expected an address' },
    ])
  })

  test('a refused statement rolls everything back', async () => {
    const items = [changesOf({ name: 'fresh tag' }), changesOf({ name: 'ice' })]
    expect(await failuresOf(writeItems(ctx, { kind: 'create', collection: 'tags', items }))).toMatchObject([
      { kind: 'not-unique', collection: 'tags', field: 'name' },
    ])
    expect(await rowsOf(`select * from tags where name = 'fresh tag'`)).toEqual([])
    expect(await rowsOf(`select * from platform_activity where item = 'fresh tag'`)).toEqual([])
  })

  test('a field without a column takes related items and nothing else', async () => {
    const keys = [changesOf({ title: 't', comments: [1, 2] })]
    expect(await failuresOf(writeItems(ctx, { kind: 'create', collection: 'articles', items: keys }))).toMatchObject([
      { kind: 'invalid-payload', name: 'comments' },
    ])
  })

  test('more items than a mutation may have are refused', async () => {
    const limits = { ...ctx.limits, batch: 2 }
    const items = [changesOf({ name: '1' }), changesOf({ name: '2' }), changesOf({ name: '3' })]
    expect(await failuresOf(writeItems({ ...ctx, limits }, { kind: 'create', collection: 'tags', items }))).toEqual([
      { kind: 'invalid-payload', reason: 'Expected at most 2 items but received 3' },
    ])
  })

  test('history is kept as far as the collection wants it, and of users alone', async () => {
    const [before] = (await count()) as [{ a: number; r: number }]
    await writeItems(ctx, { kind: 'create', collection: 'comments', items: [changesOf({ article: 1, body: 'hm' })] })
    expect(await count()).toEqual([{ a: before.a + 1, r: before.r }])
    await writeItems(ctx, { kind: 'create', collection: 'categories', items: [changesOf({ name: 'quiet' })] })
    expect(await count()).toEqual([{ a: before.a + 1, r: before.r }])
    const system = { ...ctx, actor: { kind: 'system' } } as const
    await writeItems(system, { kind: 'create', collection: 'authors', items: [changesOf({ name: 'system' })] })
    expect(await count()).toEqual([{ a: before.a + 1, r: before.r }])
  })
})

describe('update', () => {
  test('one row is one statement, and the answer is its key', async () => {
    statements.length = 0
    const target = { kind: 'keys', keys: ['2'] } as const
    const changes = changesOf({ id: 2, age: 35, secret: '**********' })
    expect(await writeItems(ctx, { kind: 'update', collection: 'authors', target, changes })).toEqual([2])
    expect(statements.length).toBe(perVendor({ postgres: 1, mariadb: 0 }))
    expect(await rowsOf('select age, secret from authors where id = 2')).toEqual([{ age: 35, secret: null }])
    expect(
      await rowsOf(
        `select a.action, r.delta from platform_activity a join platform_revisions r on r.activity = a.id where a.collection = 'authors' and a.item = '2'`,
      ),
    ).toEqual([{ action: 'update', delta: { age: 35 } }])
  })

  test('all rows or none: a missing key undoes the others', async () => {
    const changes = changesOf({ age: 99 })
    const target = { kind: 'keys', keys: [1, 3, 4040] } as const
    expect(await failuresOf(writeItems(ctx, { kind: 'update', collection: 'authors', target, changes }))).toEqual([
      { kind: 'item-not-found', collection: 'authors' },
    ])
    expect(await rowsOf('select age from authors where id in (1, 3) order by id')).toEqual([{ age: 61 }, { age: null }])
    expect(await rowsOf(`select * from platform_activity where collection = 'authors' and item in ('1', '3')`)).toEqual(
      [],
    )
  })

  test.each([['one'], ['1.5'], [1.5], ['99999999999999999999'], ['']])('%j is no key of a row', async (key) => {
    const target = { kind: 'keys', keys: [key] } as const
    const changes = changesOf({ age: 1 })
    expect(await failuresOf(writeItems(ctx, { kind: 'update', collection: 'authors', target, changes }))).toEqual([
      { kind: 'item-not-found', collection: 'authors' },
    ])
  })

  test('each row gets its own changes, a row named twice the later ones', async () => {
    statements.length = 0
    const keys = await writeItems(ctx, {
      kind: 'update-each',
      collection: 'tags',
      items: [
        { key: 'sea', changes: changesOf({ color: 'teal' }) },
        { key: 'ice', changes: changesOf({ color: 'white' }) },
        { key: 'sea', changes: changesOf({ color: 'navy' }) },
      ],
    })
    expect(keys).toEqual(['sea', 'ice'])
    expect(await rowsOf(`select name, color from tags where name in ('ice', 'sea') order by name`)).toEqual([
      { name: 'ice', color: 'white' },
      { name: 'sea', color: 'navy' },
    ])
    expect(
      await rowsOf(`select item, delta, data from platform_revisions where item in ('ice', 'sea') order by item`),
    ).toEqual([
      { item: 'ice', delta: { color: 'white' }, data: { name: 'ice', color: 'white' } },
      { item: 'sea', delta: { color: 'navy' }, data: { name: 'sea', color: 'navy' } },
    ])
  })

  test('a query names the rows, under the right to read', async () => {
    const query = queryOf('tags', { filter: is('color', 'red') })
    const mutation = {
      kind: 'update',
      collection: 'tags',
      target: { kind: 'query', query },
      changes: changesOf({ color: 'crimson' }),
    } as const
    const writer = { ...ctx, actor: userWith([{ collection: 'tags', action: 'update' }]) }
    expect(await failuresOf(writeItems(writer, mutation))).toMatchObject([{ kind: 'forbidden' }])
    expect(await writeItems(ctx, mutation)).toEqual(['sport'])
  })

  test('a query that finds more rows than a mutation may have is refused', async () => {
    const bounded = { ...ctx, limits: { ...ctx.limits, batch: 1 } }
    const query = queryOf('tags', { filter: matchAll })
    const target = { kind: 'query', query } as const
    const limited = { kind: 'query', query: { ...query, page: { limit: 1, offset: 0 } } } as const
    const changes = changesOf({ color: 'grey' })
    const mutation = { kind: 'update', collection: 'tags', target, changes } as const
    expect(await failuresOf(writeItems(bounded, mutation))).toEqual([
      { kind: 'invalid-payload', reason: 'Expected at most 1 items but received more' },
    ])
    expect(await rowsOf(`select * from tags where color = 'grey'`)).toEqual([])
    expect(await writeItems(bounded, { ...mutation, target: limited })).toHaveLength(1)
  })

  test('another key for a row is refused', async () => {
    const target = { kind: 'keys', keys: [1] } as const
    const changes = changesOf({ id: 77 })
    expect(await failuresOf(writeItems(ctx, { kind: 'update', collection: 'authors', target, changes }))).toMatchObject(
      [{ kind: 'invalid-payload', name: 'id' }],
    )
  })

  test('null in a column that needs a value is refused', async () => {
    const target = { kind: 'keys', keys: [1] } as const
    expect(
      await failuresOf(
        writeItems(ctx, { kind: 'update', collection: 'authors', target, changes: changesOf({ name: null }) }),
      ),
    ).toEqual([{ kind: 'failed-validation', field: 'name', type: 'nnull' }])
  })

  test('nothing to change leaves no history, but the row must be there', async () => {
    const target = { kind: 'keys', keys: ['green'] } as const
    const mutation = { kind: 'update', collection: 'tags', target, changes: changesOf({}) } as const
    expect(await failuresOf(writeItems(ctx, mutation))).toEqual([{ kind: 'item-not-found', collection: 'tags' }])
    expect(await writeItems(ctx, { ...mutation, target: { kind: 'keys', keys: ['unused'] } })).toEqual(['unused'])
    expect(await rowsOf(`select * from platform_activity where item = 'unused'`)).toEqual([])
  })

  test('two writers of one row both succeed, one after the other', async () => {
    await Promise.all([paint('one'), paint('two')])
    const revisions = await rowsOf(
      `select delta->>'color' as color from platform_revisions where item = 'unused' order by id`,
    )
    const [{ color }] = (await rowsOf(`select color from tags where name = 'unused'`)) as [{ color: string }]
    expect(revisions.length).toBe(2)
    expect(revisions.at(-1)).toEqual({ color })
  })
})
