import { afterAll, describe, expect, test } from 'vitest'
import { compare } from '../../domain/query/filter.ts'
import type { Rule } from '../../domain/rights/actor.ts'
import { perVendor } from '../../sql/testing/test-vendors.ts'
import { detail, list, nested, one } from '../testing/test-changes.ts'
import { failuresOf, is, openTestWorld, userWith } from '../testing/test-context.ts'
import { playScene, type Scene, sceneFor } from '../testing/test-scene.ts'

const opened = await openTestWorld()

afterAll(() => opened.close())

/** The scene of a user with these rules, who may also change every article. */
const as = (name: string, rules: readonly Partial<Rule>[], work: (scene: Scene) => Promise<void>) =>
  test(name, () =>
    playScene(opened, (scene) => {
      const actor = userWith([{ collection: 'articles', action: 'update' }, ...rules])
      return work(sceneFor(scene, { ...scene.ctx, actor }))
    }),
  )

const forbidden = (action: string, collection: string, field?: string) => [
  { kind: 'forbidden', denied: field === undefined ? { action, collection } : { action, collection, field } },
]

const notFound = (collection: string) => [{ kind: 'item-not-found', collection }]

describe('a related item needs the rights that it would need alone', () => {
  as('to be created', [{ collection: 'comments' }], async ({ update }) => {
    const denied = forbidden('create', 'comments')
    expect(await failuresOf(update('articles', 1, nested({ comments: detail({ create: [{ body: 'x' }] }) })))).toEqual(
      denied,
    )
    expect(await failuresOf(update('articles', 1, nested({ comments: list([{ body: 'x' }, 1, 2, 3]) })))).toEqual(
      denied,
    )
    expect(await failuresOf(update('articles', 1, nested({ author: one({ name: 'x' }) })))).toEqual(
      forbidden('create', 'articles', 'author'),
    )
  })

  const readable = [{ collection: 'comments' }, { collection: 'authors' }]

  as('to be changed', [{ collection: 'comments', action: 'create' }, ...readable], async ({ update }) => {
    const denied = forbidden('update', 'comments')
    const change = detail({ update: [{ id: 1, body: 'x' }] })
    expect(await failuresOf(update('articles', 1, nested({ comments: change })))).toEqual(denied)
    expect(await failuresOf(update('articles', 1, nested({ comments: list([1, 2, { id: 3, body: 'x' }]) })))).toEqual(
      denied,
    )
    expect(await failuresOf(update('articles', 1, nested({ author: one({ id: 1, age: 1 }) })))).toEqual(
      forbidden('update', 'authors'),
    )
  })

  as(
    'to be linked and unlinked, which changes it',
    [{ collection: 'comments', action: 'create' }],
    async ({ update }) => {
      expect(await failuresOf(update('articles', 2, nested({ comments: list([4, 1]) })))).toEqual(
        forbidden('update', 'comments'),
      )
      expect(await failuresOf(update('articles', 1, nested({ comments: list([]) })))).toEqual(
        forbidden('delete', 'comments'),
      )
      expect(await failuresOf(update('articles', 1, nested({ comments: detail({ delete: [1] }) })))).toEqual(
        forbidden('delete', 'comments'),
      )
    },
  )

  as(
    'but none to be listed where it already is, nor to be pointed at',
    [{ collection: 'comments' }],
    async ({ update, rowsOf }) => {
      await update('articles', 1, nested({ title: 'New', comments: list([1, { id: 2 }, 3]), author: 2 }))
      expect(await rowsOf('select title, author from articles where id = 1')).toEqual([{ title: 'New', author: 2 }])
    },
  )

  as('its parent’s field too', [{ collection: 'comments', action: 'create' }], async ({ ctx, rowsOf, statements }) => {
    const actor = userWith([
      { collection: 'articles', action: 'update', fields: ['title'] },
      { collection: 'comments', action: 'create' },
    ])
    const { update } = sceneFor({ rowsOf, statements }, { ...ctx, actor })
    const change = nested({ comments: detail({ create: [{ body: 'x' }] }) })
    expect(await failuresOf(update('articles', 1, change))).toEqual(forbidden('update', 'articles', 'comments'))
  })

  as(
    'the fields of its own, the link among them',
    [
      { collection: 'comments', action: 'create', fields: ['body'] },
      { collection: 'comments', action: 'update', fields: ['body'] },
    ],
    async ({ update }) => {
      const creation = detail({ create: [{ body: 'x' }] })
      expect(await failuresOf(update('articles', 1, nested({ comments: creation })))).toEqual(
        forbidden('create', 'comments', 'article'),
      )
      expect(
        await failuresOf(update('articles', 1, nested({ comments: detail({ update: [{ id: 4, body: 'x' }] }) }))),
      ).toEqual(forbidden('update', 'comments', 'article'))
      await update('articles', 1, nested({ comments: detail({ update: [{ id: 1, body: 'x' }] }) }))
    },
  )

  as(
    'the rows of its own',
    [{ collection: 'comments', action: 'update', filter: is('approved', true) }],
    async ({ update, rowsOf }) => {
      const change = detail({
        update: [
          { id: 1, body: 'x' },
          { id: 2, body: 'x' },
        ],
      })
      expect(await failuresOf(update('articles', 1, nested({ comments: change })))).toEqual(notFound('comments'))
      expect(await rowsOf(`select id from comments where body = 'x'`)).toEqual([])
      await update('articles', 1, nested({ comments: detail({ update: [{ id: 1, body: 'x' }] }) }))
    },
  )

  as(
    'a parent that may be changed',
    [{ collection: 'comments', action: 'create' }],
    async ({ ctx, rowsOf, statements }) => {
      const actor = userWith([
        { collection: 'articles', action: 'update', filter: is('status', 'draft') },
        { collection: 'comments', action: 'create' },
      ])
      const { update } = sceneFor({ rowsOf, statements }, { ...ctx, actor })
      const change = nested({ comments: detail({ create: [{ body: 'x' }] }) })
      expect(await failuresOf(update('articles', 1, change))).toEqual(notFound('articles'))
      await update('articles', 3, change)
    },
  )

  as('at every level', [{ collection: 'comments', action: 'create' }], async ({ update }) => {
    const change = detail({ create: [{ body: 'x', author: one({ name: 'y' }) }] })
    expect(await failuresOf(update('articles', 1, nested({ comments: change })))).toEqual(
      forbidden('create', 'comments', 'author'),
    )
  })
})

