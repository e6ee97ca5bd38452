/** What app access allows without any permission of a policy. */
import { describe, expect, test } from 'vitest'
import { and, type Filter, matchAll, or, type Value } from '../domain/query/filter.ts'
import type { Rule } from '../domain/rights/actor.ts'
import type { Collection, Schema } from '../domain/schema/schema.ts'
import { appRules } from './app-rules.ts'
import { ask, authzSchema, compare, failureOf, is, userWith } from './test-schema.ts'

const users = authzSchema.collections.get('platform_users') as Collection
const schemaOf = (...names: readonly string[]): Schema => ({
  ...authzSchema,
  collections: new Map(names.map((name) => [`platform_${name}`, { ...users, name: `platform_${name}` }])),
})

const model = ['collections', 'fields', 'relations', 'settings', 'translations']
const rights = ['permissions', 'policies', 'roles']
const own = ['activity', 'comments', 'notifications', 'presets', 'shares', 'users']
const schema = schemaOf(...model, ...rights, ...own, 'access', 'files', 'sessions', 'revisions')

const rules = (name: string, action: Rule['action']): readonly Rule[] =>
  appRules(schema).filter((rule) => rule.collection === `platform_${name}` && rule.action === action)
const only = (name: string, action: Rule['action']) => rules(name, action)[0]

const user: Value = { kind: 'current-user', path: [] }
const among = (field: string, value: Value): Filter => ({ ...is(field, value), operator: 'in' }) as Filter

test('a user reads the data model, the own rights and what belongs to the user, and no other system collection', () => {
  const read = appRules(schema).filter(({ action }) => action === 'read')
  const expected = [...model, ...rights, ...own].map((name) => `platform_${name}`)
  expect(read.map(({ collection }) => collection).toSorted()).toEqual(expected.toSorted())
})

test('a user writes presets, comments, the state of notifications and the own profile, and nothing else', () => {
  const written = appRules(schema).filter(({ action }) => action !== 'read')
  expect(written.map(({ collection, action }) => `${action} ${collection.slice(9)}`).toSorted()).toEqual([
    'create comments',
    'create presets',
    'delete comments',
    'delete presets',
    'update comments',
    'update notifications',
    'update presets',
    'update users',
  ])
})

test('the own profile has neither rights nor identities', () => {
  const fields = rules('users', 'update').flatMap((rule) => rule.fields)
  expect(fields).toContain('first_name')
  const guarded = ['id', 'role', 'status', 'policies', 'token', 'tfa_secret', 'provider', 'external_identifier', '*']
  for (const field of guarded) expect(fields).not.toContain(field)
})

describe('only rows of the user', () => {
  test.each([
    ['users', 'read', 'id'],
    ['users', 'update', 'id'],
    ['activity', 'read', 'user'],
    ['shares', 'read', 'user_created'],
    ['comments', 'read', 'user_created'],
    ['comments', 'update', 'user_created'],
    ['comments', 'delete', 'user_created'],
    ['notifications', 'read', 'recipient'],
    ['notifications', 'update', 'recipient'],
    ['presets', 'update', 'user'],
    ['presets', 'delete', 'user'],
  ] as const)('of %s for %s, by %s', (name, action, field) => {
    expect(rules(name, action).map(({ filter }) => filter)).toEqual([is(field, user)])
  })

  test('and of its roles: presets are shown without those of other users and roles', () => {
    const nobodys = and(
      compare('user', 'null', []),
      or(compare('role', 'null', []), among('role', { kind: 'current-roles' })),
    )
    expect(only('presets', 'read')?.filter).toEqual(or(is('user', user), nobodys))
  })

  test('rights are those of the own roles and policies', () => {
    expect(only('roles', 'read')?.filter).toEqual(among('id', { kind: 'current-roles' }))
    expect(only('policies', 'read')?.filter).toEqual(among('id', { kind: 'current-policies' }))
    expect(only('permissions', 'read')?.filter).toEqual(among('policy', { kind: 'current-policies' }))
  })
})

test('tokens and logins of a user, and addresses of a policy, are not shown', () => {
  const shown = only('users', 'read')?.fields
  for (const field of ['token', 'auth_data', 'external_identifier', 'last_access']) expect(shown).not.toContain(field)
  expect(only('policies', 'read')?.fields).toEqual(['id', 'name', 'icon', 'admin_access', 'app_access'])
})

test('the data model is read without conditions', () => {
  const condition = { validation: null, presets: null }
  for (const name of model) {
    expect(rules(name, 'read')).toStrictEqual([
      { collection: `platform_${name}`, action: 'read', fields: '*', filter: matchAll, ...condition },
    ])
  }
})

test('a preset is given to its user and may be given to nobody else', () => {
  for (const action of ['create', 'update'] as const) {
    expect(only('presets', action)).toMatchObject({ validation: is('user', user), presets: { user } })
  }
})

test('a comment has a text and an item when it is made, and only its text changes', () => {
  const created = { fields: ['collection', 'item', 'comment'], validation: compare('comment', 'nnull', []) }
  expect(only('comments', 'create')).toMatchObject(created)
  expect(only('comments', 'update')?.fields).toEqual(['comment'])
  expect(only('notifications', 'update')?.fields).toEqual(['status'])
})

test('collections that the database lacks have no rules', () => {
  expect(appRules(schemaOf('settings', 'files')).map(({ collection }) => collection)).toEqual(['platform_settings'])
  const actor = userWith(appRules(authzSchema))
  expect(failureOf(() => ask(actor, { collection: 'platform_roles' }))).toMatchObject({ kind: 'forbidden' })
  expect(ask(actor, { collection: 'platform_users' }).filter).toEqual(is('id', user))
})
