import { afterAll, describe, expect, test } from 'vitest'
import { writeItems } from '../items/items.ts'
import { detail, list, nested, one } from '../testing/test-changes.ts'
import { failuresOf, openTestWorld } from '../testing/test-context.ts'
import { playScene, type Scene } from '../testing/test-scene.ts'

const opened = await openTestWorld()

afterAll(() => opened.close())

const scene = (name: string, work: (scene: Scene) => Promise<void>) => test(name, () => playScene(opened, work))

/** Bodies of the comments of an article, with the keys of existing comments. */
const comments = async ({ rowsOf }: Scene, article: number) => {
  const rows = await rowsOf(`select id::integer, body from comments where article = ${article} order by id`)
  return (rows as { id: number; body: string }[]).map(({ id, body }) => (id < 10 ? `${id} ${body}` : body))
}

describe('one-to-many as a list', () => {
  scene('keys are linked, objects created or changed, and the rest removed', async (it) => {
    await it.update('articles', 1, nested({ comments: list([2, 4, { id: 1, body: 'Edited' }, { body: 'New' }]) }))
    expect(await comments(it, 1)).toEqual(['1 Edited', '2 I disagree', '4 What a game', 'New'])
    expect(await it.rowsOf('select id from comments where id = 3')).toEqual([])
    expect(await comments(it, 2)).toEqual([])
  })

  scene('what is left out is unlinked where the relation says so', async ({ update, rowsOf }) => {
    await update('authors', 1, nested({ articles: list([3]), students: list([4]) }))
    expect(await rowsOf('select id, author from articles where id in (1, 3) order by id')).toEqual([
      { id: 1, author: null },
      { id: 3, author: 1 },
    ])
    expect(await rowsOf('select id, mentor from authors where id > 1 and id < 5 order by id')).toEqual([
      { id: 2, mentor: null },
      { id: 3, mentor: null },
      { id: 4, mentor: 1 },
    ])
  })

  scene('an empty list removes all', async (it) => {
    await it.update('articles', 1, nested({ comments: list([]) }))
    expect(await comments(it, 1)).toEqual([])
  })

  scene('an unknown key of an object makes a row, an unknown link is not found', async (it) => {
    await it.update('articles', 5, nested({ comments: list([5, { id: 9, body: 'Nine' }]) }))
    expect(await comments(it, 5)).toEqual(['5 Who did?', '9 Nine'])
    expect(await failuresOf(it.update('articles', 5, nested({ comments: list([5, 4040]) })))).toEqual([
      { kind: 'item-not-found', collection: 'comments' },
    ])
    expect(await failuresOf(it.update('articles', 5, nested({ comments: list(['x']) })))).toEqual([
      { kind: 'item-not-found', collection: 'comments' },
    ])
  })

  scene('of two lists that want one row the last gets it, and nobody deletes it', async (it) => {
    const items = [
      { key: 1, changes: nested({ comments: list([1, 4]) }) },
      { key: 2, changes: nested({ comments: list([1]) }) },
      { key: 5, changes: nested({ comments: list([]) }) },
    ]
    await writeItems(it.ctx, { kind: 'update-each', collection: 'articles', items })
    expect(await comments(it, 1)).toEqual(['4 What a game'])
    expect(await comments(it, 2)).toEqual(['1 Well said'])
    expect(await it.rowsOf('select count(*)::integer as n from comments')).toEqual([{ n: 2 }])
  })

  scene('trees are written to any depth, around in a circle too', async ({ create, rowsOf }) => {
    const leaf = { name: 'leaf', articles: list([{ title: 'in leaf', author: one({ name: 'Leaf writer' }) }]) }
    const [root = 0] = await create(
      'categories',
      nested({ name: 'root', children: list([{ name: 'one', children: list([leaf, { name: 'two' }]) }, 4]) }),
    )
    expect(
      await rowsOf(
        `with recursive t as (select id, name, 0 as depth from categories where id = ${root}
         union all select c.id, c.name, depth + 1 from categories c join t on c.parent = t.id)
         select name, depth from t order by depth, name`,
      ),
    ).toEqual([
      { name: 'root', depth: 0 },
      { name: 'Sports', depth: 1 },
      { name: 'one', depth: 1 },
      { name: 'leaf', depth: 2 },
      { name: 'two', depth: 2 },
    ])
    expect(
      await rowsOf(`select u.name from articles a join authors u on u.id = a.author where a.title = 'in leaf'`),
    ).toEqual([{ name: 'Leaf writer' }])
  })

  scene('two relations to one collection do not stand in each other’s way', async ({ create, rowsOf }) => {
    const [key = 0] = await create(
      'authors',
      nested({ name: 'A', mentor: one({ name: 'M' }), students: list([{ name: 'S', students: list([2]) }]) }),
    )
    expect(
      await rowsOf(
        `select a.name, m.name as mentor from authors a join authors m on m.id = a.mentor
         where a.id = ${key} or a.mentor = ${key} or a.id = 2 order by a.name`,
      ),
    ).toEqual([
      { name: 'A', mentor: 'M' },
      { name: 'Bob', mentor: 'S' },
      { name: 'S', mentor: 'A' },
    ])
  })
})

