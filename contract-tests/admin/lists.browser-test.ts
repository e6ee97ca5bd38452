/** Rows of many-to-any, and whole lists: imported and deleted; in both themes. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openNewsroom } from './newsroom.ts'
import { choose, openPage, save, type Theme, themes, type Visit, violations } from './pages.ts'

afterAll(() => server.close())

const plain = (field: string, type: string) => ({ field, type, schema: {} })

const file = (text: string) => ({ name: 'tags.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })

const key = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } }

const server = await openNewsroom()
await addBlocks()

async function addTable(collection: string, ...fields: readonly object[]): Promise<void> {
  await server.api('POST /collections', { collection, schema: {}, meta: { hidden: true }, fields: [key, ...fields] })
}

/** A field with rows of another collection. */
async function addMany(related: string, field: string, meta: object, from: readonly [string, string]): Promise<void> {
  await server.api(`POST /fields/${related}`, { field, type: 'alias', meta })
  const [collection, column] = from
  const relation = { one_field: field, ...(column === 'article' && { junction_field: 'item', sort_field: 'sort' }) }
  await server.api('POST /relations', { collection, field: column, related_collection: related, meta: relation })
}

/** Blocks of articles are authors or languages; authors have posts, which have notes. */
async function addBlocks(): Promise<void> {
  const { api } = server
  const columns = [
    plain('article', 'integer'),
    plain('kind', 'string'),
    plain('item', 'string'),
    plain('sort', 'integer'),
  ]
  await addTable('blocks', ...columns)
  await addMany('articles', 'blocks', { interface: 'list-m2a', special: ['m2a'] }, ['blocks', 'article'])
  const allowed = ['authors', 'languages']
  const meta = { one_collection_field: 'kind', one_allowed_collections: allowed, junction_field: 'article' }
  await api('POST /relations', { collection: 'blocks', field: 'item', related_collection: null, meta })
  await addTable('posts', plain('title', 'string'), plain('author', 'integer'))
  await addMany('authors', 'posts', { interface: 'list-o2m', special: ['o2m'] }, ['posts', 'author'])
  await addTable('notes', plain('text', 'string'), plain('post', 'integer'))
  await addMany('posts', 'notes', { interface: 'list-o2m', special: ['o2m'] }, ['notes', 'post'])
}

