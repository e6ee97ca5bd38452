import { afterAll, describe, expect, test } from 'vitest'
import type { Key } from '../../domain/query/key.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import type { Rule } from '../../domain/rights/actor.ts'
import { writeItems } from '../items/items.ts'
import { detail, list, nested } from '../testing/test-changes.ts'
import { failuresOf, is, userWith } from '../testing/test-context.ts'
import { notes, openLikes } from '../testing/test-likes.ts'
import { playScene, type Scene, sceneFor } from '../testing/test-scene.ts'

const world = await openLikes()

afterAll(() => world.close())

const scene = (name: string, work: (scene: Scene) => Promise<void>) => test(name, () => playScene(world, work))

/** The scene of a user with these rules, who may also change every article. */
const as = (name: string, rules: readonly Partial<Rule>[], work: (scene: Scene) => Promise<void>) =>
  scene(name, (it) => {
    const actor = userWith([
      { collection: 'articles', action: 'update' },
      ...rules.map((rule) => ({ collection: 'likes', ...rule })),
    ])
    return work(sceneFor(it, { ...it.ctx, actor }))
  })

const forbidden = (action: string) => [{ kind: 'forbidden', denied: { action, collection: 'likes' } }]

describe('rights are those of each write alone', () => {
  const notFound = [{ kind: 'item-not-found', collection: 'likes' }]
  const all = [{ author: 1 }, { author: 2 }, { author: 3 }]

  as('rows that are there need none but to be seen', [{ action: 'read' }], async (it) => {
    await it.update('articles', 1, nested({ title: 'New', likes: list(all) }))
    expect(await it.rowsOf('select title from articles where id = 1')).toEqual([{ title: 'New' }])
  })

  as(
    'without delete nothing goes, neither left out nor named',
    [{ action: 'create' }, { action: 'read' }, { action: 'update' }],
    async (it) => {
      for (const likes of [list([{ author: 1 }]), list([]), detail({ delete: [{ author: 1 }] })]) {
        expect(await failuresOf(it.update('articles', 1, nested({ likes })))).toEqual(forbidden('delete'))
      }
      expect(await notes(it)).toEqual({ 1: 'a', 2: 'b', 3: 'c' })
    },
  )

  as('without create nothing comes', [{ action: 'update' }, { action: 'delete' }], async (it) => {
    expect(await failuresOf(it.update('articles', 1, nested({ likes: list([...all, { author: 4 }]) })))).toEqual(
      forbidden('create'),
    )
  })

  as('without update nothing changes', [{ action: 'create' }, { action: 'delete' }], async (it) => {
    const likes = list([{ author: 1, note: 'x' }])
    expect(await failuresOf(it.update('articles', 1, nested({ likes })))).toEqual(forbidden('update'))
    expect(await notes(it)).toEqual({ 1: 'a', 2: 'b', 3: 'c' })
  })

  as(
    'fields, rows, presets and conditions hold',
    [
      { action: 'update', fields: ['note'], filter: is('note', 'a') },
      { action: 'create', fields: ['article', 'author'], presets: { note: 'preset' } },
      { action: 'delete', filter: is('note', 'c') },
    ],
    async (it) => {
      const write = (likes: ReturnType<typeof list>) => it.update('articles', 1, nested({ likes }))
      expect(await failuresOf(write(detail({ update: [{ author: 2, note: 'x' }] })))).toEqual(notFound)
      expect(await failuresOf(write(detail({ update: [{ author: 1, giver: 1 }] })))).toMatchObject([
        { kind: 'forbidden', denied: { field: 'giver' } },
      ])
      expect(await failuresOf(write(detail({ delete: [{ author: 1 }] })))).toEqual(notFound)
      expect(await failuresOf(write(detail({ create: [{ author: 4, note: 'mine' }] })))).toMatchObject([
        { kind: 'forbidden', denied: { field: 'note' } },
      ])
      await write(detail({ create: [{ author: 4 }], update: [{ author: 1, note: 'x' }], delete: [{ author: 3 }] }))
      expect(await notes(it)).toEqual({ 1: 'x', 2: 'b', 4: 'preset' })
    },
  )

  as(
    'what may not be read is not left out',
    [{ action: 'read', filter: is('note', 'c') }, { action: 'delete' }],
    async (it) => {
      await it.update('articles', 1, nested({ likes: list([{ author: 1 }]) }))
      expect(await notes(it)).toEqual({ 1: 'a', 2: 'b' })
    },
  )
})

scene('rows that are left out count against the bound of a mutation', async (it) => {
  const bounded = (batch: number) => sceneFor(it, { ...it.ctx, limits: { ...it.ctx.limits, batch } })
  const likes = list([{ author: 1 }])
  expect(await failuresOf(bounded(3).update('articles', 1, nested({ likes })))).toMatchObject([
    { kind: 'invalid-payload' },
  ])
  await bounded(4).update('articles', 1, nested({ likes }))
  expect(await notes(it)).toEqual({ 1: 'a' })
})

const change = (collection: string, key: Key, changes: Changes) =>
  writeItems(world.ctx, { kind: 'update', collection, target: { kind: 'keys', keys: [key] }, changes })

const raced = async (): Promise<Key> => {
  const items = [nested({ title: 'raced' })]
  const [key] = await writeItems(world.ctx, { kind: 'create', collection: 'articles', items })
  return key as Key
}

const authors = async (article: Key): Promise<readonly number[]> => {
  const rows = await world.rowsOf(`select author from likes where article = ${article} order by author`)
  return (rows as { author: number }[]).map(({ author }) => author)
}

test('of writers that replace one list at a time the last one’s is the whole list, whichever rows are there', async () => {
  const key = await raced()
  const lists = [[1, 2], [2, 3], [4]]
  for (let round = 0; round < 10; round++) {
    await Promise.all(
      lists.map((each) => change('articles', key, nested({ likes: list(each.map((author) => ({ author }))) }))),
    )
    expect(lists).toContainEqual(await authors(key))
  }
})

test('of writers that add to one list nobody’s row is lost', async () => {
  const key = await raced()
  const add = (author: number) => change('articles', key, nested({ likes: detail({ create: [{ author }] }) }))
  await Promise.all([1, 2, 3, 4].map(add))
  expect(await authors(key)).toEqual([1, 2, 3, 4])
})

test('writers that list the same row from either side both succeed', async () => {
  // A server detects a deadlock only after one second.
  for (let round = 0; round < 2; round++) {
    const key = await raced()
    await Promise.all([
      change('articles', key, nested({ likes: list([{ author: 4, note: 'left' }]) })),
      change('authors', 4, nested({ liked: list([{ article: key, note: 'right' }]) })),
    ])
    expect(await authors(key)).toEqual([4])
  }
})