describe('one-to-many in detail', () => {
  scene('creates, changes and removes what is named and nothing else', async (it) => {
    const change = detail({
      create: [{ body: 'New' }],
      update: [
        { id: 2, body: 'Edited' },
        { id: 4, body: 'Moved' },
      ],
      delete: [3, 4040],
    })
    await it.update('articles', 1, nested({ comments: change }))
    expect(await comments(it, 1)).toEqual(['1 Well said', '2 Edited', '4 Moved', 'New'])
    expect(await comments(it, 5)).toEqual(['5 Who did?'])
    expect(await it.rowsOf('select id from comments where id = 3')).toEqual([])
  })

  scene('removes by unlinking where the relation says so', async ({ update, rowsOf }) => {
    await update('authors', 1, nested({ articles: detail({ delete: [1] }) }))
    expect(await rowsOf('select author from articles where id = 1')).toEqual([{ author: null }])
  })

  test.each([
    ['removed', detail({ delete: [3, 5] }), 'comments.delete.1', '"5"'],
    ['removed once more', detail({ delete: ['5', '5'] }), 'comments.delete.0', '"5"'],
    ['erased', detail({ erase: [3, 5] }), 'comments.1', '"5"'],
    ['taken and removed at once', detail({ update: [{ id: 5, body: 'x' }], delete: [5] }), 'comments.delete.0', '"5"'],
  ])('a row of another item cannot be %s', (_name, change, name, received) =>
    playScene(opened, async ({ update }) => {
      const reason = `Expected a row of "comments" that belongs to this item but received ${received}`
      const failures = await failuresOf(update('articles', 1, nested({ title: 'x', comments: change })))
      expect(failures).toEqual([{ kind: 'invalid-payload', name, reason }])
    }),
  )

  scene('a row that is named twice is removed once', async (it) => {
    await it.update('articles', 1, nested({ comments: detail({ delete: [3, '3'], erase: [2, 2] }) }))
    expect(await comments(it, 1)).toEqual(['1 Well said'])
    const removed = `select item from platform_activity where collection = 'comments' and action = 'delete' order by item`
    expect(await it.rowsOf(removed)).toEqual([{ item: '2' }, { item: '3' }])
  })

  test('several items with one change lose the rows that they have', () =>
    playScene(opened, async (it) => {
      const changes = nested({ comments: detail({ delete: [2, 5] }) })
      const target = { kind: 'keys', keys: [1, 5] } as const
      await writeItems(it.ctx, { kind: 'update', collection: 'articles', target, changes })
      expect(await comments(it, 1)).toEqual(['1 Well said', '3 Anonymous here'])
      expect(await comments(it, 5)).toEqual([])
    }))

  test('a row that another item takes at the same time may be removed from its own', () =>
    playScene(opened, async (it) => {
      await it.update(
        'authors',
        1,
        nested({
          articles: detail({
            update: [
              { id: 1, comments: detail({ update: [{ id: 5, body: 'Moved' }] }) },
              { id: 5, comments: detail({ delete: [5] }) },
            ],
          }),
        }),
      )
      expect(await comments(it, 1)).toContain('5 Moved')
    }))

  scene('a row that is not there cannot be changed', async ({ update }) => {
    const change = detail({ update: [{ id: 4040, body: 'x' }] })
    expect(await failuresOf(update('articles', 1, nested({ comments: change })))).toEqual([
      { kind: 'item-not-found', collection: 'comments' },
    ])
  })

  scene('a row that is both changed and removed is removed', async (it) => {
    const change = detail({ update: [{ id: 2, body: 'Edited' }], delete: [2] })
    await it.update('articles', 1, nested({ comments: change }))
    expect(await comments(it, 1)).toEqual(['1 Well said', '3 Anonymous here'])
  })

  scene('upsert and erase: rows with or without a key, deleted for good, or given away', async ({ update, rowsOf }) => {
    const change = detail({
      upsert: [{ title: 'new' }, { id: 900, title: 'known key' }, { id: 2, title: 'moved' }, { id: 1, author: 3 }],
      erase: [3],
    })
    await update('authors', 1, nested({ articles: change }))
    expect(await rowsOf('select title from articles where author = 1 order by title')).toEqual([
      { title: 'known key' },
      { title: 'moved' },
      { title: 'new' },
    ])
    expect(await rowsOf('select id, author from articles where id in (1, 3)')).toEqual([{ id: 1, author: 3 }])
  })
})
