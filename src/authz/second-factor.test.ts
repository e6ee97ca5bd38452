/** What a user may do who has to set up a second factor first. */
import { expect, test } from 'vitest'
import type { Access, Actor } from '../domain/rights/actor.ts'
import type { Collection, Schema } from '../domain/schema/schema.ts'
import { untilSecondFactor } from './app-rules.ts'
import { ask, authzSchema, failureOf, is, userWith } from './test-schema.ts'

const users = authzSchema.collections.get('platform_users') as Collection
const others = ['platform_settings', 'platform_roles', 'platform_presets', 'platform_comments']
const schema: Schema = {
  ...authzSchema,
  collections: new Map([...authzSchema.collections, ...others.map((name) => [name, { ...users, name }] as const)]),
}

const accessOf = (actor: Actor): Access => (actor as Extract<Actor, { kind: 'user' }>).access
const waiting = (access: Access): Actor => userWith([], untilSecondFactor(access, schema))
const denied = (collection: string) => ({ kind: 'forbidden', denied: { action: 'read', collection } })

const editor = accessOf(userWith([{}, { collection: 'platform_users' }], { app: true, policies: ['p'] }))
const admin = accessOf(userWith([], { admin: true, app: true }))

test.each([
  ['a user', editor],
  ['an administrator', admin],
])('%s reads the own account and nothing else', (_who, access) => {
  const actor = waiting(access)
  const own = is('id', { kind: 'current-user', path: [] })
  expect(ask(actor, { collection: 'platform_users' }).filter).toEqual(own)
  for (const collection of ['posts', 'people'])
    expect(failureOf(() => ask(actor, { collection }))).toEqual(denied(collection))
  expect(accessOf(actor).rules.map(({ collection, action }) => [collection, action])).toEqual([
    ['platform_users', 'read'],
  ])
})

test('the access says so, and is told from the whole one in caches', () => {
  const found = untilSecondFactor({ ...editor, fingerprint: 'f' }, schema)
  expect(found).toMatchObject({ admin: false, app: false, policies: ['p'], awaitsSecondFactor: true })
  expect(found.fingerprint).not.toBe('f')
  expect(untilSecondFactor({ ...editor, fingerprint: 'g' }, schema).fingerprint).not.toBe(found.fingerprint)
})
