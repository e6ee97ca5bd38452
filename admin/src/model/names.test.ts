import { expect, test } from 'vitest'
import { fromSegment, namesOf, toName, toResource, toSegment, toTitle } from './names.ts'

test.each(['articles', 'a b', 'äöü', '100%', 'x/y?z#1', 'tilde~7e~', '😀', 'a.b'])(
  '%s is a segment of an address and back',
  (name) => {
    const segment = toSegment(name)
    expect(encodeURIComponent(segment)).toBe(segment)
    expect(fromSegment(segment)).toBe(name)
  },
)

test('collections of the platform are named by their paths, whatever their prefix', () => {
  expect(['platform_users', 'directus_files', 'users'].map(toResource)).toEqual([
    'system/users',
    'system/files',
    'content/users',
  ])
})

test('names become titles', () => {
  expect(['created_by', 'title', '_', 'über-uns'].map(toTitle)).toEqual(['Created by', 'Title', '_', 'Über uns'])
})

test.each(['title', 'first.name', 'a:b,c', '-minus', 'back\\slash', 'ünï 😀'])('%s is one name of a path', (name) => {
  expect(namesOf(`author.${toName(name)}.id`)).toEqual(['author', name, 'id'])
})