describe.each(themes)('in the %s theme', (theme: Theme) => {
  let visit: Visit
  beforeAll(async () => {
    visit = await openPage(server, theme, 'ann@example.com')
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

  test('a list is filtered by a list below a relation, and by one collection of a many-to-any', async () => {
    const { page, go } = visit
    await go('/content/articles?filter=%7B%7D')
    const field = page.getByRole('combobox', { name: 'Field' }).last()
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('button', { name: 'Add a rule' }).click()
    await field.fill('Posts (none)')
    await page.getByRole('option', { name: 'Author › Posts (none) › …' }).click()
    await page.getByRole('option', { name: 'Author › Posts (none) › Title' }).click()
    await page.getByLabel('Value').fill('No such post')
    await page.getByRole('button', { name: 'Add a rule' }).click()
    await field.fill('(Authors) › Name')
    await page.getByRole('option', { name: 'Blocks (at least one) › Item (Authors) › Name' }).click()
    await page.getByLabel('Value').last().fill('Bob')
    expect.soft(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.waitForURL((url) => url.search.includes('item%3Aauthors'))
    const where = (JSON.parse(new URL(page.url()).searchParams.get('filter') ?? '') as { where: unknown }).where
    const [posts, blocks] = [{ title: { _eq: 'No such post' } }, { 'item:authors': { name: { _eq: 'Bob' } } }]
    expect(where).toEqual({ _and: [{ author: { posts: { _none: posts } } }, { blocks: { _some: blocks } }] })
    await page.getByRole('link', { name: article === 1 ? 'Riding in two' : 'One saddle' }).waitFor()
  })

  test('they are sorted, edited three levels deep, and taken away', async () => {
    const { page, go } = visit
    await go(`/content/articles/${article}`)
    const blocks = page.getByRole('group', { name: 'Blocks' })
    await blocks.getByRole('button', { name: 'Move Deutsch up' }).click()
    const top = page.getByRole('dialog').last()
    const done = () => top.getByRole('button', { name: 'Done' }).click()
    await blocks.getByRole('button', { name: 'Edit Bob' }).click()
    await top.getByRole('button', { name: 'New: Posts' }).click()
    await top.getByLabel('Title').fill(`${theme} post`)
    await top.getByRole('button', { name: 'New: Notes' }).click()
    await top.getByLabel('Text').fill('Deep')
    expect.soft(await violations(page)).toEqual([])
    await done()
    await top.getByRole('button', { name: 'Edit Deep' }).waitFor()
    await done()
    await top.getByRole('button', { name: `Edit ${theme} post` }).click()
    // What waits for the form of the page is still there.
    await top.getByRole('button', { name: 'Edit Deep' }).waitFor()
    await done()
    await done()
    await blocks.getByRole('button', { name: 'New: Authors' }).click()
    await top.getByRole('textbox', { name: 'Name' }).fill(`${theme} author`)
    await done()
    await save(page)
    const fields = 'blocks.kind,blocks.sort,blocks.item:authors.name,blocks.item:languages.name'
    const read = `GET /items/articles/${article}?fields=${fields}&deep[blocks][_sort]=sort`
    expect(await server.api(read)).toEqual({
      blocks: [
        { kind: 'languages', sort: 1, item: { name: 'Deutsch' } },
        { kind: 'authors', sort: 2, item: { name: 'Bob' } },
        { kind: 'authors', sort: 3, item: { name: `${theme} author` } },
      ],
    })
    const posts = `GET /items/posts?fields=title,author.name,notes.text&filter[title][_starts_with]=${theme}`
    const post = { title: `${theme} post`, author: { name: 'Bob' }, notes: [{ text: 'Deep' }] }
    expect(await server.api(posts)).toEqual([post])
    await go(`/content/articles/${article}`)
    await blocks.getByRole('button', { name: `Take away ${theme} author` }).click()
    await blocks.getByRole('button', { name: 'Take away Deutsch' }).click()
    await save(page)
    const left = (await server.api(read)) as { blocks: { item: object }[] }
    expect(left.blocks.map(({ item }) => item)).toEqual([{ name: 'Bob' }])
  })

  test('a file is tried with its columns as fields, then imported', async () => {
    const { page, go } = visit
    await go('/content/tags')
    await page.getByRole('cell', { name: 'horses', exact: true }).waitFor()
    const dialog = page.getByRole('dialog')
    await page.locator('input[data-import]').setInputFiles(file(''))
    await dialog.getByText('The file has no rows.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    const words = `Word;Page\n${theme} a;1\n${theme} b;2\n;3\n`
    await page.locator('input[data-import]').setInputFiles(file(words))
    await choose(page, 'Column “Word”', 'Name')
    expect.soft(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Check' }).click()
    await dialog.getByText('2 would be created, 0 updated, 1 refused.').waitFor()
    await dialog.getByText(/The file is imported as a whole/).waitFor()
    const cells = await dialog.locator('tbody tr').allInnerTexts()
    expect(cells.map((text) => text.replaceAll(/\s+/g, ' ').trim())).toEqual([
      '1 created',
      '2 created',
      '3 refused: Name: Required',
    ])
    expect(await dialog.getByRole('button', { name: 'Import' }).isDisabled()).toBe(true)
    expect.soft(await violations(page)).toEqual([])
    expect(await server.api(tags)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.locator('input[data-import]').setInputFiles(file(`name\n${theme} a\n${theme} b\n${theme} c\n`))
    await dialog.getByRole('button', { name: 'Check' }).click()
    await dialog.getByText('3 would be created, 0 updated, 0 refused.').waitFor()
    await dialog.getByRole('button', { name: 'Import' }).click()
    await page.getByRole('cell', { name: `${theme} c`, exact: true }).waitFor()
    expect(await server.api(tags)).toEqual(['a', 'b', 'c'].map((each) => ({ name: `${theme} ${each}` })))
  })

  test('a value that is refused for several items stays in the dialog, with the reason', async () => {
    const { page, go } = visit
    const message = 'Longer than one letter'
    const validation = { name: { _neq: 'x' } }
    await server.api('PATCH /fields/tags/name', { meta: { validation, validation_message: message } })
    await go('/content/tags')
    for (const name of ['a', 'b']) {
      await page
        .getByRole('row', { name: `${theme} ${name}` })
        .getByRole('checkbox')
        .check()
    }
    await page.getByRole('toolbar', { name: '2 items selected' }).getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit 2 items' })
    await dialog.getByText('Without a value, the field is emptied in all 2 items.').waitFor()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('x')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(`Name: ${message}`).waitFor()
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('x')
    expect.soft(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await server.api('PATCH /fields/tags/name', { meta: { validation: null, validation_message: null } })
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
    await page.getByText('Delete 2 Tags', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('2 elements deleted').waitFor()
    expect(await server.api(tags)).toEqual([{ name: `${theme} c` }])
  })

  test('a list that is refused says so once', async () => {
    const { page, go } = visit
    const json = { errors: [{ message: 'Not now', extensions: { code: 'FORBIDDEN' } }] }
    await page.route('**/items/tags?*', (route) => route.fulfill({ status: 403, json }))
    await go('/content/tags')
    const words = page.getByRole('alert')
    await words.first().waitFor()
    await page.waitForLoadState('networkidle')
    expect(await words.count()).toBe(1)
    await page.unrouteAll()
  })
})
