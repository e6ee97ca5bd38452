import { describe, expect, test } from 'vitest'
import { and, compare, type Filter, matchAll, or, type Value } from '../domain/query/filter.ts'
import type { Actor, Rule } from '../domain/rights/actor.ts'
import type { LevelRow } from '../domain/rights/stored-rights.ts'
import type { Collection, Field, FieldRelation, Schema } from '../domain/schema/schema.ts'
import { commentLevelOf, demandsOfLevels, mayComment, mustExplain, unexplained } from './level-demands.ts'
import { originsOfLevels } from './levels.ts'
import { authzSchema, field, is, userWith } from './test-schema.ts'

const posts = authzSchema.collections.get('posts') as Collection
const toUsers = {
  ...(posts.fields.get('author')?.relation as Extract<FieldRelation, { kind: 'many-to-one' }>),
  collection: 'platform_users',
}
const owner = field('owner', 'uuid', { special: ['user-created'], relation: toUsers })

const collectionOf = (name: string, fields: readonly Field[], more: Partial<Collection> = {}): Collection => ({
  ...posts,
  name,
  archive: null,
  fields: new Map(fields.map((each) => [each.name, each])),
  ...more,
})

const id = field('id', 'integer')
const status = field('status', 'string')
const words = (name: string) => field(name, 'string', { meta: { type: 'status' } })
const archive = { field: 'status', archived: ['old'] }
const byDefault = { ...status, column: { ...status.column, name: 'status', defaultValue: 'draft' } } as Field

const schema: Schema = {
  ...authzSchema,
  collections: new Map(
    [
      collectionOf('posts', [id, field('title', 'string'), status, owner], { archive }),
      collectionOf('drafts', [id, byDefault, owner], { archive }),
      collectionOf('plain', [id, field('title', 'string')]),
      collectionOf('stages', [id, words('stage'), status], { archive }),
      collectionOf('unrelated', [id, { ...owner, relation: null }]),
      collectionOf('platform_users', [id, status]),
      collectionOf('platform_roles', [id]),
      collectionOf('platform_role_levels', [{ ...owner, name: 'role', special: [] }]),
      collectionOf('platform_files', [id, { ...owner, name: 'uploaded_by', special: [] }]),
      collectionOf('platform_activity', [id, { ...owner, name: 'user', special: [] }]),
      collectionOf('platform_presets', [id, { ...owner, name: 'user', special: [] }]),
      collectionOf('platform_comments', [id, { ...owner, name: 'user_created', special: [] }]),
    ].map((each) => [each.name, each]),
  ),
  otherNames: new Map([['posts', new Map([['name', 'title']])]]),
}

const row = (changes: Partial<LevelRow>): LevelRow => ({
  id: 1,
  role: 'r',
  collection: 'posts',
  status: null,
  create: null,
  read: null,
  update: null,
  delete: null,
  comment: null,
  explain: null,
  read_field_blacklist: null,
  write_field_blacklist: null,
  status_blacklist: null,
  ...changes,
})

const rules = (...rows: readonly Partial<LevelRow>[]): readonly Rule[] => [
  ...originsOfLevels(rows.map(row), schema).keys(),
]
const only = (changes: Partial<LevelRow>): Rule => {
  const [first, ...others] = rules(changes)
  if (first === undefined || others.length > 0) throw new Error(`Expected one rule but received ${others.length}`)
  return first
}

const user: Value = { kind: 'current-user', path: [] }
const role: Value = { kind: 'current-role', path: [] }
const withRole = (name: string): Filter => ({
  kind: 'related',
  field: name,
  collection: 'platform_users',
  quantifier: 'some',
  filter: is('role', role),
})
const nin = (name: string, ...values: readonly string[]): Filter => compare(name, 'nin', values)
const unchanged = (name: string): Filter => ({
  kind: 'not',
  filter: compare(name, 'submitted'),
})

