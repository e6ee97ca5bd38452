import { afterAll, expect, test } from 'vitest'
import { jsonOf } from '../../domain/ports/row-store.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { testOnPostgres } from '../../sql/testing/test-vendors.ts'
import { writeItems } from '../items/items.ts'
import { readItems } from '../rows/read-items.ts'
import { changesOf, failuresOf, queryOf, userWith } from '../testing/test-context.ts'
import { openTestModel, tableOf } from '../testing/test-model.ts'
import { createCollections, deleteCollections, updateCollection } from './collections.ts'
import { createFields } from './fields.ts'
import { createRelation } from './relations.ts'
import { untrack } from './untrack.ts'

const model = await openTestModel('create table found (id serial primary key, word varchar(20), secret varchar(255))')
afterAll(() => model.close())

const collectionOf = (name: string): Collection | undefined => model.ctx().schema.collections.get(name)

const create = (...drafts: Parameters<typeof createCollections>[1]) =>
  model.change((inner) => createCollections(inner, drafts))

const keys: readonly (readonly [type: string, column: object, given: object, id: unknown])[] = [
  ['integer', { autoIncrement: true }, {}, 1],
  ['bigInteger', { autoIncrement: true }, {}, '1'],
  ['integer', {}, { key: 7 }, 7],
  ['uuid', {}, {}, '00000000-0000-4000-8000-000000000001'],
  ['string', { length: 20 }, { key: 'a-key' }, 'a-key'],
]

test.each(keys)('a primary key of type %s', async (type, column, given, id) => {
  const name = `keyed_${type}_${Object.keys(column).length}`
  const key = { name: 'key', type, column: { primaryKey: true, ...column } }
  await create(tableOf(name, [{ name: 'word', type: 'string' }, key]))
  expect(collectionOf(name)).toMatchObject({ primaryKey: 'key', managed: true })
  expect(await model.roundTrip(name, { ...given, word: 'a' })).toEqual({ key: id, word: 'a' })
})

test('a field that counts up is the primary key, also if it does not say so', async () => {
  const counting = { name: 'number', type: 'integer', column: { autoIncrement: true } }
  await create(tableOf('counted', [{ name: 'word', type: 'string' }, counting]))
  expect(collectionOf('counted')).toMatchObject({ primaryKey: 'number' })
  expect(await model.roundTrip('counted', { word: 'a' })).toEqual({ number: 1, word: 'a' })
  const other = { ...counting, column: { autoIncrement: true, primaryKey: false } }
  expect(await failuresOf(create(tableOf('uncounted', [other])))).toMatchObject([{ name: 'has_auto_increment' }])
})

test.each(['json', 'date', 'point', 'record'])(
  'a collection named like the type %s is written like any other',
  async (name) => {
    await create(tableOf(name, [{ name: 'word', type: 'string' }]))
    const items = ['a', 'b'].map((word) => changesOf({ word }))
    const keys = await writeItems(model.ctx(), { kind: 'create', collection: name, items })
    const target = { kind: 'keys', keys } as const
    await writeItems(model.ctx(), { kind: 'update', collection: name, target, changes: changesOf({ word: 'c' }) })
    expect(await model.rowsOf(`select word from "${name}"`)).toEqual([{ word: 'c' }, { word: 'c' }])
    await writeItems(model.ctx(), { kind: 'delete', collection: name, target })
    expect(await model.rowsOf(`select word from "${name}"`)).toEqual([])
  },
)

test('without a key there is an id that counts up, and fields are put in order group by group', async () => {
  const fields = [
    { name: 'box', type: 'alias', meta: { special: ['alias', 'no-data', 'group'] } },
    { name: 'title', type: 'string', meta: { group: 'box' } },
    { name: 'body', type: 'text', meta: { group: 'box', interface: 'input-rich-text-html' } },
    { name: 'plain', type: 'boolean' },
  ]
  await create({ ...tableOf('ordered', fields), meta: { note: 'In order', sort_field: 'title' } })
  expect(collectionOf('ordered')).toMatchObject({ note: 'In order', sortField: 'title', primaryKey: 'id' })
  const rows = await model.rowsOf(
    `select field, sort, "group" from platform_fields where collection = 'ordered' order by id`,
  )
  expect(rows).toEqual([
    { field: 'id', sort: 1, group: null },
    { field: 'box', sort: 2, group: null },
    { field: 'title', sort: 1, group: 'box' },
    { field: 'body', sort: 2, group: 'box' },
  ])
})

