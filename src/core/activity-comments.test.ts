import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createActivityComment, deleteActivityComment, updateActivityComment } from './activity-comments.ts'
import { failuresOf } from './test-context.ts'
import {
  chief,
  chiefRole,
  editor,
  editorPolicy,
  editorRole,
  manager,
  openRightsWorld,
  type RightsWorld,
} from './test-rights.ts'

let world: RightsWorld
beforeAll(async () => {
  world = await openRightsWorld()
  await world.run(`insert into articles (id, title, status) values (1, 'Out', 'published')`)
})
beforeEach(async () => {
  await world.reset()
  await world.run('truncate platform_activity, platform_revisions, platform_notifications restart identity cascade')
  await world.run(`insert into platform_activity (action, collection, item, "user", comment) values
    ('update', 'articles', '1', '${editor}', null), ('comment', 'articles', '1', '${editor}', 'Mine'),
    ('comment', 'articles', '1', '${manager}', 'Not mine')`)
})
afterAll(() => world.close())

const asChief = () => world.as(chief, chiefRole)
const asEditor = () => world.as(editor, editorRole)

const allow = (collection: string, action: string, more: { readonly fields?: string; readonly where?: string }) =>
  world.run(`insert into platform_permissions (policy, collection, action, fields, permissions) values
    ('${editorPolicy}', '${collection}', '${action}', '${more.fields ?? '*'}', '${more.where ?? '{}'}')`)

const write = async () =>
  createActivityComment(await asEditor(), { collection: 'articles', item: '1', comment: `@${manager}` })

const texts = async () =>
  (await world.run('select comment from platform_activity order by id')).map(
    (row) => (row as { comment: string }).comment,
  )

const before = [null, 'Mine', 'Not mine']
const own = JSON.stringify({ user: { _eq: '$CURRENT_USER' } })

test('a comment is an entry of whoever wrote it, and tells whom it names', async () => {
  const comment = `@${manager} look`
  const keys = await createActivityComment(await asChief(), { collection: 'articles', item: '1', comment })
  expect(keys).toEqual([4])
  expect(
    await world.run('select action, "user", ip, collection, item, comment from platform_activity where id = 4'),
  ).toEqual([{ action: 'comment', user: chief, ip: '192.0.2.1', collection: 'articles', item: '1', comment }])
  expect(await world.run('select recipient, sender, message from platform_notifications')).toEqual([
    { recipient: manager, sender: chief, message: comment },
  ])
})

test('it takes the right to create such a comment', async () => {
  await allow('platform_activity', 'create', {})
  expect(await failuresOf(write())).toMatchObject([{ kind: 'forbidden' }])
  await allow('platform_comments', 'create', { fields: 'collection,item' })
  expect(await failuresOf(write())).toMatchObject([{ kind: 'forbidden' }])
  expect(await texts()).toEqual(before)
  expect(await world.run('select 1 from platform_notifications')).toEqual([])
  await allow('platform_comments', 'create', { fields: 'comment' })
  expect(await write()).toHaveLength(1)
})

test('its text is changed by the right to its entry, and no other entry is', async () => {
  expect(await failuresOf(updateActivityComment(await asEditor(), '2', 'x'))).toMatchObject([{ kind: 'forbidden' }])
  await allow('platform_activity', 'update', { fields: 'comment', where: own })
  const ctx = await asEditor()
  for (const key of ['1', '3', '99'])
    expect(await failuresOf(updateActivityComment(ctx, key, 'x'))).toMatchObject([{ kind: 'item-not-found' }])
  expect(await texts()).toEqual(before)
  await updateActivityComment(ctx, '2', 'Better said')
  expect(await texts()).toEqual([null, 'Better said', 'Not mine'])
  expect(await world.run('select id from platform_activity where edited_on is not null')).toEqual([{ id: 2 }])
})

test('it is deleted by the right to its entry, and no other entry is', async () => {
  expect(await failuresOf(deleteActivityComment(await asEditor(), '2'))).toMatchObject([{ kind: 'forbidden' }])
  await allow('platform_activity', 'delete', { where: own })
  const ctx = await asEditor()
  for (const key of ['1', '3', '99', 'x'])
    expect(await failuresOf(deleteActivityComment(ctx, key))).toMatchObject([{ kind: 'item-not-found' }])
  expect(await texts()).toEqual(before)
  await deleteActivityComment(ctx, '2')
  expect(await texts()).toEqual([null, 'Not mine'])
})
