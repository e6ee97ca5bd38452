import { describe, expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import type { Written } from '../../domain/ports/write-log.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import { mask } from '../rows/hashed-values.ts'
import { answering } from '../testing/answering-database.ts'
import { changesOf, failuresOf, userWith } from '../testing/test-context.ts'
import { assertPassword, assertUserItems, endSessions } from './guard-users.ts'

const user = userWith([])
const admin = userWith([], { admin: true })
const system: Actor = { kind: 'system' }
const users = 'platform_users'

const check = (
  values: { readonly [field: string]: unknown },
  actor: Actor,
  more: Partial<Context> = {},
  collection = users,
) =>
  assertUserItems(answering([], { actor, ...more }).ctx, [
    { collection: 'articles', changes: changesOf({ tfa_secret: 'x' }) },
    { collection, changes: changesOf(values) },
  ])

describe('a written user', () => {
  test.each(['tfa_secret', 'password_reset_token'])('has no %s that is set by hand', async (name) => {
    const refused = [{ kind: 'invalid-payload', name, reason: `Expected no value for field "${name}"` }]
    for (const actor of [user, admin]) expect(await failuresOf(check({ [name]: 'x' }, actor))).toEqual(refused)
    expect(await failuresOf(check({ [name]: null }, user))).toEqual(refused)
    await check({ [name]: null }, admin)
    await check({ [name]: mask }, user)
    await check({ [name]: 'x' }, system)
    await check({ [name]: 'x' }, user, {}, 'articles')
    await check({ [name]: 'x' }, user, { mayKeep: [name] })
    expect(await failuresOf(check({ [name]: 'x' }, user, { mayKeep: ['title'] }))).toEqual(refused)
  })

  test.each(['provider', 'external_identifier', 'auth_data'])('has its %s from administrators', async (field) => {
    const denied = { action: 'update', collection: users, field }
    expect(await failuresOf(check({ [field]: null }, user))).toEqual([{ kind: 'forbidden', denied }])
    await check({ [field]: 'x' }, admin)
    await check({ [field]: mask }, user)
    await check({ title: 'x' }, user)
  })

  test('has a password that the policy allows', async () => {
    const work = (password: unknown) =>
      assertUserItems(answering([[{ policy: '/^.{4,}$/' }]], { actor: user }).ctx, [
        { collection: users, changes: changesOf({ password, email: 'x' }) },
      ])
    expect(await failuresOf(work('abc'))).toMatchObject([{ kind: 'failed-validation', field: 'password' }])
    for (const password of ['abcd', null, mask]) await work(password)
    await assertUserItems(answering([[{ policy: '/^.{4,}$/' }]], { actor: user }).ctx, [
      { collection: users, changes: changesOf({ email: 'x' }) },
      { collection: users, changes: new Map([['password', { kind: 'erase', key: 'x' }]]) },
    ])
  })
})

test.each<[policy: string | null | undefined, password: string, isAllowed: boolean]>([
  [undefined, 'x', true],
  [undefined, '', false],
  [null, 'x', true],
  ['', '', false],
  ['/^\\d+$/', '12', true],
  ['/^\\d+$/', '1a', false],
  ['/(/', 'x', false],
])('by the policy %j the password %j is allowed: %s', async (policy, password, isAllowed) => {
  const work = assertPassword(answering([policy === undefined ? [] : [{ policy }]], {}).ctx, password)
  if (isAllowed) return expect(work).resolves.toBeUndefined()
  const message = 'Expected a password that the policy of the project allows'
  expect(await failuresOf(work)).toEqual([{ kind: 'failed-validation', field: 'password', type: 'regex', message }])
})

const ended = async (...written: readonly Partial<Written>[]) => {
  const { ctx, asked } = answering([], {})
  const whole = written.map(
    (each): Written => ({ kind: 'update', collection: users, columns: [], keys: ['k'], ...each }),
  )
  await endSessions(ctx, whole)
  return asked()
}

describe('sessions end', () => {
  test.each<[column: string, ends: readonly unknown[]]>([
    ['password', [[['k'], []]]],
    ['role', [[['k'], []]]],
    ['status', [[[], ['k']]]],
    ['provider', [[[], ['k']]]],
    ['title', []],
  ])('with a change of %s', async (column, ends) => {
    expect(await ended({ columns: ['email', column] })).toEqual(ends)
    expect(await ended({ columns: [column], kind: 'update-each' })).toEqual(ends)
    expect(await ended({ columns: [column], kind: 'insert' })).toEqual([])
    expect(await ended({ columns: [column], kind: 'delete' })).toEqual([])
    expect(await ended({ columns: [column], collection: 'articles' })).toEqual([])
  })

  test('of all changed users', async () => {
    const written = [
      { columns: ['role', 'status'], keys: ['a', 'b'] },
      { columns: ['password'], keys: ['c'] },
    ]
    expect(await ended(...written)).toEqual([
      [
        ['a', 'b', 'c'],
        ['a', 'b'],
      ],
    ])
  })
})
