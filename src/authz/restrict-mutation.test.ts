import { describe, expect, test } from 'vitest'
import { type Filter, matchAll, or, type Value } from '../domain/query/filter.ts'
import type { Changes, Mutation } from '../domain/query/mutation.ts'
import type { Actor } from '../domain/rights/actor.ts'
import { authorizeMutation } from './authorize.ts'
import { failureOf, is, scopeOf, userWith } from './test-schema.ts'

const changesOf = (values: { readonly [field: string]: string | number | null }): Changes =>
  new Map(Object.entries(values).map(([field, value]) => [field, { kind: 'value', value }]))

const create = (actor: Actor, values: { readonly [field: string]: string | number | null }) => {
  const mutation: Mutation = { kind: 'create', collection: 'posts', items: [changesOf(values)] }
  const authorized = authorizeMutation(scopeOf(actor), mutation)
  return authorized.kind === 'create'
    ? [...(authorized.items[0] ?? [])].map(([field, change]) => [field, 'value' in change ? change.value : null])
    : []
}

const update = (actor: Actor, values: { readonly [field: string]: string | number }) => {
  const target = { kind: 'keys', keys: [1] } as const
  const mutation: Mutation = { kind: 'update', collection: 'posts', target, changes: changesOf(values) }
  const authorized = authorizeMutation(scopeOf(actor), mutation)
  return authorized.kind === 'update' ? authorized.rows : undefined
}

const short: Filter = {
  kind: 'compare',
  operand: { kind: 'field', field: 'title' },
  operator: 'regex',
  values: ['^.{1,3}$'],
}
const mine = is('status', 'mine')
const open = is('status', 'open')

describe('create', () => {
  test('a field needs a rule that names it', () => {
    const actor = userWith([{ action: 'create', fields: ['title'] }])
    expect(create(actor, { title: 'x' })).toEqual([['title', 'x']])
    for (const field of ['views', 'nonsense', 'divider']) {
      expect(failureOf(() => create(actor, { title: 'x', [field]: 1 }))).toEqual({
        kind: 'forbidden',
        denied: { action: 'create', collection: 'posts', field },
      })
    }
    expect(failureOf(() => create(userWith([{ action: 'update' }]), {}))).toEqual({
      kind: 'forbidden',
      denied: { action: 'create', collection: 'posts' },
    })
  })

  test('missing fields are refused for administrators too', () => {
    expect(failureOf(() => create(userWith([], { admin: true }), { nonsense: 1 }))).toMatchObject({ kind: 'forbidden' })
    expect(create(userWith([], { admin: true }), { views: 1 })).toEqual([['views', 1]])
  })

  test('presets are resolved defaults of the payload and need no permission on their field', () => {
    const now: Value = { kind: 'now', milliseconds: -1000, months: 0 }
    const user: Value = { kind: 'current-user', path: [] }
    const actor = userWith([
      { action: 'create', fields: ['title', 'status'], presets: { status: 'draft', made: now, author: user, gone: 1 } },
    ])
    expect(create(actor, { title: 'x', status: 'own' })).toEqual([
      ['status', 'own'],
      ['made', '2026-01-31T09:59:59.000Z'],
      ['author', 'u'],
      ['title', 'x'],
    ])
  })

  test('validation applies to the payload with presets', () => {
    const rule = { action: 'create', fields: ['title', 'status'], validation: mine } as const
    expect(failureOf(() => create(userWith([rule]), { title: 'x', status: 'open' }))).toEqual({
      kind: 'failed-validation',
      field: 'status',
      type: 'eq',
      limit: 'mine',
    })
    expect(create(userWith([rule]), { title: 'x' })).toEqual([['title', 'x']])
    expect(failureOf(() => create(userWith([{ ...rule, presets: { status: 'open' } }]), { title: 'x' }))).toMatchObject(
      { field: 'status' },
    )
  })

  test('each field needs a rule whose validation passes', () => {
    const actor = userWith([
      { action: 'create', fields: ['title'], validation: short },
      { action: 'create', fields: ['title', 'views'], validation: mine },
    ])
    expect(create(actor, { title: 'abc' })).toEqual([['title', 'abc']])
    expect(create(actor, { title: 'abcd', views: 1 })).toEqual([
      ['title', 'abcd'],
      ['views', 1],
    ])
    const strict = userWith([
      { action: 'create', fields: ['title'], validation: short },
      { action: 'create', fields: ['views'] },
    ])
    expect(failureOf(() => create(strict, { title: 'abcd', views: 1 }))).toMatchObject({
      field: 'title',
      type: 'regex',
    })
  })
})

describe('update', () => {
  test('each field needs a rule that names it and matches the row', () => {
    const actor = userWith([
      { action: 'update', fields: ['title', 'views'], filter: mine },
      { action: 'update', fields: ['title'], filter: open },
    ])
    expect(update(actor, { title: 'x' })).toEqual(or(mine, open))
    expect(update(actor, { views: 1 })).toEqual(mine)
    expect(update(actor, { title: 'x', views: 1 })).toEqual({ kind: 'and', filters: [or(mine, open), mine] })
    expect(update(actor, {})).toEqual(or(mine, open))
    expect(update(actor, { title: 'x' })).toBe(update(actor, { title: 'y' }))
  })

  test('a rule whose validation fails covers nothing', () => {
    const actor = userWith([
      { action: 'update', fields: ['title'], filter: mine, validation: short },
      { action: 'update', fields: ['title'], filter: open },
    ])
    expect(update(actor, { title: 'abc' })).toEqual(or(mine, open))
    expect(update(actor, { title: 'abcd' })).toEqual(open)
  })

  test('administrators reach every row', () => {
    expect(update(userWith([], { admin: true }), { title: 'x' })).toEqual(matchAll)
  })
})

const remove = (actor: Actor) =>
  authorizeMutation(scopeOf(actor), { kind: 'delete', collection: 'posts', target: { kind: 'keys', keys: [1] } })

test('delete reaches the rows of its own rules', () => {
  expect(remove(userWith([{ action: 'delete', filter: mine }]))).toMatchObject({ rows: mine })
  expect(failureOf(() => remove(userWith([{ action: 'read' }])))).toMatchObject({ kind: 'forbidden' })
})
