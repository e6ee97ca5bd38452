import { afterAll, expect, test } from 'vitest'
import { jsonOf } from '../../domain/ports/row-store.ts'
import { matchAll } from '../../domain/query/filter.ts'
import type { Query, Selected } from '../../domain/query/query.ts'
import type { Relation } from '../../domain/schema/schema.ts'
import { writeItems } from '../items/items.ts'
import { readItems } from '../rows/read-items.ts'
import { changesOf, failuresOf, queryOf } from '../testing/test-context.ts'
import { openTestModel, tableOf } from '../testing/test-model.ts'
import { createCollections } from './collections.ts'
import { createFields, deleteFields } from './fields.ts'
import type { RelationDraft } from './relation-row.ts'
import { createRelation, deleteRelation, updateRelation } from './relations.ts'

const key = (name: string, type = 'integer') => ({ name, type })

const alias = (name: string, special: string) => ({ name, type: 'alias', meta: { special: [special] } })

const model = await openTestModel()
await model.change((inner) =>
  createCollections(inner, [
    tableOf('authors', [key('name', 'string'), key('mentor')]),
    tableOf('articles', [key('title', 'string'), key('author'), key('place'), alias('tags', 'm2m')]),
    tableOf('tags', [key('word', 'string')]),
    tableOf('articles_tags', [key('article'), key('tag'), key('sort')]),
    tableOf('blocks', [key('page'), key('item', 'string'), key('collection', 'string')]),
  ]),
)
afterAll(() => model.close())

const field = (name: string): Selected => ({ kind: 'field', key: name, field: name })

const one = (name: string, selection: readonly Selected[]): Selected => ({
  kind: 'one',
  key: name,
  field: name,
  selection,
  filter: matchAll,
})

const ask = async (query: Query): Promise<unknown> => JSON.parse(jsonOf(await readItems(model.ctx(), query)))

const inside = (collection: string, selection: readonly Selected[]): Query => ({
  ...queryOf(collection),
  selection,
})

const relate = (draft: RelationDraft) => model.change((inner) => createRelation(inner, draft))

const write = (collection: string, items: readonly { readonly [field: string]: unknown }[]) =>
  writeItems(model.ctx(), { kind: 'create', collection, items: items.map(changesOf) })

const relationOf = (collection: string, name: string): Relation | undefined =>
  model.ctx().schema.relations.find((each) => each.manyCollection === collection && each.manyField === name)

test('many-to-one and one-to-many can be read as soon as they are made', async () => {
  const meta = { one_field: 'articles', sort_field: 'place', one_deselect_action: 'delete' }
  const constraint = { onDelete: 'SET NULL' }
  await relate({ collection: 'articles', field: 'author', related: 'authors', constraint, meta })
  expect(relationOf('articles', 'author')).toEqual({
    id: expect.any(Number) as number,
    manyCollection: 'articles',
    manyField: 'author',
    oneCollection: 'authors',
    oneField: 'articles',
    oneCollectionField: null,
    oneAllowedCollections: null,
    junctionField: null,
    sortField: 'place',
    deselectAction: 'delete',
    constraint: { name: 'articles_author_foreign', onDelete: 'SET NULL', onUpdate: 'NO ACTION' },
  })
  await write('authors', [{ name: 'Ann' }, { name: 'Bo' }])
  await write('articles', [
    { title: 'First', author: 1, place: 2 },
    { title: 'Second', author: 1, place: 1 },
  ])
  expect(await ask(inside('articles', [field('title'), one('author', [field('name')])]))).toEqual([
    { title: 'First', author: { name: 'Ann' } },
    { title: 'Second', author: { name: 'Ann' } },
  ])
  const articles: Selected = {
    kind: 'many',
    key: 'articles',
    field: 'articles',
    query: inside('articles', [field('title')]),
  }
  expect(await ask(inside('authors', [field('name'), articles]))).toEqual([
    { name: 'Ann', articles: [{ title: 'Second' }, { title: 'First' }] },
    { name: 'Bo', articles: [] },
  ])
  const [failure] = await failuresOf(write('articles', [{ author: 99 }]))
  expect(failure).toMatchObject({ kind: 'invalid-foreign-key', collection: 'articles', field: 'author' })
})

