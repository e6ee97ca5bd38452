import { afterAll, describe, expect, test } from 'vitest'
import { detail, list, nested, one } from '../testing/test-changes.ts'
import { failuresOf, openTestWorld } from '../testing/test-context.ts'
import { playScene, type Scene } from '../testing/test-scene.ts'

const opened = await openTestWorld()

afterAll(() => opened.close())

const scene = (name: string, work: (scene: Scene) => Promise<void>) => test(name, () => playScene(opened, work))

const tags = async ({ rowsOf }: Scene, article: number) => {
  const rows = await rowsOf(`select id, tag, sort from articles_tags where article = ${article} order by sort, id`)
  return (rows as { id: number; tag: string; sort: number }[]).map(({ id, tag, sort }) => [id < 10 ? id : 0, tag, sort])
}

const blocks = async ({ rowsOf }: Scene, page: number) =>
  rowsOf(
    `select collection, sort, coalesce(h.text, p.text) as text from pages_blocks b
     left join headings h on collection = 'headings' and h.id::text = item
     left join paragraphs p on collection = 'paragraphs' and p.id::text = item where page = ${page} order by sort`,
  )

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
