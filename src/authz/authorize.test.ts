import { describe, expect, test } from 'vitest'
import { and, type Filter, matchAll, matchNone } from '../domain/query/filter.ts'
import type { Selected, Wildcard } from '../domain/query/query.ts'
import type { Actor } from '../domain/rights/actor.ts'
import { authorizeQuery } from './authorize.ts'
import { ask, compare, failureOf, is, named, queryOf, related, scopeOf, userWith, wildcard } from './test-schema.ts'

const admin = userWith([], { admin: true })
const mine = is('status', 'mine')
const adult = is('age', 18)

/** May read four fields of posts, names of people, nothing of notes. */
const limited = userWith([
  { fields: ['id', 'title', 'author', 'notes', 'secret', 'item'], filter: mine },
  { collection: 'people', fields: ['id', 'name', 'posts'], filter: adult },
])

describe('rows', () => {
  test('the rule of each level is part of its filter, and counts use the readable rows', () => {
    const authorized = ask(limited, {
      filter: related('author', 'people', compare('name')),
      selection: [{ kind: 'one', key: 'author', field: 'author', selection: [named('name')], filter: matchAll }],
      sort: [{ kind: 'field', path: [{ field: 'author', collection: 'people' }], field: 'name', descending: true }],
    })
    expect(authorized.filter).toEqual(and(mine, related('author', 'people', and(adult, compare('name')))))
    expect(authorized.rows).toEqual(mine)
    expect(authorized.selection).toEqual([
      { kind: 'one', key: 'author', field: 'author', selection: [named('name')], filter: adult },
    ])
    expect(authorized.sort).toEqual([
      {
        kind: 'field',
        field: 'name',
        descending: true,
        path: [{ field: 'author', collection: 'people', filter: adult }],
      },
    ])
  })

  test('keys and counts of a one-to-many are of readable rows', () => {
    const actor = userWith([{}, { collection: 'notes', filter: is('text', 'open') }])
    const count = { kind: 'function', key: 'n', function: 'count', field: 'notes' } as const
    expect(ask(actor, { selection: [named('notes'), count] }).selection).toEqual([
      { kind: 'field', key: 'k', field: 'notes', related: is('text', 'open') },
      { ...count, related: is('text', 'open') },
    ])
  })

  test('no rule means no rows for the actor without a user: a rule about the user resolves later and matches nothing', () => {
    const nobody: Actor = {
      kind: 'public',
      access: { admin: false, app: false, policies: [], rules: [], fingerprint: '' },
    }
    expect(failureOf(() => ask(nobody, {}))).toMatchObject({ kind: 'forbidden' })
  })

  test('archived rows can be selected by value only if that value is readable', () => {
    const only = { kind: 'only', values: ['old'] } as const
    expect(failureOf(() => ask(limited, { archive: only }))).toMatchObject({
      kind: 'forbidden',
      denied: { field: 'status' },
    })
    expect(ask(limited, { archive: { kind: 'live' } }).archive).toEqual({ kind: 'live' })
  })

  test('an internal key filter needs no permission on the field', () => {
    const actor = userWith([{ fields: ['title'] }])
    const byTitle = queryOf({ selection: [named('title')] })
    expect(authorizeQuery(scopeOf(actor), byTitle, is('id', 1)).filter).toEqual(is('id', 1))
    expect(failureOf(() => ask(actor, { filter: is('id', 1) }))).toMatchObject({ kind: 'forbidden' })
  })
})

const keys = (actor: Actor, selected: Wildcard) =>
  ask(actor, { selection: [selected] }).selection.map((each) => (each.kind === 'wildcard' ? '*' : each.key))

describe('wildcards', () => {
  test('`*` selects readable fields in the order of the view', () => {
    expect(keys(limited, wildcard())).toEqual(['id', 'title', 'secret', 'author', 'item'])
    expect(keys(limited, wildcard({ except: ['secret'] }))).toEqual(['id', 'title', 'author', 'item'])
    expect(keys(admin, wildcard({ aliases: false }))).not.toContain('notes')
    expect(keys(admin, wildcard())).toContain('notes')
    expect(keys(admin, wildcard())).not.toContain('divider')
  })

  test('`*.*` expands readable relations and leaves the others out', () => {
    const authorized = ask(limited, { selection: [wildcard({ nested: [wildcard({ aliases: false })] })] })
    expect(authorized.selection).toEqual([
      { kind: 'field', key: 'id', field: 'id' },
      { kind: 'field', key: 'title', field: 'title' },
      { kind: 'field', key: 'secret', field: 'secret' },
      {
        kind: 'one',
        key: 'author',
        field: 'author',
        filter: adult,
        selection: [
          { kind: 'field', key: 'id', field: 'id' },
          { kind: 'field', key: 'name', field: 'name' },
        ],
      },
      {
        kind: 'any',
        key: 'item',
        field: 'item',
        options: [
          {
            collection: 'people',
            filter: adult,
            selection: [
              { kind: 'field', key: 'id', field: 'id' },
              { kind: 'field', key: 'name', field: 'name' },
            ],
          },
        ],
      },
    ])
  })

  test('below a wildcard each collection contributes its own fields', () => {
    const authorized = ask(limited, { selection: [wildcard({ nested: [named('name')] })] })
    expect(authorized.selection.map((each) => (each.kind === 'wildcard' ? '*' : each.key))).toEqual([
      'id',
      'title',
      'secret',
      'author',
      'item',
    ])
  })

  test('the last of several entries with one key wins, at the position of the first', () => {
    const one = { kind: 'one', key: 'author', field: 'author', selection: [named('name')], filter: matchAll } as const
    const authorized = ask(limited, { selection: [wildcard(), one] })
    expect(authorized.selection.map((each) => each.kind)).toEqual(['field', 'field', 'field', 'one', 'field'])
  })
})

