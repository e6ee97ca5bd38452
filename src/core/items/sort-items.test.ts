import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { failuresOf, is, openTestWorld, userWith } from '../testing/test-context.ts'
import { sortItems } from './sort-items.ts'

const world = await openTestWorld()
const ctx = world.ctx
afterAll(() => world.close())
beforeEach(() => world.rowsOf('update articles set sort = id * 10'))

const sorted = async (item: Key, to: Key, asker: Context = ctx): Promise<readonly unknown[]> => {
  await sortItems(asker, asker.schema.collections.get('articles') as Collection, item, to)
  return places()
}

/** The keys in sort order, and the sort numbers in key order. */
async function places(): Promise<readonly unknown[]> {
  const rows = await world.rowsOf('select id, sort from articles order by sort, id')
  const found = rows as readonly { readonly id: number; readonly sort: number | null }[]
  return [found.map(({ id }) => id).join(' '), found.map(({ sort }) => sort).join(' ')]
}

test.for([
  ['down', 1, 4, '2 3 4 1 5'],
  ['up', 4, 1, '4 1 2 3 5'],
  ['to the end', 1, 5, '2 3 4 5 1'],
  ['to its own place', 3, 3, '1 2 3 4 5'],
  ['by a key that is a text', '2', '1', '2 1 3 4 5'],
] as const)('an item moves %s, and the numbers stay', async ([, item, to, keys]) => {
  expect(await sorted(item, to)).toEqual([keys, '10 20 30 40 50'])
})

test('items without a number come last, and all are numbered', async () => {
  await world.rowsOf('update articles set sort = null where id in (1, 3)')
  expect(await sorted(3, 4)).toEqual(['2 3 4 5 1', '1 2 3 4 5'])
})

test('items with the same number are told apart', async () => {
  await world.rowsOf('update articles set sort = 7')
  expect(await sorted(5, 2)).toEqual(['1 5 2 3 4', '1 2 3 4 5'])
})

test('an actor that may update some items moves them among themselves', async () => {
  const even = { kind: 'or', filters: [is('id', 2), is('id', 4), is('id', 5)] } as const
  const asker = { ...ctx, actor: userWith([{ action: 'update', fields: ['sort'], filter: even }]) }
  expect(await sorted(5, 2, asker)).toEqual(['1 5 3 2 4', '10 20 30 40 50'])
  const failures = await failuresOf(sorted(5, 1, asker))
  expect(failures).toEqual([{ kind: 'item-not-found', collection: 'articles' }])
  expect(await places()).toEqual(['1 5 3 2 4', '10 20 30 40 50'])
})

test('sorting needs the right to update the sort field', async () => {
  const asker = { ...ctx, actor: userWith([{ action: 'update', fields: ['title'] }, { action: 'read' }]) }
  expect(await failuresOf(sorted(1, 2, asker))).toMatchObject([{ kind: 'forbidden' }])
})

test('a key of nothing moves nothing', async () => {
  expect(await failuresOf(sorted(1, 99))).toEqual([{ kind: 'item-not-found', collection: 'articles' }])
  expect(await failuresOf(sorted('x', 1))).toEqual([{ kind: 'item-not-found', collection: 'articles' }])
})

test('a collection without a sort field is refused', async () => {
  const work = sortItems(ctx, ctx.schema.collections.get('authors') as Collection, 1, 2)
  expect(await failuresOf(work)).toMatchObject([{ kind: 'invalid-payload', name: 'collection' }])
})

test('two that sort at once take turns', async () => {
  await Promise.all([sorted(1, 5), sorted(2, 4), sorted(5, 1), sorted(3, 2)])
  const [, numbers] = await places()
  expect(numbers).toBe('10 20 30 40 50')
})
