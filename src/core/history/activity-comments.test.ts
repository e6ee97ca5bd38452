import { afterAll, beforeEach, expect, test } from 'vitest'
import { untilSecondFactor } from '../../authz/app-rules.ts'
import { failuresOf } from '../testing/test-context.ts'
import { chief, chiefRole, editor, editorPolicy, editorRole, manager, openRightsWorld } from '../testing/test-rights.ts'
import { createActivityComment, deleteActivityComment, updateActivityComment } from './activity-comments.ts'

const world = await openRightsWorld()
await world.run(`insert into articles (id, title, status) values (1, 'Out', 'published')`)
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
const ofManager = JSON.stringify({ user: { _eq: manager } })

test('a comment is an entry of whoever wrote it, and tells whom it names', async () => {
  const comment = `@${manager} look`
  const keys = await createActivityComment(await asChief(), { collection: 'articles', item: '1', comment })
  expect(keys).toEqual([4])
  expect(
    await world.run('select action, "user", ip, collection, item, comment from platform_activity where id = 4'),
  ).toEqual([{ action: 'comment', user: chief, ip: '192.0.2.1', collection: 'articles', item: '1', comment }])
  expect(await world.run('select recipient, sender, message from platform_notifications')).toEqual([
    { recipient: manager, sender: chief, message: 'manager@example.com look' },
  ])
})

test('an empty comment is refused, when it is created and when it is changed', async () => {
  for (const comment of ['', ' \n']) {
    const written = createActivityComment(await asChief(), { collection: 'articles', item: '1', comment })
    expect(await failuresOf(written)).toMatchObject([{ kind: 'invalid-payload', name: 'comment' }])
    const changed = updateActivityComment(await asChief(), 2, comment)
    expect(await failuresOf(changed)).toMatchObject([{ kind: 'invalid-payload', name: 'comment' }])
  }
  expect(await texts()).toEqual(before)
})

test('comments need the right to create them', async () => {
  await allow('platform_activity', 'create', {})
  expect(await failuresOf(write())).toMatchObject([{ kind: 'forbidden' }])
  await allow('platform_comments', 'create', { fields: 'collection,item' })
  expect(await failuresOf(write())).toMatchObject([{ kind: 'forbidden' }])
  expect(await texts()).toEqual(before)
  expect(await world.run('select 1 from platform_notifications')).toEqual([])
  await allow('platform_comments', 'create', { fields: 'comment' })
  expect(await failuresOf(write())).toMatchObject([{ kind: 'item-not-found' }])
  await allow('articles', 'read', {})
  expect(await write()).toHaveLength(1)
})

test('nothing is said of an item that its author does not see, there or not', async () => {
  await allow('platform_comments', 'create', {})
  await allow('articles', 'read', { where: JSON.stringify({ status: { _eq: 'draft' } }) })
  const ctx = await asEditor()
  const failures = (collection: string, item: string) =>
    failuresOf(createActivityComment(ctx, { collection, item, comment: 'Hm' }))
  const unseen = await failures('articles', '1')
  expect(unseen).toMatchObject([{ kind: 'item-not-found', collection: 'articles' }])
  for (const item of ['99', 'x']) expect(await failures('articles', item)).toEqual(unseen)
  expect(await texts()).toEqual(before)
})

test('its author changes its text without a right to the log, and no other entry is changed', async () => {
  const ctx = await asEditor()
  for (const key of ['1', '3', '99'])
    expect(await failuresOf(updateActivityComment(ctx, key, 'x'))).toMatchObject([{ kind: 'forbidden' }])
  await updateActivityComment(ctx, '2', 'Better said')
  expect(await texts()).toEqual([null, 'Better said', 'Not mine'])
  expect(await world.run('select id from platform_activity where edited_on is not null')).toEqual([{ id: 2 }])
})

test('others change it by the right to its entry', async () => {
  await allow('platform_activity', 'update', { fields: 'comment', where: ofManager })
  const ctx = await asEditor()
  for (const key of ['1', '99'])
    expect(await failuresOf(updateActivityComment(ctx, key, 'x'))).toMatchObject([{ kind: 'item-not-found' }])
  await updateActivityComment(ctx, '3', 'Better said')
  expect(await texts()).toEqual([null, 'Mine', 'Better said'])
})

test('its author deletes it without a right to the log, and no other entry is deleted', async () => {
  const ctx = await asEditor()
  for (const key of ['1', '3', '99', 'x'])
    expect(await failuresOf(deleteActivityComment(ctx, key))).toMatchObject([{ kind: 'forbidden' }])
  const { actor } = ctx
  if (actor.kind !== 'user') throw new Error('Expected a user')
  const waiting = { ...ctx, actor: { ...actor, access: untilSecondFactor(actor.access, ctx.schema) } }
  expect(await failuresOf(deleteActivityComment(waiting, '2'))).toMatchObject([{ kind: 'forbidden' }])
  await deleteActivityComment(ctx, '2')
  expect(await texts()).toEqual([null, 'Not mine'])
})

test('others delete it by the right to its entry', async () => {
  await allow('platform_activity', 'delete', { where: ofManager })
  const ctx = await asEditor()
  for (const key of ['1', '99'])
    expect(await failuresOf(deleteActivityComment(ctx, key))).toMatchObject([{ kind: 'item-not-found' }])
  await deleteActivityComment(ctx, '3')
  expect(await texts()).toEqual([null, 'Mine'])
})