test('folders group others and are left without them', async () => {
  await create(
    { name: 'shelf', table: null, fields: [], meta: { group: 'library' } },
    { name: 'library', table: null, fields: [] },
  )
  expect(collectionOf('library')).toMatchObject({ table: null, managed: true })
  expect(collectionOf('shelf')?.meta).toMatchObject({ group: 'library' })
  const column = model.change((inner) => createFields(inner, 'shelf', [{ name: 'title', type: 'string' }]))
  expect(await failuresOf(column)).toMatchObject([{ kind: 'invalid-payload', name: 'collection' }])
  const filled = create({ name: 'chest', table: null, fields: [{ name: 'title', type: 'string' }] })
  expect(await failuresOf(filled)).toMatchObject([{ kind: 'invalid-payload', name: 'schema' }])
  const cycle = model.change((inner) => updateCollection(inner, 'library', { group: 'shelf' }))
  expect(await failuresOf(cycle)).toMatchObject([{ kind: 'invalid-payload', name: 'group' }])
  await model.change((inner) => deleteCollections(inner, ['library']))
  expect(collectionOf('library')).toBeUndefined()
  expect(collectionOf('shelf')?.meta).toMatchObject({ group: null })
})

test('a singleton, its archive and its translations are what is said about it', async () => {
  await create({ ...tableOf('about', [{ name: 'state', type: 'string' }]), meta: { singleton: true } })
  const translations = [{ language: 'de-DE', translation: 'Über uns' }]
  const meta = { archive_field: 'state', archive_value: 'gone', translations, display_template: '{{state}}' }
  await model.change((inner) => updateCollection(inner, 'about', meta))
  const archive = { field: 'state', archived: ['gone'] }
  expect(collectionOf('about')).toMatchObject({ singleton: true, archive, meta: { translations } })
})

const hostile = [
  '',
  'a b ',
  '__proto__',
  'constructor',
  'platform_mine',
  'a"; drop table x; --',
  'ä',
  'a'.repeat(64),
  '../a',
]

test.each(hostile)('a collection cannot be named %j, nor one of its fields', async (name) => {
  const before = model.ctx().schema.version
  expect(await failuresOf(create(tableOf(name)))).toMatchObject([{ kind: 'invalid-payload', name: 'collection' }])
  if (name !== 'platform_mine') {
    const work = create(tableOf('fine', [{ name, type: 'string' }]))
    expect(await failuresOf(work)).toMatchObject([{ kind: 'invalid-payload', name: 'field' }])
  }
  expect((await model.ctx().schemas.load(model.ctx().db)).version).toBe(before)
})

testOnPostgres('on MariaDB, changes of tables are no part of a transaction')(
  'of several collections all are created or none',
  async () => {
    const before = model.ctx().schema.version
    const broken = tableOf('second', [{ name: 'data', type: 'json', column: { unique: true } }])
    expect(await failuresOf(create(tableOf('first'), broken))).toMatchObject([
      { kind: 'invalid-payload', name: 'second' },
    ])
    const twice = create(tableOf('first'), tableOf('first'))
    expect(await failuresOf(twice)).toMatchObject([{ kind: 'invalid-payload', name: 'collection' }])
    const twoKeys = ['a', 'b'].map((name) => ({ name, type: 'integer', column: { primaryKey: true } }))
    expect(await failuresOf(create(tableOf('first', twoKeys)))).toMatchObject([{ name: 'is_primary_key' }])
    expect((await model.ctx().schemas.load(model.ctx().db)).version).toBe(before)
  },
)

test('a table is taken over and let go without a touch', async () => {
  await model.rowsOf(`insert into found (word, secret) values ('kept', 'kept too')`)
  expect(collectionOf('found')).toMatchObject({ managed: false, meta: null })
  await model.change((inner) => updateCollection(inner, 'found', { note: 'Found' }))
  expect(collectionOf('found')).toMatchObject({ managed: true, note: 'Found' })
  await model.rowsOf(`
    insert into platform_fields (collection, field, special) values ('found', 'secret', 'conceal');
    insert into platform_permissions (policy, collection, action, fields)
      select id, 'found', 'read', '*' from platform_policies where name = 'Public'`)
  await untrack(model.ctx().db, model.ctx().schemas.load, 'found')
  await model.change(() => Promise.resolve())
  expect(collectionOf('found')).toMatchObject({ managed: false, meta: null })
  expect(await model.rowsOf('select * from found')).toEqual([{ id: 1, word: 'kept', secret: 'kept too' }])
  expect(await model.rowsOf(`select * from platform_permissions where collection = 'found'`)).toEqual([])
  expect(await model.rowsOf(`select * from platform_fields where collection = 'found'`)).toEqual([])
})

const integer = (name: string) => ({ name, type: 'integer' })

