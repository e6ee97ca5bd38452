import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestWorld, type TestWorld } from '../../core/testing/test-context.ts'
import { playScene, type Scene } from '../../core/testing/test-scene.ts'
import type { Context } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { items } from '../handlers/items.ts'
import { createView } from '../views/schema-view.ts'
import { toErrorBody } from './errors.ts'

let world: TestWorld

const likesSql = `
  create table likes (article integer references articles (id), author integer references authors (id), primary key (article, author));
  insert into platform_fields (collection, field, special) values ('articles', 'likes', 'm2m');
  insert into platform_relations (many_collection, many_field, one_collection, one_field, junction_field) values
    ('likes', 'article', 'articles', 'likes', 'author'), ('likes', 'author', 'authors', null, 'article')`

beforeAll(async () => {
  world = await openTestWorld()
  await world.rowsOf(likesSql)
  const schema = await world.loadSchema()
  world = { ...world, ctx: { ...world.ctx, schema } }
})

afterAll(() => world.close())

const scene = (name: string, work: (ctx: Context, scene: Scene) => Promise<void>) =>
  test(name, () => playScene(world, (it) => work({ ...it.ctx, view: createView(it.ctx.schema) }, it)))

/** Status and body of the answer to an update, or to a create. */
async function send(ctx: Context, [collection, id]: readonly [string, string?], body: unknown, fields = 'id') {
  const request = { path: `/items/${collection}`, headers: {} } as HttpRequest
  const input = { path: { collection, id: id ?? '' }, query: { fields }, headers: {}, request, body }
  try {
    const reply = await (id === undefined ? items.createItems(ctx, input) : items.updateItem(ctx, input))
    return [reply.status, (JSON.parse((reply.body as { text: string }).text) as { data: unknown }).data]
  } catch (error) {
    if (!(error instanceof TandemError)) throw error
    const { status, body: answer } = toErrorBody(error)
    return [status, answer]
  }
}

