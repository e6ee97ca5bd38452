/** A repeated group of fields, in both themes. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openNewsroom } from './newsroom.ts'
import { openPage, save, type Theme, type Visit, violations } from './pages.ts'

const server = await openNewsroom()
afterAll(() => server.close())

describe.each(['light', 'dark'] as const)('in the %s theme', (theme: Theme) => {
  let visit: Visit
  beforeAll(async () => {
    visit = await openPage(server, theme, 'ann@example.com')
  })
  afterEach(() => expect(visit.faults).toEqual([]))
  const article = theme === 'light' ? 1 : 2

  test('a group of fields is repeated', async () => {
    const { page, go } = visit
    await go(`/content/articles/${article}`)
    const group = page.locator('.RaArrayInput-root, fieldset').filter({ hasText: 'Links' }).last()
    for (const [at, label] of ['Shop', 'Map'].entries()) {
      await group.getByRole('button', { name: 'Add', exact: true }).click()
      await page.locator(`input[name="links.${at}.label"]`).fill(label)
      await page.locator(`input[name="links.${at}.url"]`).fill(`https://example.com/${label}`)
    }
    expect.soft(await violations(page)).toEqual([])
    await save(page)
    expect(await server.api(`GET /items/articles/${article}?fields=links`)).toEqual({
      links: ['Shop', 'Map'].map((label) => ({ label, url: `https://example.com/${label}` })),
    })
  })
})