describe('rules with different fields and rows', () => {
  const open = is('status', 'open')
  const actor = userWith([
    { fields: ['id', 'title'], filter: mine },
    { fields: ['id', 'views', 'author'], filter: open },
    { collection: 'people' },
  ])

  test('a value is visible only on rows of a rule that names it', () => {
    const authorized = ask(actor, {
      selection: [
        named('id'),
        { ...named('title'), key: 't' } as Selected,
        { ...named('views'), key: 'v' } as Selected,
      ],
    })
    expect(authorized.rows).toEqual({ kind: 'or', filters: [mine, open] })
    expect(authorized.selection).toEqual([
      { kind: 'field', key: 'k', field: 'id' },
      { kind: 'field', key: 't', field: 'title', guard: mine },
      { kind: 'field', key: 'v', field: 'views', guard: open },
    ])
  })

  test('a comparison never matches on other rows, negated or not', () => {
    const title = compare('title')
    const rows = { kind: 'or', filters: [mine, open] } as const
    expect(ask(actor, { filter: title }).filter).toEqual(and(rows, and(mine, title)))
    expect(ask(actor, { filter: { kind: 'not', filter: title } }).filter).toEqual(
      and(rows, { kind: 'not', filter: { kind: 'or', filters: [title, { kind: 'not', filter: mine }] } }),
    )
    const twice: Filter = { kind: 'not', filter: { kind: 'not', filter: title } }
    expect(ask(actor, { filter: twice }).filter).toEqual(
      and(rows, { kind: 'not', filter: { kind: 'not', filter: and(mine, title) } }),
    )
  })

  test('order, aggregates, groups, search and relations are guarded', () => {
    expect(ask(actor, { sort: [{ kind: 'field', path: [], field: 'views', descending: false }] }).sort).toMatchObject([
      { guard: open },
    ])
    expect(
      ask(actor, {
        sort: [{ kind: 'field', path: [{ field: 'author', collection: 'people' }], field: 'name', descending: false }],
      }).sort,
    ).toMatchObject([{ path: [{ guard: open }] }])
    const aggregation = {
      values: [{ aggregate: 'max', field: 'views', key: 'm' }],
      group: [{ kind: 'field', field: 'title', key: 'g' }],
    } as const
    expect(ask(actor, { aggregation }).aggregation).toMatchObject({
      values: [{ guard: open }],
      group: [{ guard: mine }],
    })
    expect(ask(actor, { search: 'x' }).searchFields).toEqual([
      { field: 'id' },
      { field: 'title', guard: mine },
      { field: 'views', guard: open },
      { field: 'author', guard: open },
    ])
    expect(ask(actor, { filter: related('author', 'people') }).filter).toMatchObject({
      filters: [{}, open, { kind: 'related' }],
    })
    expect(failureOf(() => ask(actor, { distinct: ['views'] }))).toMatchObject({ kind: 'forbidden' })
  })

  test('a field of a rule that matches every row needs no guard', () => {
    const all = userWith([{ fields: ['id'], filter: mine }, { fields: '*' }])
    expect(ask(all, { selection: [named('title')] }).selection).toEqual([named('title')])
    expect(ask(all, {}).filter).toEqual(matchAll)
    expect(ask(userWith([{ filter: matchNone }]), {}).filter).toEqual(matchNone)
  })
})

const at = (...path: readonly string[]): Filter => is('id', { kind: 'current-user', path })
const users = (filter: Filter, fields: readonly string[] = ['id', 'department']) =>
  userWith([{}, { collection: 'platform_users', fields, filter }])

describe('paths of dynamic values in a request', () => {
  const own = is('id', { kind: 'current-user', path: [] })

  test('need permission on each field, at least on the own row', () => {
    expect(failureOf(() => ask(userWith([{}]), { filter: at('department') }))).toMatchObject({ kind: 'forbidden' })
    expect(ask(users(matchAll), { filter: at('department') }).filter).toEqual(at('department'))
    expect(ask(users(own), { filter: at('department') }).filter).toEqual(at('department'))
    expect(failureOf(() => ask(users(is('id', 'somebody')), { filter: at('department') }))).toMatchObject({
      kind: 'forbidden',
    })
    expect(failureOf(() => ask(users(matchAll, ['id']), { filter: at('department') }))).toMatchObject({
      kind: 'forbidden',
    })
    expect(failureOf(() => ask(users(matchAll, ['password']), { filter: at('password') }))).toMatchObject({
      kind: 'forbidden',
    })
    expect(failureOf(() => ask(users(matchAll), { filter: at('department', 'name') }))).toMatchObject({
      kind: 'forbidden',
    })
  })
})