describe('forms of the wire', () => {
  scene('an item is answered with what was written inside it', async (ctx) => {
    const body = {
      title: 'Nested',
      author: { name: 'Dee', region: { name: 'West' } },
      comments: [{ body: 'First' }, { body: 'Second', author: { id: 1, age: 62 } }],
      tags: [{ tag: { name: 'fresh' } }, { tag: 'ice' }],
    }
    const fields = 'title,author.name,author.region.name,comments.body,comments.author.age,tags.tag.name,tags.sort'
    expect(await send(ctx, ['articles'], body, fields)).toEqual([
      200,
      {
        title: 'Nested',
        author: { name: 'Dee', region: { name: 'West' } },
        comments: [
          { body: 'First', author: null },
          { body: 'Second', author: { age: 62 } },
        ],
        tags: [
          { tag: { name: 'fresh' }, sort: 1 },
          { tag: { name: 'ice' }, sort: 2 },
        ],
      },
    ])
  })

  scene('keys, objects and null', async (ctx) => {
    expect(await send(ctx, ['articles', '1'], { author: null, comments: ['3', { id: 4 }] }, 'author,comments')).toEqual(
      [200, { author: null, comments: ['3', '4'] }],
    )
    expect(await send(ctx, ['articles', '1'], { comments: null, tags: null }, 'comments,tags')).toEqual([
      200,
      { comments: [], tags: [] },
    ])
  })

  scene('create, update and delete', async (ctx) => {
    const comments = { create: [{ body: 'New', article: 2 }], update: [{ id: 1, body: 'Edited' }], delete: ['2'] }
    expect(await send(ctx, ['articles', '1'], { comments }, 'comments.body')).toEqual([
      200,
      { comments: [{ body: 'Edited' }, { body: 'Anonymous here' }, { body: 'New' }] },
    ])
  })

  scene('many-to-any with the collection beside the item', async (ctx) => {
    const blocks = {
      create: [{ collection: 'headings', item: { text: 'Fresh' } }],
      update: [{ id: 2, collection: 'paragraphs', item: { id: 1, text: 'Edited' } }],
      delete: [1, 3, 4],
    }
    const fields = 'blocks.collection,blocks.item:headings.text,blocks.item:paragraphs.text,blocks.sort'
    expect(await send(ctx, ['pages', '1'], { blocks }, fields)).toEqual([
      200,
      {
        blocks: [
          { collection: 'paragraphs', item: { text: 'Edited' }, sort: 2 },
          { collection: 'headings', item: { text: 'Fresh' }, sort: 3 },
        ],
      },
    ])
  })

  scene('rows of a junction with a key of several columns are named by it', async (ctx, { rowsOf }) => {
    const authors = async () =>
      (await rowsOf(`select author from likes where article = 1 order by author`)).map(
        (row) => (row as { author: number }).author,
      )
    const write = async (likes: unknown) => (await send(ctx, ['articles', '1'], { likes }))[0]
    expect(await write([{ author: 1 }, { author: { id: 2 } }])).toBe(200)
    expect(
      await write([{ author: { id: 2, age: 35 } }, { article: 1, author: 3 }, { author: { name: 'Fan', id: 50 } }]),
    ).toBe(200)
    expect(await authors()).toEqual([2, 3, 50])
    expect(
      await write({
        create: [{ author: 1 }],
        update: [{ author: 3, article: 1 }],
        delete: [{ author: 2 }, { author: 50, article: 1 }],
      }),
    ).toBe(200)
    expect(await authors()).toEqual([1, 3])
    const [, created] = await send(ctx, ['articles'], {
      title: 'Liked',
      likes: [{ author: 1 }, { author: { name: 'Fan' } }],
    })
    const names = `select name from likes join authors a on a.id = author where article = ${(created as { id: number }).id} order by name`
    expect(await rowsOf(names)).toEqual([{ name: 'Ann' }, { name: 'Fan' }])
    expect(await write(null)).toBe(200)
    expect(await authors()).toEqual([])
  })
})

describe('refusals', () => {
  test.each([
    [
      'a form that is none',
      { comments: { upsert: [] } },
      400,
      'Expected "create", "update" and "delete" but received "upsert"',
    ],
    ['text instead of a list', { comments: 'x' }, 400, 'Expected a list of related items'],
    ['an invalid item', { comments: [true] }, 400, 'Expected an object for each item'],
    [
      'no collection beside an item',
      { blocks: [{ item: { text: 'x' } }] },
      400,
      'Expected one of "headings", "paragraphs"',
    ],
    ['a collection that is not allowed', { blocks: [{ collection: 'articles', item: {} }] }, 400, 'Expected one of'],
    ['a missing row', { comments: [4040] }, 403, 'permission'],
    ['a dangling key', { author: 4040 }, 400, 'foreign key'],
    ['a single key for a composite one', { likes: [5] }, 400, 'likes.0'],
    ['a row without its key', { likes: { update: [{}] } }, 400, 'likes.update.0.author'],
    ['a deletion without its key', { likes: { delete: [{ author: 1 }, {}] } }, 400, 'likes.delete.1.author'],
    ['an object instead of a key', { likes: { delete: [{ author: { id: 1 } }] } }, 400, 'likes.delete.0.author'],
    ['an invalid value', { comments: [{ body: 'x', approved: 'maybe' }] }, 400, 'comments.0.approved'],
  ])('%s', (_name, body, status, text) =>
    playScene(world, async ({ ctx: neutral }) => {
      const ctx = { ...neutral, view: createView(neutral.schema) }
      const [answered, answer] = await send(ctx, 'blocks' in body ? ['pages', '1'] : ['articles', '1'], body)
      expect([answered, JSON.stringify(answer)]).toEqual([
        status,
        expect.stringContaining(JSON.stringify(text).slice(1, -1)) as string,
      ])
    }),
  )
})
