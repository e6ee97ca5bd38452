import { afterAll, describe, expect, test } from 'vitest'
import type { Changes } from '../../domain/query/mutation.ts'
import { writeItems } from '../items/items.ts'
import { detail, list, nested, one } from '../testing/test-changes.ts'
import { failuresOf, openTestWorld } from '../testing/test-context.ts'
import { playScene, type Scene } from '../testing/test-scene.ts'

const opened = await openTestWorld()

afterAll(() => opened.close())

const scene = (name: string, work: (scene: Scene) => Promise<void>) => test(name, () => playScene(opened, work))

describe('whatever fails leaves nothing behind', () => {
  scene('a failure at the last level, after others were written', async ({ create, rowsOf }) => {
    const before = await rowsOf(
      'select (select count(*) from articles) a, (select count(*) from authors) b, (select count(*) from platform_activity) c',
    )
    const item = nested({
      title: 't',
      author: one({ name: 'Gone' }),
      comments: list([{ body: 'fine' }, { body: 'also', author: 4040 }]),
    })
    expect(await failuresOf(create('articles', item))).toMatchObject([{ kind: 'invalid-foreign-key' }])
    expect(
      await rowsOf(
        'select (select count(*) from articles) a, (select count(*) from authors) b, (select count(*) from platform_activity) c',
      ),
    ).toEqual(before)
  })

  scene('a row that is not there, told before what its related rows would break', async ({ update, rowsOf }) => {
    const item = nested({ title: 't', comments: detail({ create: [{ body: 'x', author: 4040 }] }) })
    expect(await failuresOf(update('articles', 4040, item))).toMatchObject([{ kind: 'item-not-found' }])
    expect(await rowsOf(`select 1 from platform_activity`)).toEqual([])
  })

  test.each([
    ['a missing value', { comments: list([{ body: 'x' }, {}]) }, { field: 'comments.1.body', type: 'required' }],
    ['a wrong type', { author: one({ name: 'A', age: 'old' }) }, { field: 'author.age', type: 'type' }],
    [
      'a condition of a field',
      { comments: detail({ create: [{ body: 'x', author: one({ name: 'A', email: 'nowhere' }) }] }) },
      { field: 'comments.create.0.author.email', type: 'contains' },
    ],
    [
      'a value that is too long',
      { tags: list([{ tag: one({ name: 'n', color: 'x'.repeat(30) }) }]) },
      { field: 'tags.0.tag.color', kind: 'value-too-long' },
    ],
    [
      'a row that cannot be unlinked',
      { comments: list([{ id: 1, article: null }]) },
      { field: 'comments.0.article', type: 'nnull' },
    ],
    [
      'another key',
      { comments: detail({ update: [{ id: 1, body: 'x', author: one({ id: 2, mentor: one({ id: 'x' }) }) }] }) },
      { kind: 'item-not-found' },
    ],
  ])('%s is told with its path', (_name, item, failure) =>
    playScene(opened, async ({ update }) => {
      expect(await failuresOf(update('articles', 1, nested(item)))).toMatchObject([failure])
    }),
  )
})

