/** Lists as cards and boards, what others do meanwhile, keys, and the pages as another user has them; in both themes. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openNewsroom, password } from './newsroom.ts'
import { choose, logIn, openPage, type Theme, themes, type Visit, violations } from './pages.ts'

/** Pages need their time on a busy machine. */
const slow = { timeout: 30_000 }

const server = await openNewsroom({ WEBSOCKETS_ENABLED: 'true' })
await addReader()
afterAll(() => server.close())

/** Rita reads titles and statuses of published articles, and changes titles of her own. */
async function addReader(): Promise<void> {
  const on = { collection: 'articles', fields: ['title', 'status'] }
  const permissions = [
    { ...on, action: 'read', permissions: { status: { _eq: 'published' } } },
    { collection: 'platform_presets', action: 'read', fields: ['*'] },
  ]
  const policy = { name: 'Readers', app_access: true, permissions }
  const role = (await server.api('POST /roles', { name: 'Reader', policies: [{ policy }] })) as { id: string }
  await server.api('POST /users', { email: 'rita@example.com', password, role: role.id })
}

describe.each(themes)('in the %s theme', (theme: Theme) => {
  let visit: Visit
  let id: number
  const title = `Story in ${theme}`
  beforeAll(async () => {
    visit = await openPage(server, theme, 'ed@example.com')
  })
  beforeEach(async () => {
    await server.rows('delete from articles where title like $1', [`${title}%`])
    const made = (await server.api('POST /items/articles', { title, status: 'draft', views: 5 })) as { id: number }
    id = made.id
    await visit.go('/content/articles')
  })
  afterEach(() => expect(visit.faults).toEqual([]))

  test('columns change places and widths by keys, and a saved list keeps them and its layout', async () => {
    const { page } = visit
    await page.getByRole('link', { name: title }).waitFor()
    const headers = () => page.getByRole('columnheader').allTextContents()
    const [, first = '', second = ''] = await headers()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: second, exact: true }).press('Alt+ArrowUp')
    await page.keyboard.press('Escape')
    await expect.poll(async () => (await headers()).slice(1, 3), slow).toEqual([second, first])
    const edge = page.getByRole('separator', { name: `Width of ${second}`, exact: true })
    const wide = async () => (await page.getByRole('columnheader', { name: second, exact: true }).boundingBox())?.width
    await edge.press('ArrowRight')
    const width = (await wide()) ?? 0
    await edge.press('ArrowRight')
    await expect.poll(wide, slow).toBe(width + 16)
    expect.soft(await violations(page)).toEqual([])
    await choose(page, 'Layout', 'Cards')
    await page.getByRole('listitem').filter({ hasText: title }).waitFor()
    expect.soft(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Saved lists' }).click()
    await page.getByRole('menuitem', { name: 'Save or remove lists…' }).click()
    await page.getByLabel('Name').fill(`Cards ${theme}`)
    await page.getByRole('button', { name: 'Save this list' }).click()
    await page.getByText('The list was saved.').waitFor()
    const query = `fields=layout,layout_options&filter[bookmark][_eq]=Cards%20${theme}`
    const [stored] = (await server.api(`GET /presets?${query}`)) as object[]
    const [, name = ''] =
      (await page.evaluate(() => localStorage.getItem('RaStore.widths.articles')))?.match(/"(\w+)":/) ?? []
    expect(stored).toMatchObject({ layout: 'cards', layout_options: { tabular: { widths: { [name]: width + 16 } } } })
    await choose(page, 'Layout', 'Table')
    await edge.press('Home')
    await expect.poll(wide, slow).not.toBe(width + 16)
    await page.getByRole('button', { name: 'Saved lists' }).click()
    await page.getByRole('menuitem', { name: `Cards ${theme}` }).click()
    await page.getByRole('listitem').filter({ hasText: title }).waitFor()
    await choose(page, 'Layout', 'Table')
    await expect.poll(wide, slow).toBe(width + 16)
    await edge.press('Home')
  })

  test('a calendar has the items of a month on their days, with the filter of the list', async () => {
    const { page } = visit
    const now = new Date()
    const day = `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}-15`
    await server.api(`PATCH /items/articles/${id}`, { day })
    await server.api('POST /items/articles', { title: `${title} archived`, status: 'archived', day })
    await choose(page, 'Layout', 'Calendar')
    await choose(page, 'Days by', 'Day')
    const cell = page.getByRole('cell').filter({ has: page.locator(`time[datetime="${day}"]`) })
    await cell.getByRole('link', { name: title, exact: true }).waitFor()
    expect(await page.getByRole('table').getByRole('link').allTextContents()).toEqual([title])
    expect.soft(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Next month' }).click()
    await cell.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Today' }).click()
    await page.getByPlaceholder('Search').fill('nothing like it')
    await expect.poll(() => page.getByRole('table').getByRole('link').count(), slow).toBe(0)
    await page.getByPlaceholder('Search').fill(title)
    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByRole('heading', { level: 3, name: '15' }).waitFor()
    expect.soft(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 900 })
    await cell.getByRole('link', { name: title }).click()
    await page.getByLabel('Title').waitFor()
    await visit.go('/content/articles?filter=%7B%7D')
    await choose(page, 'Layout', 'Table')
  })

  test('cards move on a board by a choice, and by dragging', async () => {
    const { page } = visit
    await choose(page, 'Layout', 'Board')
    const column = (name: string) => page.getByRole('region', { name, exact: true })
    await column('Draft').getByText(title).waitFor()
    expect.soft(await violations(page)).toEqual([])
    await choose(page, `Status of ${title}`, 'Published')
    await column('Published').getByText(title).waitFor()
    expect(await server.api(`GET /items/articles/${id}?fields=status`)).toEqual({ status: 'published' })
    await column('Published').getByText(title).dragTo(column('Draft').getByRole('heading'))
    await column('Draft').getByText(title).waitFor()
    expect(await server.api(`GET /items/articles/${id}?fields=status`)).toEqual({ status: 'draft' })
    await choose(page, 'Layout', 'Table')
  })

  test('a list counts what others add, and marks what they change', async () => {
    const { page } = visit
    const row = (...texts: readonly string[]) =>
      texts.reduce((rows, hasText) => rows.filter({ hasText }), page.getByRole('row'))
    await row(title).waitFor()
    await page.waitForTimeout(500)
    for (const more of ['two', 'three']) await server.api('POST /items/articles', { title: `${title} ${more}` })
    await server.api(`PATCH /items/articles/${id}`, { title: `${title} anew` })
    await row(`${title} anew`, 'changed').waitFor()
    expect.soft(await violations(page)).toEqual([])
    await page.getByRole('button', { name: '2 new items. Show them' }).click()
    await row(`${title} three`, 'changed').waitFor()
  })

  test('a form tells that somebody else has saved, or deleted, the item', async () => {
    const { page, go } = visit
    await go(`/content/articles/${id}`)
    await page.getByLabel('Body').waitFor()
    await page.waitForTimeout(500)
    await server.api(`PATCH /items/articles/${id}`, { body: 'Theirs' })
    await page.getByText('Somebody else has just saved this item.').waitFor()
    expect.soft(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Show their changes' }).click()
    await expect.poll(() => page.getByLabel('Body').inputValue(), slow).toBe('Theirs')
    await page.getByLabel('Views').fill('8')
    await server.api(`PATCH /items/articles/${id}`, { body: 'Theirs again' })
    await page.getByText('When you save, you see both and choose.').waitFor()
    expect(await page.getByLabel('Views').inputValue()).toBe('8')
    page.once('dialog', (question) => void question.accept())
    await server.api(`DELETE /items/articles/${id}`)
    await page.getByText('Somebody else has just deleted this item.').waitFor()
  })

  test('a key shows all keys, and another one goes to the search', async () => {
    const { page } = visit
    await page.getByRole('row').filter({ hasText: title }).waitFor()
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard' })
    await dialog.getByText('Save the form').waitFor()
    expect.soft(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    await page.keyboard.type('a?b')
    expect(await page.getByPlaceholder('Search').inputValue()).toBe('a?b')
    expect(await dialog.count()).toBe(0)
  })

  test('an administrator sees the pages as a reader, and changes nothing', async () => {
    const chief = await openPage(server, theme)
    const { page, go } = chief
    await logIn(chief, 'ann@example.com')
    await go('/explain')
    await page.getByRole('combobox', { name: 'Who' }).fill('rita')
    await page.getByRole('option', { name: 'rita@example.com' }).click()
    await page.getByRole('combobox', { name: 'Collection' }).fill('articles')
    await page.getByRole('option', { name: 'articles', exact: true }).click()
    await page.getByRole('button', { name: 'Explain', exact: true }).click()
    await page.getByRole('button', { name: 'See the application as this user' }).click()
    await page.getByText('You see the application as rita@example.com does.').waitFor()
    expect(await page.getByRole('list', { name: 'Content' }).getByRole('link').allTextContents()).toEqual(['Articles'])
    await page.getByRole('list', { name: 'Content' }).getByRole('link').click()
    await page.getByRole('link', { name: 'Riding in two' }).waitFor()
    expect.soft(await violations(page)).toEqual([])
    expect(await page.getByRole('columnheader').allTextContents()).toEqual(['', 'Title', 'Status'])
    expect(await page.getByRole('row').count()).toBe(2)
    expect(await page.getByRole('link', { name: 'Create' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Saved lists' }).click()
    await page.getByRole('menuitem', { name: 'Save or remove lists…' }).click()
    await page.getByLabel('Name').fill(`Seen in ${theme}`)
    await page.getByRole('button', { name: 'Save this list' }).click()
    await page.getByText('You see the application as somebody else. Nothing is saved.').waitFor()
    expect(await server.api(`GET /presets?filter[bookmark][_eq]=Seen%20in%20${theme}`)).toEqual([])
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('link', { name: 'Riding in two' }).click()
    await expect.poll(() => page.getByLabel('Title').isDisabled(), slow).toBe(true)
    expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'End' }).click()
    await page.getByRole('list', { name: 'Content' }).getByRole('link', { name: 'Authors' }).waitFor()
    expect(chief.faults).toEqual([])
    await page.context().close()
  })

  test('a reader sees the list also where its order is by a field that readers may not see', async () => {
    const reader = await openPage(server, theme, 'rita@example.com')
    await reader.go('/content/articles')
    await reader.page.getByRole('row', { name: /Riding in two/ }).waitFor()
    expect(await reader.page.getByRole('alert').count()).toBe(0)
    expect(reader.faults).toEqual([])
    await reader.page.context().close()
  })
})