test('many-to-many through a junction, and a relation of a collection with itself', async () => {
  const cascade = { onDelete: 'CASCADE' }
  const left = { one_field: 'tags', junction_field: 'tag', sort_field: 'sort' }
  await relate({ collection: 'articles_tags', field: 'article', related: 'articles', constraint: cascade, meta: left })
  const right = { one_field: null, junction_field: 'article' }
  await relate({ collection: 'articles_tags', field: 'tag', related: 'tags', constraint: cascade, meta: right })
  await relate({ collection: 'authors', field: 'mentor', related: 'authors', meta: { one_field: 'students' } })
  await write('tags', [{ word: 'red' }, { word: 'green' }])
  await write('articles_tags', [
    { article: 1, tag: 2, sort: 1 },
    { article: 1, tag: 1, sort: 2 },
  ])
  const tag = one('tag', [field('word')])
  const tags: Selected = { kind: 'many', key: 'tags', field: 'tags', query: inside('articles_tags', [tag]) }
  expect(await ask(inside('articles', [field('id'), tags]))).toEqual([
    { id: 1, tags: [{ tag: { word: 'green' } }, { tag: { word: 'red' } }] },
    { id: 2, tags: [] },
  ])
  await write('authors', [{ name: 'Cy', mentor: 1 }])
  const students: Selected = {
    kind: 'many',
    key: 'students',
    field: 'students',
    query: inside('authors', [field('name')]),
  }
  expect(await ask({ ...inside('authors', [students]), page: { limit: 1, offset: 0 } })).toEqual([
    { students: [{ name: 'Cy' }] },
  ])
})

const option = (collection: string, name: string) => ({ collection, selection: [field(name)], filter: matchAll })

test('many-to-any names its collection in a field', async () => {
  const allowed = { one_collection_field: 'collection', one_allowed_collections: ['tags', 'authors'] }
  await relate({ collection: 'blocks', field: 'item', related: null, meta: allowed })
  const page = { one_field: 'blocks', junction_field: 'item' }
  await relate({ collection: 'blocks', field: 'page', related: 'articles', meta: page })
  await write('blocks', [
    { page: 1, item: '1', collection: 'tags' },
    { page: 1, item: '2', collection: 'authors' },
  ])
  const item: Selected = {
    kind: 'any',
    key: 'item',
    field: 'item',
    options: [option('tags', 'word'), option('authors', 'name')],
  }
  const blocks: Selected = { kind: 'many', key: 'blocks', field: 'blocks', query: inside('blocks', [item]) }
  expect(await ask({ ...inside('articles', [blocks]), page: { limit: 1, offset: 0 } })).toEqual([
    { blocks: [{ item: { word: 'red' } }, { item: { name: 'Bo' } }] },
  ])
})

const refusals: readonly (readonly [what: string, draft: RelationDraft, part: string])[] = [
  ['a field that does not exist', { collection: 'tags', field: 'nothing', related: 'authors' }, 'field'],
  ['an alias', { collection: 'articles', field: 'tags', related: 'authors' }, 'field'],
  ['the primary key', { collection: 'tags', field: 'id', related: 'authors' }, 'field'],
  ['a field of another type', { collection: 'tags', field: 'word', related: 'authors' }, 'field'],
  ['a field that has a relation', { collection: 'articles', field: 'author', related: 'tags' }, 'field'],
  ['a collection that does not exist', { collection: 'tags', field: 'word', related: 'nothing' }, 'related_collection'],
  ['no collection at all', { collection: 'tags', field: 'word', related: null }, 'one_collection_field'],
  [
    'an alias with the name of a column',
    { collection: 'articles', field: 'place', related: 'tags', meta: { one_field: 'word' } },
    'one_field',
  ],
  [
    'a hostile alias',
    { collection: 'articles', field: 'place', related: 'tags', meta: { one_field: 'constructor' } },
    'field',
  ],
  [
    'a sort field that does not exist',
    { collection: 'articles', field: 'place', related: 'tags', meta: { sort_field: 'nothing' } },
    'sort_field',
  ],
  [
    'the field with the keys as the one for the order',
    { collection: 'articles', field: 'place', related: 'tags', meta: { sort_field: 'place' } },
    'sort_field',
  ],
  [
    'the field with the keys as the one that names the collection',
    {
      collection: 'articles',
      field: 'title',
      related: null,
      meta: { one_collection_field: 'title', one_allowed_collections: ['tags'] },
    },
    'one_collection_field',
  ],
  [
    'an action that nobody knows',
    { collection: 'articles', field: 'place', related: 'tags', constraint: { onDelete: 'DROP TABLE tags' } },
    'on_delete',
  ],
  [
    'a collection among those allowed that does not exist',
    {
      collection: 'articles',
      field: 'title',
      related: null,
      meta: { one_collection_field: 'status', one_allowed_collections: ['nothing'] },
    },
    'related_collection',
  ],
]

