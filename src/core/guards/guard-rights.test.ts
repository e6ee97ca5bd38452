/** Which written rows are compared with the rights of the writer, and what is refused. */
import { describe, expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import type { Written } from '../../domain/ports/write-log.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import type { PermissionRow } from '../../domain/rights/stored-rights.ts'
import { caught } from '../../domain/testing/test-failures.ts'
import { answering } from '../testing/answering-database.ts'
import { failuresOf, userWith } from '../testing/test-context.ts'
import { assertLevelsAllowed, assertNothingGained, assertRulesUsable } from './guard-rights.ts'

const reader: Actor = { ...userWith([{}]), user: 'me' } as Actor
const admin = userWith([], { admin: true })
const system: Actor = { kind: 'system' }
const somebody: Actor = { kind: 'public', access: (reader as Extract<Actor, { kind: 'user' }>).access }

const wrote = (collection: string, columns: readonly string[], more: Partial<Written> = {}): Written => ({
  kind: 'update',
  collection: `platform_${collection}`,
  columns,
  keys: ['k'],
  ...more,
})

const permission = (changes: Partial<PermissionRow> = {}): PermissionRow => ({
  id: 1,
  collection: 'articles',
  action: 'read',
  permissions: null,
  validation: null,
  presets: null,
  fields: '*',
  ...changes,
})
const policy = (changes: object = {}) => ({
  id: 'p',
  admin_access: false,
  app_access: false,
  permissions: [],
  ...changes,
})
const gained = [{ kind: 'forbidden', reason: 'Users cannot grant more rights than they have' }]

/** The look-ups that the written rows cause: those of policies by their list, and those of permissions. */
async function lookUps(written: readonly Written[], actor: Actor = reader) {
  const { ctx, asked } = answering([], { actor })
  await assertNothingGained(ctx, written)
  return asked()
}

type Lists = {
  readonly [List in 'users' | 'roles' | 'access' | 'policies' | 'shares' | 'switched' | 'verified']?: string[]
}
const asking = (lists: Lists, changed = false) => [
  [
    lists.users ?? [],
    lists.roles ?? [],
    lists.access ?? [],
    lists.policies ?? [],
    changed,
    lists.shares ?? [],
    lists.switched ?? [],
    lists.verified ?? [],
  ],
]

describe('rights are looked up', () => {
  const k = ['k']
  const cases: readonly (readonly [collection: string, columns: readonly string[], look: readonly unknown[]])[] = [
    ...['role', 'status', 'password', 'email', 'token', 'tfa_secret', 'provider', 'external_identifier'].map(
      (name) => ['users', [name], asking({ users: k })] as const,
    ),
    ['users', ['title', 'role'], asking({ users: k })],
    ['users', ['title'], []],
    ['roles', ['parent'], asking({ roles: k })],
    ['roles', ['name'], []],
    ...['role', 'user', 'policy'].map((name) => ['access', [name], asking({ access: k })] as const),
    ['access', ['sort'], []],
    ...['admin_access', 'app_access', 'ip_access', 'enforce_tfa'].map(
      (name) => ['policies', [name], asking({ policies: k })] as const,
    ),
    ['policies', ['name'], []],
    ['shares', ['name'], asking({ shares: k })],
    ['settings', ['public_registration_role'], asking({}, true)],
    ['settings', ['public_registration_email_filter'], asking({}, true)],
    ['settings', ['public_registration'], asking({ switched: k })],
    ['settings', ['public_registration_verify_email'], asking({ verified: k })],
    ['settings', ['project_name'], []],
    ['permissions', ['fields'], [[k]]],
    ['articles', ['role', 'parent', 'policy'], []],
  ]
  test.each(cases)('after a change of %s %j', async (collection, columns, look) => {
    expect(await lookUps([wrote(collection, columns)])).toEqual(look)
    expect(await lookUps([wrote(collection, columns, { kind: 'insert' })])).toEqual(look)
    expect(await lookUps([wrote(collection, columns, { kind: 'delete' })])).toEqual([])
    for (const actor of [admin, system]) expect(await lookUps([wrote(collection, columns)], actor)).toEqual([])
  })

  test.each<[columns: readonly string[], users: string[]]>([
    [['password', 'email', 'token', 'title'], ['you']],
    [
      ['password', 'role'],
      ['me', 'you'],
    ],
    [['status'], ['me', 'you']],
  ])('for the own row unless it is its own to change: %j', async (columns, users) => {
    const both = [wrote('users', columns, { keys: ['me'] }), wrote('users', columns, { keys: ['you'] })]
    expect(await lookUps(both)).toEqual(asking({ users }))
    const nobody = await lookUps([wrote('users', columns, { keys: ['me'] })], somebody)
    expect(nobody).toEqual(asking({ users: ['me'] }))
  })

  test('of all statements together', async () => {
    const written = [
      wrote('roles', ['parent'], { keys: ['a', 'b'] }),
      wrote('roles', ['name']),
      wrote('shares', [], { keys: ['s'] }),
    ]
    expect(await lookUps(written)).toEqual(asking({ roles: ['a', 'b'], shares: ['s'] }))
  })
})

const writeOf = (actor: Actor, name: string) => () =>
  assertLevelsAllowed({ actor }, [wrote('users', []), wrote(name, [])])

describe('a grant', () => {
  const change = [wrote('roles', ['parent']), wrote('permissions', ['fields'])]
  const granting = (policies: readonly unknown[], permissions: readonly unknown[]) =>
    assertNothingGained(answering([policies, permissions], { actor: reader }).ctx, change)

  test('of what the writer holds is allowed', async () => {
    await granting([policy({ permissions: [permission({ fields: 'id' })] })], [permission()])
  })

  test('of more is refused, by policy and by permission', async () => {
    expect(await failuresOf(granting([policy(), policy({ admin_access: true })], []))).toEqual(gained)
    expect(await failuresOf(granting([], [permission(), permission({ action: 'update' })]))).toEqual(gained)
  })

  test('of levels is for administrators', () => {
    expect(caught(writeOf(reader, 'role_levels')).failures).toEqual(gained)
    for (const actor of [admin, system]) expect(writeOf(actor, 'role_levels')).not.toThrow()
    expect(writeOf(reader, 'roles')).not.toThrow()
  })
})

describe('a written permission', () => {
  const check = (row: PermissionRow, actor: Actor, more: Partial<Context> = {}) => {
    const { ctx, warnings } = answering([[permission(), row]], { actor, ...more })
    return { done: assertRulesUsable(ctx, [wrote('permissions', ['fields'])]), warnings }
  }
  const strict = { limits: { strict: true } } as unknown as Partial<Context>
  const unknown = permission({ id: 7, fields: 'gone' })
  const reason = 'Expected fields of "articles" for "fields" but received "gone"'

  test('that is valid, or has no effect yet, is stored', async () => {
    for (const actor of [admin, system]) {
      const { done, warnings } = check(unknown, actor)
      await done
      expect(warnings).toEqual([[{ permission: 7, reason }, 'Stored a permission without effect']])
    }
    const { done, warnings } = check(permission(), reader, strict)
    await done
    expect(warnings).toEqual([])
  })

  test('with unknown names tells them to administrators alone', async () => {
    expect(await failuresOf(check(unknown, reader).done)).toEqual(gained)
    expect(await failuresOf(check(unknown, admin, strict).done)).toEqual([
      { kind: 'invalid-payload', name: 'fields', reason },
    ])
  })

  test('with a wrong condition is refused', async () => {
    for (const actor of [reader, admin]) {
      const wrong = check(permission({ permissions: { title: { _flies: 1 } } }), actor).done
      expect(await failuresOf(wrong)).toMatchObject([{ kind: 'invalid-payload', name: 'permissions.title._flies' }])
    }
  })

  test('is read only where its rule was written', async () => {
    for (const [columns, count] of [
      [['policy'], 0],
      ...['collection', 'action', 'fields', 'permissions', 'validation', 'presets'].map((name) => [[name], 1] as const),
    ] as const) {
      const { ctx, asked } = answering([], { actor: admin })
      await assertRulesUsable(ctx, [wrote('permissions', columns), wrote('roles', columns)])
      expect(asked()).toHaveLength(count)
    }
  })
})
