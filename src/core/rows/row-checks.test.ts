/** Validation of permissions about related rows: it is checked on the rows as they will be. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toRules } from '../../authz/rules.ts'
import type { PermissionRow } from '../../domain/rights/stored-rights.ts'
import { detail, list, nested, one } from '../testing/test-changes.ts'
import { failuresOf, openTestWorld, type TestWorld, testUser, userWith } from '../testing/test-context.ts'
import { playScene, type Scene, sceneFor } from '../testing/test-scene.ts'

let opened: TestWorld

beforeAll(async () => {
  opened = await openTestWorld()
})

afterAll(() => opened.close())

type RuleDraft = Partial<Omit<PermissionRow, 'id'>> & Pick<PermissionRow, 'collection' | 'action'>

/** The scene of a user with these rows of permissions. */
const as = (name: string, rows: readonly RuleDraft[], work: (scene: Scene) => Promise<void>) =>
  test(name, () =>
    playScene(opened, (scene) => {
      const full = rows.map((row, index) => ({
        id: index + 1,
        policy: 'p',
        fields: '*',
        permissions: null,
        validation: null,
        presets: null,
        ...row,
      }))
      const { rules, ignored } = toRules(full, scene.ctx.schema)
      expect(ignored).toEqual([])
      return work(sceneFor(scene, { ...scene.ctx, actor: userWith(rules) }))
    }),
  )

const broken = (field: string) => [{ kind: 'failed-validation', field, type: 'eq' }]

const byFirstAuthor = { author: { name: { _eq: 'Ann' } } }

describe('of a many-to-one', () => {
  const rows: readonly RuleDraft[] = [
    { collection: 'articles', action: 'create', validation: byFirstAuthor },
    { collection: 'articles', action: 'update', validation: { _and: [{ title: { _neq: 'no' } }, byFirstAuthor] } },
    { collection: 'authors', action: 'create' },
    { collection: 'authors', action: 'update' },
    { collection: 'authors', action: 'read' },
  ]

  as('holds for created items, and refuses all of a list', rows, async ({ create, rowsOf }) => {
    const [key] = await create('articles', nested({ title: 'a', author: 1 }))
    expect(await rowsOf(`select author from articles where id = ${key}`)).toEqual([{ author: 1 }])
    expect(await failuresOf(create('articles', nested({ title: 'b', author: 2 })))).toEqual(broken('author'))
    expect(await failuresOf(create('articles', nested({ title: 'b' })))).toEqual(broken('author'))
    const both = [nested({ title: 'b', author: 1 }), nested({ title: 'b', author: 2 })]
    expect(await failuresOf(create('articles', ...both))).toEqual(broken('author'))
    expect(await rowsOf(`select id from articles where title = 'b'`)).toEqual([])
    expect(await rowsOf(`select count(*)::int as n from platform_activity where item = '${key}'`)).toEqual([{ n: 1 }])
  })

  as('sees authors that the same write creates or renames', rows, async ({ create, rowsOf }) => {
    const [key] = await create('articles', nested({ title: 'a', author: one({ name: 'Ann' }) }))
    expect(await rowsOf(`select n.name from articles a join authors n on n.id = a.author where a.id = ${key}`)).toEqual(
      [{ name: 'Ann' }],
    )
    const refused = nested({ title: 'b', author: one({ name: 'Nobody' }) })
    expect(await failuresOf(create('articles', refused))).toEqual(broken('author'))
    expect(await rowsOf(`select id from authors where name = 'Nobody'`)).toEqual([])
    const renamed = nested({ title: 'b', author: one({ id: 1, name: 'Nobody' }) })
    expect(await failuresOf(create('articles', renamed))).toEqual(broken('author'))
    expect(await rowsOf(`select name from authors where id = 1`)).toEqual([{ name: 'Ann' }])
  })

  as('holds for updated items', rows, async ({ update, rowsOf }) => {
    expect(await rowsOf('select author from articles where id = 1')).toEqual([{ author: 1 }])
    await update('articles', 1, nested({ title: 'yes' }))
    expect(await failuresOf(update('articles', 1, nested({ title: 'x', author: 2 })))).toEqual(broken('author'))
    expect(await failuresOf(update('articles', 1, nested({ author: null })))).toEqual(broken('author'))
    expect(await failuresOf(update('articles', 1, nested({ title: 'no' })))).toEqual([
      { kind: 'failed-validation', field: 'title', type: 'neq', limit: 'no' },
    ])
    expect(await rowsOf('select title, author from articles where id = 1')).toEqual([{ title: 'yes', author: 1 }])
  })
})

