import { describe, expect, test } from 'vitest'
import { lookUpName } from '../domain/conditions/resolve-value.ts'
import { compare, type DynamicValue, type Filter, matchAll, or, type Value } from '../domain/query/filter.ts'
import type { Change, Changes, Mutation } from '../domain/query/mutation.ts'
import type { Actor } from '../domain/rights/actor.ts'
import type { Collection, Schema } from '../domain/schema/schema.ts'
import { caught } from '../domain/testing/test-failures.ts'
import { authorizeMutation, type WriteScope } from './authorize.ts'
import { authzSchema, failureOf, field, is, scopeOf, userWith } from './test-schema.ts'

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

const short: Filter = compare('title', 'regex', ['^.{1,3}$'])
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

  test('a preset from the row of the user has the value that was read for it', () => {
    const department: DynamicValue = { kind: 'current-user', path: ['department'] }
    const actor = userWith([{ action: 'create', presets: { views: department } }])
    const mutation: Mutation = { kind: 'create', collection: 'posts', items: [changesOf({ title: 'x' })] }
    const lookedUp = new Map([[lookUpName(department), 7]])
    const items = (scope: WriteScope) =>
      (authorizeMutation(scope, mutation) as Extract<Mutation, { kind: 'create' }>).items
    expect(items({ ...scopeOf(actor), lookedUp })).toEqual([changesOf({ views: 7, title: 'x' })])
    expect(items(scopeOf(actor))).toEqual([changesOf({ views: null, title: 'x' })])
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

const pattern = (text: string): Filter => ({ ...is('title', text), operator: 'regex' }) as Filter

describe('what a table takes', () => {
  const posts = authzSchema.collections.get('posts')
  if (posts === undefined) throw new Error('Expected a collection')
  const schemaWith = (changes: Partial<Collection>): Schema => ({
    ...authzSchema,
    collections: new Map([...authzSchema.collections, ['posts', { ...posts, ...changes }]]),
  })
  const target = { kind: 'keys', keys: [1] } as const
  const write = (actor: Actor, kind: 'create' | 'update' | 'delete', changes: Partial<Collection>) => {
    const mutations: { readonly [Kind in typeof kind]: Mutation } = {
      create: { kind, collection: 'posts', items: [changesOf({ title: 'x' })] } as Mutation,
      update: { kind, collection: 'posts', target, changes: changesOf({ title: 'x' }) } as Mutation,
      delete: { kind, collection: 'posts', target } as Mutation,
    }
    return authorizeMutation({ ...scopeOf(actor), schema: schemaWith(changes) }, mutations[kind])
  }
  const admin = userWith([], { admin: true })

  test.each(['create', 'update', 'delete'] as const)(
    'a %s that the database does not do is refused, after rights',
    (kind) => {
      const changes = { create: true, update: true, delete: true, [kind]: false }
      expect(failureOf(() => write(admin, kind, { changes }))).toEqual({
        kind: 'unprocessable',
        reason: `The database takes no "${kind}" for rows of "posts"`,
      })
      expect(failureOf(() => write(userWith([]), kind, { changes }))).toMatchObject({ kind: 'forbidden' })
      const others = { create: false, update: false, delete: false, [kind]: true }
      expect(write(admin, kind, { changes: others })).toMatchObject({ kind })
    },
  )

  test('rows without a key can be created, and not be named', () => {
    const none = { keyColumns: [], changes: { create: false, update: false, delete: false } }
    const reason = 'The rows of "posts" have no key, so that none can be named'
    for (const kind of ['update', 'delete'] as const) {
      expect(failureOf(() => write(admin, kind, none))).toEqual({ kind: 'unprocessable', reason })
    }
    expect(failureOf(() => write(admin, 'create', none))).toMatchObject({
      reason: 'The database takes no "create" for rows of "posts"',
    })
  })

  test('a collection that is a folder, or not there, is refused alike', () => {
    const actor = userWith([
      { collection: 'folder', action: 'delete' },
      { collection: 'nowhere', action: 'delete' },
    ])
    for (const who of [actor, admin]) {
      for (const collection of ['folder', 'nowhere']) {
        const work = () => authorizeMutation(scopeOf(who), { kind: 'delete', collection, target })
        expect(failureOf(work)).toEqual({ kind: 'forbidden', denied: { action: 'delete', collection } })
      }
    }
  })

  test('a field without a column is written only if it is a relation', () => {
    const notes: Change = { kind: 'value', value: [] }
    const mutation: Mutation = { kind: 'create', collection: 'posts', items: [new Map([['notes', notes]])] }
    expect(authorizeMutation(scopeOf(admin), mutation)).toMatchObject({ items: [new Map([['notes', notes]])] })
    expect(failureOf(() => create(admin, { divider: 'x' }))).toMatchObject({ denied: { field: 'divider' } })
  })

  const judged = schemaWith({
    fields: new Map([
      ...posts.fields,
      ['title', field('title', 'string', { validation: pattern('^a'), validationMessage: 'Begin with a' })],
    ]),
  })
  const judge = (actor: Actor, title: string) =>
    authorizeMutation(
      { ...scopeOf(actor), schema: judged },
      { kind: 'create', collection: 'posts', items: [changesOf({ title, status: 'x' })] },
    )

  test('values must pass the validation of their fields, for everybody but the server', () => {
    const failure = { kind: 'failed-validation', field: 'title', type: 'regex', message: 'Begin with a' }
    for (const actor of [admin, userWith([{ action: 'create' }])]) {
      expect(failureOf(() => judge(actor, 'b'))).toMatchObject(failure)
      expect(judge(actor, 'ab')).toMatchObject({ kind: 'create' })
    }
    expect(judge({ kind: 'system' }, 'b')).toMatchObject({ kind: 'create' })
  })

  test('rules that fail alike are told once', () => {
    const rule = { action: 'create', validation: pattern('^z') } as const
    const other = { action: 'create', validation: is('title', 'zz') } as const
    const failures = caught(() => create(userWith([rule, { ...rule }, other]), { title: 'b' })).failures
    expect(failures.map((each) => ('type' in each ? each.type : each.kind))).toEqual(['regex', 'eq'])
  })
})

describe('several rules', () => {
  const three = ['a', 'b', 'c'].map((title) => is('title', title))
  const [a, b, c] = three as [Filter, Filter, Filter]
  const actor = userWith([
    { action: 'update', fields: ['title', 'views'], filter: a },
    { action: 'update', fields: ['title', 'status'], filter: b },
    { action: 'update', fields: ['title', 'data'], filter: c },
    { action: 'delete', filter: a },
    { action: 'delete', filter: b },
  ])

  test('give each set of fields the rows of its own rules', () => {
    expect(update(actor, { views: 1 })).toEqual(a)
    expect(update(actor, { status: 'x' })).toEqual(b)
    expect(update(actor, { views: 1, status: 'x' })).toEqual({ kind: 'and', filters: [a, b] })
    expect(update(actor, { title: 'x' })).toEqual({ kind: 'or', filters: [a, b, c] })
    expect(update(actor, { title: 'x', data: 'x' })).toEqual({ kind: 'and', filters: [or(a, b, c), c] })
    expect(remove(actor)).toMatchObject({ rows: or(a, b) })
  })

  test('that are the same for two fields count once', () => {
    const same = userWith([
      { action: 'update', fields: ['title', 'views'], filter: a },
      { action: 'update', fields: ['title', 'views'], filter: b },
    ])
    expect(update(same, { title: 'x', views: 1 })).toEqual(or(a, b))
  })

  test('that begin with the same one are several all the same', () => {
    const apart = userWith([
      { action: 'update', fields: ['title', 'views'], filter: a },
      { action: 'update', fields: ['title'], filter: b },
      { action: 'update', fields: ['views'], filter: c },
    ])
    expect(update(apart, { title: 'x', views: 1 })).toEqual({ kind: 'and', filters: [or(a, b), or(a, c)] })
  })

  test('are checked for each item of several', () => {
    const items = [
      { key: 1, changes: changesOf({ views: 1 }) },
      { key: 2, changes: changesOf({ status: 'x' }) },
    ]
    const each: Mutation = { kind: 'update-each', collection: 'posts', items }
    expect(authorizeMutation(scopeOf(actor), each)).toMatchObject({
      items: [
        { key: 1, rows: a },
        { key: 2, rows: b },
      ],
    })
    const bad: Mutation = { ...each, items: [...items, { key: 3, changes: changesOf({ id: 4 }) }] }
    expect(failureOf(() => authorizeMutation(scopeOf(actor), bad))).toMatchObject({ denied: { field: 'id' } })
  })

  test('set the presets of all of them, the later one first, and lists as they are', () => {
    const presets = userWith([
      { action: 'create', presets: { status: 'first', data: ['x', 'y'] } },
      { action: 'create', presets: { status: 'second' } },
    ])
    expect(create(presets, {})).toEqual([
      ['status', 'second'],
      ['data', ['x', 'y']],
    ])
  })
})

test('a write that needs a reason is refused without one, whoever else may do without', () => {
  const demands = [{ collection: 'posts', status: null, explain: 'update', comment: null, owned: [] }] as const
  const attempt = (actor: Actor, request: object) => () =>
    authorizeMutation({ ...scopeOf(actor), ...request }, changing)
  const changing: Mutation = {
    kind: 'update',
    collection: 'posts',
    target: { kind: 'keys', keys: [1] },
    changes: changesOf({ title: 'x' }),
  }
  const actor = userWith([{ action: 'update' }], { demands })
  for (const request of [{}, { request: {} }, { request: { history: {} } }]) {
    expect(failureOf(attempt(actor, request))).toEqual({
      kind: 'forbidden',
      reason: 'Activity comment required for collection: posts',
    })
    expect(attempt(userWith([{ action: 'update' }], { demands, admin: true }), request)).not.toThrow()
  }
  expect(attempt(actor, { request: { history: { comment: 'so' } } })).not.toThrow()
})

test('deletes of administrators and of the server reach every row', () => {
  for (const actor of [userWith([], { admin: true }), { kind: 'system' } as const]) {
    expect(remove(actor)).toMatchObject({ rows: matchAll })
  }
})

test('the write of a singleton that is not resolved is a bug', () => {
  const mutation: Mutation = { kind: 'write-singleton', collection: 'posts', changes: new Map() }
  expect(() => authorizeMutation(scopeOf(userWith([{ action: 'update' }])), mutation)).toThrow(
    'by a create or an update',
  )
})
