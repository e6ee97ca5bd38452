import { expect, test } from 'vitest'
import { shownKey, toChanges, toNew, withNames, withoutShown } from './changes.ts'

test('only what changed is sent', () => {
  const before = { id: 1, title: 'Old', tags: ['a'], empty: null }
  const after = {
    id: 1,
    title: 'New',
    tags: ['a'],
    empty: null,
    secret: undefined,
    links: { create: [], update: [], delete: [] },
  }
  expect(toChanges(after, before)).toEqual({ title: 'New' })
  expect(toChanges({ id: 1, title: null }, before)).toEqual({ title: null })
  expect(toChanges({ tags: ['a', 'b'] }, before)).toEqual({ tags: ['a', 'b'] })
})

test('what is left empty in a new item gets the default of its column', () => {
  const related = { create: [{ name: 'x' }], update: [], delete: [] }
  expect(toNew({ title: 'New', views: 0, featured: false, body: null, note: '', related })).toEqual({
    title: 'New',
    views: 0,
    featured: false,
    related,
  })
})

test('fields with a dot or a bracket in their name are no paths', () => {
  const names = ['id', 'first', 'first.name', 'last[name]', 'not.given']
  const data = { id: 1, first: { name: 'Ann' }, 'first.name': 'Old', last: { name: 'Lee' }, other: 2 }
  expect(withNames(data, names)).toEqual({
    id: 1,
    first: { name: 'Ann' },
    'first.name': 'Ann',
    'last[name]': 'Lee',
    other: 2,
  })
  expect(withNames(data, ['id'])).toEqual(data)
})

test('of a linked item only the key is sent, at every depth', () => {
  const linked = { id: 3, [shownKey]: { id: 3, name: 'gear' } }
  const tags = { create: [{ tag: linked, sort: 1 }], update: [linked], delete: [7] }
  const pages = { create: [{ page: { title: 'New', tags } }], update: [], delete: [] }
  const bare = { create: [{ tag: { id: 3 }, sort: 1 }], update: [{ id: 3 }], delete: [7] }
  expect(withoutShown({ title: 'x', tags, pages, words: ['a'], none: null })).toEqual({
    title: 'x',
    tags: bare,
    pages: { create: [{ page: { title: 'New', tags: bare } }], update: [], delete: [] },
    words: ['a'],
    none: null,
  })
  // A value of type JSON is no list of changes.
  expect(withoutShown({ settings: { [shownKey]: 1 } })).toEqual({ settings: { [shownKey]: 1 } })
})
