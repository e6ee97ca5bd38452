import { expectTypeOf, test } from 'vitest'
import type { Article, Schema } from './example-schema.ts'
import type { CheckedFields, FieldOf, Selected, Written } from './fields.ts'

type Ask = <const Fields extends readonly FieldOf<Schema, Article>[]>(
  fields: Fields & CheckedFields<Schema, Article, Fields>,
) => Selected<Schema, Article, Fields[number]>

const ask: Ask = () => ({}) as never

test('named fields narrow the result', () => {
  expectTypeOf(ask(['id', 'title'])).toEqualTypeOf<{ id: number; title: string }>()
})

test('a many-to-one by its bare name is its key, as an object its item or null', () => {
  expectTypeOf(ask(['author'])).toEqualTypeOf<{ author: number | null }>()
  expectTypeOf(ask([{ author: ['name'] }])).toEqualTypeOf<{ author: { name: string } | null }>()
})

test('a one-to-many by its bare name is a list of keys, as an object a list of items', () => {
  expectTypeOf(ask(['comments'])).toEqualTypeOf<{ comments: readonly number[] }>()
  expectTypeOf(ask([{ comments: ['text'] }])).toEqualTypeOf<{ comments: { text: string }[] }>()
})

test('objects for one relation are merged and go as deep as they are written', () => {
  expectTypeOf(ask([{ author: ['id'] }, { author: [{ articles: ['title'] }] }])).toEqualTypeOf<{
    author: { id: number; articles: { title: string }[] } | null
  }>()
})

test('a many-to-any is the union of what each collection was asked for', () => {
  expectTypeOf(
    ask([{ sections: ['collection', { item: { headings: ['title'], paragraphs: ['body'] } }] }]),
  ).toEqualTypeOf<{
    sections: { collection: 'headings' | 'paragraphs'; item: { title: string } | { body: string } }[]
  }>()
})

test('a wildcard brings every field, relations as keys', () => {
  const all = ask(['*', { author: ['*'] }])
  expectTypeOf(all.title).toEqualTypeOf<string>()
  expectTypeOf(all.comments).toEqualTypeOf<readonly number[]>()
  expectTypeOf<NonNullable<typeof all.author>['articles']>().toEqualTypeOf<readonly number[]>()
})

test('functions come back under their own name', () => {
  expectTypeOf(ask(['year(published)', 'count(comments)'])).toEqualTypeOf<{
    published_year: number | null
    comments_count: number
  }>()
})

test('what does not exist is refused where it is written', () => {
  // @ts-expect-error no such field
  ask(['titel'])
  // @ts-expect-error no such relation
  ask([{ autor: ['name'] }])
  // @ts-expect-error no such relation beside one that exists
  ask([{ author: ['name'], autor: ['name'] }])
  // @ts-expect-error no such field of the related item
  ask([{ author: ['title'] }])
  // @ts-expect-error a plain field cannot be entered
  ask([{ title: ['name'] }])
  // @ts-expect-error a function that the type of the field does not have
  ask(['year(title)'])
  // @ts-expect-error a collection that the many-to-any does not lead to
  ask([{ sections: [{ item: { authors: ['name'] } }] }])
})

test('payloads take keys or nested items, and dates as Date', () => {
  type Payload = Written<Schema, Article>
  const good: Payload = { title: 'A', published: new Date(), author: { name: 'Ann' }, comments: [1, { text: 'b' }] }
  expectTypeOf(good).toExtend<Payload>()
  // @ts-expect-error a number is no title
  const wrong: Payload = { title: 1 }
  // @ts-expect-error no such field
  const unknown: Payload = { titel: 'A' }
  void [wrong, unknown]
})
