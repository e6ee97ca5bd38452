import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Context, Statement } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import type { Filter } from '../domain/filter.ts'
import { createTestDatabase, type TestDatabase } from '../sql/test-database.ts'
import { world, worldSql } from '../sql/test-world.ts'
import { readBack, readItem, readItems, readSingleton, writeItems } from './items.ts'
import { changesOf, createTestContext, queryOf, testUser, userWith } from './test-context.ts'

let database: TestDatabase
let ctx: Context
let statements: Statement[]

beforeAll(async () => {
  database = await createTestDatabase({ sql: worldSql })
  const recording = {
    ...database.db,
    run: (statement: Statement) => (statements.push(statement), database.db.run(statement)),
  }
  statements = []
  ctx = createTestContext(recording, await database.loadSchema())
  const insert = `insert into platform_users (id, email) values ('${testUser}', 'test@example.com')`
  await database.db.run({ text: insert, values: [] })
})

afterAll(() => database.close())

const rowsOf = async (text: string): Promise<readonly unknown[]> => (await database.db.run({ text, values: [] })).rows

const failuresOf = async (work: Promise<unknown>): Promise<readonly object[]> => {
  try {
    await work
  } catch (error) {
    if (error instanceof TandemError) return error.failures
    throw error
  }
  throw new Error('Expected a failure')
}

const is = (field: string, value: string | number | boolean): Filter => ({
  kind: 'compare',
  operand: { kind: 'field', field },
  operator: 'eq',
  values: [value],
})

describe('create', () => {
  test('one statement writes the row, its activity and its revision', async () => {
    statements = []
    const keys = await writeItems(ctx, {
      kind: 'create',
      collection: 'authors',
      items: [
        changesOf({ name: 'Dora', email: 'dora@example.com', secret: 'open sesame', region: world.regions.north }),
      ],
    })
    expect(statements.length).toBe(1)
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
    statements = []
    const items = Array.from({ length: 1000 }, (_, index) => changesOf({ name: `tag ${index}`, color: `c${index}` }))
    const keys = await writeItems(ctx, { kind: 'create', collection: 'tags', items })
    expect(statements.length).toBe(1)
    expect(keys).toEqual(items.map((_, index) => `tag ${index}`))
    expect(
      await rowsOf(
        `select count(*)::integer as n, bool_and(r.delta->>'color' = 'c' || split_part(r.item, ' ', 2)) as same, bool_and(r.data->>'name' = r.item) as own
         from platform_revisions r where r.collection = 'tags'`,
      ),
    ).toEqual([{ n: 1000, same: true, own: true }])
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
        items: [changesOf({ views: 'many', sort: 3_000_000_000, status: 'x'.repeat(21), token: 'no', address: '::1' })],
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
      { kind: 'invalid-payload', name: 'address', reason: 'Expected no value for field "address"' },
    ])
    expect(await rowsOf('select count(*) from articles')).toEqual(before)
  })

  test('the condition of a field holds for administrators too, with its own message', async () => {
    const items = [changesOf({ name: 'Eve', email: 'nowhere' })]
    expect(await failuresOf(writeItems(ctx, { kind: 'create', collection: 'authors', items }))).toEqual([
      { kind: 'failed-validation', field: 'email', type: 'contains', limit: '@', message: 'Expected an address' },
    ])
  })

  test('what the database refuses rolls everything back', async () => {
    const items = [changesOf({ name: 'fresh tag' }), changesOf({ name: 'ice' })]
    expect(await failuresOf(writeItems(ctx, { kind: 'create', collection: 'tags', items }))).toMatchObject([
      { kind: 'not-unique', collection: 'tags', field: 'name' },
    ])
    expect(await rowsOf(`select * from tags where name = 'fresh tag'`)).toEqual([])
    expect(await rowsOf(`select * from platform_activity where item = 'fresh tag'`)).toEqual([])
  })

  test('changes of related items are refused by name', async () => {
    const change = { kind: 'replace', items: [] } as const
    const items = [new Map([...changesOf({ title: 't' }), ['comments', change] as const])]
    expect(await failuresOf(writeItems(ctx, { kind: 'create', collection: 'articles', items }))).toMatchObject([
      { kind: 'invalid-payload', name: 'comments' },
    ])
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
    const count = async () =>
      rowsOf(
        'select (select count(*)::int from platform_activity) as a, (select count(*)::int from platform_revisions) as r',
      )
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
    statements = []
    const target = { kind: 'keys', keys: ['2'] } as const
    const changes = changesOf({ id: 2, age: 35, secret: '**********' })
    expect(await writeItems(ctx, { kind: 'update', collection: 'authors', target, changes })).toEqual([2])
    expect(statements.length).toBe(1)
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
    statements = []
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
    const write = (color: string) =>
      writeItems(ctx, {
        kind: 'update',
        collection: 'tags',
        target: { kind: 'keys', keys: ['unused'] },
        changes: changesOf({ color }),
      })
    await Promise.all([write('one'), write('two')])
    const revisions = await rowsOf(
      `select delta->>'color' as color from platform_revisions where item = 'unused' order by id`,
    )
    const [{ color }] = (await rowsOf(`select color from tags where name = 'unused'`)) as [{ color: string }]
    expect(revisions.length).toBe(2)
    expect(revisions.at(-1)).toEqual({ color })
  })
})

