import { describe, expect, test } from 'vitest'
import type { Filter, Value } from '../../domain/query/filter.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import { caught } from '../../domain/testing/test-failures.ts'
import { prepare } from '../run/prepare.ts'
import { worldSchema } from '../testing/test-database.ts'
import { compare, noon, queryOf, someUser, viewOf } from '../testing/test-query.ts'
import { valueAt } from './bind-values.ts'

const schema = await worldSchema()

function valuesOf(filters: readonly Filter[], actor: Actor = someUser): readonly unknown[] {
  const query = queryOf({ collection: 'articles', filter: { kind: 'and', filters } })
  return prepare(query, { schema, view: viewOf(), actor, clock: noon, dialect: 'postgres' }).values
}

describe('a value of the actor', () => {
  const roles: Value = { kind: 'current-roles' }
  const policies: Value = { kind: 'current-policies' }
  const filters = [
    compare('user_created', 'eq', { kind: 'current-user', path: [] }),
    compare('user_created', 'eq', { kind: 'current-role', path: [] }),
    compare('user_created', 'eq', roles),
    compare('user_created', 'eq', policies),
    compare('user_created', 'in', policies),
    compare('user_created', 'in', roles, 'x', policies),
  ]
  const access = { ...someUser.access, policies: ['p', 'q'] }
  const { user, role } = someUser
  test.each<[who: string, actor: Actor, values: readonly unknown[]]>([
    ['a user', { ...someUser, access }, [user, role, [role], ['p', 'q'], ['p', 'q'], [role, 'x', 'p', 'q']]],
    ['a user without a role', { ...someUser, role: null, roles: [] }, [user, null, null, null, null, ['x']]],
    ['the public', { kind: 'public', access }, [null, null, null, ['p', 'q'], ['p', 'q'], ['x', 'p', 'q']]],
    [
      'the visitor of a share, whose role only limits the share',
      { kind: 'share', share: 's', role, access: someUser.access, session: 's' },
      [null, null, null, null, null, ['x']],
    ],
    ['the server', { kind: 'system' }, [null, null, null, null, null, ['x']]],
  ])('%s', (_who, actor, values) => {
    expect(valuesOf(filters, actor)).toEqual(values)
  })
})

test('a geometry is compared as its text', () => {
  const comparison = compare('place', 'eq', { type: 'Point', coordinates: [1, 2] })
  expect(valueAt(0)(comparison, { actor: someUser, clock: noon })).toBe('POINT(1 2)')
})

test.each([
  ['a value', compare('title', 'eq', 'a\0')],
  ['one of a list', compare('title', 'in', 'a', 'b\0')],
])('a text that no database takes is refused as %s', (_where, filter) => {
  const reason = 'Expected text without NUL characters for a value'
  expect(caught(() => valuesOf([filter])).failures).toEqual([{ kind: 'invalid-query', name: 'filter', reason }])
})
