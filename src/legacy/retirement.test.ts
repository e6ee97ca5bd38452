import { expect, test } from 'vitest'
import { retirement, successorPath } from './retirement.ts'

const paths: readonly (readonly [string, string, string | null])[] = [
  ['/_/items/articles', 'readItems', '/items/articles'],
  ['/_/items/articles/5', 'readItem', '/items/articles/5'],
  ['/_/items/articles/5,6', 'readItem', '/items/articles'],
  ['/_/items/odd%20name', 'readItems', '/items/odd%20name'],
  ['/_/items/a>b', 'readItems', '/items'],
  ['/_/fields/articles/title', 'readField', '/fields/articles/title'],
  ['/_/users/5', 'readUser', '/users'],
  ['/_/', 'readProjectInfo', '/server/info'],
  ['/types', 'readTypes', null],
]

test.each(paths)('the successor of %s (%s) is %s', (path, operationId, successor) => {
  expect(successorPath(path, operationId)).toBe(successor)
})

test('SCIM and custom endpoints stay', () => {
  expect(['readScimUsers', 'deleteScimGroup', 'readCustomEndpoint', 'readItems'].map(retirement.stays)).toEqual([
    true,
    true,
    true,
    false,
  ])
})
