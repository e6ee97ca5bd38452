/** The guide in Chromium: each page in both themes, by keyboard, with nothing from another host. */
import { chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pages } from '../../docs/.vitepress/sections.ts'
import { startTestApp } from '../../src/http/app/test-app.ts'
import { createDocs } from '../../src/http/pages/docs.ts'
import { createGuide } from '../../src/http/pages/guide.ts'
import { rulesOfColors, violations } from '../admin/pages.ts'
import { browserOptions } from '../browser.ts'

const app = await startTestApp({}, {}, { pages: { docs: createDocs([], createGuide().page) } })
const browser = await chromium.launch(browserOptions())
afterAll(async () => {
  await browser.close()
  await app.close()
})

type Opened = { readonly page: Page; readonly faults: string[] }

/** `faults`: errors of scripts, what the policy refuses, and requests to other hosts. */
async function open(path: string, width = 1280): Promise<Opened> {
  const context = await browser.newContext({ colorScheme: 'light', viewport: { width, height: 900 } })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => void (message.type() === 'error' && faults.push(message.text())))
  page.on('request', (request) => {
    if (!request.url().startsWith(app.url) && !/^(data|blob):/.test(request.url())) faults.push(request.url())
  })
  await show(page, path)
  return { page, faults }
}

async function show(page: Page, path: string): Promise<void> {
  await page.goto(`${app.url}/docs/guide/${path}`)
  // Until the scripts have taken over the page, its buttons do nothing.
  await page.waitForFunction(() => '__vue_app__' in (document.querySelector('#app') as object))
}

const paths = ['', ...pages.map(({ path }) => path)]

describe('in one window', () => {
  let shared: Opened
  beforeAll(async () => {
    shared = await open('')
  })
  afterAll(() => shared?.page.context().close())

  test.each(paths)('"%s" has no violations of accessibility in either theme', async (path) => {
    const { page, faults } = shared
    faults.length = 0
    await page.emulateMedia({ colorScheme: 'light' })
    await show(page, path)
    expect(await violations(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html.dark').waitFor()
    // The page is the same but for its colours.
    expect([await violations(page, rulesOfColors), faults]).toEqual([[], []])
  })
})

test('the search is opened, used and followed by keyboard', async () => {
  const { page, faults } = await open('')
  await page.keyboard.press('Control+k')
  await page.getByRole('searchbox').fill('idempotency')
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/docs\/guide\/\w/)
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})

test('the theme can be switched, and stays', async () => {
  const { page } = await open('')
  const isDark = () => page.evaluate(() => document.documentElement.classList.contains('dark'))
  await page.getByRole('switch').first().focus()
  await page.keyboard.press('Space')
  expect(await isDark()).toBe(true)
  await page.reload()
  expect(await isDark()).toBe(true)
  await page.context().close()
})

/** Tables that scroll sideways, by their first words. */
const cutTables = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main table')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map(({ innerText }) => innerText.slice(0, 60)),
  )

test.each([
  ['reference/errors', 1280],
  ['reference/errors', 360],
  ['reference/settings', 1280],
  ['reference/settings', 360],
  ['from-version-8', 1280],
  ['project-as-files', 390],
] as const)('tables of "%s" show all columns in a window of %i pixels', async (path, width) => {
  const { page } = await open(path, width)
  expect(await cutTables(page)).toEqual([])
  await page.context().close()
})

test('a narrow window shows the page without scrolling sideways', async () => {
  const { page } = await open('from-version-8', 360)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await page.context().close()
})
