import { expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Query } from '../../domain/query/query.ts'
import type { Rule } from '../../domain/rights/actor.ts'
import { writeItems } from '../items/items.ts'
import { deleteCollections } from '../model/collections.ts'
import { changeSchema } from '../model/schema-change.ts'
import { readItem } from '../rows/read-items.ts'
import { wholeItem } from '../rows/versioned.ts'
import { list, nested, one } from '../testing/test-changes.ts'
import { adminUser, changesOf, failuresOf, is, queryOf, testUser, userWith } from '../testing/test-context.ts'
import {
  as,
  compare,
  create,
  ctx,
  fields,
  newArticle,
  newVersion,
  read,
  rowsOf,
  useVersions,
} from '../testing/test-versions.ts'
import { promoteVersion } from './promote-version.ts'
import { saveVersion } from './versions.ts'

useVersions()

const save = (at: Context, version: Key, values: { readonly [field: string]: unknown }): Promise<unknown> =>
  saveVersion(at, version, { changes: () => changesOf(values), query: wholeItem }).then(JSON.parse)

const stored = async (item: Key, columns: string): Promise<unknown> =>
  (await rowsOf(`select ${columns} from articles where id = ${item}`))[0]

const versions: readonly Partial<Rule>[] = [{ collection: 'platform_versions' }]

test('a version shows the item with what was saved, and leaves the item alone', async () => {
  const item = await newArticle()
  const version = await newVersion(item)
  await save(ctx, version, { title: 'Saved', author: 2, options: { a: [1] }, payload: 'AQI=' })
  await save(ctx, version, { body: null })
  const name: Query['selection'] = [{ kind: 'field', key: 'name', field: 'name' }]
  const all = 'body is null as is_empty, title'
  const { selection } = fields('title', 'body', 'options', 'payload', 'status')
  const one = { kind: 'one', key: 'author', field: 'author', selection: name, filter: { kind: 'all' } } as const
  expect(await read(ctx, item, { selection: [...(selection ?? []), one] })).toEqual({
    title: 'Saved',
    body: null,
    options: { a: [1] },
    payload: 'AQI=',
    status: 'draft',
    author: { name: 'Bob' },
  })
  expect(await stored(item, all)).toEqual({ is_empty: false, title: 'Main' })
})

test('a version shows a decimal as its column will have it', async () => {
  const item = await newArticle({ price: '0.1234567' })
  const version = await newVersion(item)
  await save(ctx, version, { price: '0.1234567' })
  const price = fields('price')
  expect(await read(ctx, item, price)).toEqual(JSON.parse(await readItem(ctx, queryOf('articles', price), item)))
})

test('of saves at once none is lost', async () => {
  const item = await newArticle()
  const version = await newVersion(item)
  const parts = [
    { title: 'T' },
    { body: 'B' },
    { views: 7 },
    { featured: true },
    { status: 'published' },
    { author: 2 },
  ]
  await Promise.all(parts.map((part) => save(ctx, version, part)))
  expect(await read(ctx, item, fields('title', 'body', 'views', 'featured', 'status', 'author'))).toEqual(
    Object.assign({}, ...parts),
  )
})

test('a save is an update by whoever saves: fields, rows, conditions and types are decided alike', async () => {
  const item = await newArticle()
  const version = await newVersion(item)
  const writer = (rule: Partial<Rule>) => as(userWith([...versions, {}, { action: 'update', ...rule }]))
  const drafts = { filter: is('status', 'draft'), fields: ['title'] }
  expect(await save(writer(drafts), version, { title: 'Mine' })).toMatchObject({ title: 'Mine' })
  expect(await failuresOf(save(writer(drafts), version, { body: 'Mine' }))).toMatchObject([{ kind: 'forbidden' }])
  const published = { filter: is('status', 'published') }
  expect(await failuresOf(save(writer(published), version, { title: 'x' }))).toMatchObject([{ kind: 'item-not-found' }])
  const checked = { validation: is('title', 'This') }
  expect(await failuresOf(save(writer(checked), version, { title: 'x' }))).toMatchObject([
    { kind: 'failed-validation' },
  ])
  expect(await failuresOf(save(as(userWith([...versions, {}])), version, { title: 'x' }))).toMatchObject([
    { kind: 'forbidden' },
  ])
  expect(await failuresOf(save(ctx, version, { views: 'many' }))).toMatchObject([{ kind: 'failed-validation' }])
  expect(await failuresOf(save(ctx, version, { title: null }))).toMatchObject([{ kind: 'failed-validation' }])
  expect(await failuresOf(save(ctx, version, { id: 77 }))).toMatchObject([{ kind: 'invalid-payload' }])
  expect(await rowsOf('select delta from platform_versions')).toEqual([{ delta: { title: 'Mine' } }])
})

