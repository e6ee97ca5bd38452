/** The page for those who leave version 8, in both themes. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openNewsroom } from './newsroom.ts'
import { openPage, type Theme, themes, type Visit, violations } from './pages.ts'

const server = await openNewsroom()
afterAll(() => server.close())

const file = (text: string) => ({ name: 'r.json', mimeType: 'application/json', buffer: Buffer.from(text) })

describe.each(themes)('in the %s theme an administrator', (theme: Theme) => {
  let visit: Visit
  beforeAll(async () => {
    visit = await openPage(server, theme, 'ann@example.com')
  })
  afterEach(() => expect(visit.faults).toEqual([]))

  test('sees who still uses the version 8 API, and what to use instead', async () => {
    const { page, go } = visit
    for (const version of ['1.4.2', '1.4.3', '1.10.0'])
      await server.ask('GET /_/items/articles?fields=title&limit=1', {
        headers: { 'x-client': `old-app-${theme}/${version}` },
      })
    await page.setViewportSize({ width: 390, height: 800 })
    await go('/moving-on')
    const list = page.getByRole('list', { name: `Operations of old-app-${theme}`, exact: true })
    await list.getByRole('heading', { name: 'GET /{project}/items/{collection}' }).waitFor()
    await list.getByText('Calls: 3 · Fields: articles.title', { exact: true }).waitFor()
    await list.getByText('GET /items/{collection}', { exact: true }).waitFor()
    await list
      .locator('..')
      .getByText(/^Versions: 1\.10, 1\.4 · Last call /)
      .waitFor()
    expect(await list.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    expect.soft(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  test('reads the report of an import', async () => {
    const { page, go } = visit
    await go('/moving-on')
    const table = { table: 'articles', here: 'articles', source: 3, taken: 2, created: 2, updated: 0, differing: 1 }
    const examples = [{ key: '1', value: '1980-00-00' }]
    const files = { missing: [{ number: '9', id: 'f9', name: 'lost.jpg' }] }
    const notes = Array.from({ length: 40 }, (_, at) => `The index ${at} is left out`)
    const report = {
      source: 'mysql://old/site',
      tables: [{ ...table, refused: [{ key: 7, reason: 'too long' }] }],
      files,
      values: [{ table: 'articles', column: 'day', what: 'no date', count: 9, examples }],
      notes,
    }
    await page.locator('input[data-report]').setInputFiles(file('{}'))
    await page.getByText('This file is no report of an import.').waitFor()
    await page.locator('input[data-report]').setInputFiles(file(JSON.stringify(report)))
    await page.getByText('Not everything of mysql://old/site is here.').waitFor()
    await page.getByText('One file has no contents.').waitFor()
    await page.getByText('articles 7: too long').waitFor()
    await page.getByText('articles.day: 9 × no date').waitFor()
    await page.getByRole('button', { name: 'Show all 40' }).click()
    await page.getByText('The index 39 is left out').waitFor()
    expect.soft(await violations(page)).toEqual([])
    expect(await page.getByRole('link', { name: 'lost.jpg' }).getAttribute('href')).toMatch(
      /\/admin\/system\/files\/f9$/,
    )
    await page.getByRole('link', { name: '1', exact: true }).click()
    await page.getByRole('textbox', { name: 'Title' }).and(page.locator('[value="Riding in two"]')).waitFor()
    await page.goBack()
    await page.getByText('articles.day: 9 × no date').waitFor()
  })
})
