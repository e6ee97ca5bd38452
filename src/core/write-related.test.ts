import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeItems } from './items.ts'
import { detail, erase, list, nested, one } from './test-changes.ts'
import { failuresOf, openTestWorld, type TestWorld } from './test-context.ts'
import { playScene, type Scene } from './test-scene.ts'

let opened: TestWorld

beforeAll(async () => {
  opened = await openTestWorld()
})

afterAll(() => opened.close())

const scene = (name: string, work: (scene: Scene) => Promise<void>) => test(name, () => playScene(opened, work))

/** Bodies of the comments of an article, with their keys where they are old. */
const comments = async ({ rowsOf }: Scene, article: number) => {
  const rows = await rowsOf(`select id::integer, body from comments where article = ${article} order by id`)
  return (rows as { id: number; body: string }[]).map(({ id, body }) => (id < 10 ? `${id} ${body}` : body))
}

const tags = async ({ rowsOf }: Scene, article: number) => {
  const rows = await rowsOf(`select id, tag, sort from articles_tags where article = ${article} order by sort, id`)
  return (rows as { id: number; tag: string; sort: number }[]).map(({ id, tag, sort }) => [id < 10 ? id : 0, tag, sort])
}

describe('many-to-one', () => {
  scene('an object without a key is created and linked', async ({ update, rowsOf }) => {
    await update('articles', 1, nested({ author: one({ name: 'Zoe' }) }))
    expect(
      await rowsOf('select name, a.author > 4 as own from articles a join authors u on u.id = a.author where a.id = 1'),
    ).toEqual([{ name: 'Zoe', own: true }])
  })

  scene('an object with a key changes that row and links it', async ({ update, rowsOf }) => {
    await update('articles', 1, nested({ author: one({ id: 2, age: 35 }) }))
    expect(
      await rowsOf('select author, age, name from articles a join authors u on u.id = a.author where a.id = 1'),
    ).toEqual([{ author: 2, age: 35, name: 'Bob' }])
  })

  scene('an object with nothing but a known key links', async ({ update, rowsOf }) => {
    await update('articles', 1, nested({ author: one({ id: 2 }) }))
    expect(await rowsOf('select author from articles where id = 1')).toEqual([{ author: 2 }])
    expect(await rowsOf(`select item from platform_activity where collection = 'authors'`)).toEqual([])
  })

  scene('an object with an unknown key is created under it', async ({ create, rowsOf }) => {
    await create('articles', nested({ title: 't', author: one({ id: 77, name: 'New' }) }))
    expect(await rowsOf(`select author from articles where title = 't'`)).toEqual([{ author: 77 }])
  })

  scene('null and a key are values', async ({ update, rowsOf }) => {
    await update('articles', 1, nested({ author: null, category: 4, comments: detail({}) }))
    expect(await rowsOf('select author, category from articles where id = 1')).toEqual([{ author: null, category: 4 }])
  })

  scene('several to one collection, in each other, and a batch, are written together', async (it) => {
    const boss = one({ name: 'Boss', region: one({ name: 'West' }) })
    await it.create(
      'articles',
      nested({ title: 'x', author: one({ name: 'Deep', mentor: boss }) }),
      nested({ title: 'y', author: one({ name: 'Flat' }) }),
    )
    expect(
      await it.rowsOf(
        `select a.title, u.name, m.name as mentor, r.name as region from articles a join authors u on u.id = a.author
         left join authors m on m.id = u.mentor left join regions r on r.id = m.region where title in ('x', 'y') order by title`,
      ),
    ).toEqual([
      { title: 'x', name: 'Deep', mentor: 'Boss', region: 'West' },
      { title: 'y', name: 'Flat', mentor: null, region: null },
    ])
  })

  scene('the same changes for several rows create a related row once', async ({ ctx, rowsOf }) => {
    const target = { kind: 'keys', keys: [1, 2] } as const
    const changes = nested({ author: one({ name: 'Once' }), comments: detail({ create: [{ body: 'Each' }] }) })
    await writeItems(ctx, { kind: 'update', collection: 'articles', target, changes })
    expect(await rowsOf(`select count(*)::integer as n from authors where name = 'Once'`)).toEqual([{ n: 1 }])
    expect(await rowsOf(`select article from comments where body = 'Each' order by article`)).toEqual([
      { article: 1 },
      { article: 2 },
    ])
  })

  scene('an erased row is deleted and no longer linked', async ({ update, rowsOf }) => {
    await update('articles', 1, nested({ author: erase(1) }))
    expect(await rowsOf('select author from articles where id = 1')).toEqual([{ author: null }])
    expect(await rowsOf('select id from authors where id = 1')).toEqual([])
  })

  scene('a singleton holds related items too', async ({ ctx, rowsOf }) => {
    const changes = nested({ headline: 'Hi', featured_article: one({ title: 'Featured' }) })
    await writeItems(ctx, { kind: 'write-singleton', collection: 'homepage', changes })
    expect(
      await rowsOf('select h.id, h.headline, a.title from homepage h join articles a on a.id = h.featured_article'),
    ).toEqual([{ id: 1, headline: 'Hi', title: 'Featured' }])
  })
})

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
      delete: [3, 5],
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