test('a collection goes with all that belongs to it and nothing else', async () => {
  const word = { name: 'word', type: 'string' }
  await create(
    tableOf('doomed', [word]),
    tableOf('keeper', [word, integer('doomed_id')]),
    tableOf('links', [integer('doomed_id'), integer('keeper_id')]),
    tableOf('pieces', [
      { name: 'item', type: 'string' },
      { name: 'kind', type: 'string' },
    ]),
  )
  const relate = (draft: Parameters<typeof createRelation>[1]) => model.change((inner) => createRelation(inner, draft))
  await relate({ collection: 'keeper', field: 'doomed_id', related: 'doomed', meta: { one_field: 'keepers' } })
  await relate({ collection: 'links', field: 'doomed_id', related: 'doomed', meta: { junction_field: 'keeper_id' } })
  await relate({ collection: 'links', field: 'keeper_id', related: 'keeper', meta: { one_field: 'links' } })
  const manyToAny = { one_collection_field: 'kind', one_allowed_collections: ['doomed', 'keeper'] }
  await relate({ collection: 'pieces', field: 'item', related: null, meta: manyToAny })
  await writeItems(model.ctx(), { kind: 'create', collection: 'doomed', items: [changesOf({ word: 'a' })] })
  const about = `where collection = 'doomed'`
  expect(await model.rowsOf(`select action from platform_activity ${about}`)).toEqual([{ action: 'create' }])
  await model.rowsOf(`insert into platform_permissions (policy, collection, action, fields)
    select id, 'doomed', 'read', '*' from platform_policies where name = 'Public'`)
  await model.change((inner) => deleteCollections(inner, ['doomed']))
  expect(collectionOf('doomed')).toBeUndefined()
  expect([...(collectionOf('keeper')?.fields.keys() ?? [])]).toEqual(['id', 'word', 'links'])
  expect([...(collectionOf('links')?.fields.keys() ?? [])]).toEqual(['id', 'keeper_id'])
  const piece = model.ctx().schema.relations.find((each) => each.manyCollection === 'pieces')
  expect(piece?.oneAllowedCollections).toEqual(['keeper'])
  for (const table of ['activity', 'revisions', 'permissions', 'fields', 'collections']) {
    expect(await model.rowsOf(`select * from platform_${table} ${about}`)).toEqual([])
  }
  expect(
    await model.rowsOf(`select * from platform_relations where 'doomed' in (many_collection, one_collection)`),
  ).toEqual([])
  await model.change((inner) => deleteCollections(inner, ['keeper', 'links', 'pieces']))
  expect(await model.rowsOf(`select * from platform_relations`)).toEqual([])
})

testOnPostgres('MariaDB drops tables that views read')('what a view depends on is not dropped', async () => {
  await create(tableOf('watched', [{ name: 'word', type: 'string' }]))
  await model.rowsOf('create view watching as select word from watched')
  const work = model.change((inner) => deleteCollections(inner, ['watched']))
  expect(await failuresOf(work)).toMatchObject([{ kind: 'invalid-payload', name: 'watched' }])
  expect(await model.roundTrip('watched', { word: 'still there' })).toEqual({ id: 1, word: 'still there' })
})

test('system collections and missing ones are out of reach, and so is the model for others than administrators', async () => {
  for (const name of ['platform_users', 'nothing']) {
    const failure = { kind: 'collection-not-found', collection: name }
    const meta = model.change((inner) => updateCollection(inner, name, { note: 'mine' }))
    expect(await failuresOf(meta)).toEqual([failure])
    expect(await failuresOf(model.change((inner) => deleteCollections(inner, [name])))).toEqual([failure])
  }
  const actor = userWith([{ collection: 'platform_collections', action: 'create' }])
  const work = model.change((inner) => createCollections(inner, [tableOf('mine')]), { actor })
  expect(await failuresOf(work)).toEqual([{ kind: 'forbidden' }])
})

test('changes at the same time take turns', async () => {
  await create(tableOf('busy'))
  const fields = Array.from({ length: 8 }, (_, index) => `field_${index}`)
  const add = (name: string) => model.change((inner) => createFields(inner, 'busy', [{ name, type: 'integer' }]))
  await Promise.all(fields.map(add))
  const twice = await Promise.allSettled([add('same'), add('same')])
  expect(twice.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const schema = await model.ctx().schemas.load(model.ctx().db)
  expect([...(schema.collections.get('busy')?.fields.keys() ?? [])].toSorted()).toEqual(
    [...fields, 'id', 'same'].toSorted(),
  )
})

test('a request under way keeps its schema; what is gone meanwhile is a reason to ask again', async () => {
  await create(tableOf('passing', [{ name: 'word', type: 'string' }]))
  const early = model.ctx()
  await model.change((inner) => createFields(inner, 'passing', [{ name: 'later', type: 'string' }]))
  expect(JSON.parse(jsonOf(await readItems(early, queryOf('passing'))))).toEqual([])
  await model.change((inner) => deleteCollections(inner, ['passing']))
  expect(await failuresOf(readItems(early, queryOf('passing')))).toMatchObject([{ kind: 'unavailable' }])
})
