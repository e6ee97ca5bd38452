import { expectTypeOf, test } from 'vitest'
import type { Article, Schema } from './example-schema.ts'
import type { CheckedSort, Filter, Sort } from './filter.ts'

const where = (filter: Filter<Schema, Article>): Filter<Schema, Article> => filter
const by = <const Path extends Sort<Article>>(sort: Path & CheckedSort<Article, readonly [Path]>[0]): string => sort

test('filters take operators that fit the field', () => {
  where({ title: { _contains: 'a', _null: false }, views: { _gte: 5, _between: [1, 2] }, featured: { _eq: true } })
  where({ published: { _gt: '$NOW(-1 day)' }, token: { _in: ['a'] }, settings: { _nnull: true } })
  where({ labels: { _contains: 'x' }, _or: [{ views: 5 }, { 'year(published)': { _eq: 2026 } }] })
})

test('filters go through relations', () => {
  where({ author: { name: { _starts_with: 'A' } } })
  where({ author: { _eq: 3 } })
  where({ author: '$CURRENT_USER' })
  where({ comments: { text: { _icontains: 'x' } } })
  where({ comments: { _none: { text: { _eq: 'x' } } } })
  where({ sections: { 'item:headings': { title: { _eq: 'A' } } } })
  where({ 'count(comments)': { _gt: 1 } })
})

test('what does not fit is refused where it is written', () => {
  // @ts-expect-error no such field
  where({ titel: { _eq: 'a' } })
  // @ts-expect-error no such field beside one that exists
  where({ title: { _eq: 'a' }, titel: { _eq: 'a' } })
  // @ts-expect-error texts have no order
  where({ title: { _lt: 'a' } })
  // @ts-expect-error numbers cannot be searched
  where({ views: { _contains: '1' } })
  // @ts-expect-error booleans have no lists
  where({ featured: { _in: [true] } })
  // @ts-expect-error JSON cannot be compared
  where({ settings: { _eq: 'a' } })
  // @ts-expect-error uuids cannot be searched
  where({ token: { _contains: 'a' } })
  // @ts-expect-error the value is of another type
  where({ views: { _eq: 'five' } })
  // @ts-expect-error the related item has no such field
  where({ author: { title: { _eq: 'a' } } })
  // @ts-expect-error a many-to-one has no quantifier
  where({ author: { _some: { name: { _eq: 'a' } } } })
  // @ts-expect-error an unknown operator in a nested condition
  where({ _and: [{ title: { _like: 'a' } }] })
})

test('sorts name fields and paths through relations', () => {
  by('title')
  by('-published')
  by('author.name')
  by('-author.articles.title')
  by('year(published)')
  // @ts-expect-error no such field
  by('titel')
  // @ts-expect-error no such field of the related item
  by('author.title')
  // @ts-expect-error a to-many has no order of its own
  by('comments')
  expectTypeOf(by).parameter(0).toExtend<string>()
})
