import { expect, test } from 'vitest'
import { toChanges, toNew, withNames } from './changes.ts'

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
