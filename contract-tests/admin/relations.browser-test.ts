/** Relations of several collections and translations: made in one step, used in forms, and deleted with their tables. */
import { afterAll, afterEach, expect, test } from 'vitest'
import { openNewsroom } from './newsroom.ts'
import { choose, openPage, save, violations } from './pages.ts'

const server = await openNewsroom()
const visit = await openPage(server, 'light', 'ann@example.com')
afterAll(() => server.close())
afterEach(() => expect(visit.faults).toEqual([]))

/** Opens the dialog of a new relation of a kind. */
async function relate(collection: string, kind: string) {
  await visit.go(`/model/${collection}`)
  await visit.page.getByRole('button', { name: 'New relation' }).click()
  await choose(visit.page, 'Kind', kind)
  return visit.page.getByRole('dialog', { name: 'New relation' })
}

async function pick(label: string, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await visit.page.getByRole('combobox', { name: label }).fill(name)
    await visit.page.getByRole('option', { name, exact: true }).click()
  }
}

async function create(field: string): Promise<void> {
  await visit.page.getByRole('button', { name: 'Create', exact: true }).click()
  await visit.page.getByRole('rowheader', { name: field, exact: true }).waitFor()
}

const translations = () =>
  server.api(
    'GET /items/articles_translations?fields=languages_code,title,body&filter[articles_id]=2&sort=languages_code',
  )

