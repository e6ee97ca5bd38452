import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Key } from '../../domain/query/key.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import { writeItems } from '../items/items.ts'
import { detail, list, nested } from '../testing/test-changes.ts'
import { openTestWorld, type TestWorld } from '../testing/test-context.ts'

/** On a server each writer has its own connection. The embedded database runs them one after another. */
const opening = openTestWorld()
let it: TestWorld

beforeEach(async () => {
  it = await opening
})

afterAll(async () => (await opening).close())

const update = (collection: string, key: Key, changes: Changes) =>
  writeItems(it.ctx, { kind: 'update', collection, target: { kind: 'keys', keys: [key] }, changes })

const parent = async (title: string): Promise<number> => {
  const items = [nested({ title, comments: list([{ body: 'first' }]) })]
  const [key] = await writeItems(it.ctx, { kind: 'create', collection: 'articles', items })
  return key as number
}

const bodies = async (article: number): Promise<readonly string[]> => {
  const rows = await it.rowsOf(`select body from comments where article = ${article} order by body`)
  return (rows as readonly { readonly body: string }[]).map(({ body }) => body)
}

const twoRows = (name: string) => nested({ comments: list([{ body: `${name} 1` }, { body: `${name} 2` }]) })

const oneMore = (body: string) =>
  nested({ comments: detail({ create: [{ body }] }), tags: detail({ create: [{ tag: 'ice' }] }) })

const under = (child: number) => nested({ children: detail({ update: [{ id: child, name: `under ${child}` }] }) })

const rounds = Array.from({ length: 10 }, (_, round) => round)

test('of writers that replace one list at a time the last one’s is the whole list', async () => {
  for (const round of rounds) {
    const key = await parent(`replaced ${round}`)
    await Promise.all(['a', 'b', 'c'].map((name) => update('articles', key, twoRows(name))))
    expect([
      ['a 1', 'a 2'],
      ['b 1', 'b 2'],
      ['c 1', 'c 2'],
    ]).toContainEqual(await bodies(key))
  }
})

test('of writers that add to one list nobody’s row is lost, and no place is taken twice', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const key = await parent('added')
  await Promise.all(names.map((name) => update('articles', key, oneMore(name))))
  expect(await bodies(key)).toEqual([...names, 'first'])
  expect(await it.rowsOf(`select sort from articles_tags where article = ${key} order by sort`)).toEqual(
    [1, 2, 3, 4, 5, 6].map((sort) => ({ sort })),
  )
})

test('a row that two parents want belongs to one of them, and neither loses another', async () => {
  for (const round of rounds) {
    const [left, right] = [await parent(`left ${round}`), await parent(`right ${round}`)]
    await it.rowsOf(`insert into comments (article, body) values (1, 'wanted')`)
    const [row] = (await it.rowsOf('select max(id) as id from comments')) as [{ id: string }]
    const wish = detail({ update: [{ id: row.id, body: 'taken' }] })
    await Promise.all([left, right].map((key) => update('articles', key, nested({ comments: wish }))))
    expect([await bodies(left), await bodies(right)].toSorted((a, b) => a.length - b.length)).toEqual([
      ['first'],
      ['first', 'taken'],
    ])
  }
})

test('writers that want the same rows in opposite order both succeed', async () => {
  const items = ['x', 'y'].map((name) => nested({ name }))
  const [x = 0, y = 0] = (await writeItems(it.ctx, { kind: 'create', collection: 'categories', items })) as number[]
  // A server detects a deadlock only after one second.
  for (const _round of rounds.slice(0, 2)) {
    await Promise.all([update('categories', x, under(y)), update('categories', y, under(x))])
  }
  expect(await it.rowsOf(`select name, parent from categories where id in (${x}, ${y}) order by id`)).toEqual([
    { name: `under ${x}`, parent: y },
    { name: `under ${y}`, parent: x },
  ])
})

test('a parent that is deleted leaves no row behind', async () => {
  for (const round of rounds) {
    const key = await parent(`deleted ${round}`)
    const outcomes = await Promise.allSettled([
      update('articles', key, nested({ comments: detail({ create: [{ body: 'late' }] }) })),
      writeItems(it.ctx, { kind: 'delete', collection: 'articles', target: { kind: 'keys', keys: [key] } }),
    ])
    expect(outcomes[1]?.status).toBe('fulfilled')
    expect(await bodies(key)).toEqual([])
  }
})
