/** What the visitor of a shared item may read: that both the role and the creator of the share may. */
import { describe, expect, test } from 'vitest'
import { and, compare, type Filter, matchAll, or, type ReachedStep } from '../domain/query/filter.ts'
import type { Rule } from '../domain/rights/actor.ts'
import type { Collection, Schema } from '../domain/schema/schema.ts'
import { type HeldRights, shareAccess } from './share-access.ts'
import { authzSchema, field, is } from './test-schema.ts'

const held = (...rules: readonly Partial<Rule>[]): HeldRights => ({
  admin: false,
  rules: rules.map((rule) => ({
    collection: 'posts',
    action: 'read',
    fields: '*',
    filter: matchAll,
    validation: null,
    presets: null,
    ...rule,
  })),
})
const admin: HeldRights = { admin: true, rules: [] }
const sharing: Partial<Rule> = { action: 'share' }

const collectionOf = (schema: Schema, name: string) => schema.collections.get(name) as Collection

/** The readable fields and rows by collection. */
const shared = (role: HeldRights, creator: HeldRights, schema = authzSchema, name = 'posts') => {
  const access = shareAccess(schema, { collection: collectionOf(schema, name), key: 1 }, role, creator)
  if (access === null) return null
  return access.rules.map(({ collection, fields, filter }) => [collection, fields, filter] as const)
}

const only = is('id', 1)
const mine = is('status', 'mine')
const step = (name: string, collection: string, guard: Filter = only): ReachedStep => ({
  field: name,
  collection,
  guard,
})
const reached = (...paths: readonly (readonly ReachedStep[])[]): Filter =>
  compare(
    'id',
    'in',
    paths.map((path) => ({ kind: 'reached', collection: 'posts', path })),
  )

describe('the shared item', () => {
  test('cannot be shared without the right to it', () => {
    expect(shared(admin, held())).toBeNull()
    expect(shared(admin, held({}))).toBeNull()
    expect(shared(admin, held({}, { ...sharing, collection: 'people' }))).toBeNull()
  })

  test('is that row, where the creator may share and read it', () => {
    expect(shared(held({}), held({}, sharing))).toEqual([['posts', '*', only]])
    expect(shared(held({}), held({ filter: mine }, sharing))).toEqual([['posts', '*', and(only, mine)]])
    expect(shared(held({}), held({}, { ...sharing, filter: mine }))).toEqual([['posts', '*', and(only, mine)]])
    const open = is('status', 'open')
    const twice = held({}, { ...sharing, filter: mine }, { ...sharing, filter: open })
    expect(shared(held({}), twice)).toEqual([['posts', '*', and(only, or(mine, open))]])
  })

  test('has all columns of its key', () => {
    const posts = { ...collectionOf(authzSchema, 'posts'), keyColumns: ['id', 'views'] }
    const schema = { ...authzSchema, collections: new Map(authzSchema.collections).set('posts', posts) }
    const access = shareAccess(schema, { collection: posts, key: '1;2' }, held({ fields: ['title'] }), admin)
    expect(access?.rules.map(({ filter }) => filter)).toEqual([and(is('id', '1'), is('views', '2'))])
  })

  test.each<[what: string, role: HeldRights, creator: HeldRights, fields: readonly Rule['fields'][]]>([
    ['all of two administrators', admin, admin, ['*']],
    ['those of the role', held({ fields: ['id', 'title'] }), admin, [['id', 'title']]],
    ['those of the creator', admin, held({ fields: ['id'] }, sharing), [['id']]],
    ['those of both', held({ fields: ['id', 'title'] }), held({ fields: ['title', 'views'] }, sharing), [['title']]],
    ['none', held({ fields: ['id'] }), held({ fields: ['title'] }, sharing), []],
    ['none without a rule', held({ action: 'update' }), admin, []],
    [
      'those of each pair of rules',
      held({ fields: ['id'] }, { fields: ['title'] }),
      held({}, sharing),
      [['id'], ['title']],
    ],
  ])('has the fields of both: %s', (_what, role, creator, fields) => {
    const rules = shared(role, creator) ?? []
    expect(rules.filter(([name]) => name === 'posts').map(([, names]) => names)).toEqual(fields)
  })

  test('is read, and nothing else', () => {
    const access = shareAccess(authzSchema, { collection: collectionOf(authzSchema, 'posts'), key: 1 }, held({}), admin)
    expect(access).toMatchObject({ admin: false, app: false, policies: [] })
    expect(access?.rules).toMatchObject([{ action: 'read', validation: null, presets: null }])
    const prints = [1, 2].map(
      (key) =>
        shareAccess(authzSchema, { collection: collectionOf(authzSchema, 'posts'), key }, admin, admin)?.fingerprint,
    )
    expect(new Set([access?.fingerprint, ...prints]).size).toBe(3)
    expect(access?.fingerprint).toMatch(/^share \w+$/)
  })
})

const relation = (to: string) => ({
  ...authzSchema.collections.get('posts')?.fields.get('author')?.relation,
  collection: to,
})