describe('bounds', () => {
  scene(
    'a thousand items with related items are a bounded number of statements',
    async ({ create, statements, rowsOf }) => {
      const items = Array.from({ length: 1000 }, (_, index) =>
        nested({
          title: `title ${index}`,
          author: one({ name: `author ${index}`, region: one({ name: `region ${index}` }) }),
          comments: list([{ body: `a ${index}` }, { body: `b ${index}` }]),
          tags: list([{ tag: one({ name: `tag ${index}` }) }]),
        }),
      )
      const keys = await create('articles', ...items)
      expect(keys.length).toBe(1000)
      expect(statements.map(({ text }) => /(insert into|update) "?(\w+)/.exec(text)?.[2])).toEqual([
        'regions',
        'authors',
        'articles',
        'comments',
        'tags',
        'articles_tags',
        'platform_activity',
      ])
      expect(
        await rowsOf(
          `select count(*)::integer as n from articles a join authors u on u.id = a.author and u.name = 'author ' || substr(a.title, 7)
         join comments c on c.article = a.id and substr(c.body, 3) = substr(a.title, 7) join articles_tags t on t.article = a.id and tag = 'tag ' || substr(a.title, 7)`,
        ),
      ).toEqual([{ n: 2000 }])
    },
  )

  scene('changes of many rows are a bounded number of statements too', async ({ ctx, statements }) => {
    const items = [1, 2, 3, 4, 5].map((key) => ({
      key,
      changes: nested({
        author: one({ id: 1 + (key % 3), age: key }),
        comments: list([{ body: 'x' }]),
        tags: list([]),
      }),
    }))
    await writeItems(ctx, { kind: 'update-each', collection: 'articles', items })
    // Ten statements, and one for each of the two collections with deleted rows: for their versions and shares.
    expect(statements.length).toBe(12)
  })

  scene('related items count against the bound of a mutation', async ({ ctx, rowsOf }) => {
    const limits = { ...ctx.limits, batch: 4 }
    const write = (bodies: readonly string[]) =>
      writeItems(
        { ...ctx, limits },
        {
          kind: 'create',
          collection: 'articles',
          items: [nested({ title: 't', comments: list(bodies.map((body) => ({ body }))) })],
        },
      )
    expect(await failuresOf(write(['1', '2', '3', '4']))).toMatchObject([{ kind: 'invalid-payload' }])
    await write(['1', '2', '3'])
    expect(await rowsOf(`select count(*)::integer as n from articles where title = 't'`)).toEqual([{ n: 1 }])
  })

  scene('each related item counts once, what a list leaves out too', async ({ ctx }) => {
    const write = (batch: number, changes: Changes) => {
      const target = { kind: 'keys', keys: [1] } as const
      return writeItems(
        { ...ctx, limits: { ...ctx.limits, batch } },
        { kind: 'update', collection: 'articles', target, changes },
      )
    }
    const edited = nested({ author: one({ id: 1, age: 1 }), comments: list([{ id: 1, body: 'x' }, 2, 3]) })
    expect(await failuresOf(write(4, edited))).toMatchObject([{ kind: 'invalid-payload' }])
    await write(5, edited)
    expect(await failuresOf(write(3, nested({ comments: list([]) })))).toMatchObject([{ kind: 'invalid-payload' }])
    await write(4, nested({ comments: list([]) }))
  })

  scene('levels are bounded', async ({ ctx }) => {
    const write = (depth: number) =>
      writeItems(
        { ...ctx, limits: { ...ctx.limits, depth } },
        {
          kind: 'create',
          collection: 'categories',
          items: [nested({ name: '0', parent: one({ name: '1', parent: one({ name: '2' }) }) })],
        },
      )
    expect(await failuresOf(write(1))).toEqual([
      { kind: 'invalid-payload', reason: 'Expected at most 1 levels of related items' },
    ])
    await write(2)
  })
})

describe('history', () => {
  scene('revisions of related rows hang under that of the item that held them', async ({ update, rowsOf }) => {
    await update(
      'articles',
      1,
      nested({
        author: one({ id: 2, age: 40 }),
        tags: detail({ create: [{ tag: one({ name: 'h' }) }], update: [{ id: 1, sort: 7 }] }),
      }),
    )
    expect(
      await rowsOf(
        `select r.collection, p.collection as parent, p.item from platform_revisions r left join platform_revisions p on p.id = r.parent order by r.id`,
      ),
    ).toEqual([
      { collection: 'authors', parent: 'articles', item: '1' },
      { collection: 'articles', parent: null, item: null },
      { collection: 'articles_tags', parent: 'articles', item: '1' },
      { collection: 'tags', parent: 'articles_tags', item: expect.any(String) as string },
      { collection: 'articles_tags', parent: 'articles', item: '1' },
    ])
  })

  scene('an item of which only related rows change has a revision for them', async ({ update, rowsOf }) => {
    await update('pages', 1, nested({ blocks: detail({ update: [{ id: 1, sort: 9 }] }) }))
    expect(
      await rowsOf(
        `select r.collection, r.delta, p.collection as parent from platform_revisions r left join platform_revisions p on p.id = r.parent order by r.id`,
      ),
    ).toEqual([
      { collection: 'pages', delta: {}, parent: null },
      { collection: 'pages_blocks', delta: { sort: 9 }, parent: 'pages' },
    ])
  })
})
