/** A blog made in an empty project by /admin alone: its model, the rights of editors, and a post by one of them. */
import { chromium } from 'playwright-core'
import { afterAll, afterEach, expect, test } from 'vitest'
import { browserOptions } from '../browser.ts'
import { openOwnDatabase } from '../own-database.ts'
import { password } from './newsroom.ts'
import { choose, openPage, save, type Visit, violations } from './pages.ts'

const server = await openOwnDatabase('select 1', { HASH_MEMORY_COST: '8', HASH_PARALLELISM: '1' })
const browser = await chromium.launch(browserOptions())
const [chief] = await server.rows('select id from platform_roles where name = $1', ['Administrator'])
await server.ask('POST /users', { body: { email: 'ann@example.com', password, role: chief?.['id'] } })
const visit = await openPage({ browser, url: server.url }, 'light', 'ann@example.com')
const { page, go } = visit
let eve: Visit | undefined
afterAll(async () => {
  await browser.close()
  await server.close()
})
afterEach(() => expect([...visit.faults, ...(eve?.faults ?? [])]).toEqual([]))

const data = async (request: string): Promise<unknown> => ((await server.ask(request)).body as { data: unknown }).data

const dialog = page.getByRole('dialog')

async function addField(collection: string, name: string, fill: () => Promise<void>): Promise<void> {
  await go(`/model/${collection}`)
  await page.getByRole('button', { name: 'New field' }).click()
  await dialog.getByLabel('Name').fill(name)
  await fill()
  expect.soft(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('rowheader', { name, exact: true }).waitFor()
}

async function relate(name: string, fill: () => Promise<void>): Promise<void> {
  await go('/model/posts')
  await page.getByRole('button', { name: 'New relation' }).click()
  await fill()
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('rowheader', { name, exact: true }).waitFor()
}

test('an empty project leads to its first collection', async () => {
  await page.getByRole('link', { name: 'Create the first collection' }).click()
  await page.getByText('There are no collections yet.', { exact: true }).waitFor()
  for (const name of ['authors', 'posts']) {
    await go('/model')
    await page.getByRole('button', { name: 'New collection' }).click()
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('rowheader', { name: 'id', exact: true }).waitFor()
  }
})

test('a field has a default, which can be changed and taken away', async () => {
  await addField('authors', 'name', async () => {})
  await addField('posts', 'title', async () => {})
  await addField('posts', 'status', async () => {
    await choose(page, 'Interface', 'select-dropdown')
    await dialog.getByLabel('Choices').fill('draft\npublished')
    await dialog.getByLabel('Default value').fill('draft')
  })
  expect(await data('GET /fields/posts/status')).toMatchObject({ schema: { default_value: 'draft' } })
  await addField('posts', 'pinned', async () => {
    await choose(page, 'Type', 'boolean')
    await choose(page, 'Default value', 'No')
  })
  expect(await data('GET /fields/posts/pinned')).toMatchObject({ schema: { default_value: false } })
  await page.getByRole('button', { name: 'Change Pinned', exact: true }).click()
  await choose(page, 'Default value', 'None')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await data('GET /fields/posts/pinned')).toMatchObject({ schema: { default_value: null } })
})

test('the server fills in a time, and who wrote the item', async () => {
  await addField('posts', 'changed', async () => {
    await choose(page, 'Type', 'timestamp')
    await choose(page, 'Filled in by the server', 'When the item was last changed')
  })
  expect(await data('GET /fields/posts/changed')).toMatchObject({ meta: { special: ['date-updated'] } })
  await relate('writer', async () => {
    await dialog.getByRole('combobox', { name: 'Related collection' }).click()
    expect((await page.getByRole('option').allTextContents()).slice(0, 2)).toEqual(['authors', 'posts'])
    await page.getByRole('option', { name: 'Users (platform_users)' }).click()
  })
  await page.getByRole('button', { name: 'Change Writer', exact: true }).click()
  await choose(page, 'Filled in by the server', 'Who created the item')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await data('GET /fields/posts/writer')).toMatchObject({ meta: { special: ['user-created'] } })
})

