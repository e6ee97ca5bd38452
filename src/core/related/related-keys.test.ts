import { afterAll, describe, expect, test } from 'vitest'
import { perVendor } from '../../sql/testing/test-vendors.ts'
import { writeItems } from '../items/items.ts'
import { detail, list, nested, one } from '../testing/test-changes.ts'
import { failuresOf } from '../testing/test-context.ts'
import { notes, openLikes } from '../testing/test-likes.ts'
import { playScene, type Scene } from '../testing/test-scene.ts'

const world = await openLikes()

afterAll(() => world.close())

const scene = (name: string, work: (scene: Scene) => Promise<void>) => test(name, () => playScene(world, work))

const actions = async ({ rowsOf }: Scene) =>
  (await rowsOf(`select action, item from platform_activity where collection = 'likes' order by id`)) as readonly {
    readonly action: string
    readonly item: string
  }[]

describe('a list says which rows there shall be', () => {
  scene('kept, changed, new and removed, each with its history', async (it) => {
    const likes = list([{ author: 1 }, { author: one({ id: 2 }), note: 'B' }, { author: 4, note: 'new' }])
    await it.update('articles', 1, nested({ likes }))
    expect(await notes(it)).toEqual({ 1: 'a', 2: 'B', 4: 'new' })
    expect(await notes(it, 2)).toEqual({ 1: 'd' })
    expect(await actions(it)).toEqual([
      { action: 'delete', item: '1;3' },
      { action: 'update', item: '1;2' },
      { action: 'create', item: '1;4' },
    ])
    expect(
      await it.rowsOf(
        `select r.item, r.delta, p.item as parent from platform_revisions r join platform_revisions p on p.id = r.parent order by r.id`,
      ),
    ).toEqual([
      { item: '1;2', delta: { note: 'B' }, parent: '1' },
      { item: '1;4', delta: { article: 1, author: 4, note: 'new', sort: 3 }, parent: '1' },
    ])
  })

  scene('a list twice is the same as once, and an empty one removes all', async (it) => {
    const same = nested({ likes: list([{ author: 1 }, { author: one({ id: 3 }) }]) })
    await it.update('articles', 1, same)
    const before = await actions(it)
    it.statements.length = 0
    await it.update('articles', 1, same)
    expect(await notes(it)).toEqual({ 1: 'a', 3: 'c' })
    expect(await actions(it)).toEqual(before)
    expect(it.statements.filter(({ text }) => /(insert into|update|delete from) "likes"/.test(text))).toEqual([])
    await it.update('articles', 1, nested({ likes: list([]) }))
    expect(await notes(it)).toEqual({})
  })

  scene('the other side is changed or created in it, under a key of its own too', async (it) => {
    const likes = list([
      { author: one({ id: 1, age: 90 }) },
      { author: one({ name: 'Fresh' }), note: 'f' },
      { author: one({ id: 77, name: 'Own' }), note: 'o' },
    ])
    await it.update('articles', 1, nested({ likes }))
    expect(
      await it.rowsOf(
        `select name, age, note from likes join authors a on a.id = author where article = 1 order by note`,
      ),
    ).toEqual([
      { name: 'Ann', age: 90, note: 'a' },
      { name: 'Fresh', age: null, note: 'f' },
      { name: 'Own', age: null, note: 'o' },
    ])
    expect((await actions(it)).filter(({ action }) => action === 'update')).toEqual([])
    expect(
      await it.rowsOf(
        `select p.collection, p.item from platform_revisions r join platform_revisions p on p.id = r.parent where r.collection = 'authors' and r.item = '1'`,
      ),
    ).toEqual([{ collection: 'articles', item: '1' }])
  })

  scene('of items for the same row the last values count, whether it is there or not', async (it) => {
    const likes = list([{ author: 1, note: 'x' }, { author: '1', note: 'y' }, { author: 4, note: 'x' }, { author: 4 }])
    await it.update('articles', 1, nested({ likes }))
    expect(await notes(it)).toEqual({ 1: 'y', 4: 'x' })
    const own = list([{ author: one({ id: 80, name: 'Own' }) }, { author: 80, note: 'o' }])
    await it.update('articles', 2, nested({ likes: own }))
    expect(await notes(it, 2)).toEqual({ 80: 'o' })
    const [key] = await it.create(
      'articles',
      nested({ title: 't', likes: list([{ author: 4 }, { author: 4, note: 'z' }]) }),
    )
    expect(await notes(it, key)).toEqual({ 4: 'z' })
  })

  scene('whatever characters a key has', async (it) => {
    const names = ['a,b', '"', '\\', '\\"', '\n\t\u0001\u007f', 'é \u2028 😀', '1', '[]', ' ', '/']
    await it.update('articles', 1, nested({ marks: list(names.map((name) => ({ tag: one({ name }) }))) }))
    it.statements.length = 0
    await it.update('articles', 1, nested({ marks: list(names.map((tag) => ({ tag }))) }))
    expect(it.statements.filter(({ text }) => /(insert into|delete from) "marks"/.test(text))).toEqual([])
    await it.update('articles', 1, nested({ marks: detail({ delete: names.slice(1).map((tag) => ({ tag })) }) }))
    expect(await it.rowsOf('select tag from marks')).toEqual([{ tag: 'a,b' }])
  })

  scene('from the side whose column comes last in the key', async (it) => {
    await it.update('authors', 1, nested({ liked: list([{ article: 2, note: 'D' }, { article: 3 }]) }))
    expect(await it.rowsOf('select article, note from likes where author = 1 order by article')).toEqual([
      { article: 2, note: 'D' },
      { article: 3, note: null },
    ])
  })

  scene('what points there beside the key is unlinked, not deleted', async (it) => {
    await it.update(
      'authors',
      4,
      nested({
        given: list([
          { article: 1, author: 2 },
          { article: 2, author: 1 },
        ]),
      }),
    )
    expect(await it.rowsOf('select article, author, giver from likes order by 1, 2')).toEqual([
      { article: 1, author: 1, giver: null },
      { article: 1, author: 2, giver: 4 },
      { article: 1, author: 3, giver: null },
      { article: 2, author: 1, giver: 4 },
    ])
  })
})

