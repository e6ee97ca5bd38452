import { afterAll, expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import { writeItems } from '../items/items.ts'
import { changesOf, failuresOf, openTestWorld, userWith } from '../testing/test-context.ts'
import { revertActivity } from './revert-activity.ts'

const world = await openTestWorld()
const ctx = { ...world.ctx, schema: await world.loadSchema() }
afterAll(() => world.close())

type Values = { readonly [field: string]: unknown }

const create = async (values: Values, collection = 'articles'): Promise<Key> => {
  const [key] = await writeItems(ctx, { kind: 'create', collection, items: [changesOf(values)] })
  return key as Key
}

const update = (key: Key, values: Values, at = ctx) =>
  writeItems(at, {
    kind: 'update',
    collection: 'articles',
    target: { kind: 'keys', keys: [key] },
    changes: changesOf(values),
  })

const remove = (key: Key) =>
  writeItems(ctx, { kind: 'delete', collection: 'articles', target: { kind: 'keys', keys: [key] } })

const titles = (): Promise<unknown> =>
  world.rowsOf(`select id, title, body from articles where title like 'Undo%' order by id`)

/** The newest entries of the log, the last one first. */
const newest = async (count: number): Promise<readonly number[]> =>
  ((await world.rowsOf(`select id from platform_activity order by id desc limit ${count}`)) as { id: number }[]).map(
    ({ id }) => id,
  )

test('creations, changes and deletions are undone together, and the undoing too', async () => {
  const changed = await create({ title: 'Undo changed', body: 'before' })
  const removed = await create({ title: 'Undo removed', body: 'still' })
  const before = await titles()
  const made = await create({ title: 'Undo made' })
  await update(changed, { title: 'Undo other', body: null })
  await update(changed, { body: 'twice' })
  await remove(removed)
  const after = [
    { id: changed, title: 'Undo other', body: 'twice' },
    { id: made, title: 'Undo made', body: null },
  ]
  expect(await titles()).toEqual(after)
  await revertActivity(ctx, await newest(4))
  expect(await titles()).toEqual(before)
  await revertActivity(ctx, await newest(3))
  expect(await titles()).toEqual(after)
})

test('an item that somebody changed since is refused, and nothing is undone', async () => {
  const one = await create({ title: 'Undo one' })
  const two = await create({ title: 'Undo two' })
  await update(one, { body: 'agent' })
  const [first] = await newest(1)
  await update(two, { body: 'agent' })
  const [second] = await newest(1)
  await update(one, { body: 'somebody' })
  const before = await titles()
  expect(await failuresOf(revertActivity(ctx, [first as number, second as number]))).toEqual([
    {
      kind: 'unprocessable',
      reason: `Expected an item that nobody else has changed since but received articles ${one}`,
    },
  ])
  expect(await titles()).toEqual(before)
})

test('an item without an earlier revision is refused', async () => {
  await world.rowsOf(`insert into articles (id, title) values (8800, 'Undo foreign')`)
  await update(8800, { body: 'agent' })
  expect(await failuresOf(revertActivity(ctx, await newest(1)))).toEqual([
    {
      kind: 'unprocessable',
      reason:
        'Expected an item with a revision from before but received articles 8800, of which this is the first recorded change',
    },
  ])
})

const rights = (...actions: readonly ('read' | 'update')[]) => [
  { collection: 'platform_activity' },
  { collection: 'platform_revisions' },
  ...actions.map((action) => ({ collection: 'articles', action })),
]

test('the caller needs the entries, the revisions, and the rights of the changes', async () => {
  const key = await create({ title: 'Undo mine' })
  await update(key, { body: 'agent' })
  const ids = await newest(1)
  const as = (rules: Parameters<typeof userWith>[0]): Context => ({ ...ctx, actor: userWith(rules) })
  for (const rules of [rights('read'), rights('read', 'update').slice(1), rights('read', 'update').toSpliced(1, 1)]) {
    const kind: unknown = expect.stringMatching(/^(forbidden|item-not-found)$/)
    expect(await failuresOf(revertActivity(as(rules), ids))).toEqual([expect.objectContaining({ kind })])
  }
  expect(await failuresOf(revertActivity(ctx, [99_999_999]))).toEqual([
    { kind: 'item-not-found', collection: 'platform_activity' },
  ])
  await revertActivity(as(rights('read', 'update')), ids)
  expect(await world.rowsOf(`select body from articles where id = ${key}`)).toEqual([{ body: null }])
})
