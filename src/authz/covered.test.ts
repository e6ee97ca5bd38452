/** Who may grant what, and what is made of the policies that somebody holds. */
import { describe, expect, test } from 'vitest'
import type { Access } from '../domain/rights/actor.ts'
import type { HeldAccess, PermissionRow, PolicyRow } from '../domain/rights/stored-rights.ts'
import { accessFrom } from './access.ts'
import { holdsPermissions, holdsPolicy } from './covered.ts'
import { faultOf, toRules } from './rules.ts'
import { authzSchema, failureOf } from './test-schema.ts'

const row = (changes: Partial<PermissionRow> = {}): PermissionRow => ({
  id: 1,
  collection: 'posts',
  action: 'read',
  permissions: null,
  validation: null,
  presets: null,
  fields: '*',
  ...changes,
})

const holding = (rows: readonly PermissionRow[], more: Partial<Access> = {}): Access => ({
  admin: false,
  app: false,
  policies: [],
  rules: toRules(rows, authzSchema).rules,
  fingerprint: '',
  ...more,
})

const mine = { status: { _eq: 'mine' } }
const open = { status: { _eq: 'open' } }

describe('a permission is covered', () => {
  const covered: readonly (readonly [what: string, held: Partial<PermissionRow>, given: Partial<PermissionRow>])[] = [
    ['by the same', { permissions: mine }, { permissions: mine }],
    ['by all rows', {}, { permissions: mine }],
    ['by all fields', {}, { fields: 'id,title' }],
    ['by these fields', { fields: 'id,title' }, { fields: 'title' }],
    ['without a validation', { action: 'create' }, { action: 'create', validation: mine }],
    ['with the same validation', { action: 'create', validation: mine }, { action: 'create', validation: mine }],
    ['with the same presets', { presets: { views: 1 }, fields: 'title' }, { presets: { views: 1 }, fields: 'title' }],
    ['with presets of its fields', { fields: 'title,views' }, { presets: { views: 1 }, fields: 'title' }],
  ]
  test.each(covered)('%s', (_what, held, given) => {
    expect(holdsPermissions(holding([row(held)]), [row(given)], authzSchema)).toBe(true)
  })

  const bare: readonly (readonly [what: string, held: Partial<PermissionRow>, given: Partial<PermissionRow>])[] = [
    ['another collection', { collection: 'notes' }, {}],
    ['another action', { action: 'update' }, {}],
    ['fewer rows', { permissions: mine }, {}],
    ['other rows', { permissions: open }, { permissions: mine }],
    ['fewer fields', { fields: 'id' }, { fields: 'id,title' }],
    ['fields instead of all', { fields: 'id,title' }, {}],
    ['another validation', { validation: open }, { validation: mine }],
    ['a validation instead of none', { validation: open }, {}],
    ['other presets', { presets: { views: 2 } }, { presets: { views: 1 } }],
    ['presets instead of none', { presets: { views: 2 } }, {}],
    ['presets of other fields', { fields: 'title' }, { presets: { views: 1 }, fields: 'title' }],
  ]
  test.each(bare)('not by %s', (_what, held, given) => {
    expect(holdsPermissions(holding([row(held)]), [row(given)], authzSchema)).toBe(false)
    expect(holdsPermissions(holding([row(held)], { admin: true }), [row(given)], authzSchema)).toBe(true)
  })

  test('field by field by several rules on the same rows, never by rules on different ones', () => {
    const held = holding([row({ fields: 'id', permissions: mine }), row({ fields: 'title' })])
    expect(holdsPermissions(held, [row({ fields: 'id,title', permissions: mine })], authzSchema)).toBe(true)
    expect(holdsPermissions(held, [row({ fields: 'id,title', permissions: open })], authzSchema)).toBe(false)
  })

  test('with presets that another rule on the same rows sets as well', () => {
    const held = holding([row({ fields: 'id', presets: { views: 1 } }), row({ fields: 'title' })])
    expect(holdsPermissions(held, [row({ fields: 'title', presets: { views: 1 } })], authzSchema)).toBe(true)
    expect(holdsPermissions(held, [row({ fields: 'title', presets: { views: 2 } })], authzSchema)).toBe(false)
  })

  test('only if it has an effect today', () => {
    const all = holding([row()])
    for (const given of [row({ fields: 'id,gone' }), row({ collection: 'nowhere' }), row({ action: 'fly' })]) {
      expect(holdsPermissions(all, [given], authzSchema)).toBe(false)
    }
    expect(holdsPermissions(all, [row(), row({ action: 'delete' })], authzSchema)).toBe(false)
    expect(holdsPermissions(all, [], authzSchema)).toBe(true)
    expect(holdsPermissions(holding([]), [row({ fields: '' })], authzSchema)).toBe(false)
    expect(holdsPermissions(holding([row({ fields: 'id' })]), [row({ fields: '' })], authzSchema)).toBe(true)
  })
})

