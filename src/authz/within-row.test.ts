/** Rights to a row that is shown in another state, and views without what an actor may not name. */
import { describe, expect, test } from 'vitest'
import { matchNone } from '../domain/query/filter.ts'
import type { Actor, Rule } from '../domain/rights/actor.ts'
import { coreView } from '../domain/schema/core-view.ts'
import type { Schema } from '../domain/schema/schema.ts'
import type { View } from '../domain/schema/view.ts'
import { visibleView, writableView } from './grants.ts'
import { authzSchema, field, is, userWith } from './test-schema.ts'
import { withinRow } from './within-row.ts'

const rulesOf = (actor: Actor): readonly Rule[] => (actor.kind === 'system' ? [] : actor.access.rules)
const fingerprintOf = (actor: Actor): string => (actor.kind === 'system' ? '' : actor.access.fingerprint)

describe('withinRow', () => {
  const mine = is('status', 'mine')
  const open = is('status', 'open')
  const actor = userWith(
    [
      { fields: ['id', 'title'], filter: mine },
      { fields: ['id', 'views'], filter: open },
      { action: 'update', fields: '*' },
      { collection: 'people', fields: '*' },
    ],
    { fingerprint: 'f' },
  )
  const [byMine, byOpen, update, people] = rulesOf(actor) as [Rule, Rule, Rule, Rule]

  test('leaves of each rule the fields that the met rules name, and the rest without rows', () => {
    const within = withinRow(actor, 'posts', new Set([byMine, people]))
    expect(rulesOf(within)).toEqual([
      update,
      people,
      { ...byMine, fields: ['id', 'title'] },
      { ...byMine, filter: matchNone },
      { ...byOpen, fields: ['id'] },
      { ...byOpen, filter: matchNone },
    ])
    expect(fingerprintOf(within)).toBe('f id,title')
    expect(fingerprintOf(withinRow(actor, 'posts', new Set([byOpen])))).toBe('f id,views')
    expect(fingerprintOf(withinRow(actor, 'posts', new Set(rulesOf(actor))))).toBe('f id,title,views')
  })

  test('leaves nothing where no rule is met', () => {
    const within = withinRow(actor, 'posts', new Set())
    expect(rulesOf(within).slice(2)).toMatchObject([
      { fields: [] },
      { filter: matchNone },
      { fields: [] },
      { filter: matchNone },
    ])
  })

  test('a rule on all fields gives those of the met ones', () => {
    const wide = userWith([{ fields: ['title'], filter: mine }, { filter: open }])
    const [narrow, all] = rulesOf(wide) as [Rule, Rule]
    expect(rulesOf(withinRow(wide, 'posts', new Set([narrow])))).toEqual([
      narrow,
      { ...narrow, filter: matchNone },
      { ...all, fields: ['title'] },
      { ...all, filter: matchNone },
    ])
    expect(withinRow(wide, 'posts', new Set([all]))).toBe(wide)
    expect(withinRow(wide, 'posts', new Set([narrow, all]))).toBe(wide)
  })

  test('limits neither administrators nor the server', () => {
    for (const free of [userWith([{ fields: ['id'] }], { admin: true }), { kind: 'system' } as const]) {
      expect(withinRow(free, 'posts', new Set())).toBe(free)
    }
  })
})

const namesOf = (view: View): { readonly [collection: string]: readonly string[] } =>
  Object.fromEntries([...view.collections].map(([name, { fields }]) => [name, [...fields.keys()]]))

const view = coreView(authzSchema)

describe('visibleView', () => {
  const actor = userWith([
    { fields: ['id', 'title'] },
    { collection: 'people', fields: ['name'] },
    { collection: 'notes', action: 'update' },
    { collection: 'folder' },
  ])
  const visible = visibleView({ actor, schema: authzSchema, view })

  test('has the collections and fields that may be read, by both names', () => {
    expect(namesOf(visible)).toEqual({ posts: ['id', 'title'], people: ['name'] })
    expect([...visible.byCore.keys()]).toEqual(['posts', 'people'])
    expect([...(visible.byCore.get('posts')?.byCore.keys() ?? [])]).toEqual(['id', 'title'])
    expect(visible.byCore.get('posts')).toBe(visible.collections.get('posts'))
    expect(visible.name).toBe(view.name)
  })

  test('is made once per rights and view', () => {
    expect(visibleView({ actor, schema: authzSchema, view })).toBe(visible)
    const other = { ...view, name: 'other' }
    expect(visibleView({ actor, schema: authzSchema, view: other })).toMatchObject({ name: 'other' })
    const less = userWith([{ fields: ['id'] }])
    expect(namesOf(visibleView({ actor: less, schema: authzSchema, view }))).toEqual({ posts: ['id'] })
  })

  test('of administrators and of the server is the whole view', () => {
    for (const free of [userWith([], { admin: true }), { kind: 'system' } as const]) {
      expect(visibleView({ actor: free, schema: authzSchema, view })).toBe(view)
      expect(writableView({ actor: free, schema: authzSchema, view })).toBe(view)
    }
  })

  test('names of the view are kept where they differ', () => {
    const posts = view.collections.get('posts')
    if (posts === undefined) throw new Error('Expected a collection')
    const [title] = [...posts.fields.values()].filter(({ field: core }) => core === 'title')
    if (title === undefined) throw new Error('Expected a field')
    const renamed = { ...title, name: 'headline' }
    const own = {
      name: 'entries',
      collection: 'posts',
      fields: new Map([['headline', renamed]]),
      byCore: new Map([['title', renamed]]),
    }
    const other: View = { ...view, collections: new Map([['entries', own]]), byCore: new Map([['posts', own]]) }
    const shown = visibleView({ actor, schema: authzSchema, view: other })
    expect(namesOf(shown)).toEqual({ entries: ['headline'] })
    expect([...shown.byCore.keys(), ...(shown.byCore.get('posts')?.byCore.keys() ?? [])]).toEqual(['posts', 'title'])
  })
})

describe('writableView', () => {
  const schema: Schema = {
    ...authzSchema,
    collections: new Map(
      [...authzSchema.collections].map(([name, each]) => {
        const fields = [field('id', 'uuid'), field('number', 'integer'), field('department', 'integer')]
        const own = new Map(fields.map((one) => [one.name, one]))
        return [name, name === 'platform_users' ? { ...each, fields: own } : each]
      }),
    ),
  }
  const actor = userWith([
    { action: 'create', fields: ['title'] },
    { action: 'update', fields: ['views'] },
    { fields: ['status'] },
    { action: 'delete', fields: ['made'] },
    { action: 'share', fields: ['data'] },
    { collection: 'platform_users', fields: ['department'] },
    { collection: 'notes', fields: ['id', 'made'] },
  ])

  test('has all collections, with their keys and the fields that rules on values name', () => {
    const names = namesOf(writableView({ actor, schema, view: coreView(schema) }))
    expect(names).toEqual({
      posts: ['id', 'title', 'status', 'views'],
      people: ['id'],
      notes: ['id'],
      folder: [],
      platform_users: ['id', 'number', 'department'],
    })
  })

  test('leaves out collections that the schema does not have', () => {
    const { posts: _, ...others } = Object.fromEntries(authzSchema.collections)
    const less: Schema = { ...authzSchema, collections: new Map(Object.entries(others)) }
    expect(Object.keys(namesOf(writableView({ actor, schema: less, view })))).not.toContain('posts')
  })
})