const remaining = ({ rowsOf }: Scene) => rowsOf('select id::integer from comments where article = 1 order by id')

describe('what a list leaves out', () => {
  const read = { collection: 'comments', action: 'read', filter: is('approved', true) } as const

  as('goes as far as it may be read', [read, { collection: 'comments', action: 'delete' }], async (it) => {
    await it.update('articles', 1, nested({ comments: list([3]) }))
    expect(await remaining(it)).toEqual([{ id: 2 }, { id: 3 }])
  })

  as(
    'is refused where it may be read and not removed',
    [read, { collection: 'comments', action: 'delete', filter: is('id', 3) }],
    async (it) => {
      const removal = it.update('articles', 1, nested({ comments: list([3]) }))
      expect(await failuresOf(removal)).toEqual([
        { kind: 'forbidden', denied: { action: 'delete', collection: 'comments' } },
      ])
      expect(await remaining(it)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
    },
  )

  as(
    'goes where nothing may be read, as far as it may be removed',
    [{ collection: 'comments', action: 'delete' }],
    async (it) => {
      await it.update('articles', 1, nested({ comments: list([3]) }))
      expect(await remaining(it)).toEqual([{ id: 3 }])
    },
  )
})

describe('presets and conditions of rules', () => {
  as(
    'hold for related items',
    [
      {
        collection: 'comments',
        action: 'create',
        presets: { approved: true, author: 4 },
        validation: compare('body', 'neq', ['spam']),
      },
    ],
    async ({ update, rowsOf }) => {
      await update('articles', 1, nested({ comments: detail({ create: [{ body: 'ham' }] }) }))
      expect(await rowsOf(`select approved, author from comments where body = 'ham'`)).toEqual([
        { approved: true, author: 4 },
      ])
      const change = detail({ create: [{ body: 'ham' }, { body: 'spam' }] })
      expect(await failuresOf(update('articles', 1, nested({ comments: change })))).toEqual([
        { kind: 'failed-validation', field: 'comments.create.1.body', type: 'neq', limit: 'spam' },
      ])
    },
  )

  test('a rule that asks for a field is met by the item around related ones', () =>
    playScene(opened, async (scene) => {
      const actor = userWith([
        { collection: 'articles', action: 'update', validation: compare('title', 'submitted') },
        { collection: 'comments', action: 'create' },
      ])
      const { update, rowsOf } = sceneFor(scene, { ...scene.ctx, actor })
      const comments = detail({ create: [{ body: 'ham' }] })
      expect(await failuresOf(update('articles', 1, nested({ comments })))).toEqual([
        { kind: 'failed-validation', field: 'title', type: 'required' },
      ])
      await update('articles', 1, nested({ title: 'New', comments }))
      expect(await rowsOf('select title from articles where id = 1')).toEqual([{ title: 'New' }])
      expect(await rowsOf(`select article from comments where body = 'ham'`)).toEqual([{ article: 1 }])
    }))

  as(
    'a place in an order needs no right, a given one does',
    [{ collection: 'articles_tags', action: 'create', fields: ['article', 'tag'] }],
    async ({ update, rowsOf }) => {
      await update('articles', 1, nested({ tags: detail({ create: [{ tag: 'sport' }] }) }))
      expect(await rowsOf(`select sort from articles_tags where article = 1 and tag = 'sport'`)).toEqual([{ sort: 3 }])
      const given = nested({ tags: detail({ create: [{ tag: 'sport', sort: 1 }] }) })
      expect(await failuresOf(update('articles', 1, given))).toEqual(forbidden('create', 'articles_tags', 'sort'))
    },
  )

  as(
    'rows under the same rules are one statement, however many rules there are',
    [
      { collection: 'comments', action: 'update', filter: is('approved', true) },
      { collection: 'comments', action: 'update', filter: is('approved', false) },
    ],
    async ({ update, statements }) => {
      statements.length = 0
      await update(
        'articles',
        1,
        nested({
          comments: detail({
            update: [
              { id: 1, body: 'x' },
              { id: 2, body: 'y' },
              { id: 3, body: 'z' },
            ],
          }),
        }),
      )
      const written = perVendor({ postgres: 'update "comments"', mariadb: 'straight_join "comments"' })
      expect(statements.filter(({ text }) => text.includes(written)).length).toBe(1)
    },
  )
})

describe('a masked value', () => {
  test('of a related item that is sent back changes nothing', () =>
    playScene(opened, async ({ update, rowsOf }) => {
      await update('articles', 1, nested({ author: one({ id: 1, age: 62, secret: '**********' }) }))
      expect(await rowsOf('select age, secret from authors where id = 1')).toEqual([{ age: 62, secret: 'hash-of-ann' }])
    }))
})