describe('a policy is held', () => {
  const policy = { id: 'p', admin_access: false, app_access: false, permissions: [row()] }

  test('if all its permissions are covered, or it is one of the own', () => {
    expect(holdsPolicy(holding([row()]), policy, authzSchema)).toBe(true)
    expect(holdsPolicy(holding([]), policy, authzSchema)).toBe(false)
    expect(holdsPolicy(holding([], { policies: ['p'] }), policy, authzSchema)).toBe(true)
    expect(holdsPolicy(holding([], { policies: ['q'] }), policy, authzSchema)).toBe(false)
  })

  test('with the flags of it only by those who have them', () => {
    const own = holding([row()], { policies: ['p'] })
    expect(holdsPolicy(own, { ...policy, admin_access: true }, authzSchema)).toBe(false)
    expect(holdsPolicy(own, { ...policy, app_access: true }, authzSchema)).toBe(false)
    expect(holdsPolicy({ ...own, app: true }, { ...policy, app_access: true }, authzSchema)).toBe(true)
    expect(holdsPolicy({ ...own, app: true }, { ...policy, admin_access: true }, authzSchema)).toBe(false)
    expect(holdsPolicy({ ...own, admin: true }, { ...policy, admin_access: true }, authzSchema)).toBe(true)
  })
})

const policyRow = (id: string, changes: Partial<PolicyRow> = {}): PolicyRow => ({
  id,
  ip_access: null,
  admin_access: false,
  app_access: false,
  enforce_tfa: false,
  ...changes,
})

const heldRows = (changes: Partial<HeldAccess> = {}): HeldAccess => ({
  roles: ['r'],
  policies: [policyRow('p')],
  permissions: [{ ...row({ fields: 'id' }), policy: 'p' }],
  levels: [],
  role_ip: null,
  role_tfa: null,
  ...changes,
})

