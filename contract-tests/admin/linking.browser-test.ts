/** Items that are linked, and files that are uploaded, in a form; how fields and history show values, and that there is none. */
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openNewsroom, password } from './newsroom.ts'
import { openPage, save, type Theme, themes, type Visit, violations } from './pages.ts'

const server = await openNewsroom()
afterAll(() => server.close())

const actions = ['create', 'read', 'update', 'delete']

beforeAll(async () => {
  await server.api('POST /collections', {
    collection: 'articles_files',
    schema: {},
    meta: { hidden: true },
    fields: [
      { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } },
      { field: 'article', type: 'integer' },
      { field: 'file', type: 'uuid' },
    ],
  })
  await server.api('POST /relations', {
    collection: 'articles_files',
    field: 'article',
    related_collection: 'articles',
    meta: { one_field: 'gallery', junction_field: 'file' },
  })
  await server.api('POST /relations', {
    collection: 'articles_files',
    field: 'file',
    related_collection: 'platform_files',
    meta: { junction_field: 'article' },
  })
  await server.api('PATCH /fields/articles/gallery', { meta: { interface: 'files', special: ['files'], sort: 15 } })
  // Tags can only be read, and linked.
  const readable = ['tags', 'languages', 'platform_revisions', 'platform_activity']
  const writable = ['articles', 'articles_tags', 'articles_files', 'articles_translations', 'platform_files']
  const permissions = [
    ...writable.flatMap((collection) => actions.map((action) => ({ collection, action, fields: ['*'] }))),
    ...readable.map((collection) => ({ collection, action: 'read', fields: ['*'] })),
  ]
  const policy = { name: 'Tagging', app_access: true, permissions }
  const { id } = (await server.api('POST /roles', { name: 'Tagger', policies: [{ policy }] })) as { id: string }
  await server.api('POST /users', { email: 'tess@example.com', first_name: 'Tess', password, role: id })
})

describe.each(themes)('in the %s theme', (theme: Theme) => {
  let visit: Visit
  let article: number
  beforeAll(async () => {
    visit = await openPage(server, theme, 'tess@example.com')
    const made = await server.api('POST /items/articles', {
      title: `In ${theme}`,
      translations: [{ language: 'fr', headline: 'Bonjour' }],
    })
    article = (made as { id: number }).id
  })
  afterEach(() => expect(visit.faults).toEqual([]))
  const find = (fields: string) => server.api(`GET /items/articles/${article}?fields=${fields}`)

  test('a tag that can only be read is linked', async () => {
    const { page, go } = visit
    await go(`/content/articles/${article}`)
    await page.getByRole('combobox', { name: 'Add from Tags' }).click()
    await page.getByRole('option', { name: 'gear' }).click()
    await page.getByRole('listitem').filter({ hasText: 'gear' }).getByText('added').waitFor()
    await save(page)
    expect(await find('tags.tag.name')).toEqual({ tags: [{ tag: { name: 'gear' } }] })
  })

  test('files are uploaded into a list of files', async () => {
    const { page, go } = visit
    await go(`/content/articles/${article}`)
    const gallery = page.getByRole('group', { name: 'Gallery' })
    await gallery.getByRole('button', { name: 'Upload files' }).waitFor()
    expect(await gallery.getByRole('button', { name: /New/ }).count()).toBe(0)
    const names = ['one', 'two'].map((name) => `${name}-${theme}.txt`)
    await gallery
      .locator('input[type=file]')
      .setInputFiles(names.map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })))
    await expect.poll(() => gallery.getByText('added').count()).toBe(2)
    expect.soft(await violations(page)).toEqual([])
    await save(page)
    expect(await find('gallery.file.filename_download')).toEqual({
      gallery: names.map((name) => ({ file: { filename_download: name } })),
    })
  })

  test('languages with texts come first', async () => {
    const { page, go } = visit
    await go(`/content/articles/${article}`)
    const french = page.getByLabel('Headline (fr)')
    await french.waitFor()
    expect(await french.inputValue()).toBe('Bonjour')
    await page.getByLabel('Headline (de)').fill('Guten Tag')
    await french.fill('Salut')
    await save(page)
    expect(await find('translations.language,translations.headline')).toEqual({
      translations: [
        { language: 'fr', headline: 'Salut' },
        { language: 'de', headline: 'Guten Tag' },
      ],
    })
  })

  test('a new item says so, and no colour is not black', async () => {
    const { page, go } = visit
    await go('/content/articles/create')
    await page.getByRole('heading', { name: 'Articles · New' }).waitFor()
    const swatch = page.getByLabel('Pick Color')
    const middle = async (): Promise<readonly number[]> => {
      const area = { left: 14, top: 14, width: 1, height: 1 }
      return [
        ...(await sharp(await swatch.screenshot())
          .removeAlpha()
          .extract(area)
          .raw()
          .toBuffer()),
      ]
    }
    expect(await middle()).not.toEqual([0, 0, 0])
    await page.getByRole('textbox', { name: 'Color', exact: true }).fill('#F80C')
    expect(await swatch.inputValue()).toBe('#ff8800')
    expect(await middle()).toEqual([255, 136, 0])
  })

  test('history shows times and choices as forms do', async () => {
    const { page, go } = visit
    const published = (day: string, status: string) =>
      server.api(`PATCH /items/articles/${article}`, { published: `2026-05-${day}T12:00:00Z`, status })
    await published('01', 'draft')
    await published('02', 'published')
    await go(`/content/articles/${article}`)
    await page.getByRole('button', { name: 'History' }).click()
    await page
      .getByRole('button', { name: /Changed.*Published/ })
      .last()
      .click()
    await page.getByRole('cell', { name: /^May 1, 2026, / }).waitFor()
    const cells = await page.getByRole('dialog').getByRole('row').nth(1).getByRole('cell').allTextContents()
    expect(cells).toEqual(['Draft', 'Published'])
    await page.getByRole('button', { name: 'Back to the list' }).click()
    await page
      .getByRole('button', { name: /Changed.*Published/ })
      .first()
      .waitFor()
  })
})
