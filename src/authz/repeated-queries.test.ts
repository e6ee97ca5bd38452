import { expect, test } from 'vitest'
import { authorizeQuery } from './authorize.ts'
import { authzSchema, failureOf, is, queryOf, scopeOf, userWith, wildcard } from './test-schema.ts'

const limited = userWith([{ fields: ['id', 'title'], filter: is('status', 'mine') }])
const admin = userWith([], { admin: true })
const repeated = () => queryOf({ selection: [wildcard()] })

const keysOf = (query: ReturnType<typeof repeated>) => query.selection.map((each) => 'key' in each && each.key)

test('a repeated query is restricted once for the same rights', () => {
  const [query, scope] = [repeated(), scopeOf(limited)]
  expect(authorizeQuery(scope, query)).toBe(authorizeQuery({ ...scope }, query))
  expect(authorizeQuery(scope, query)).toEqual(authorizeQuery(scope, repeated()))
})

test('the condition of the server is not remembered', () => {
  const [query, scope] = [repeated(), scopeOf(limited)]
  const first = authorizeQuery(scope, query, is('id', 1))
  const second = authorizeQuery(scope, query, is('id', 2))
  expect(second).toEqual(authorizeQuery(scope, repeated(), is('id', 2)))
  expect(first).not.toEqual(second)
  expect(authorizeQuery(scope, query).filter).toEqual(is('status', 'mine'))
})

test('other rights, another schema and other limits restrict the same query anew', () => {
  const [query, scope] = [repeated(), scopeOf(limited)]
  expect(keysOf(authorizeQuery(scope, query))).toEqual(['id', 'title'])
  expect(keysOf(authorizeQuery({ ...scope, actor: admin }, query)).length).toBeGreaterThan(2)
  const posts = authzSchema.collections.get('posts')
  if (posts === undefined) throw new Error('There are posts')
  const fields = new Map([...posts.fields].filter(([name]) => name !== 'title'))
  const schema = { ...authzSchema, collections: new Map(authzSchema.collections).set('posts', { ...posts, fields }) }
  expect(keysOf(authorizeQuery({ ...scope, schema }, query))).toEqual(['id'])
  const limits = { ...scope.limits, depth: 0 }
  expect(failureOf(() => authorizeQuery({ ...scope, limits }, query))).toMatchObject({ kind: 'invalid-query' })
  expect(keysOf(authorizeQuery(scope, query))).toEqual(['id', 'title'])
})

test('each use of a repeated query counts its cost', () => {
  const spent = { rows: 0, cells: 0, passed: 0, longest: 0 }
  const [query, scope] = [repeated(), { ...scopeOf(limited), spent }]
  authorizeQuery(scope, query)
  const once = spent.rows
  authorizeQuery(scope, query)
  expect(once).toBeGreaterThan(0)
  expect(spent.rows).toBe(2 * once)
})
