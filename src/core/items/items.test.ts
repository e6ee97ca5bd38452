import { afterAll, describe, expect, test } from 'vitest'
import { jsonOf } from '../../domain/ports/row-store.ts'
import { equals, type Filter } from '../../domain/query/filter.ts'
import { readBack, readItem, readItems, readSingleton } from '../rows/read-items.ts'
import { changesOf, failuresOf, is, openTestWorld, queryOf, testUser, userWith } from '../testing/test-context.ts'
import { writeItems } from './items.ts'

const world = await openTestWorld()
const { ctx, rowsOf } = world

afterAll(() => world.close())

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
  const remove = (keys: readonly number[]) =>
    writeItems({ ...ctx, actor: rules }, { kind: 'delete', collection: 'articles', target: { kind: 'keys', keys } })
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
    expect(JSON.parse(await readItem(ctx, query, 'ice'))).toEqual({ farbe: 'blue' })
    const blind = { ...ctx, actor: userWith([{ collection: 'tags', fields: ['color'], filter: is('name', 'ice') }]) }
    expect(JSON.parse(await readItem(blind, query, 'ice'))).toEqual({ farbe: 'blue' })
    expect(await failuresOf(readItem(blind, query, 'sea'))).toEqual([{ kind: 'item-not-found', collection: 'tags' }])
    expect(await failuresOf(readItem(blind, query, 'none'))).toEqual([{ kind: 'item-not-found', collection: 'tags' }])
    expect(await failuresOf(readItem(blind, queryOf('authors'), 'x'))).toMatchObject([{ kind: 'forbidden' }])
    expect(await failuresOf(readItem(ctx, queryOf('authors'), 'x'))).toEqual([
      { kind: 'item-not-found', collection: 'authors' },
    ])
  })

  test('written rows are read back as far as the actor may read', async () => {
    const query = queryOf('tags', { sort: [] })
    expect(JSON.parse(jsonOf((await readBack(ctx, ['sea', 'ice'], query)) ?? { pieces: [] }))).toMatchObject([
      { name: 'sea' },
      { name: 'ice' },
    ])
    const authors = JSON.parse(
      jsonOf((await readBack(ctx, [2, 3, 1], queryOf('authors', { sort: [] }))) ?? { pieces: [] }),
    )
    expect(authors).toMatchObject([{ id: 2 }, { id: 3 }, { id: 1 }])
    expect(await readBack({ ...ctx, actor: userWith([]) }, ['sea'], query)).toBeNull()
    expect(
      await readBack({ ...ctx, actor: userWith([{ collection: 'tags', filter: is('name', 'x') }]) }, ['sea'], query),
    ).toBeNull()
  })

  test('a singleton without a row shows its defaults, and its first write creates the row', async () => {
    await rowsOf('delete from homepage')
    expect(JSON.parse((await readSingleton(ctx, queryOf('homepage'))).json)).toEqual({ id: null })
    const write = (headline: string) =>
      writeItems(ctx, { kind: 'write-singleton', collection: 'homepage', changes: changesOf({ headline }) })
    const [key] = await write('first')
    expect(await write('second')).toEqual([key])
    expect(JSON.parse((await readSingleton(ctx, queryOf('homepage'))).json)).toEqual({
      id: key,
      headline: 'second',
      featured_article: null,
    })
    expect((await readItems(ctx, queryOf('homepage'))).rowCount).toBe(1)
  })

  test('of first writes of a singleton at the same time, one creates the row and the others update it', async () => {
    await rowsOf('delete from homepage')
    const changes = [{ headline: 'first' }, { headline: 'second' }, { headline: 'third' }]
    const written = await Promise.all(
      changes.map((each) =>
        writeItems(ctx, { kind: 'write-singleton', collection: 'homepage', changes: changesOf(each) }),
      ),
    )
    expect(new Set(written.flat()).size).toBe(1)
    expect((await readItems(ctx, queryOf('homepage'))).rowCount).toBe(1)
  })
})

const illustrate = (number: number) => {
  const image = { kind: 'numbered', collection: 'platform_files', number }
  return writeItems(ctx, {
    kind: 'create',
    collection: 'articles',
    items: [changesOf({ title: 'numbered', image, metadata: image })],
  })
}

describe('values that only the database knows', () => {
  test('are looked up before rights are decided, also those that the actor cannot read', async () => {
    await rowsOf(
      `update platform_users set title = 'chief', role = '00000000-0000-4000-8000-000000000002' where id = '${testUser}'`,
    )
    const title = { kind: 'current-user', path: ['title'] } as const
    const role = { kind: 'current-user', path: ['role', 'name'] } as const
    const validation: Filter = equals('name', role)
    const actor = userWith([
      { collection: 'tags', action: 'create', fields: ['name'], presets: { color: title }, validation },
    ])
    const create = (name: string) =>
      writeItems({ ...ctx, actor }, { kind: 'create', collection: 'tags', items: [changesOf({ name })] })
    expect(await create('Public')).toEqual(['Public'])
    expect(await rowsOf(`select color from tags where name = 'Public'`)).toEqual([{ color: 'chief' }])
    expect(await failuresOf(create('Private'))).toMatchObject([
      { kind: 'failed-validation', field: 'name', limit: 'Public' },
    ])
  })

  test('a row named by its number becomes its key, and one that is missing is told by field', async () => {
    await rowsOf(
      `insert into platform_files (id, number, storage, filename_download) values ('${testUser}', 77, 'local', 'f')`,
    )
    const [key] = await illustrate(77)
    expect(await rowsOf(`select image, metadata from articles where id = ${key}`)).toEqual([
      { image: testUser, metadata: { kind: 'numbered', collection: 'platform_files', number: 77 } },
    ])
    expect(await failuresOf(illustrate(78))).toEqual([
      { kind: 'invalid-foreign-key', collection: 'articles', field: 'image' },
    ])
  })

  test('words for dynamic values in a payload are nothing but JSON', async () => {
    const stolen = { kind: 'current-user', path: ['password'] }
    const [key] = await writeItems(ctx, {
      kind: 'create',
      collection: 'articles',
      items: [changesOf({ title: 't', metadata: stolen })],
    })
    expect(await rowsOf(`select metadata from articles where id = ${key}`)).toEqual([{ metadata: stolen }])
    const items = [changesOf({ title: 't', token: stolen })]
    expect(await failuresOf(writeItems(ctx, { kind: 'create', collection: 'articles', items }))).toMatchObject([
      { field: 'token', type: 'type' },
    ])
  })
})
