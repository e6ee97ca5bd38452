/** Rows of many-to-any, and whole lists: imported and deleted; in both themes. */
import { type Browser, chromium } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { browserOptions } from '../browser.ts'
import { type Newsroom, openNewsroom } from './newsroom.ts'
import { logIn, openPage, save, type Theme, type Visit, violations } from './pages.ts'

let server: Newsroom
let browser: Browser
beforeAll(async () => {
  server = await openNewsroom()
  await addBlocks()
  browser = await chromium.launch(browserOptions())
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const plain = (field: string, type: string) => ({ field, type, schema: {} })

const file = (text: string) => ({ name: 'tags.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })

/** Blocks of articles are authors or tags. */
async function addBlocks(): Promise<void> {
  const { api } = server
  const id = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } }
  const fields = [id, plain('article', 'integer'), plain('kind', 'string'), plain('item', 'string')]
  await api('POST /collections', { collection: 'blocks', schema: {}, meta: { hidden: true }, fields })
  await api('POST /fields/articles', {
    field: 'blocks',
    type: 'alias',
    meta: { interface: 'list-m2a', special: ['m2a'] },
  })
  await api('POST /relations', {
    collection: 'blocks',
    field: 'article',
    related_collection: 'articles',
    meta: { one_field: 'blocks', junction_field: 'item' },
  })
  await api('POST /relations', {
    collection: 'blocks',
    field: 'item',
    related_collection: null,
    meta: {
      one_collection_field: 'kind',
      one_allowed_collections: ['authors', 'languages'],
      junction_field: 'article',
    },
  })
}

describe.each(['light', 'dark'] as const)('in the %s theme', (theme: Theme) => {
  let visit: Visit
  beforeAll(async () => {
    visit = await openPage(browser, server, theme)
    await logIn(visit, 'ann@example.com')
  })
  afterEach(() => expect(visit.faults).toEqual([]))
  const article = theme === 'light' ? 1 : 2
  const tags = `GET /items/tags?fields=name&filter[name][_starts_with]=${theme}&sort=name`

  test('items of several collections are added to one field', async () => {
    const { page, go } = visit
    await go(`/content/articles/${article}`)
    await page.getByRole('combobox', { name: 'Add from Authors' }).fill('Bob')
    await page.getByRole('option', { name: 'Bob' }).click()
    await page.getByRole('combobox', { name: 'Add from Languages' }).fill('Deutsch')
    await page
      .getByRole('option', { name: /de|Deutsch/ })
      .first()
      .click()
    expect.soft(await violations(page)).toEqual([])
    await save(page)
    const fields = 'blocks.kind,blocks.item:authors.name,blocks.item:languages.name'
    const { blocks } = (await server.api(`GET /items/articles/${article}?fields=${fields}`)) as { blocks: object[] }
    expect(blocks).toEqual([
      { kind: 'authors', item: { name: 'Bob' } },
      { kind: 'languages', item: { name: 'Deutsch' } },
    ])
  })

  test('a list is imported, with a message about what is wrong in it', async () => {
    const { page, go } = visit
    await go('/content/tags')
    await page.getByRole('cell', { name: 'horses', exact: true }).waitFor()
    await page.locator('input[data-import]').setInputFiles(file(`nonsense\n${theme} a\n`))
    await page.getByText(/nonsense/).waitFor()
    expect(await server.api(tags)).toEqual([])
    await page.locator('input[data-import]').setInputFiles(file(`name\n${theme} a\n${theme} b\n${theme} c\n`))
    await page.getByRole('cell', { name: `${theme} c`, exact: true }).waitFor()
    expect(await server.api(tags)).toEqual(['a', 'b', 'c'].map((each) => ({ name: `${theme} ${each}` })))
  })

  test('several items are deleted at once', async () => {
    const { page, go } = visit
    await go('/content/tags')
    for (const name of ['a', 'b']) {
      await page
        .getByRole('row', { name: `${theme} ${name}` })
        .getByRole('checkbox')
        .check()
    }
    const bar = page.getByRole('toolbar', { name: '2 items selected' })
    expect.soft(await violations(page)).toEqual([])
    await bar.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('2 elements deleted').waitFor()
    expect(await server.api(tags)).toEqual([{ name: `${theme} c` }])
  })
})
