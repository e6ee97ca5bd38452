import { expect, test } from 'vitest'
import type { Route } from '../../domain/ports/operation.ts'
import { createDispatcher, matchRoute, namePath, parameterNames } from './dispatch.ts'

const route = (method: string, path: string, search = false): { readonly route: Route } => ({
  route: { operationId: `${method} ${path}`, method, path, search } as Route,
})

const { find, reserved } = createDispatcher({
  endpoints: [
    route('GET', '/users/{id}'),
    route('PATCH', '/users/{id}'),
    route('GET', '/users/me'),
    route('GET', '/items/{collection}', true),
    route('GET', '/items/{collection}/{id}'),
    route('GET', '/{project}/items/{folder}/{id}'),
    route('GET', '/{project}/'),
  ],
  isProject: (key) => key === '_',
})

test('of two endpoints with one path, the generation of the client answers', () => {
  const twice = [route('GET', '/server/info'), { ...route('GET', '/server/info'), isSecond: true }]
  const group = createDispatcher({ endpoints: twice, isProject: () => false }).find('/server/info')
  const found = (isOwn: (endpoint: object) => boolean) => {
    const match = group === null ? null : matchRoute(group, { method: 'HEAD', path: '/server/info', isOwn })
    return match?.endpoint
  }
  expect(found(() => false)).toBe(twice[0])
  expect(found((endpoint) => 'isSecond' in endpoint)).toBe(twice[1])
})

function ask(method: string, path: string): unknown {
  const group = find(path)
  const match = group === null ? null : matchRoute(group, { method, path, isOwn: () => false })
  if (match === null) return null
  if (match.endpoint === null) return match.allowed
  const { operationId } = match.endpoint.route
  return [operationId, namePath(parameterNames(match.endpoint.route), match.parameters)]
}

test.each<[string, string, unknown]>([
  ['GET', '/users/me', ['GET /users/me', {}]],
  ['GET', '/users/7', ['GET /users/{id}', { id: '7' }]],
  ['GET', '/Users/ME/', ['GET /users/me', {}]],
  ['HEAD', '/items/Articles', ['GET /items/{collection}', { collection: 'Articles' }]],
  ['SEARCH', '/items/articles', ['GET /items/{collection}', { collection: 'articles' }]],
  ['GET', '/items/a%2Fb/%C3%A9', ['GET /items/{collection}/{id}', { collection: 'a/b', id: 'é' }]],
  ['GET', '/_/items/a/1', ['GET /{project}/items/{folder}/{id}', { project: '_', folder: 'a', id: '1' }]],
  ['GET', '/_/', ['GET /{project}/', { project: '_' }]],
  ['GET', '/_', ['GET /{project}/', { project: '_' }]],
])('%s %s is an operation', (method, path, expected) => {
  expect(ask(method, path)).toEqual(expected)
})

test('a known path with an unknown method lists the allowed ones', () => {
  expect(ask('DELETE', '/users/7')).toEqual(['GET', 'HEAD', 'PATCH'])
  expect(ask('POST', '/items/a')).toEqual(['GET', 'HEAD', 'SEARCH'])
  // The more specific path wins, although only the other one has the method.
  expect(ask('PATCH', '/users/me')).toEqual(['GET', 'HEAD'])
})

test.each(['/users', '/users//', '/items//1', '/items/a/1/2', '/nobody', '/other', '//', ''])(
  '%s matches nothing',
  (path) => {
    expect(ask('GET', path)).toBeNull()
  },
)

test('invalid UTF-8 is left to the caller to refuse', () => {
  expect(() => ask('GET', '/users/%ff')).toThrow(URIError)
})

test('first segments are reserved', () => {
  expect([...reserved]).toEqual(['users', 'items'])
})