describe('the rows of a level', () => {
  const mine = is('owner', user)
  const levels: readonly (readonly [collection: string, level: string | null, rows: Filter | null])[] = [
    ['posts', null, null],
    ['posts', 'none', null],
    ['posts', 'full', matchAll],
    ['posts', 'mine', mine],
    ['posts', 'role', or(mine, withRole('owner'))],
    ['plain', 'mine', null],
    ['plain', 'role', null],
    ['plain', 'full', matchAll],
    ['unrelated', 'role', mine],
    ['platform_users', 'mine', is('id', user)],
    ['platform_users', 'role', or(is('id', user), is('role', role))],
    ['platform_roles', 'mine', is('id', role)],
    ['platform_roles', 'role', is('id', role)],
    ['platform_role_levels', 'role', is('role', role)],
    ['platform_files', 'mine', is('uploaded_by', user)],
    ['platform_files', 'role', or(is('uploaded_by', user), withRole('uploaded_by'))],
    ['platform_activity', 'mine', is('user', user)],
    ['platform_presets', 'mine', is('user', user)],
    ['platform_comments', 'mine', is('user_created', user)],
    ['gone', 'full', null],
  ]
  test.each(levels)('%s, %s', (collection, level, rows) => {
    const expected = rows === null ? [] : [['read', rows]]
    expect(rules({ collection, read: level }).map(({ action, filter }) => [action, filter])).toEqual(expected)
  })

  test('count for each action on its own, and not for what is created', () => {
    const all = rules({ create: 'mine', read: 'full', update: 'mine', delete: 'role' })
    expect(all.map(({ collection, action, filter, presets }) => [collection, action, filter, presets])).toEqual([
      ['posts', 'create', matchAll, null],
      ['posts', 'read', matchAll, null],
      ['posts', 'update', mine, null],
      ['posts', 'delete', or(mine, withRole('owner')), null],
    ])
    expect(only({ create: 'full', status: 'draft' }).filter).toEqual(matchAll)
    expect(only({ collection: 'plain', create: 'mine', read: 'mine' })).toMatchObject({ action: 'create' })
  })
})

describe('a row for a status', () => {
  test('is about items of this status, and takes the place of the row without one', () => {
    const found = rules({ read: 'full' }, { read: 'mine', status: 'old' }, { read: 'full', status: '$create' })
    expect(found.map(({ filter }) => filter)).toEqual([and(is('status', 'old'), is('owner', user))])
    const apart = rules({ read: 'full' }, { read: 'full', status: 'old', role: 'above' })
    expect(apart.map(({ filter }) => filter)).toEqual([matchAll, is('status', 'old')])
    const elsewhere = rules({ read: 'full' }, { read: 'full', status: 'x', collection: 'stages' })
    expect(elsewhere.map(({ filter }) => filter)).toEqual([matchAll, is('stage', 'x')])
  })

  test('grants nothing where there are no statuses', () => {
    expect(rules({ collection: 'plain', read: 'full', status: 'old' })).toEqual([])
    expect(only({ collection: 'platform_users', read: 'full', status: 'active' }).filter).toEqual(
      is('status', 'active'),
    )
  })
})

describe('fields that are left out', () => {
  test('of reads and of writes are listed apart, and have other names', () => {
    const lists = { read_field_blacklist: 'name,owner', write_field_blacklist: 'status' }
    const found = rules({ create: 'full', read: 'full', update: 'full', delete: 'full', ...lists })
    expect(found.map(({ action, fields }) => [action, fields])).toEqual([
      ['create', ['id', 'title', 'owner']],
      ['read', ['id', 'status']],
      ['update', ['id', 'title', 'owner']],
      ['delete', '*'],
    ])
    expect(only({ read: 'full', read_field_blacklist: '' }).fields).toBe('*')
    expect(only({ collection: 'plain', read: 'full', read_field_blacklist: 'name,gone' }).fields).toEqual([
      'id',
      'title',
    ])
  })
})

test('a level that hides all fields reads no items, and those of other statuses stay', () => {
  const all = 'id,name,title,status,owner'
  const found = rules(
    { read: 'full', update: 'full', status: 'draft', read_field_blacklist: all },
    { read: 'full', status: 'old', read_field_blacklist: 'title' },
  )
  expect(found.map(({ action, filter }) => [action, filter])).toEqual([
    ['update', is('status', 'draft')],
    ['read', is('status', 'old')],
  ])
})