describe('of to-many rows', () => {
  const some = { comments: { _some: { approved: { _eq: true } } } }
  const none = { comments: { _none: { body: { _eq: 'spam' } } } }
  const rest: readonly RuleDraft[] = [
    { collection: 'articles', action: 'read' },
    { collection: 'comments', action: 'create' },
    { collection: 'comments', action: 'read' },
    { collection: 'comments', action: 'update' },
    { collection: 'comments', action: 'delete' },
  ]

  as(
    'counts those of the same write',
    [{ collection: 'articles', action: 'create', validation: { _and: [some, none] } }, ...rest],
    async ({ create, rowsOf }) => {
      const [key] = await create('articles', nested({ title: 'a', comments: list([{ body: 'x', approved: true }]) }))
      expect(await rowsOf(`select body from comments where article = ${key}`)).toEqual([{ body: 'x' }])
      const without = nested({ title: 'b', comments: list([{ body: 'x', approved: false }]) })
      expect(await failuresOf(create('articles', without))).toEqual(broken('comments'))
      const spam = detail({ create: [{ body: 'x', approved: true }, { body: 'spam' }] })
      expect(await failuresOf(create('articles', nested({ title: 'b', comments: spam })))).toEqual(broken('comments'))
      expect(await rowsOf(`select id from articles where title = 'b'`)).toEqual([])
      expect(await rowsOf(`select id from comments where body = 'spam'`)).toEqual([])
    },
  )

  as(
    'may be a number of rows',
    [
      { collection: 'articles', action: 'create', validation: { 'count(comments)': { _gte: 2 } } },
      { collection: 'articles', action: 'update', validation: { 'count(comments)': { _lte: 3 } } },
      ...rest,
    ],
    async ({ create, update, rowsOf }) => {
      await create('articles', nested({ title: 'a', comments: list([{ body: 'x' }, { body: 'y' }]) }))
      const one = nested({ title: 'b', comments: list([{ body: 'x' }]) })
      expect(await failuresOf(create('articles', one))).toEqual(broken('comments'))
      const more = nested({ comments: detail({ create: [{ body: 'x' }] }) })
      expect(await failuresOf(update('articles', 1, more))).toEqual(broken('comments'))
      expect(await rowsOf('select count(*)::int as n from comments where article = 1')).toEqual([{ n: 3 }])
      await update('articles', 5, more)
      expect(await rowsOf('select count(*)::int as n from comments where article = 5')).toEqual([{ n: 2 }])
    },
  )
})

describe('at a nested level', () => {
  as(
    'names the place in the payload',
    [
      { collection: 'articles', action: 'update' },
      { collection: 'articles', action: 'read' },
      { collection: 'comments', action: 'create', validation: { article: { author: { name: { _eq: 'Ann' } } } } },
    ],
    async ({ update, rowsOf }) => {
      const change = nested({ comments: detail({ create: [{ body: 'new' }] }) })
      await update('articles', 1, change)
      expect(await failuresOf(update('articles', 2, change))).toEqual(broken('comments.create.0.article'))
      expect(await rowsOf(`select article from comments where body = 'new'`)).toEqual([{ article: 1 }])
    },
  )
})

