import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Mutation } from '../../domain/query/mutation.ts'
import { writeItems } from '../items/items.ts'
import { changesOf, failuresOf } from '../testing/test-context.ts'
import { chief, chiefRole, key, manager, managerPolicy, managerRole, openRightsWorld } from '../testing/test-rights.ts'

const world = await openRightsWorld()
await world.run(`insert into articles (id, title, status) values
    (1, 'Out', 'published'), (2, 'Not yet', 'draft'), (3, 'Out too', 'published')`)
beforeEach(async () => {
  await world.reset()
  await world.run(`truncate platform_comments;
    insert into platform_comments (id, collection, item, comment) values ('${key('f1')}', 'articles', '1', 'First');
    insert into platform_permissions (policy, collection, action, fields) values
      ('${managerPolicy}', 'platform_comments', 'create', '*'), ('${managerPolicy}', 'platform_comments', 'update', '*')`)
})
afterAll(() => world.close())

const collection = 'platform_comments'

const create = (...items: readonly (readonly [collection: string, item: string])[]): Mutation => ({
  kind: 'create',
  collection,
  items: items.map(([name, item]) => changesOf({ collection: name, item, comment: 'Well said' })),
})

const update = (values: { readonly [field: string]: string }): Mutation => ({
  kind: 'update',
  collection,
  target: { kind: 'keys', keys: [key('f1')] },
  changes: changesOf(values),
})

const items = async () =>
  (await world.run('select item from platform_comments order by item')).map((row) => (row as { item: string }).item)

test('readable items may be commented on, several at once', async () => {
  await writeItems(
    await world.as(manager, managerRole),
    create(['articles', '1'], ['articles', '3'], ['articles', '1']),
  )
  expect(await items()).toEqual(['1', '1', '1', '3'])
})

test.each(['', ' ', '\n\t\u00a0'])('a comment says something: %j is refused, new and changed', async (comment) => {
  const ctx = await world.as(manager, managerRole)
  const reason = `Expected a text for "comment" but received ${JSON.stringify(comment)}`
  const refused = [{ kind: 'invalid-payload', name: 'comment', reason }]
  const item = changesOf({ collection: 'articles', item: '1', comment })
  const good = changesOf({ collection: 'articles', item: '1', comment: 'Well said' })
  expect(await failuresOf(writeItems(ctx, { kind: 'create', collection, items: [good, item] }))).toEqual(refused)
  expect(await failuresOf(writeItems(ctx, update({ comment })))).toEqual(refused)
  expect(await world.run('select comment from platform_comments')).toEqual([{ comment: 'First' }])
  await writeItems(ctx, update({ comment: ' x ' }))
  expect(await world.run('select comment from platform_comments')).toEqual([{ comment: ' x ' }])
})

test.each([
  ['an item that may not be read', 'articles', '2'],
  ['an item that is not there', 'articles', '99'],
  ['what can be no key', 'articles', 'x'],
  ['a collection that may not be read', 'firms', '1'],
  ['a collection that is not there', 'nothing', '1'],
])('%s cannot be, nor anything beside it', async (_, name, item) => {
  const ctx = await world.as(manager, managerRole)
  const refusal = [{ kind: 'item-not-found', collection: name }]
  expect(await failuresOf(writeItems(ctx, create(['articles', '1'], [name, item])))).toEqual(refusal)
  expect(await failuresOf(writeItems(ctx, update({ collection: name, item })))).toEqual(refusal)
  expect(await items()).toEqual(['1'])
})

test('an administrator comments on everything, but not on nothing', async () => {
  const ctx = await world.as(chief, chiefRole)
  await writeItems(ctx, create(['articles', '2'], ['platform_users', manager]))
  const refusal = [{ kind: 'item-not-found', collection: 'articles' }]
  expect(await failuresOf(writeItems(ctx, create(['articles', '99'])))).toEqual(refusal)
})

test('the text of a comment is changed without a look at its item', async () => {
  await world.run(`update articles set status = 'draft' where id = 1`)
  const ctx = await world.as(manager, managerRole)
  expect(await writeItems(ctx, update({ comment: 'Better said' }))).toEqual([key('f1')])
  await world.run(`update articles set status = 'published' where id = 1`)
})