test('a field of items of several collections is made, and its form takes one of each', async () => {
  const { page, go } = visit
  const dialog = await relate('articles', 'To items of several collections')
  await page.getByRole('button', { name: 'Create', exact: true, disabled: true }).waitFor()
  await pick('Allowed collections', 'authors', 'tags')
  await page.keyboard.press('Escape')
  await dialog.getByLabel('Name').fill('blocks')
  await dialog.getByText(/^Makes the hidden table articles_blocks, /).waitFor()
  expect.soft(await violations(page)).toEqual([])
  await create('blocks')
  expect(await server.api('GET /relations/articles_blocks/item')).toMatchObject({
    related_collection: null,
    meta: {
      one_allowed_collections: ['authors', 'tags'],
      one_collection_field: 'collection',
      junction_field: 'articles_id',
    },
  })
  expect(await server.api('GET /relations/articles_blocks/articles_id')).toMatchObject({
    related_collection: 'articles',
    meta: { one_field: 'blocks', junction_field: 'item', sort_field: 'sort' },
  })
  expect(await server.api('GET /fields/articles/blocks')).toMatchObject({
    type: 'alias',
    meta: { interface: 'list-m2a', special: ['m2a'] },
  })
  await go('/content/articles/1')
  const blocks = page.getByRole('group', { name: 'Blocks', exact: true })
  await blocks.getByRole('button', { name: 'New: Authors' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Dora')
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  await blocks.getByRole('combobox', { name: 'Add from Tags' }).fill('gear')
  await page.getByRole('option', { name: 'gear' }).click()
  await save(page)
  const fields = 'blocks.collection,blocks.sort,blocks.item:authors.name,blocks.item:tags.name'
  expect(await server.api(`GET /items/articles/1?fields=${fields}`)).toEqual({
    blocks: [
      { collection: 'authors', sort: 1, item: { name: 'Dora' } },
      { collection: 'tags', sort: 2, item: { name: 'gear' } },
    ],
  })
})

test('translations are made in one step, with the collection of languages where there is none', async () => {
  const { page, go } = visit
  await server.api('DELETE /collections', ['articles_translations', 'languages'])
  const dialog = await relate('articles', 'Translations')
  expect(await dialog.getByLabel('Name').inputValue()).toBe('translations')
  await dialog.getByText('A new collection "languages"').waitFor()
  await dialog.getByText(/Makes the collection of the languages/).waitFor()
  await pick('Translated fields', 'title', 'body')
  await page.keyboard.press('Escape')
  expect.soft(await violations(page)).toEqual([])
  await create('translations')
  expect(await server.api('GET /fields/articles_translations/title')).toMatchObject({
    type: 'string',
    schema: { max_length: 120 },
  })
  await server.api('POST /items/languages', [
    { code: 'de', name: 'Deutsch' },
    { code: 'en', name: 'English' },
  ])
  await go('/content/articles/2')
  await page.getByLabel('Title (de)').fill('Ein Sattel')
  expect.soft(await violations(page)).toEqual([])
  await save(page)
  const fields = 'translations.languages_code.name,translations.title,translations.body'
  expect(await server.api(`GET /items/articles/2?fields=${fields}`)).toEqual({
    translations: [{ languages_code: { name: 'Deutsch' }, title: 'Ein Sattel', body: null }],
  })
})

test('translations in Markdown and HTML have the inputs of such texts, in each language', async () => {
  const { page, go } = visit
  await go('/content/articles/2')
  await page.getByLabel('Title (de)').and(page.locator('[value="Ein Sattel"]')).waitFor()
  await page.getByLabel('Body (de)').fill('Leder')
  await page.getByLabel('Body (de)').selectText()
  const german = page.locator('[lang=de]').filter({ has: page.getByLabel('Body (de)') })
  await german.getByRole('button', { name: 'Bold' }).click()
  await save(page)
  expect(await translations()).toEqual([{ languages_code: 'de', title: 'Ein Sattel', body: '**Leder**' }])
  await server.api('PATCH /fields/articles_translations/body', { meta: { interface: 'input-rich-text-html' } })
  await go('/content/articles/2')
  await page.reload()
  await page.getByRole('textbox', { name: 'Body (en)' }).pressSequentially('A saddle')
  expect.soft(await violations(page)).toEqual([])
  await page.getByRole('textbox', { name: 'Body (de)' }).getByText('**Leder**').waitFor()
  await save(page)
  expect(await translations()).toEqual([
    { languages_code: 'de', title: 'Ein Sattel', body: '**Leder**' },
    { languages_code: 'en', title: null, body: '<p>A saddle</p>' },
  ])
})

test('what is written before the stored translations are read goes into them', async () => {
  const { page, go } = visit
  const written = Promise.withResolvers<void>()
  await page.route(/\/items\/articles_translations/, async (route) => {
    await written.promise
    await route.continue()
  })
  await go('/content/articles/2')
  await page.reload()
  await page.getByLabel('Title (de)').fill('Ein Ledersattel')
  written.resolve()
  await page.getByRole('textbox', { name: 'Body (de)' }).getByText('**Leder**').waitFor()
  expect(await page.getByLabel('Title (de)').inputValue()).toBe('Ein Ledersattel')
  await page.unrouteAll({ behavior: 'wait' })
  await save(page)
  expect(await translations()).toMatchObject([
    { title: 'Ein Ledersattel', body: '**Leder**' },
    { body: '<p>A saddle</p>' },
  ])
})

test('a field is deleted without its junction collection, or with it and the other side', async () => {
  const { page, go } = visit
  await go('/model/articles')
  await page.getByRole('button', { name: 'Delete Blocks' }).click()
  await page.getByText('The collection articles_blocks stays, with its items.').waitFor()
  await page.getByText('Delete field "articles.blocks" (alias)').waitFor()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('rowheader', { name: 'blocks', exact: true }).waitFor({ state: 'detached' })
  expect(await server.api('GET /items/articles_blocks?fields=collection&sort=sort')).toEqual([
    { collection: 'authors' },
    { collection: 'tags' },
  ])
  await page.getByRole('button', { name: 'Delete Tags' }).click()
  await page.getByRole('checkbox', { name: 'Delete the junction collection too: articles_tags' }).check()
  await page.getByText('2 items are deleted.').waitFor()
  await page.getByText('Delete collection "articles_tags" and all of its items').waitFor()
  await page.getByText('Delete field "articles.tags" (alias)').waitFor()
  expect.soft(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('rowheader', { name: 'tags', exact: true }).waitFor({ state: 'detached' })
  expect((await server.ask('GET /collections/articles_tags')).status).toBe(403)
  expect(await server.api('GET /items/tags?aggregate[count]=*')).toEqual([{ count: '3' }])
})

test('a collection is deleted with the junction collections of its fields', async () => {
  const { page, go } = visit
  await go('/model/articles')
  await page.getByRole('button', { name: 'Delete this collection' }).click()
  await page.getByText('The collection articles_translations stays, with its items.').waitFor()
  await page.getByRole('checkbox', { name: /^Delete the junction collection too: / }).check()
  await page.getByText('articles: 4 items are deleted.').waitFor()
  await page.getByText('articles_translations: 2 items are deleted.').waitFor()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect.poll(async () => (await server.ask('GET /collections/articles')).status).toBe(403)
  expect((await server.ask('GET /collections/articles_translations')).status).toBe(403)
  expect(await server.api('GET /items/languages?fields=code')).toEqual([{ code: 'de' }, { code: 'en' }])
})