describe('with several rules', () => {
  as(
    'one of them must match the row before and after',
    [
      {
        collection: 'articles',
        action: 'update',
        permissions: { status: { _eq: 'published' } },
        validation: byFirstAuthor,
      },
      { collection: 'articles', action: 'update', permissions: { status: { _eq: 'draft' } }, validation: null },
      {
        collection: 'articles',
        action: 'create',
        validation: { _or: [byFirstAuthor, { title: { _regex: '^free' } }] },
      },
    ],
    async ({ create, update, rowsOf }) => {
      const [published, draft] = [1, 3]
      await update('articles', draft, nested({ author: 2 }))
      expect(await failuresOf(update('articles', published, nested({ author: 2 })))).toEqual(broken('author'))
      await update('articles', published, nested({ title: 'kept' }))
      await create('articles', nested({ title: 'free', author: 2 }))
      expect(await failuresOf(create('articles', nested({ title: 'bound', author: 2 })))).toEqual(broken('author'))
      expect(await rowsOf(`select title, author from articles where id = ${published}`)).toEqual([
        { title: 'kept', author: 1 },
      ])
    },
  )
})

describe('with presets', () => {
  as(
    'they count as written, also as an object with the key',
    [
      { collection: 'articles', action: 'create', validation: byFirstAuthor, presets: { author: { id: 1 } } },
      { collection: 'articles', action: 'update', validation: byFirstAuthor, presets: { author: 1 } },
    ],
    async ({ create, update, rowsOf }) => {
      const [key] = await create('articles', nested({ title: 'a' }))
      expect(await rowsOf(`select author from articles where id = ${key}`)).toEqual([{ author: 1 }])
      expect(await failuresOf(create('articles', nested({ title: 'b', author: 2 })))).toEqual(broken('author'))
      await update('articles', 2, nested({ title: 'b' }))
      expect(await rowsOf('select author from articles where id = 2')).toEqual([{ author: 1 }])
    },
  )
})

describe('of the caller', () => {
  const own = { _eq: '$CURRENT_USER' }
  const other = '00000000-0000-4000-8000-00000000cafe'
  const rows: readonly RuleDraft[] = [
    { collection: 'articles', action: 'create', validation: { user_created: { id: own } } },
    { collection: 'articles', action: 'update', validation: { user_created: { id: own, email: { _nnull: true } } } },
    { collection: 'articles', action: 'read' },
    { collection: 'authors', action: 'create', validation: { articles: { user_created: { id: own } } } },
    { collection: 'platform_users', action: 'read' },
  ]

  as('a related user is the one who writes, given or set by the server', rows, async ({ create, update, rowsOf }) => {
    const [set] = await create('articles', nested({ title: 'set' }))
    const [given] = await create('articles', nested({ title: 'given', user_created: testUser }))
    expect(await rowsOf(`select user_created from articles where id in (${set}, ${given})`)).toEqual([
      { user_created: testUser },
      { user_created: testUser },
    ])
    await rowsOf(`insert into platform_users (id, email) values ('${other}', 'other@example.com')`)
    const foreign = nested({ title: 'foreign', user_created: other })
    expect(await failuresOf(update('articles', set as number, foreign))).toEqual(broken('user_created'))
    await update('articles', set as number, nested({ title: 'changed' }))
    expect(await rowsOf(`select title, user_created from articles where id = ${set}`)).toEqual([
      { title: 'changed', user_created: testUser },
    ])
  })

  as('a list of related items must hold one of the caller', rows, async ({ create, rowsOf }) => {
    const [key] = await create('authors', nested({ name: 'Owner', articles: list([{ title: 'mine' }]) }))
    expect(await rowsOf(`select title, user_created from articles where author = ${key}`)).toEqual([
      { title: 'mine', user_created: testUser },
    ])
    expect(await failuresOf(create('authors', nested({ name: 'Nobody' })))).toEqual(broken('articles'))
    expect(await rowsOf(`select id from authors where name = 'Nobody'`)).toEqual([])
  })
})