test('secrets are not kept, nor those of related items; a mask that comes back is nothing', async () => {
  const version = await create('platform_versions', { collection: 'authors', item: 1, key: 'summer' })
  expect(await failuresOf(save(ctx, version, { secret: 'secret' }))).toMatchObject([
    { kind: 'invalid-payload', name: 'secret' },
  ])
  await save(ctx, version, { secret: '**********', name: 'Saved' })
  const article = { changes: () => nested({ articles: list([{ title: 'x', token: null }]) }), query: wholeItem }
  await saveVersion(ctx, version, article)
  expect(await rowsOf('select count(*)::int as n from articles where author = 1')).not.toEqual([{ n: 0 }])
  const item = await newArticle()
  const secret = { changes: () => nested({ author: one({ secret: 'x' }) }), query: wholeItem }
  expect(await failuresOf(saveVersion(ctx, await newVersion(item), secret))).toMatchObject([
    { kind: 'invalid-payload', name: 'secret' },
  ])
  await rowsOf(`update platform_versions set delta = '{"name":"Saved"}' where id = '${version}'`)
  expect(await rowsOf('select delta from platform_versions where delta is not null')).toEqual([
    { delta: { name: 'Saved' } },
  ])
})

test('a version hides what the caller may not read of the stored or of the changed item', async () => {
  const item = await newArticle({ body: 'Hidden' })
  const version = await newVersion(item)
  await save(ctx, version, { status: 'published', title: 'Saved', body: 'Also hidden' })
  const title: Partial<Rule> = { fields: ['id', 'title', 'status'] }
  const reader = as(userWith([...versions, title]))
  expect(await read(reader, item, {})).toEqual({ id: item, status: 'published', title: 'Saved' })
  expect(await failuresOf(read(reader, item, fields('body')))).toMatchObject([{ kind: 'forbidden' }])
  expect((await compare(reader, version)).current).toEqual({ title: 'Saved', status: 'published' })

  const published = { filter: is('status', 'published') }
  const outside = as(userWith([...versions, published]))
  expect(await failuresOf(read(outside, item, {}))).toMatchObject([{ kind: 'item-not-found' }])
  const drafts = as(userWith([...versions, { filter: is('status', 'draft') }]))
  expect(await failuresOf(read(drafts, item, {}))).toMatchObject([{ kind: 'item-not-found' }])
  const both = as(userWith([...versions, { ...published }, { ...title, filter: is('status', 'draft') }]))
  expect(await read(both, item, fields('title', 'body'))).toEqual({ title: 'Saved', body: null })
})

test('an unknown version, one of another item and one that may not be read are like an item that is not there', async () => {
  const item = await newArticle()
  const version = await newVersion(item)
  const missing = [{ kind: 'item-not-found' }]
  expect(await failuresOf(read(ctx, item, {}, { name: 'winter' }))).toMatchObject(missing)
  expect(await failuresOf(read(ctx, await newArticle(), {}))).toMatchObject(missing)
  expect(await failuresOf(read(as(userWith([{}])), item, {}))).toMatchObject([{ kind: 'forbidden' }])
  const others = userWith([{}, { collection: 'platform_versions', filter: is('key', 'winter') }])
  expect(await failuresOf(read(as(others), item, {}))).toMatchObject([{ kind: 'item-not-found' }])
  expect(await failuresOf(save(as(others), version, { title: 'x' }))).toMatchObject([{ kind: 'item-not-found' }])
})

test('a version begins with an item that its author can read, of a collection that has versions', async () => {
  const item = await newArticle()
  await newVersion(item)
  const make = (at: Context, values: object) =>
    failuresOf(
      writeItems(at, {
        kind: 'create',
        collection: 'platform_versions',
        items: [changesOf({ collection: 'articles', item: `0${item}`, key: 'winter', ...values })],
      }),
    )
  expect(await make(ctx, { key: 'summer' })).toMatchObject([{ kind: 'unprocessable' }])
  expect(await make(ctx, { collection: 'tags', item: 'ice' })).toMatchObject([{ kind: 'unprocessable' }])
  expect(await make(ctx, { item: '9999' })).toMatchObject([{ kind: 'item-not-found' }])
  expect(await make(ctx, { key: 'main' })).toMatchObject([{ kind: 'invalid-payload', name: 'key' }])
  expect(await make(ctx, { hash: 'x' })).toMatchObject([{ kind: 'invalid-payload', name: 'hash' }])
  const author = as(userWith([{ collection: 'platform_versions', action: 'create' }]))
  expect(await make(author, {})).toMatchObject([{ kind: 'item-not-found' }])
  for (const collection of ['tags', 'nothing'])
    expect(await make(author, { collection, item: 'ice' })).toEqual([{ kind: 'item-not-found', collection }])
  await newVersion(`0${item}`, 'winter')
  expect(await rowsOf('select distinct item from platform_versions')).toEqual([{ item: String(item) }])
})