test('translations have their fields in the order of the choice, and lead to the first language', async () => {
  await relate('author', () => choose(page, 'Related collection', 'authors'))
  await relate('translations', async () => {
    await choose(page, 'Kind', 'Translations')
    for (const text of ['title', 'body']) {
      await dialog.getByRole('combobox', { name: 'Translated fields' }).fill(text)
      await page.keyboard.press('Enter')
    }
  })
  await go('/content/posts/create')
  await page.getByRole('link', { name: 'Add a language' }).click()
  await page.getByLabel('Code').fill('en')
  await save(page)
  await go('/content/posts/create')
  await page.getByLabel('Title (en)').waitFor()
  const labels = await page.getByRole('group', { name: 'Translations' }).locator('label').allTextContents()
  expect(labels).toEqual(['Translations', 'Language', 'Title (en)', 'Body (en)'])
})

test('a new policy opens its permissions, which say what may stand for the user', async () => {
  await go('/system/policies/create')
  await page.getByLabel('Name').fill('Editors')
  await page.getByRole('switch', { name: 'App access' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'None, Create: Posts', exact: true }).click()
  await choose(page, 'Access', 'All items, all fields')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'None, Update: Posts', exact: true }).click()
  await choose(page, 'Access', 'Some items or fields')
  await dialog.getByText('A value may be $CURRENT_USER').waitFor()
  await dialog.getByText('Such as {"owner": "$CURRENT_USER"}').waitFor()
  await dialog.getByRole('button', { name: 'Add a rule' }).first().click()
  await dialog.getByRole('combobox', { name: 'Field', exact: true }).fill('writer')
  await page.getByRole('option', { name: 'Writer', exact: true }).click()
  await dialog.getByLabel('Value', { exact: true }).fill('$CURRENT_USER')
  expect.soft(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Some, Update: Posts', exact: true }).waitFor()
})

test('an editor writes a post; the list shows its author at once, and the history says what it needs', async () => {
  const [{ id: policy }] = (await data('GET /policies?filter[name][_eq]=Editors')) as [{ id: string }]
  const reads = ['posts', 'authors', 'platform_files'].map((collection) => ({ policy, collection, action: 'read' }))
  await server.ask('POST /permissions', { body: reads.map((each) => ({ ...each, fields: ['*'] })) })
  const role = { name: 'Editor', policies: [{ policy }] }
  await server.ask('POST /users', { body: { email: 'eve@example.com', password, role } })
  await server.ask('POST /items/authors', { body: { name: 'Max' } })
  eve = await openPage({ browser, url: server.url }, 'light', 'eve@example.com')
  await eve.go('/content/posts/create')
  await eve.page.getByRole('textbox', { name: 'Title' }).fill('Hay')
  await choose(eve.page, 'Author', 'Max')
  await save(eve.page)
  await eve.page.getByRole('link', { name: 'Hay' }).click()
  await eve.page.getByRole('textbox', { name: 'Title' }).fill('Straw')
  await save(eve.page)
  await eve.page.getByRole('row', { name: /Straw/ }).getByText('Max', { exact: true }).waitFor()
  await eve.page.getByRole('link', { name: 'Straw' }).click()
  await eve.page.getByRole('button', { name: 'History' }).click()
  await eve.page.getByText('You may not read the history').waitFor()
  expect(await data('GET /items/posts?fields=title,status,author,writer.email')).toEqual([
    { title: 'Straw', status: 'draft', author: 1, writer: { email: 'eve@example.com' } },
  ])
  await eve.go('/files')
  await eve.page.getByRole('button', { name: 'Upload files' }).waitFor()
  expect(await eve.page.getByRole('button', { name: 'New folder' }).count()).toBe(0)
})