describe('rules of writing', () => {
  const rules = userWith([
    { collection: 'articles', action: 'update', fields: ['title', 'body'], filter: is('author', 1) },
    { collection: 'articles', action: 'update', fields: ['title', 'views'], filter: is('status', 'published') },
    { collection: 'articles', action: 'delete', filter: is('status', 'archived') },
    {
      collection: 'articles',
      action: 'create',
      fields: ['title'],
      presets: { author: 2, user_updated: { kind: 'current-user', path: [] } },
    },
  ])
  const update = (key: number, values: object) =>
    writeItems(
      { ...ctx, actor: rules },
      {
        kind: 'update',
        collection: 'articles',
        target: { kind: 'keys', keys: [key] },
        changes: changesOf({ ...values }),
      },
    )

  test('fields are judged by the rules that match the row, never by the sum of all rules', async () => {
    expect(await update(3, { title: 'by the author rule', body: 'b' })).toEqual([3])
    expect(await update(2, { title: 'by the status rule', views: 1 })).toEqual([2])
    expect(await update(1, { body: 'both rules match', views: 2 })).toEqual([1])
    expect(await failuresOf(update(3, { views: 1 }))).toEqual([{ kind: 'item-not-found', collection: 'articles' }])
    expect(await failuresOf(update(2, { body: 'x' }))).toEqual([{ kind: 'item-not-found', collection: 'articles' }])
    expect(await failuresOf(update(4, { title: 'x' }))).toEqual([{ kind: 'item-not-found', collection: 'articles' }])
  })

  test('a field outside every rule, and one that does not exist, are refused alike', async () => {
    for (const field of ['status', 'nonsense', 'divider']) {
      expect(await failuresOf(update(1, { [field]: 'x' }))).toEqual([
        { kind: 'forbidden', denied: { action: 'update', collection: 'articles', field } },
      ])
    }
  })

  test('presets lie under the payload', async () => {
    const actor = rules
    const [key] = await writeItems(
      { ...ctx, actor },
      { kind: 'create', collection: 'articles', items: [changesOf({ title: 'preset' })] },
    )
    expect(await rowsOf(`select author, user_updated from articles where id = ${key}`)).toEqual([
      { author: 2, user_updated: testUser },
    ])
  })

  test('only rows of the rule can be deleted, and of several all or none', async () => {
    const remove = (keys: readonly number[]) =>
      writeItems({ ...ctx, actor: rules }, { kind: 'delete', collection: 'articles', target: { kind: 'keys', keys } })
    expect(await failuresOf(remove([4, 1]))).toEqual([{ kind: 'item-not-found', collection: 'articles' }])
    expect(await rowsOf('select count(*)::int as n from articles where id in (1, 4)')).toEqual([{ n: 2 }])
    expect(await remove([4, 4])).toEqual([4])
    expect(await rowsOf('select id from articles where id = 4')).toEqual([])
    expect(await rowsOf(`select action, item from platform_activity where action = 'delete'`)).toEqual([
      { action: 'delete', item: '4' },
    ])
  })

  test('without a rule nothing may be written, whether the collection exists or not', async () => {
    for (const collection of ['authors', 'nowhere']) {
      const mutation = { kind: 'delete', collection, target: { kind: 'keys', keys: [1] } } as const
      expect(await failuresOf(writeItems({ ...ctx, actor: rules }, mutation))).toEqual([
        { kind: 'forbidden', denied: { action: 'delete', collection } },
      ])
    }
  })
})

describe('reading', () => {
  test('one item is its JSON; missing and invisible are alike', async () => {
    const query = queryOf('tags', { selection: [{ kind: 'field', key: 'farbe', field: 'color' }] })
    expect(JSON.parse(await readItem(ctx, query, 'ice'))).toEqual({ farbe: 'white' })
    const blind = { ...ctx, actor: userWith([{ collection: 'tags', fields: ['color'], filter: is('name', 'ice') }]) }
    expect(JSON.parse(await readItem(blind, query, 'ice'))).toEqual({ farbe: 'white' })
    expect(await failuresOf(readItem(blind, query, 'sea'))).toEqual([{ kind: 'item-not-found', collection: 'tags' }])
    expect(await failuresOf(readItem(blind, query, 'none'))).toEqual([{ kind: 'item-not-found', collection: 'tags' }])
    expect(await failuresOf(readItem(blind, queryOf('authors'), 'x'))).toMatchObject([{ kind: 'forbidden' }])
    expect(await failuresOf(readItem(ctx, queryOf('authors'), 'x'))).toEqual([
      { kind: 'item-not-found', collection: 'authors' },
    ])
  })

  test('what was written is read back as far as the actor may', async () => {
    const query = queryOf('tags', { sort: [] })
    expect(JSON.parse((await readBack(ctx, ['sea', 'ice'], query))?.json ?? '')).toMatchObject([
      { name: 'ice' },
      { name: 'sea' },
    ])
    expect(await readBack({ ...ctx, actor: userWith([]) }, ['sea'], query)).toBeNull()
    expect(
      await readBack({ ...ctx, actor: userWith([{ collection: 'tags', filter: is('name', 'x') }]) }, ['sea'], query),
    ).toBeNull()
  })

  test('a singleton without a row shows its defaults, and its first write creates the row', async () => {
    await database.db.run({ text: 'delete from homepage', values: [] })
    expect(JSON.parse(await readSingleton(ctx, queryOf('homepage')))).toEqual({ id: null })
    const write = (headline: string) =>
      writeItems(ctx, { kind: 'write-singleton', collection: 'homepage', changes: changesOf({ headline }) })
    const [key] = await write('first')
    expect(await write('second')).toEqual([key])
    expect(JSON.parse(await readSingleton(ctx, queryOf('homepage')))).toEqual({
      id: key,
      headline: 'second',
      featured_article: null,
    })
    expect((await readItems(ctx, queryOf('homepage'))).rowCount).toBe(1)
  })
})