test('a version of a hidden item is refused like one of a missing item, also if its key is taken', async () => {
  const item = await newArticle()
  await newVersion(item)
  const hidden = { fields: ['id'], filter: is('status', 'published') } as const
  const author = as(userWith([{ collection: 'platform_versions', action: 'create' }, hidden]))
  const make = (at: Context, values: object) => {
    const changes = changesOf({ collection: 'articles', item: String(item), key: 'summer', ...values })
    return failuresOf(writeItems(at, { kind: 'create', collection: 'platform_versions', items: [changes] }))
  }
  const missing = await make(author, { item: '9999' })
  expect(missing).toEqual([{ kind: 'item-not-found', collection: 'articles' }])
  expect(await make(author, {})).toEqual(missing)
  const stranger = as(userWith([{ collection: 'platform_versions', action: 'create' }]))
  expect(await make(stranger, {})).toEqual(missing)
  const refused = await make(as(userWith([hidden])), { item: '9999' })
  expect(refused).toMatchObject([{ kind: 'forbidden' }])
  expect(await make(as(userWith([hidden])), {})).toEqual(refused)
})

test('promoting asks for the present state, and is an update by whoever promotes', async () => {
  const item = await newArticle()
  const version = await newVersion(item)
  await save(ctx, version, { title: 'Saved', body: 'Saved', views: 3 })
  const { mainHash, outdated, current, main } = await compare(ctx, version)
  expect({ outdated, current, main }).toEqual({
    outdated: false,
    current: { title: 'Saved', body: 'Saved', views: 3 },
    main: { title: 'Main', status: 'draft' },
  })
  const reader = as(userWith([...versions, {}, { action: 'update', fields: ['title', 'views'] }]))
  expect(await failuresOf(promoteVersion(reader, version, { mainHash }))).toMatchObject([{ kind: 'forbidden' }])
  expect(await stored(item, 'title, views')).toEqual({ title: 'Main', views: 0 })

  await rowsOf(`update articles set views = 1 where id = ${item}`)
  expect((await compare(ctx, version)).outdated).toBe(true)
  expect(await failuresOf(promoteVersion(ctx, version, { mainHash }))).toMatchObject([{ kind: 'unprocessable' }])
  const fresh = (await compare(ctx, version)).mainHash
  expect(await promoteVersion(reader, version, { mainHash: fresh, fields: ['title', 'views'] })).toBe(item)
  expect(await stored(item, 'title, body, views')).toEqual({ title: 'Saved', body: 'The text', views: 3 })
  expect((await compare(ctx, version)).outdated).toBe(false)
})

test('of promotions at once, made from one comparison, one counts', async () => {
  const item = await newArticle()
  const pair = [await newVersion(item, 'a'), await newVersion(item, 'b')]
  for (const version of pair) await save(ctx, version, { title: `Of ${version}` })
  const { mainHash } = await compare(ctx, pair[0] as Key)
  const results = await Promise.allSettled(pair.map((version) => promoteVersion(ctx, version, { mainHash })))
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('a save leaves an activity and a revision, which go with the version', async () => {
  const item = await newArticle()
  const version = await newVersion(item)
  await save(ctx, version, { title: 'Saved' })
  const history = `select a.action, a."user", r.delta, r.data from platform_revisions r join platform_activity a on a.id = r.activity
    where r.version = '${version}'`
  expect(await rowsOf(history)).toEqual([
    { action: 'version_save', user: testUser, delta: { title: 'Saved' }, data: { title: 'Saved' } },
  ])
  await rowsOf('delete from platform_versions')
  expect(await rowsOf(history)).toEqual([])
})

const left = () => rowsOf('select collection from platform_versions')

test('versions go with their item, also one that the database drags along, and with their collection', async () => {
  const item = await newArticle()
  await newVersion(item)
  const comment = await create('comments', { article: item, body: 'Said' })
  await create('platform_versions', { collection: 'comments', item: comment, key: 'summer' })
  const author = await create('authors', { name: 'Cleo' })
  await create('platform_versions', { collection: 'authors', item: author, key: 'summer' })
  const target = { kind: 'keys', keys: [item] } as const
  await writeItems(ctx, { kind: 'delete', collection: 'articles', target })
  expect(await left()).toEqual([{ collection: 'authors' }])
  await changeSchema({ ...ctx, actor: adminUser }, (inner) => deleteCollections(inner, ['authors']))
  expect(await left()).toEqual([])
})