const names = (schema: Schema) => shared(admin, admin, schema, 'c0')?.map(([name]) => name)

/** A chain of collections c0 to c9, each with a field `next`; `other` of the first leads to the last. */
const chain = (more: { readonly [name: string]: Partial<Collection> } = {}): Schema => {
  const names = Array.from({ length: 10 }, (_, at) => `c${at}`)
  const collections = names.map((name, at) => {
    const next = field('next', 'integer', { relation: relation(`c${at + 1}`) as never })
    const back = field('back', 'integer', { relation: relation('c0') as never, concealed: false })
    const fields = new Map([field('id', 'integer'), next, back].map((each) => [each.name, each]))
    return [name, { ...collectionOf(authzSchema, 'posts'), name, fields, ...more[name] }] as const
  })
  return { ...authzSchema, collections: new Map(collections) }
}

describe('related items', () => {
  const people = { collection: 'people' } as const
  const notes = { collection: 'notes' } as const

  test('are those that readable relations lead to', () => {
    expect(shared(held({ fields: ['author'] }, { ...people, fields: ['name'] }), admin)).toEqual([
      ['posts', ['author'], only],
      ['people', ['name'], reached([step('author', 'people')])],
    ])
    const all = shared(admin, admin)?.map(([name, , filter]) => [name, filter])
    expect(all).toEqual([
      ['posts', only],
      ['people', reached([step('author', 'people')], [step('item', 'people')])],
      ['notes', reached([step('notes', 'notes')], [step('item', 'notes')])],
    ])
  })

  test('have the guards of the steps, and the rows of both parties', () => {
    const adult = is('age', 18)
    const role = held({ fields: ['id'] }, { fields: ['author'], filter: mine }, { ...people, filter: adult })
    expect(shared(role, admin)?.at(-1)).toEqual([
      'people',
      '*',
      and(reached([step('author', 'people', and(only, mine))]), adult),
    ])
  })

  test('are not reached by fields or over collections that are not readable', () => {
    expect(shared(held({ fields: ['id'] }, people, notes), admin)?.map(([name]) => name)).toEqual(['posts'])
    expect(shared(held({ fields: ['author', 'notes'] }, notes), admin)?.map(([name]) => name)).toEqual([
      'posts',
      'notes',
    ])
  })

  test('are at most four steps away, and never the collection of the item itself', () => {
    expect(names(chain())).toEqual(['c0', 'c1', 'c2', 'c3', 'c4'])
    const [, , c2] =
      shared(
        held({ collection: 'c0' }, { collection: 'c1', filter: mine }, { collection: 'c2' }),
        admin,
        chain(),
        'c0',
      ) ?? []
    expect(c2?.[2]).toMatchObject({ values: [{ path: [step('next', 'c1', only), step('next', 'c2', mine)] }] })
  })

  test.each<[what: string, more: Partial<Collection>, reach: readonly string[]]>([
    ['lead on from rows of a user', {}, ['c0', 'c1', 'c2', 'c3', 'c4']],
    ['do not lead on from system rows', { system: true }, ['c0', 'c1', 'c2']],
    ['are no rows without a table', { table: null }, ['c0', 'c1']],
    ['are no rows without a key', { keyColumns: [] }, ['c0', 'c1']],
  ])('%s', (_what, more, reach) => {
    expect(names(chain({ c2: more }))).toEqual(reach)
  })

  test('are reached over no concealed field', () => {
    const c1 = chain().collections.get('c1') as Collection
    const next = { ...(c1.fields.get('next') as NonNullable<ReturnType<typeof c1.fields.get>>), concealed: true }
    expect(names(chain({ c1: { fields: new Map(c1.fields).set('next', next) } }))).toEqual(['c0', 'c1'])
  })

  test('are reached by a hundred paths at most', () => {
    const wide = chain()
    const targets = Array.from({ length: 120 }, (_, at) => `w${at}`)
    const c0 = wide.collections.get('c0') as Collection
    const fields = new Map(targets.map((to) => [to, field(to, 'integer', { relation: relation(to) as never })]))
    const leaves = targets.map(
      (name) => [name, { ...c0, name, fields: new Map([['id', field('id', 'integer')]]) }] as const,
    )
    const schema = { ...wide, collections: new Map([['c0', { ...c0, fields }], ...leaves]) }
    expect(names(schema)).toHaveLength(101)
  })
})

test('the data model can be read where there is one', () => {
  const model = ['platform_collections', 'platform_fields', 'platform_relations']
  const posts = collectionOf(authzSchema, 'posts')
  const more = model.map((name) => [name, { ...posts, name, system: true }] as const)
  const schema = { ...authzSchema, collections: new Map([...authzSchema.collections, ...more]) }
  expect(shared(held({ fields: ['id'] }), admin, schema)).toEqual([
    ['posts', ['id'], only],
    ...model.map((name) => [name, '*', matchAll]),
  ])
})
