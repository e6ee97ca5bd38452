/** Conditions of a request: functions, keys of related rows, depth, and paths of dynamic values. */
import { describe, expect, test } from 'vitest'
import { and, type Comparison, type Filter, matchAll, or } from '../domain/query/filter.ts'
import type { FunctionName } from '../domain/query/functions.ts'
import type { Actor } from '../domain/rights/actor.ts'
import type { Schema } from '../domain/schema/schema.ts'
import { plainColumn } from '../domain/testing/test-columns.ts'
import { authorizeQuery } from './authorize.ts'
import { ask, authzSchema, compare, failureOf, field, is, queryOf, related, scopeOf, userWith } from './test-schema.ts'

const admin = userWith([], { admin: true })
const open = is('text', 'open')

const filterOf = (actor: Actor, filter: Filter): Filter => ask(actor, { filter }).filter
const reasonOf = (actor: Actor, filter: Filter): unknown =>
  (failureOf(() => filterOf(actor, filter)) as { readonly reason?: string }).reason

const applied = (name: FunctionName, of: string, operator: Comparison['operator'] = 'eq'): Comparison => ({
  kind: 'compare',
  operand: { kind: 'function', function: name, field: of },
  operator,
  values: [1],
})

describe('functions', () => {
  test('of a column are compared as they are, with operators of integers', () => {
    expect(filterOf(admin, applied('year', 'made'))).toEqual(applied('year', 'made'))
    expect(filterOf(admin, applied('count', 'data', 'gt'))).toEqual(applied('count', 'data', 'gt'))
    expect(reasonOf(admin, applied('year', 'made', 'contains'))).toBe(
      'Operator "contains" does not apply to field "made" of type year()',
    )
  })

  test('do not apply to other types, to fields without rows and to concealed fields', () => {
    for (const [name, of, type] of [
      ['year', 'title', 'string'],
      ['count', 'views', 'integer'],
    ] as const) {
      expect(reasonOf(admin, applied(name, of))).toBe(
        `Function "${name}" does not apply to field "${of}" of type ${type}`,
      )
    }
    const schema = withFields('posts', [
      field('stamp', 'timestamp', { concealed: true }),
      field('nothing', 'alias', { column: { ...plainColumn, name: 'nothing' } }),
    ])
    for (const each of [applied('year', 'stamp'), applied('count', 'nothing')]) {
      expect(failureOf(() => authorizeQuery({ ...scopeOf(admin), schema }, queryOf({ filter: each })))).toMatchObject({
        kind: 'invalid-query',
        name: 'filter',
      })
    }
  })

  test('count only the related rows that may be read', () => {
    const actor = userWith([{}, { collection: 'notes', filter: open }])
    const counted = applied('count', 'notes', 'gt')
    const operand = { kind: 'function', function: 'count', field: 'notes', related: open } as const
    expect(filterOf(actor, counted)).toEqual({ ...counted, operand })
  })

  test('are guarded as their fields are', () => {
    const mine = is('status', 'mine')
    const actor = userWith([{ fields: ['id'] }, { fields: ['made'], filter: mine }])
    expect(filterOf(actor, applied('year', 'made'))).toEqual(and(mine, applied('year', 'made')))
  })
})

const rows = (quantifier: 'some' | 'none', filter: Filter): Filter => ({
  kind: 'related',
  field: 'notes',
  collection: 'notes',
  quantifier,
  filter,
})

test('each condition of an AND is guarded on its own', () => {
  const mine = is('status', 'mine')
  const actor = userWith([{ fields: ['id'] }, { fields: ['title'], filter: mine }])
  const all = { kind: 'and', filters: [is('id', 1), is('title', 'x')] } as const
  expect(filterOf(actor, all)).toEqual(and(is('id', 1), mine, is('title', 'x')))
  expect(failureOf(() => filterOf(actor, { ...all, filters: [is('id', 1), is('views', 1)] }))).toMatchObject({
    denied: { field: 'views' },
  })
})