describe('many-to-many', () => {
  scene('junction rows are created, kept and removed, with their order', async (it) => {
    await it.update(
      'articles',
      1,
      nested({ tags: list([2, { tag: one({ name: 'fresh', color: 'red' }) }, { tag: 'sport' }]) }),
    )
    expect(await tags(it, 1)).toEqual([
      [2, 'ice', 1],
      [0, 'fresh', 2],
      [0, 'sport', 3],
    ])
    expect(await it.rowsOf('select id from articles_tags where id = 1')).toEqual([])
  })

  scene('new rows go to the end, in detail too, and a place that is given counts', async (it) => {
    const change = detail({ create: [{ tag: 'sport' }, { tag: 'unused', sort: 9 }, { tag: 'ice' }], delete: [2] })
    await it.update('articles', 1, nested({ tags: change }))
    expect(await tags(it, 1)).toEqual([
      [1, 'sea', 2],
      [0, 'unused', 9],
      [0, 'sport', 10],
      [0, 'ice', 11],
    ])
  })

  scene('each parent of a batch has an order of its own', async (it) => {
    const [first = 0, second = 0] = await it.create(
      'articles',
      nested({ title: 'a', tags: list([{ tag: 'ice' }, { tag: 'sea' }]) }),
      nested({ title: 'b', tags: list([{ tag: 'ice' }]) }),
    )
    expect(await tags(it, first)).toEqual([
      [0, 'ice', 1],
      [0, 'sea', 2],
    ])
    expect(await tags(it, second)).toEqual([[0, 'ice', 1]])
  })

  scene('from the other side', async (it) => {
    const articles = list([{ article: one({ title: 'Tagged' }) }, { article: 5, sort: 4 }])
    await it.create('tags', nested({ name: 'odd', articles }))
    expect(
      await it.rowsOf(
        `select title, x.sort from articles_tags x join articles a on a.id = article where tag = 'odd' order by title`,
      ),
    ).toEqual([
      { title: 'Nobody wrote this', sort: 4 },
      { title: 'Tagged', sort: null },
    ])
  })
})

describe('many-to-any', () => {
  const blocks = async ({ rowsOf }: Scene, page: number) =>
    rowsOf(
      `select collection, sort, coalesce(h.text, p.text) as text from pages_blocks b
       left join headings h on collection = 'headings' and h.id::text = item
       left join paragraphs p on collection = 'paragraphs' and p.id::text = item where page = ${page} order by sort`,
    )

  scene('rows of each collection are created, changed and linked', async (it) => {
    await it.update(
      'pages',
      1,
      nested({
        blocks: list([
          { collection: 'headings', item: one({ text: 'Fresh' }) },
          { id: 2, collection: 'paragraphs', item: one({ id: 1, text: 'Edited' }) },
          { collection: 'paragraphs', item: '2' },
          { collection: 'paragraphs', item: one({ text: 'Own', id: 50 }) },
        ]),
      }),
    )
    expect(await blocks(it, 1)).toEqual([
      { collection: 'paragraphs', sort: 2, text: 'Edited' },
      { collection: 'headings', sort: 3, text: 'Fresh' },
      { collection: 'paragraphs', sort: 4, text: 'The end' },
      { collection: 'paragraphs', sort: 5, text: 'Own' },
    ])
  })

  const name = 'blocks.0.collection'
  test.each([
    ['no collection beside an object', { item: one({ text: 'x' }) }, name, 'null'],
    ['a collection that is not allowed', { collection: 'articles', item: one({ title: 'x' }) }, name, '"articles"'],
    ['a collection that is not allowed beside a key', { collection: 'tags', item: 'ice' }, name, '"tags"'],
    ['no collection beside a key', { item: '1' }, name, 'nothing'],
  ])('%s is refused', (_name, block, at, received) =>
    playScene(opened, async ({ update }) => {
      expect(await failuresOf(update('pages', 1, nested({ blocks: list([block]) })))).toEqual([
        {
          kind: 'invalid-payload',
          name: at,
          reason: `Expected one of "headings", "paragraphs" but received ${received}`,
        },
      ])
    }),
  )
})

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
        'platform_revisions',
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
    expect(statements.length).toBe(10)
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