describe('the statuses that may be set', () => {
  const draft = is('status', 'draft')
  const cases: readonly (readonly [what: string, row: Partial<LevelRow>, validation: Filter | null])[] = [
    ['any, of a create without a status', { create: 'full' }, null],
    [
      'any that is not barred',
      { create: 'full', status_blacklist: 'a,b' },
      or(unchanged('status'), nin('status', 'a', 'b')),
    ],
    ['that of the row', { create: 'full', status: 'draft' }, draft],
    [
      'that of the row or the default',
      { create: 'full', status: 'draft', collection: 'drafts' },
      or(draft, unchanged('status')),
    ],
    [
      'that of the row, unless it is barred',
      { create: 'full', status: 'draft', status_blacklist: 'x' },
      and(or(unchanged('status'), nin('status', 'x')), draft),
    ],
    ['any, of an update with the right to delete', { update: 'full', delete: 'full' }, null],
    ['none of deleted items without it', { update: 'full' }, or(unchanged('status'), nin('status', 'old'))],
    [
      'none barred either',
      { update: 'full', status_blacklist: 'x' },
      or(unchanged('status'), nin('status', 'x', 'old')),
    ],
    [
      'none of deleted items of a status',
      { update: 'mine', status: 'x' },
      or(unchanged('status'), nin('status', 'old')),
    ],
    ['any, where another field archives', { update: 'full', collection: 'stages' }, null],
    ['any, where there are none', { update: 'full', collection: 'plain' }, null],
    ['any, of a read', { read: 'full', status_blacklist: 'x' }, null],
  ]
  test.each(cases)('%s', (_what, changes, validation) => {
    const [first] = rules(changes)
    expect(first?.validation).toEqual(validation)
  })
})

const demanding = (...rows: readonly Partial<LevelRow>[]): Actor =>
  userWith([], { demands: demandsOfLevels(rows.map(row)) })
const admin = (...rows: readonly Partial<LevelRow>[]): Actor =>
  userWith([], { demands: demandsOfLevels(rows.map(row)), admin: true })
const system: Actor = { kind: 'system' }

describe('a reason', () => {
  test.each([
    ['none', []],
    [null, []],
    ['create', ['create']],
    ['update', ['update']],
    ['always', ['create', 'update', 'delete']],
  ] as const)('is required by %s for %j', (explain, actions) => {
    const all = ['create', 'read', 'update', 'delete', 'share'] as const
    const explainedActions = (actor: Actor, collection = 'posts') =>
      all.filter((action) => mustExplain(actor, action, collection))
    expect(explainedActions(demanding({ explain }))).toEqual(actions)
    expect(explainedActions(demanding({ explain: 'none' }, { explain, role: 'above' }))).toEqual(actions)
    expect(explainedActions(demanding({ explain }), 'plain')).toEqual([])
    expect([explainedActions(admin({ explain })), explainedActions(system), explainedActions(userWith([]))]).toEqual([
      [],
      [],
      [],
    ])
  })

  test('that is missing is forbidden', () => {
    expect(unexplained('posts').failures).toEqual([
      { kind: 'forbidden', reason: 'Activity comment required for collection: posts' },
    ])
  })

  test('is asked by the rows that count', () => {
    expect(demandsOfLevels([row({ explain: 'always' }), row({ status: 'old', comment: 'full' })])).toEqual([
      { collection: 'posts', status: 'old', explain: null, comment: 'full', owned: [] },
    ])
  })
})

describe('the level of comments', () => {
  test.each([
    [['none'], 'none'],
    [['read'], 'read'],
    [[null], 'update'],
    [['none', 'create'], 'create'],
    [['create', 'update', 'read'], 'update'],
    [['full', 'none'], 'full'],
    [['odd'], 'none'],
  ])('of %j is %s', (levels, expected) => {
    const rows = levels.map((comment, at) => ({ comment, role: String(at) }))
    expect(commentLevelOf(demanding(...rows), 'posts')).toBe(expected)
    expect(commentLevelOf(demanding(...rows), 'plain')).toBeNull()
    expect(commentLevelOf(admin(...rows), 'posts')).toBeNull()
  })

  test('limits neither the server nor who has no levels', () => {
    expect([commentLevelOf(system, 'posts'), commentLevelOf(userWith([]), 'posts')]).toEqual([null, null])
  })

  test('allows new comments from `create` on', () => {
    expect(['none', 'read', 'create', 'update', 'full', 'odd'].filter(mayComment)).toEqual(['create', 'update', 'full'])
  })
})