describe('access', () => {
  const user = { kind: 'user', user: 'u', role: 'r' } as const
  const loaded = (changes: Partial<HeldAccess> = {}, ip = '10.0.0.1', who: Parameters<typeof accessFrom>[2] = user) =>
    accessFrom(authzSchema, heldRows(changes), who, ip)

  test('is that of the policies, with what they grant', () => {
    expect(loaded()).toMatchObject({
      roles: ['r'],
      enforcesTfa: false,
      ignored: [],
      access: { admin: false, app: false, policies: ['p'], rules: [{ collection: 'posts', fields: ['id'] }] },
    })
    expect(loaded().access).not.toHaveProperty('demands')
    const level = { collection: 'posts', explain: 'always', comment: 'none', status: null, role: 'r' }
    const levels = [level] as unknown as HeldAccess['levels']
    const demands = [{ collection: 'posts', status: null, explain: 'always', comment: 'none', owned: [] }]
    expect(loaded({ levels }).access.demands).toEqual(demands)
    const chief = [policyRow('p', { admin_access: true })]
    expect(loaded({ levels, policies: chief }).access).not.toHaveProperty('demands')
    expect(loaded({ policies: chief }).ignored).toEqual([])
  })

  test('has no rules of policies that do not count from the address', () => {
    const elsewhere = [policyRow('p', { ip_access: '10.9.9.9' }), policyRow('q', { ip_access: '10.0.0.1,10.0.0.2' })]
    expect(loaded({ policies: elsewhere }).access).toMatchObject({ policies: ['q'], rules: [] })
    expect(loaded({ policies: elsewhere }, '10.9.9.9').access).toMatchObject({ policies: ['p'], rules: [{}] })
  })

  test('is refused to a user of whom no policy counts, or whose role does not, and to nobody else', () => {
    const none = { policies: [policyRow('p', { ip_access: '10.9.9.9' })] }
    expect(failureOf(() => loaded(none))).toEqual({ kind: 'invalid-ip' })
    expect(failureOf(() => loaded({ role_ip: '10.9.9.9' }))).toEqual({ kind: 'invalid-ip' })
    expect(loaded({ role_ip: '10.9.9.9,10.0.0.1' }).access.policies).toEqual(['p'])
    expect(loaded({ policies: [] }).access).toMatchObject({ policies: [], rules: [] })
    for (const who of [{ kind: 'public' }, { kind: 'role', role: 'r' }] as const) {
      expect(loaded({ ...none, role_ip: '10.9.9.9' }, '10.0.0.1', who).access.policies).toEqual([])
    }
  })

  test('needs a second factor if the role or one of the policies that count says so', () => {
    expect(loaded({ role_tfa: true }).enforcesTfa).toBe(true)
    expect(loaded({ role_tfa: false }).enforcesTfa).toBe(false)
    const strict = policyRow('q', { enforce_tfa: true })
    expect(loaded({ policies: [policyRow('p'), strict] }).enforcesTfa).toBe(true)
    expect(loaded({ policies: [policyRow('p'), { ...strict, ip_access: '10.9.9.9' }] }).enforcesTfa).toBe(false)
  })

  test('of an administrator has no rules, and the application', () => {
    const { access } = loaded({ policies: [policyRow('p'), policyRow('q', { admin_access: true })] })
    expect(access).toMatchObject({ admin: true, app: true, rules: [] })
  })

  test('to the application has its rules too', () => {
    const app = loaded({ policies: [policyRow('p', { app_access: true })] }).access
    expect(app).toMatchObject({ admin: false, app: true })
    expect(app.rules.length).toBeGreaterThan(1)
  })

  test('that differs has another fingerprint, and that of administrators does not depend on rules', () => {
    const [one] = heldRows().permissions
    const others = [one, { ...(one as typeof one & object), fields: 'id,title' }]
    const prints = [
      loaded(),
      loaded({ permissions: others as HeldAccess['permissions'] }),
      loaded({ policies: [policyRow('q')] }),
      loaded({ policies: [policyRow('p', { app_access: true })] }),
      loaded({ policies: [policyRow('p', { admin_access: true })] }),
    ].map(({ access }) => access.fingerprint)
    expect(new Set(prints).size).toBe(prints.length)
    expect(loaded().access.fingerprint).toBe(prints[0])
    const admins = [heldRows().permissions, []].map((permissions) =>
      loaded({ permissions, policies: [policyRow('p', { admin_access: true })] }),
    )
    expect(admins[0]?.access.fingerprint).toBe(admins[1]?.access.fingerprint)
  })
})

const named = (name: string, reason: string) => ({ name, reason, isUnknownName: true })

