import { expectTypeOf, test } from 'vitest'
import type { Items } from '../current-items.ts'
import type { LegacyItems } from '../legacy-items.ts'
import type { Article, Schema } from './example-schema.ts'
import type { DateTime } from './schema.ts'

type Tag = { id: number; name: string }

/** Type tests send nothing: every call resolves to nothing. */
const silent = new Proxy({}, { get: () => async () => undefined })
const current = silent as Items<Schema, Article>
const legacy = silent as LegacyItems<Schema, Article>

test('a read of the current generation is typed from its literal query', async () => {
  const found = await current.read({
    fields: ['id', { author: ['name'], sections: [{ item: { headings: ['title'] } }] }],
    filter: { title: { _contains: 'a' } },
    sort: ['-published', 'author.name'],
    deep: { comments: { _limit: 3, _filter: { text: { _eq: 'x' } } } },
    limit: 5,
  })
  expectTypeOf(found).toEqualTypeOf<
    { id: number; author: { name: string } | null; sections: { item: { title: string } }[] }[]
  >()
})

test('without fields a read gives every field', async () => {
  const found = await current.read()
  expectTypeOf(found).items.toHaveProperty('author').toEqualTypeOf<number | null>()
})

test('an alias is a field of the query and of the result', async () => {
  const found = await current.read({ alias: { latest: 'comments' }, fields: ['id', { latest: ['text'] }] })
  expectTypeOf(found).toEqualTypeOf<{ id: number; latest: { text: string }[] }[]>()
})

test('aggregates are typed by function, field and group', async () => {
  const rows = await current.aggregate({
    aggregate: { count: '*', countDistinct: ['author'], sum: ['views'], max: ['published'] },
    groupBy: ['title', 'author', 'year(published)', 'count(comments)'],
  })
  expectTypeOf(rows).toEqualTypeOf<
    {
      count: number | string
      countDistinct: { author: number | string }
      sum: { views: number | string | null }
      max: { published: DateTime | null }
      title: string
      author: number | null
      published_year: number | null
      comments_count: number
    }[]
  >()
})

test('the current generation refuses what does not exist where it is written', () => {
  void current.read({
    // @ts-expect-error no such field
    fields: ['titel'],
  })
  void current.read({
    // @ts-expect-error no such relation beside one that exists
    fields: [{ author: ['name'], autor: ['name'] }],
  })
  void current.read({
    // @ts-expect-error no such field
    sort: ['titel'],
  })
  void current.read({
    // @ts-expect-error an operator that does not fit
    filter: { views: { _contains: 'a' } },
  })
  void current.read({
    // @ts-expect-error the related item has no such field
    deep: { comments: { _sort: ['title'] } },
  })
  void current.aggregate({
    // @ts-expect-error texts have no sum
    aggregate: { sum: ['title'] },
  })
  // @ts-expect-error a title is a text
  void current.create({ title: 5 })
})

test('an item is written with its related items inside', () => {
  void current.create({
    title: 'a',
    author: { name: 'Ann', articles: [1, { title: 'b' }] },
    comments: [1, { text: 'new' }, { id: 2, text: 'changed' }],
    sections: [{ collection: 'headings', item: { title: 'a' } }],
  })
  void current.update(1, { comments: { create: [{ text: 'new' }], update: [{ id: 2, text: 'changed' }], delete: [3] } })
  // @ts-expect-error the related item has no such field
  void current.create({ author: { titel: 'a' } })
  // @ts-expect-error the detailed form has three parts
  void current.create({ comments: { upsert: [] } })
  void legacy.update(1, { author: { id: 1, $delete: true }, comments: [{ text: 'new' }, { id: 2, $delete: true }] })
  // @ts-expect-error a list of keys is not understood
  void legacy.create({ comments: [1] })
})

test('the answer of a write is typed from the fields that are asked for', async () => {
  const fields = ['id', { author: ['name'] }] as const
  type Answer = { id: number; author: { name: string } | null }
  expectTypeOf(await current.create({ title: 'a' }, { fields })).toEqualTypeOf<Answer | undefined>()
  expectTypeOf(await current.updateMany({ keys: [1] }, {}, { fields })).toEqualTypeOf<Answer[] | undefined>()
  expectTypeOf(await legacy.update(1, {}, { fields })).toEqualTypeOf<Answer | undefined>()
  expectTypeOf(await legacy.createMany([], { fields: 'id,author.name' })).toEqualTypeOf<Answer[] | undefined>()
  expectTypeOf((await current.update(1, {}))?.author).toEqualTypeOf<number | null | undefined>()
  void current.create(
    {},
    // @ts-expect-error no such field
    { fields: ['titel'] },
  )
  void legacy.create(
    {},
    // @ts-expect-error no such field of the related item
    { fields: 'id,author.titel' },
  )
})

test('an item without relations has no nested fields', () => {
  const tags = silent as Items<{ tags: Tag[] }, Tag>
  void tags.read({ fields: ['name'] })
  void tags.read({
    // @ts-expect-error no such field
    fields: ['titel'],
  })
})

test('the legacy generation takes lists and comma lists', async () => {
  const listed = await legacy.read({ fields: ['id', { author: ['name'] }] })
  const comma = await legacy.read({ fields: 'id,author.name' })
  expectTypeOf(listed).toEqualTypeOf<{ id: number; author: { name: string } | null }[]>()
  expectTypeOf(comma).toEqualTypeOf<{ id: number; author: { name: string } | null }[]>()
})

test('the legacy generation has its own operators', () => {
  void legacy.read({ filter: { title: { contains: 'a' }, 'author.name': { like: 'b%' }, comments: { has: 2 } } })
  void legacy.read({
    // @ts-expect-error an operator of the other generation
    filter: { title: { _contains: 'a' } },
  })
  void legacy.read({
    // @ts-expect-error the related item has no such field
    filter: { 'author.title': { eq: 'a' } },
  })
  void legacy.read({
    // @ts-expect-error numbers cannot be searched
    filter: { views: { contains: 'a' } },
  })
  void legacy.read({
    // @ts-expect-error no such field in the comma list
    fields: 'id,titel',
  })
  void legacy.read({
    // @ts-expect-error no such field of the related item
    fields: 'id,author.title',
  })
})