describe('a to-many field', () => {
  const actor = userWith([{}, { collection: 'notes', filter: open }])

  test.each(['null', 'empty'] as const)('%s means that no readable row is related', (operator) => {
    expect(filterOf(actor, compare('notes', operator, []))).toEqual(rows('none', open))
  })

  test.each(['nnull', 'nempty'] as const)('%s means that a readable row is related', (operator) => {
    expect(filterOf(actor, compare('notes', operator, []))).toEqual(rows('some', open))
  })

  test('is compared by the keys of the related rows', () => {
    const filter = { ...is('notes', 3), operator: 'in', values: [3, 4] } as Filter
    const keys = { ...is('id', 3), operator: 'in', values: [3, 4] } as Filter
    expect(filterOf(actor, filter)).toEqual(rows('some', and(open, keys)))
  })

  test('that is none has no values', () => {
    const schema = withFields('posts', [
      field('anywhere', 'alias', {
        relation: { kind: 'many-to-any', collectionField: 'status', allowed: ['notes'], relation },
      }),
    ])
    expect(
      failureOf(() => authorizeQuery({ ...scopeOf(admin), schema }, queryOf({ filter: compare('anywhere') }))),
    ).toMatchObject({ kind: 'invalid-query', reason: 'Expected a field that holds values but received "anywhere"' })
  })
})

describe('related rows', () => {
  test('of a many-to-any are of the collections that it allows', () => {
    expect(filterOf(admin, related('item', 'notes', open))).toEqual(related('item', 'notes', open))
    expect(failureOf(() => filterOf(admin, related('item', 'posts')))).toMatchObject({ kind: 'forbidden' })
    expect(failureOf(() => filterOf(admin, related('title', 'posts')))).toMatchObject({ kind: 'forbidden' })
  })

  test('a condition inside them is not negated by a `not` around them', () => {
    const actor = userWith([
      {},
      { collection: 'people', fields: ['id'] },
      { collection: 'people', fields: ['name'], filter: is('age', 18) },
    ])
    const guarded = and(is('age', 18), is('name', 'x'))
    expect(filterOf(actor, { kind: 'not', filter: related('author', 'people', is('name', 'x')) })).toEqual({
      kind: 'not',
      filter: related('author', 'people', guarded),
    })
  })

  test('as many names as the limit allows are fine, and one more is not', () => {
    const boss = related('boss', 'people', is('id', 1))
    expect(filterOf(admin, related('author', 'people', boss))).toEqual(related('author', 'people', boss))
    const deeper = related('author', 'people', related('boss', 'people', related('boss', 'people')))
    expect(reasonOf(admin, deeper)).toBe('Expected at most 3 names in a path')
    const none = scopeOf(admin)
    const flat = { ...none, limits: { ...none.limits, depth: 0 } }
    expect(failureOf(() => authorizeQuery(flat, queryOf({ filter: is('id', 1) })))).toMatchObject({
      reason: 'Expected at most 0 names in a path',
    })
  })
})

describe('the cost of a filter', () => {
  const through = related('author', 'people', related('posts', 'posts'))
  const costly = (actor: Actor) => {
    const scope = scopeOf(actor)
    const limits = { ...scope.limits, cost: { repeats: 2, rows: 50 } }
    return authorizeQuery({ ...scope, limits }, queryOf({ filter: through })).filter
  }

  test('is limited for everybody but the server', () => {
    expect(failureOf(() => costly(admin))).toMatchObject({ kind: 'invalid-query', name: 'filter' })
    expect(costly({ kind: 'system' })).toEqual(through)
  })
})

const { relation: author } = authzSchema.collections.get('posts')?.fields.get('author') ?? {}
if (author?.kind !== 'many-to-one') throw new Error('Expected a relation')
const { relation } = author

