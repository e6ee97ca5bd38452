/** Filters as clients of version 8 send them. */
import { afterAll, expect, test } from 'vitest'
import { askingAs, key } from './legacy-asking.ts'
import { openWorld } from './world.ts'

const world = await openWorld()
afterAll(() => world.close())

const { ask, dataOf } = askingAs(() => world)

test('texts are compared in their order', async () => {
  const text = { type: 'string', datatype: 'VARCHAR', length: 20 }
  await dataOf('POST /_/collections', { collection: 'stamps', fields: [key, { field: 'day', ...text }] })
  const days = ['2020-01-31', '2020-11-05', null, '2021-02-28', '']
  await dataOf(
    'POST /_/items/stamps',
    days.map((day) => ({ day })),
  )
  const found = async (filter: string) =>
    ((await dataOf(`GET /_/items/stamps?fields=id&sort=id&${filter}`)) as readonly { id: number }[]).map(({ id }) => id)
  expect(await found('filter[day][gt]=2020-02')).toEqual([2, 4])
  expect(await found('filter[day][<=]=2020-11-05')).toEqual([1, 2, 5])
  expect(await found('filter[day][between]=2020-02-01,2021-02-28')).toEqual([2, 4])
  expect(await found('filter[day][nbetween]=2020-02-01,2021-02-27')).toEqual([1, 4, 5])
  // A list in place of one value is no text.
  expect(await found('filter[day][gt][]=2020-02&filter[day][gt][]=2021')).toEqual([1, 2, 4])
  expect(await ask('GET /_/items/stamps?filter[day][between]=2020')).toEqual([400, 4])
})

type RelationRow = { readonly id: number | null; readonly collection_many: string }

const relationsBy = async (filter: string): Promise<readonly (readonly [number | null, string])[]> =>
  ((await dataOf(`GET /_/relations?limit=-1&${filter}`)) as readonly RelationRow[]).map(
    ({ id, collection_many: many }) => [id, many] as const,
  )

test('lists of the data model take the filters of items', async () => {
  const all = await relationsBy('')
  const [system, own] = [true, false].map((is) => all.filter(([, many]) => many.startsWith('platform_') === is))
  expect(await relationsBy('filter[collection_many][nlike]=PLATFORM_')).toEqual(own)
  expect(await relationsBy('filter[collection_many][rlike]=platform%5C_%25')).toEqual(system)
  expect(await relationsBy('filter[collection_many][nempty]=1')).toEqual(all)
  expect(await relationsBy('filter[collection_many][empty]=1')).toEqual([])
  const numbers = all.flatMap(([id]) => (id === null ? [] : [id])).toSorted((left, right) => left - right)
  const [low, high] = [numbers[1] ?? 0, numbers.at(-2) ?? 0]
  const between = all.filter(([id]) => id !== null && id >= low && id <= high)
  expect(between).toHaveLength(numbers.length - 2)
  expect(await relationsBy(`filter[id][between]=${low},${high}`)).toEqual(between)
  expect(await relationsBy(`filter[id][gt]=${high}`)).toEqual(all.filter(([id]) => id === numbers.at(-1)))
  expect(await ask('GET /_/relations?filter[id][between]=1')).toEqual([400, 4])
  expect(await ask('GET /_/relations?filter[id][foo]=1')).toEqual([422, 214])
})

type IdRow = { readonly id: number }

const idsOf = async (path: string, filter: string): Promise<readonly number[]> =>
  ((await dataOf(`GET /_/${path}?fields=id&sort=id&limit=-1&${filter}`)) as readonly IdRow[]).map(({ id }) => id)

const rulersBy = (filter: string): Promise<readonly number[]> => idsOf('items/rulers', filter)

test('whole numbers are compared with fractions and numbers out of range by value', async () => {
  const fields = [key, { field: 'size', type: 'integer', datatype: 'INT' }]
  const big = { field: 'large', type: 'integer', datatype: 'BIGINT' }
  await dataOf('POST /_/collections', { collection: 'rulers', fields: [...fields, big] })
  const rows = [4, 5, null, 6].map((size) => ({ size, large: size }))
  await dataOf('POST /_/items/rulers', rows)
  for (const name of ['size', 'large']) {
    expect(await rulersBy(`filter[${name}][gt]=4.5`)).toEqual([2, 4])
    expect(await rulersBy(`filter[${name}][gte]=5.0`)).toEqual([2, 4])
    expect(await rulersBy(`filter[${name}][lt]=5.5`)).toEqual([1, 2])
    expect(await rulersBy(`filter[${name}][lte]=3.9`)).toEqual([])
    expect(await rulersBy(`filter[${name}][eq]=5.0`)).toEqual([2])
    expect(await rulersBy(`filter[${name}][eq]=5.5`)).toEqual([])
    expect(await rulersBy(`filter[${name}]=5%20`)).toEqual([2])
    expect(await rulersBy(`filter[${name}][neq]=5.5`)).toEqual([1, 2, 4])
    expect(await rulersBy(`filter[${name}][in]=4,5.5,,6.0`)).toEqual([1, 4])
    expect(await rulersBy(`filter[${name}][nin]=4.0,5.5`)).toEqual([2, 4])
    expect(await rulersBy(`filter[${name}][between]=4.5,6.5`)).toEqual([2, 4])
    expect(await rulersBy(`filter[${name}][nbetween]=4.5,5.5`)).toEqual([1, 4])
    expect(await rulersBy(`filter[${name}][eq]=99999999999999999999`)).toEqual([])
    expect(await rulersBy(`filter[${name}][lt]=99999999999999999999`)).toEqual([1, 2, 4])
    expect(await rulersBy(`filter[${name}][gt]=-99999999999999999999`)).toEqual([1, 2, 4])
    expect(await ask(`GET /_/items/rulers?filter[${name}][gt]=x`)).toEqual([400, 4])
  }
  expect(await rulersBy('filter[size][between]=-3000000000,5')).toEqual([1, 2])
  expect(await rulersBy('filter[large][eq]=5000000000')).toEqual([])
})

test('relations to users, files and folders have the order of their numbers', async () => {
  const folders: number[] = []
  for (const name of ['Low', 'Middle', 'High'])
    folders.push(((await dataOf('POST /_/folders', { name, parent_folder: folders.at(-1) ?? null })) as IdRow).id)
  const [low = 0, middle = 0, high = 0] = folders
  const found = (filter: string) => idsOf('folders', `filter[id][in]=${folders.join()}&${filter}`)
  expect(await found(`filter[parent_folder][gt]=${low}`)).toEqual([high])
  expect(await found(`filter[parent_folder][<=]=${low}.5`)).toEqual([middle])
  expect(await found(`filter[parent_folder][between]=${low},${middle}`)).toEqual([middle, high])
  expect(await found(`filter[parent_folder][nbetween]=${middle},${high}`)).toEqual([middle])
  expect(await found('filter[parent_folder][neq]=0.5')).toEqual([middle, high])
  expect(await ask('GET /_/folders?filter[parent_folder][gt]=x')).toEqual([400, 4])
  expect(await ask('GET /folders?filter[parent][_gt]=1')).toEqual([400, 'INVALID_QUERY'])
})
