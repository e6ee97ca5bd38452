/** What an editor does in a day, in both themes; each task is looked up in the API afterwards. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openNewsroom } from './newsroom.ts'
import { choose, logIn, openPage, save, type Theme, themes, type Visit, violations } from './pages.ts'

const server = await openNewsroom()
afterAll(() => server.close())

describe.each(themes)('in the %s theme an editor', (theme: Theme) => {
  let visit: Visit
  beforeAll(async () => {
    visit = await openPage(server, theme)
  })
  afterEach(() => expect(visit.faults).toEqual([]))
  /** Each theme has a title of its own, so that the tasks of both are told apart. */
  const title = `News in ${theme}`
  const find = async (fields: string): Promise<{ readonly [field: string]: unknown }> => {
    const query = `fields=${fields}&filter[title][_eq]=${encodeURIComponent(title)}&sort=-id&limit=1`
    const [found] = (await server.api(`GET /items/articles?${query}`)) as { [field: string]: unknown }[]
    return found ?? {}
  }
  const key = async (): Promise<number> => {
    const { id } = await find('id')
    if (typeof id !== 'number') throw new Error(`There is no article "${title}"`)
    return id
  }

  test('logs in, and sees only what editors may', async () => {
    const { page, go } = visit
    await go('/')
    await page.getByLabel('E-mail address').fill('ed@example.com')
    await page.getByLabel('Password').fill('wrong')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByText('Address or password is wrong.').waitFor()
    expect.soft(await violations(page)).toEqual([])
    await logIn(visit, 'ed@example.com')
    const names = await page.getByRole('navigation').getByRole('link').allTextContents()
    expect(names.slice(0, 6)).toEqual(['Home', 'About', 'Articles', 'Authors', 'Languages', 'Tags'])
    expect(names).not.toContain('Data model')
    expect.soft(await violations(page)).toEqual([])
  })

  test('writes an article with an author, a date, words and colours', async () => {
    const { page } = visit
    await page.getByRole('navigation').getByRole('link', { name: 'Articles' }).click()
    await page.getByRole('link', { name: 'Riding in two' }).waitFor()
    expect.soft(await violations(page)).toEqual([])
    await page.getByRole('link', { name: 'Create' }).click()
    // A checkbox of the list, which is there until the form is, has the word in its name, too.
    await page.getByRole('textbox', { name: 'Title' }).fill(title)
    await page.getByLabel('Internal note').fill('Shown for drafts only')
    await choose(page, 'Status', 'Published')
    await expect.poll(() => page.getByLabel('Internal note').count()).toBe(0)
    await choose(page, 'Section', 'Travel')
    await page.getByRole('combobox', { name: 'Author' }).fill('Bo')
    await page.getByRole('option', { name: 'Bob' }).click()
    await page.getByRole('combobox', { name: 'Keywords' }).fill('sea')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Color', exact: true }).fill('#4A3AFF')
    await page.locator('input[name=published]').fill('2026-05-02T08:30:00')
    await page.getByLabel('Settings').fill('{"layout": "wide"}')
    await page.getByLabel('Views').fill('99999999999')
    // The text stays as it is: lines that come when it is left would move what is clicked.
    expect(await page.getByLabel('Settings').inputValue()).toBe('{"layout": "wide"}')
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
    await page.getByRole('alert').getByText('Views').waitFor()
    await expect.poll(() => page.getByLabel('Views').evaluate((input) => input === document.activeElement)).toBe(true)
    await page.getByLabel('Views').fill('0')
    expect.soft(await violations(page)).toEqual([])
    await save(page)
    const zone = await page.evaluate(() => new Date('2026-05-02T08:30:00').toISOString())
    expect(await find('title,status,section,author.name,keywords,color,published,settings,views')).toEqual({
      title,
      status: 'published',
      section: 'travel',
      author: { name: 'Bob' },
      keywords: ['sea'],
      color: '#4A3AFF',
      published: zone,
      settings: { layout: 'wide' },
      views: 0,
    })
  })

  test('is told at the field what is wrong', async () => {
    const { page, go } = visit
    await go('/content/articles/create')
    await page.getByLabel('Body').fill('No title<script>x</script>')
    await page.getByLabel('Body').selectText()
    await page.getByRole('button', { name: 'Heading' }).click()
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('heading', { name: 'No title', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Write' }).click()
    expect(await page.getByLabel('Body').inputValue()).toBe('## No title<script>x</script>')
    await page.getByLabel('Settings').fill('{"layout":')
    await page.getByText('This is not valid JSON.').waitFor()
    const button = page.getByRole('button', { name: 'Save', exact: true })
    await page.evaluate(() => window.scrollTo(0, 0))
    expect((await button.boundingBox())?.y).toBeLessThan(900)
    await button.click()
    await page.getByText('Required').waitFor()
    expect(await page.getByLabel('Title').getAttribute('aria-invalid')).toBe('true')
    expect.soft(await violations(page)).toEqual([])
  })

  test('adds tags, moves and edits comments of readers, and translates', async () => {
    const { page, go } = visit
    await go(`/content/articles/${await key()}`)
    await page.getByRole('combobox', { name: 'Add from Tags' }).click()
    await page.getByRole('option', { name: 'gear' }).click()
    await page.getByRole('button', { name: 'New: Tags' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill(`${theme} tag`)
    expect.soft(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Done' }).click()
    for (const text of ['First', 'Second']) {
      await page.getByRole('button', { name: 'New: Comments of readers' }).click()
      await page.getByRole('dialog').getByLabel('Text').fill(text)
      await page.getByRole('button', { name: 'Done' }).click()
    }
    await page.getByRole('button', { name: 'Move Second up' }).click()
    const row = (text: string) => page.getByRole('listitem').filter({ hasText: text })
    await row('First').dragTo(row('Second'))
    await page.getByRole('button', { name: 'Move Second up' }).click()
    await page.getByLabel('Headline (de)').fill('Neues')
    await page.getByLabel('Headline (en)').fill('News')
    await save(page)
    const related = await find(
      'tags.tag.name,reader_comments.text,reader_comments.sort,translations.language,translations.headline',
    )
    expect({
      ...related,
      reader_comments: byText(related['reader_comments'], 'text'),
      translations: byText(related['translations'], 'language'),
    }).toEqual({
      tags: [{ tag: { name: 'gear' } }, { tag: { name: `${theme} tag` } }],
      reader_comments: [
        { text: 'First', sort: 2 },
        { text: 'Second', sort: 1 },
      ],
      translations: [
        { language: 'de', headline: 'Neues' },
        { language: 'en', headline: 'News' },
      ],
    })
  })

  test('uploads a cover', async () => {
    const { page, go } = visit
    await go(`/content/articles/${await key()}`)
    const picture = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const cover = page.getByRole('group', { name: 'Cover' })
    await cover
      .locator('input[type=file]')
      .setInputFiles({ name: `${theme}.png`, mimeType: 'image/png', buffer: picture })
    await cover.getByRole('button', { name: /^Take away/ }).waitFor()
    await save(page)
    expect(await find('cover.filename_download,cover.type')).toEqual({
      cover: { filename_download: `${theme}.png`, type: 'image/png' },
    })
  })

  test('may not write the price, and is asked before leaving unsaved changes', async () => {
    const { page, go } = visit
    await go(`/content/articles/${await key()}`)
    expect(await page.getByLabel('Price').isDisabled()).toBe(true)
    await page.getByLabel('Body').fill('Not saved')
    const asked = page.waitForEvent('dialog')
    const leaving = page.getByRole('navigation').getByRole('link', { name: 'Authors' }).click()
    const question = await asked
    expect(question.message()).toContain("Some of your changes weren't saved")
    await question.dismiss()
    await leaving
    expect(await page.getByLabel('Body').inputValue()).toBe('Not saved')
    await save(page)
    expect(await find('body')).toEqual({ body: 'Not saved' })
  })

  test('sees what somebody else saved in between, and saves over it', async () => {
    const { page, go } = visit
    const id = await key()
    await go(`/content/articles/${id}`)
    await page.getByLabel('Body').fill('Mine')
    await server.api(`PATCH /items/articles/${id}`, { body: 'Theirs', views: 7 })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('cell', { name: 'Theirs' }).waitFor()
    expect.soft(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save mine over it' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await find('body,views')).toEqual({ body: 'Mine', views: 7 })
  })

  test('compares with an earlier state, goes back to it, and comments', async () => {
    const { page, go } = visit
    await go(`/content/articles/${await key()}`)
    await page.getByRole('button', { name: 'History' }).click()
    await page.getByRole('button', { name: /Created/ }).waitFor()
    await page.getByLabel('New comment').fill('Well done')
    await page.getByRole('button', { name: 'Add the comment' }).click()
    await page.getByText('Well done').first().waitFor()
    await page.getByLabel('New comment').pressSequentially('Look, @an')
    await page.getByRole('button', { name: '@Ann' }).click()
    expect.soft(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Add the comment' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Look, @Ann' }).waitFor()
    const [ann] = await server.rows(`select id from platform_users where email = 'ann@example.com'`)
    const stored = `GET /comments?fields=comment&sort=date_created&filter[item][_eq]=${await key()}`
    expect(await server.api(stored)).toContainEqual({ comment: `Look, @${String(ann?.['id'])}` })
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Look, @Ann' })
      .getByRole('button', { name: 'Delete the comment' })
      .click()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('Look, @Ann').waitFor({ state: 'detached' })
    expect.soft(await violations(page)).toEqual([])
    await page
      .getByRole('button', { name: /Changed.*Body/ })
      .last()
      .click()
    await page.getByRole('cell', { name: 'Not saved' }).waitFor()
    await page.getByRole('button', { name: 'Go back to this state' }).click()
    await page.getByText('The item was set back.').waitFor()
    expect(await find('body')).toEqual({ body: 'Not saved' })
    const comments = `GET /comments?fields=comment&filter[item][_eq]=${await key()}`
    expect(await server.api(comments)).toEqual([{ comment: 'Well done' }])
  })

  test('searches, filters, chooses columns and keeps the list under a name', async () => {
    const { page, go } = visit
    // A second try begins without the filter and the columns of the first.
    await page.evaluate(() => localStorage.removeItem('RaStore.columns.articles'))
    await go('/content/articles?filter=%7B%7D')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('button', { name: 'Add a rule' }).click()
    await page.getByRole('combobox', { name: 'Field' }).fill('author.name')
    await page.getByRole('option', { name: 'Author › Name' }).click()
    await page.getByLabel('Value').fill('Bob')
    await page.getByRole('button', { name: 'Add a rule' }).click()
    await page.getByRole('combobox', { name: 'Field' }).last().fill('none')
    await page.getByRole('option', { name: 'Tags (none) › Tag › Name' }).click()
    await page.getByLabel('Value').last().fill('travel')
    expect.soft(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Views' }).click()
    await page.getByRole('menu').press('Escape')
    await page.getByRole('menu').waitFor({ state: 'hidden' })
    await page.getByRole('columnheader', { name: 'Views' }).waitFor()
    await page.getByPlaceholder('Search').fill(title)
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    await page.getByRole('button', { name: 'Saved lists' }).click()
    await page.getByRole('menuitem', { name: 'Save or remove lists…' }).click()
    await page.getByLabel('Name').fill(`Bob ${theme}`)
    await page.getByRole('button', { name: 'Save this list' }).click()
    await page.getByText('The list was saved.').waitFor()
    const query = `filter[bookmark][_eq]=${encodeURIComponent(`Bob ${theme}`)}`
    const [stored] = (await server.api(`GET /presets?fields=collection,search,filter,layout_query&${query}`)) as {
      layout_query: { tabular: { fields: string[] } }
    }[]
    expect(stored).toMatchObject({
      collection: 'articles',
      search: title,
      filter: {
        _and: [{ author: { name: { _eq: 'Bob' } } }, { tags: { _none: { tag: { name: { _eq: 'travel' } } } } }],
      },
    })
    expect(stored?.layout_query.tabular.fields).toContain('views')
  })

  test('changes and archives several items at once', async () => {
    const { page, go } = visit
    await server.api('POST /items/articles', [
      { title: `${theme} one`, status: 'draft' },
      { title: `${theme} two`, status: 'draft' },
    ])
    await go('/content/articles?filter=%7B%7D')
    await page.getByPlaceholder('Search').fill(`${theme} `)
    await page.getByRole('link', { name: `${theme} one` }).waitFor()
    for (const name of ['one', 'two']) {
      await page
        .getByRole('row', { name: `${theme} ${name}` })
        .getByRole('checkbox')
        .check()
    }
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await choose(page, 'Field', 'Section')
    await choose(page, 'Section', 'Sport')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('2 elements updated').waitFor()
    const chosen = `GET /items/articles?fields=title,section,status&filter[title][_in]=${theme}%20one,${theme}%20two&sort=title`
    expect(await server.api(chosen)).toEqual(
      ['one', 'two'].map((name) => ({ title: `${theme} ${name}`, section: 'sport', status: 'draft' })),
    )
    await page
      .getByRole('row', { name: `${theme} one` })
      .getByRole('checkbox')
      .check()
    await page.getByRole('button', { name: 'Archive' }).click()
    await expect.poll(() => page.getByRole('link', { name: `${theme} one` }).count()).toBe(0)
    expect(((await server.api(chosen)) as { status: string }[]).map(({ status }) => status)).toEqual([
      'archived',
      'draft',
    ])
  })

  test('exports what the list shows', async () => {
    const { page, go } = visit
    await go('/content/authors')
    await page.getByRole('button', { name: 'Export, import' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export as CSV' }).click(),
    ])
    const text = await fetchText(download)
    expect(text.trim().split(/\r?\n/)[0]).toMatch(/name/)
    expect(text).toContain('Ann')
  })

  test('edits the item of a singleton', async () => {
    const { page, go } = visit
    await go('/content/about')
    await page.getByLabel('Slogan').fill(`Slogan in ${theme}`)
    await save(page)
    expect(await server.api('GET /items/about?fields=slogan')).toEqual({ slogan: `Slogan in ${theme}` })
    expect.soft(await violations(page)).toEqual([])
  })

  test('deletes an article, and logs out', async () => {
    const { page, go } = visit
    await go(`/content/articles/${await key()}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: /^Delete Articles \S/ }).waitFor()
    await page.getByText('Are you sure you want to delete this item?', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect.poll(() => find('id')).toEqual({})
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.getByLabel('Password').waitFor()
    expect((await page.context().request.get(`${server.url}/users/me`)).status()).toBe(401)
  })
})

const fetchText = async (download: {
  readonly createReadStream: () => Promise<NodeJS.ReadableStream>
}): Promise<string> => {
  const parts: string[] = []
  for await (const part of await download.createReadStream()) parts.push(String(part))
  return parts.join('')
}

const byText = (rows: unknown, name: string) =>
  (rows as { [field: string]: string }[]).toSorted((a, b) => ((a[name] ?? '') < (b[name] ?? '') ? -1 : 1))