describe('a permission row', () => {
  test('that holds has no fault', () => {
    for (const changes of [
      {},
      { fields: null },
      { fields: '' },
      { fields: 'id,title' },
      { permissions: mine, validation: open },
      { permissions: undefined, validation: { title: { _regex: 'a' } }, presets: undefined },
      { permissions: { title: { _eq: '$CURRENT_USER.department' } } },
      { permissions: { views: { _eq: '$CURRENT_USER.department' } } },
      { presets: { title: '$CURRENT_USER', views: 1 } },
      { presets: { title: '$CURRENT_USER.department' } },
    ]) {
      expect(faultOf(row(changes), authzSchema)).toBeNull()
    }
  })

  const faults: readonly (readonly [Partial<PermissionRow>, object])[] = [
    [
      { collection: 'nowhere' },
      named('collection', 'Expected the name of a collection for "collection" but received "nowhere"'),
    ],
    [
      { fields: 'id,gone,lost' },
      named('fields', 'Expected fields of "posts" for "fields" but received "gone", "lost"'),
    ],
    [
      { permissions: { gone: { _eq: 1 } } },
      named('permissions', 'Expected fields of "posts" for "permissions" but received "gone"'),
    ],
    [
      { validation: { gone: { _eq: 1 } } },
      named('validation', 'Expected fields of "posts" for "validation" but received "gone"'),
    ],
    [{ permissions: 'all' }, { name: 'permissions', isUnknownName: false }],
    [{ permissions: { title: { _regex: 'a' } } }, { name: 'permissions.title._regex', isUnknownName: false }],
    [{ permissions: { title: '$CURRENT_USER.gone' } }, { isUnknownName: true }],
    [
      { permissions: { views: { _in: ['$CURRENT_USER.id'] } } },
      {
        name: 'permissions.views._in.0',
        reason: 'Expected a value for a field of type integer but received "$CURRENT_USER.id" of type uuid',
      },
    ],
    [{ permissions: { title: { _flies: 1 } } }, { name: 'permissions.title._flies', isUnknownName: false }],
    [
      { presets: { gone: 1, lost: 1 } },
      named('presets', 'Expected fields of "posts" for "presets" but received "gone", "lost"'),
    ],
    [{ presets: [1] }, { name: 'presets', reason: 'Expected an object for "presets"', isUnknownName: false }],
    [{ presets: 'x' }, { name: 'presets', reason: 'Expected an object for "presets"', isUnknownName: false }],
    [
      { presets: { title: '$CURRENT_USER.gone' } },
      named('presets', 'Expected fields of "platform_users" for "presets" but received "gone"'),
    ],
  ]
  test.each(faults)('%j tells its fault', (changes, fault) => {
    expect(faultOf(row(changes), authzSchema)).toMatchObject(fault)
  })

  test('that leads to a collection which is gone names it', () => {
    const collections = new Map(authzSchema.collections)
    collections.delete('people')
    expect(faultOf(row({ permissions: { author: { name: { _eq: 'x' } } } }), { ...authzSchema, collections })).toEqual(
      named('permissions', 'Expected the name of a collection for "permissions" but received "people"'),
    )
  })

  test('that cannot be used grants nothing, and says why', () => {
    const rows = [
      row({ id: 1, permissions: 'all' }),
      row({ id: 2, presets: [1] }),
      row({ id: 3, fields: 'gone' }),
      row({ id: 4, fields: 'gone,id' }),
      row({ id: 5, fields: 'gone,*' }),
      row({ id: 6, presets: {} }),
      row({ id: 7, presets: 5 }),
      row({ id: 8, collection: 'nowhere' }),
      row({ id: 9, action: 'fly' }),
      row({ id: 10, permissions: { gone: { _eq: 1 } } }),
      row({ id: 11, permissions: undefined, presets: undefined }),
      row({ id: 12, presets: { made: '$NOW', title: 'x' } }),
    ]
    const { rules, ignored } = toRules(rows, authzSchema)
    expect(rules.map(({ fields, presets }) => [fields, presets])).toEqual([
      [['id'], null],
      ['*', null],
      ['*', null],
      ['*', null],
      ['*', { made: { kind: 'now', milliseconds: 0, months: 0 }, title: 'x' }],
    ])
    expect(ignored.map(({ id, reason }) => [id, reason])).toEqual([
      [1, expect.stringMatching(/^permissions: Expected/)],
      [2, 'presets: Expected an object'],
      [3, 'Fields gone of collection posts do not exist'],
      [4, 'Fields gone of collection posts do not exist'],
      [7, 'presets: Expected an object'],
      [8, 'Collection nowhere does not exist'],
      [9, 'Action fly does not exist'],
      [10, 'Field gone of collection posts does not exist'],
    ])
  })

  test('that is a bug of the program is not hidden', () => {
    const broken = {
      ...row(),
      get permissions(): never {
        throw new TypeError('a bug')
      },
    }
    expect(() => toRules([broken], authzSchema)).toThrow('a bug')
    expect(() => faultOf(broken, authzSchema)).toThrow('a bug')
  })
})
