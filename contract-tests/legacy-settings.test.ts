/** Settings of version 8 that the server obeys. */
import { afterAll, expect, test } from 'vitest'
import { askingAs } from './legacy-asking.ts'
import { openWorld } from './world.ts'

const world = await openWorld()
afterAll(() => world.close())

const { ask, dataOf } = askingAs(() => world)

const lengthOf = async (list: string): Promise<number> => ((await dataOf(`GET /_/${list}`)) as unknown[]).length

test('default_limit is the length of lists that name no limit, from the next request on', async () => {
  const all = await lengthOf('items/comments?limit=-1')
  expect(all).toBeGreaterThan(3)
  await dataOf('PATCH /_/settings/9', { value: '3' })
  expect([await lengthOf('items/comments'), await lengthOf('settings')]).toEqual([3, 3])
  expect(await lengthOf('items/comments?limit=-1')).toBe(all)
  await dataOf('PATCH /_/settings/9', { value: '-1' })
  expect(await lengthOf('items/comments')).toBe(all)
})

test('without default_limit lists have 200 items', async () => {
  await dataOf('PATCH /_/settings/9', { value: '3' })
  expect((await ask('DELETE /_/settings/9'))[0]).toBe(204)
  expect(await lengthOf('items/comments')).toBeGreaterThan(3)
})