/** An article without the likes of these authors. */
const without = (key: number, ...authors: readonly number[]) => ({
  key,
  changes: nested({ likes: detail({ delete: authors.map((author) => ({ author })) }) }),
})

describe('create, update and delete', () => {
  scene('name rows by the fields of their key', async (it) => {
    const likes = detail({ create: [{ author: 4 }], update: [{ author: 2, note: 'B' }], delete: [{ author: 3 }] })
    await it.update('articles', 1, nested({ likes }))
    expect(await notes(it)).toEqual({ 1: 'a', 2: 'B', 4: null })
  })

  scene(
    'a row that is created must be new, one that is changed must be there, and one that is not there stays away',
    async (it) => {
      const update = (likes: ReturnType<typeof detail>) => it.update('articles', 1, nested({ likes }))
      expect(await failuresOf(update(detail({ update: [{ author: 4, note: 'x' }] })))).toEqual([
        { kind: 'item-not-found', collection: 'likes' },
      ])
      await update(detail({ delete: [{ author: 4 }, { author: 4 }] }))
      expect(await notes(it)).toEqual({ 1: 'a', 2: 'b', 3: 'c' })
      const again = update(detail({ create: [{ author: 1 }] }))
      expect(await failuresOf(again)).toMatchObject([{ kind: 'not-unique' }])
    },
  )

  scene('several at once are one statement, and no other rows of the same halves go', async (it) => {
    await it.rowsOf(`insert into likes (article, author, note) values (2, 2, 'e'), (2, 3, 'f')`)
    it.statements.length = 0
    const { ctx } = it
    await writeItems(ctx, { kind: 'update-each', collection: 'articles', items: [without(1, 1, 2), without(2, 2, 3)] })
    expect([await notes(it), await notes(it, 2)]).toEqual([{ 3: 'c' }, { 1: 'd' }])
    const written = perVendor({ postgres: 'delete from "likes"', mariadb: 'straight_join "likes"' })
    expect(it.statements.filter(({ text }) => text.includes(written)).length).toBe(1)
  })
})

const invalid = (name: string, reason: string) => ({
  kind: 'invalid-payload',
  name,
  reason: expect.stringContaining(reason),
})

describe('what does not name a row is refused with its path', () => {
  test.each([
    ['a list of keys', list([5]), invalid('likes.0', '"article" and "author" together are the key')],
    ['a new row without its other side', list([{ note: 'x' }]), { kind: 'failed-validation', field: 'likes.0.author' }],
    [
      'a changed row without it',
      detail({ update: [{ note: 'x' }] }),
      invalid('likes.update.0.author', 'Expected the key field'),
    ],
    [
      'a deleted row without it',
      detail({ delete: [{ author: 1 }, {}] }),
      invalid('likes.delete.1.author', 'Expected the key field'),
    ],
    ['null for it', detail({ update: [{ author: null }] }), invalid('likes.update.0.author', 'Expected the key field')],
    ['a deleted key', detail({ delete: [7] }), invalid('likes.delete.0', 'Expected an object but received 7')],
    [
      'more than the key',
      detail({ delete: [{ author: 1, note: 'x' }] }),
      invalid('likes.delete.0.note', 'nothing but the fields of the key'),
    ],
    ['a wrong type', list([{ author: 'Ann' }]), invalid('likes.0.author', 'Expected an integer')],
    [
      'one that is too large',
      detail({ delete: [{ author: 2 ** 40 }] }),
      invalid('likes.delete.0.author', 'Expected an integer'),
    ],
  ])('%s', (_name, likes, failure) =>
    playScene(world, async (it) => {
      expect(await failuresOf(it.update('articles', 1, nested({ title: 'T', likes })))).toMatchObject([failure])
    }),
  )
})