function withFields(name: string, fields: readonly ReturnType<typeof field>[], from: Schema = authzSchema): Schema {
  const base = from.collections.get(name) ?? from.collections.get('notes')
  if (base === undefined) throw new Error('Expected a collection')
  const old = from.collections.has(name) ? base.fields.values() : []
  const all = new Map([...old, ...fields].map((each) => [each.name, each]))
  return { ...from, collections: new Map([...from.collections, [name, { ...base, name, fields: all }]]) }
}

const of = (kind: 'current-user' | 'current-role', ...path: readonly string[]): Filter => is('id', { kind, path })

describe('the path of a dynamic value', () => {
  const schema = withFields(
    'platform_users',
    [field('role', 'uuid', { relation: { kind: 'many-to-one', collection: 'platform_roles', relation } })],
    withFields('platform_roles', [field('id', 'uuid'), field('name', 'string')]),
  )
  const isAllowed = (rules: Parameters<typeof userWith>[0], filter: Filter): boolean => {
    try {
      authorizeQuery({ ...scopeOf(userWith([{}, ...rules])), schema }, queryOf({ filter }))
      return true
    } catch {
      return false
    }
  }
  const users = { collection: 'platform_users' }
  const roles = { collection: 'platform_roles' }
  const own = of('current-user')

  test('without names is the actor itself, which needs no right', () => {
    expect(isAllowed([], of('current-user'))).toBe(true)
    expect(isAllowed([], is('made', { kind: 'now', milliseconds: 0, months: 0 }))).toBe(true)
  })

  test('is free for administrators', () => {
    const scope = { ...scopeOf(admin), schema }
    expect(authorizeQuery(scope, queryOf({ filter: of('current-user', 'department') })).filter).toEqual(
      of('current-user', 'department'),
    )
  })

  test('through a role needs rights on roles, and only these', () => {
    expect(isAllowed([roles], of('current-role', 'name'))).toBe(true)
    expect(isAllowed([{ ...roles, filter: of('current-role') }], of('current-role', 'name'))).toBe(true)
    expect(isAllowed([{ ...roles, filter: own }], of('current-role', 'name'))).toBe(false)
    expect(isAllowed([users], of('current-role', 'name'))).toBe(false)
  })

  test('leads from the own row to rows that must all be readable', () => {
    const path = of('current-user', 'role', 'name')
    expect(isAllowed([users, roles], path)).toBe(true)
    expect(isAllowed([{ ...users, filter: own }, roles], path)).toBe(true)
    expect(isAllowed([users, { ...roles, filter: of('current-role') }], path)).toBe(false)
    expect(isAllowed([users, { ...roles, filter: own }], path)).toBe(false)
    expect(isAllowed([users], path)).toBe(false)
  })

  test('needs fields that are readable on every row of the rules', () => {
    const guarded = [
      { ...users, fields: ['id'] },
      { ...users, fields: ['department'], filter: is('id', 'x') },
    ]
    expect(isAllowed(guarded, of('current-user', 'department'))).toBe(false)
  })

  const lookalikes: readonly (readonly [what: string, filter: Filter])[] = [
    ['another field', is('department', { kind: 'current-user', path: [] })],
    ['another value', is('id', 'u')],
    ['no value', { ...is('id', 'u'), values: [] } as Filter],
    ['the role', of('current-role')],
    ['a path', of('current-user', 'department')],
    ['another operator', { ...own, operator: 'neq' } as Filter],
    ['a function', { ...own, operand: { kind: 'function', function: 'count', field: 'id' } } as Filter],
    ['a part of an AND', { kind: 'and', filters: [own, is('department', 1)] }],
    ['alternatives without it', or(is('department', 1), is('department', 2))],
  ]
  test.each(lookalikes)('a rule on the own row is no rule on %s', (_what, filter) => {
    expect(isAllowed([{ ...users, filter }], of('current-user', 'department'))).toBe(false)
  })

  test('a rule on the own row may be one of several alternatives', () => {
    expect(isAllowed([{ ...users, filter: or(is('department', 1), own) }], of('current-user', 'department'))).toBe(true)
    expect(isAllowed([{ ...users, filter: matchAll }], of('current-user', 'department'))).toBe(true)
  })
})
