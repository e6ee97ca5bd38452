/** What forms keep: changes that were not saved, a refused save, and the digits of numbers. */
import type { Dialog } from 'playwright-core'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { openNewsroom } from './newsroom.ts'
import { openPage, save, violations } from './pages.ts'

const server = await openNewsroom()
const visit = await openPage(server, 'light', 'ann@example.com')
const { page, go } = visit
afterAll(() => server.close())
afterEach(() => expect(visit.faults).toEqual([]))

/** Questions that the page has asked, answered with no while somebody stays. */
let asked: string[] = []
let isStaying = false
page.on('dialog', (dialog: Dialog) => {
  asked.push(dialog.type())
  void (isStaying ? dialog.dismiss() : dialog.accept())
})
beforeEach(() => {
  isStaying = false
})

/** Opens an item by links, as people do, and changes it. */
async function changeTitle(): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: 'Articles' }).click()
  await page.getByText('One saddle').first().click()
  await type()
}

const field = () => page.getByRole('textbox', { name: 'Title', exact: true })

async function type(): Promise<void> {
  await field().click()
  await page.keyboard.type('Changed ')
  isStaying = true
}

/** Whether leaving asks, once, and the form stays as it is after a no. */
async function expectQuestion(kind: string, leave: () => Promise<unknown>): Promise<void> {
  const before = await field().inputValue()
  // People do not leave twice within milliseconds, in which the router undoes the first attempt.
  await page.waitForTimeout(300)
  asked = []
  await leave()
  await expect.poll(() => asked).toEqual([kind])
  expect(await field().inputValue()).toBe(before)
  expect(new URL(page.url()).pathname).toBe('/admin/content/articles/2')
}

test('leaving a changed form asks first: by a link, by going back, by loading the page again, by another address', async () => {
  await go('/')
  await changeTitle()
  await expectQuestion('confirm', () => page.getByRole('link', { name: 'Users' }).click())
  await expectQuestion('confirm', () => page.evaluate(() => history.back()))
  await expectQuestion('beforeunload', () => page.evaluate(() => location.reload()))
  await expectQuestion('beforeunload', () => page.evaluate(() => location.assign('/docs')))
})

test('a form that was opened by its address asks, too, before the browser goes back', async () => {
  await go('/content/articles')
  await go('/content/articles/2')
  await type()
  await expectQuestion('beforeunload', () => page.evaluate(() => history.back()))
})

test('after a save that has failed, leaving asks, too', async () => {
  await go('/')
  await changeTitle()
  await page.route('**/items/articles/2*', (route) => route.abort())
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The server does not answer.').waitFor()
  await page.unrouteAll()
  await expectQuestion('confirm', () => page.getByRole('link', { name: 'Users' }).click())
  await save(page)
  expect(asked).toEqual(['confirm'])
})

test('a refused save of a singleton shows the problem at its field', async () => {
  await server.api('PATCH /fields/about/slogan', {
    meta: { validation: { _and: [{ slogan: { _contains: 'two' } }] }, validation_message: 'Must say "two"' },
  })
  await go('/content/about')
  const slogan = page.getByLabel('Slogan')
  await slogan.fill('Riding alone')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.locator('.MuiFormHelperText-root').getByText('Must say "two"').waitFor()
  expect(await slogan.getAttribute('aria-invalid')).toBe('true')
  expect(await slogan.evaluate((input) => input === document.activeElement)).toBe(true)
  expect.soft(await violations(page)).toEqual([])
  expect(await server.api('GET /items/about?fields=slogan')).toEqual({ slogan: 'Riding in two' })
  await slogan.fill('Riding by two')
  await save(page)
  expect(await server.api('GET /items/about?fields=slogan')).toEqual({ slogan: 'Riding by two' })
})

test('numbers of many digits stay in JSON: what is not touched, and what is typed', async () => {
  await server.rows(`update articles set settings = '{"id": 12345678901234567891, "size": 1}' where id = 3`)
  const stored = async () =>
    (await server.rows(`select settings::text as text from articles where id = 3`))[0]?.['text']
  await go('/content/articles/3')
  const json = page.locator('textarea[name=settings]')
  expect(await json.inputValue()).toBe('{\n  "id": 12345678901234567891,\n  "size": 1\n}')
  await page.getByLabel('Views').fill('7')
  await save(page)
  expect(await stored()).toBe('{"id": 12345678901234567891, "size": 1}')
  await go('/content/articles/3')
  await json.fill('{"id": 12345678901234567891, "size": 0.10000000000000000002}')
  await save(page)
  expect(await stored()).toBe('{"id":12345678901234567891,"size":0.10000000000000000002}')
  await page.evaluate(() => localStorage.setItem('RaStore.columns.articles', '["title","settings"]'))
  await go('/content/articles')
  await page.getByRole('cell', { name: '{"id":12345678901234567891,"size":0.10000000000000000002}' }).waitFor()
  await page.evaluate(() => localStorage.removeItem('RaStore.columns.articles'))
})