test.each(refusals)('%s is refused by name', async (_what, draft, part) => {
  const [failure] = await failuresOf(relate(draft))
  expect(failure).toMatchObject({ kind: 'invalid-payload', name: part })
})

test('keys of nothing stand in the way of a foreign key', async () => {
  await write('articles', [{ title: 'Third', place: 77 }])
  const work = relate({ collection: 'articles', field: 'place', related: 'authors', meta: { one_field: 'places' } })
  expect(await failuresOf(work)).toMatchObject([
    { kind: 'invalid-foreign-key', collection: 'articles', field: 'place' },
  ])
  expect(await model.rowsOf(`select * from platform_relations where many_field = 'place'`)).toEqual([])
})

test('a foreign key changes what it does, and is taken over or dropped', async () => {
  const at = { collection: 'authors', field: 'mentor' }
  const constraint = { onDelete: 'SET NULL', onUpdate: 'CASCADE' }
  await model.change((inner) => updateRelation(inner, { ...at, constraint, meta: { one_field: 'pupils' } }))
  expect(relationOf('authors', 'mentor')).toMatchObject({ oneField: 'pupils', constraint })
  await model.change((inner) => updateRelation(inner, { ...at, constraint: null }))
  expect(relationOf('authors', 'mentor')).toMatchObject({ oneField: 'pupils', constraint: null })
  const work = model.change((inner) => updateRelation(inner, { ...at, related: 'tags' }))
  expect(await failuresOf(work)).toMatchObject([{ kind: 'invalid-payload', name: 'related_collection' }])
})

test('a relation goes with its alias; the field and its values stay', async () => {
  await model.change((inner) => deleteRelation(inner, 'authors', 'mentor'))
  const authors = model.ctx().schema.collections.get('authors')
  expect(authors?.fields.get('mentor')).toMatchObject({ relation: null, column: { name: 'mentor' } })
  expect(authors?.fields.has('pupils')).toBe(false)
  expect(await model.rowsOf('select mentor from authors where mentor is not null')).toEqual([{ mentor: 1 }])
})

test('an alias goes alone, a field that holds keys with its relation and the alias on the other side', async () => {
  await model.change((inner) => deleteFields(inner, 'articles', ['tags']))
  expect(relationOf('articles_tags', 'article')).toMatchObject({ oneField: null, junctionField: 'tag' })
  await model.change((inner) => deleteFields(inner, 'articles', ['author']))
  expect(relationOf('articles', 'author')).toBeUndefined()
  expect(model.ctx().schema.collections.get('authors')?.fields.has('articles')).toBe(false)
  expect(await model.rowsOf(`select * from platform_relations where many_field = 'author'`)).toEqual([])
})

test('an alias may come before its relation', async () => {
  await model.change((inner) => createFields(inner, 'tags', [alias('uses', 'o2m')]))
  expect(model.ctx().schema.collections.get('tags')?.fields.get('uses')).toMatchObject({ relation: null })
  await model.change((inner) =>
    updateRelation(inner, { collection: 'articles_tags', field: 'tag', meta: { one_field: 'uses' } }),
  )
  expect(model.ctx().schema.collections.get('tags')?.fields.get('uses')?.relation).toMatchObject({
    kind: 'one-to-many',
    collection: 'articles_tags',
  })
})

test('an alias that its relation has made can be described afterwards, and has a place on system collections too', async () => {
  await model.change((inner) => createFields(inner, 'articles', [{ name: 'owner', type: 'uuid' }]))
  await relate({ collection: 'articles', field: 'owner', related: 'platform_users', meta: { one_field: 'articles' } })
  const aliasOf = () => model.ctx().schema.collections.get('platform_users')?.fields.get('articles')
  expect(aliasOf()).toMatchObject({ meta: null, relation: { kind: 'one-to-many', collection: 'articles' } })
  const described = { ...alias('articles', 'o2m'), meta: { special: ['o2m'], note: 'What they wrote' } }
  await model.change((inner) => createFields(inner, 'platform_users', [described]))
  expect(aliasOf()).toMatchObject({ meta: { note: 'What they wrote' }, relation: { kind: 'one-to-many' } })
  const again = model.change((inner) => createFields(inner, 'platform_users', [described]))
  expect(await failuresOf(again)).toMatchObject([{ kind: 'invalid-payload', name: 'field' }])
  await model.change((inner) => deleteFields(inner, 'platform_users', ['articles']))
  expect(aliasOf()).toBeUndefined()
  expect(relationOf('articles', 'owner')).toMatchObject({ oneField: null })
})
