import { afterAll, beforeEach, expect, test } from 'vitest'
import { changesOf, failuresOf } from '../testing/test-context.ts'
import { chief, chiefRole, editor, editorRole, manager, openRightsWorld } from '../testing/test-rights.ts'
import { mentionsIn, notifyMentioned, writeComments } from './mentions.ts'

const world = await openRightsWorld()
await world.run(`insert into articles (id, title, status) values (1, 'Out', 'published'), (2, 'Not yet', 'draft')`)
beforeEach(async () => {
  await world.reset()
  await world.run('truncate platform_comments, platform_notifications')
})
afterAll(() => world.close())

async function comment(item: string, text: string) {
  const values = { collection: 'articles', item, comment: text }
  const items = [changesOf(values)]
  await writeComments(await world.as(chief, chiefRole), { kind: 'create', collection: 'platform_comments', items })
  return world.run('select recipient, sender, collection, item, message from platform_notifications order by recipient')
}

test('the ids in a text, each once', () => {
  expect(mentionsIn(`@${manager} and @${manager.toUpperCase()}, not @someone, ${editor}`)).toEqual([manager])
  expect(mentionsIn(Array.from({ length: 60 }, () => `@${crypto.randomUUID()}`).join(' '))).toHaveLength(50)
})

test('mentioned users who may read the item are notified, and no others', async () => {
  const nobody = crypto.randomUUID()
  const message = `manager@example.com Ed Itor chief@example.com @${nobody} look`
  await world.run(`update platform_users set first_name = 'Ed', last_name = 'Itor' where id = '${editor}'`)
  expect(await comment('1', `@${manager} @${editor} @${chief.toUpperCase()} @${nobody} look`)).toEqual([
    { recipient: manager, sender: chief, collection: 'articles', item: '1', message },
  ])
})

test('names that the author may not read stay ids', async () => {
  const author = await world.as(editor, editorRole)
  await notifyMentioned(author, [{ collection: 'articles', item: '1', comment: `@${manager} look` }])
  const notifications = await world.run('select sender, message from platform_notifications')
  expect(notifications).toEqual([{ sender: editor, message: `@${manager} look` }])
})

test('an item that the named one may not read is not told of', async () => {
  expect(await comment('2', `@${manager}`)).toEqual([])
})

test('inactive users are not notified', async () => {
  await world.run(`update platform_users set status = 'suspended' where id = '${manager}'`)
  expect(await comment('1', `@${manager}`)).toEqual([])
})

test('a comment that is refused tells nobody', async () => {
  const items = [changesOf({ collection: 'articles', item: '1', comment: `@${manager}`, nothing: 1 })]
  const work = writeComments(await world.as(chief, chiefRole), {
    kind: 'create',
    collection: 'platform_comments',
    items,
  })
  expect(await failuresOf(work)).toMatchObject([{ kind: 'forbidden' }])
  expect(await world.run('select 1 from platform_notifications')).toEqual([])
})
