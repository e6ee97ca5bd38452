/** What was not saved: kept when a page is closed, or loaded again because of a new build. */
import { afterAll, afterEach, expect, test } from 'vitest'
import { openNewsroom, password } from './newsroom.ts'
import { logIn, openPage, save, violations } from './pages.ts'

const server = await openNewsroom()
const visit = await openPage(server, 'dark', 'ed@example.com')
afterAll(() => server.close())
afterEach(() => expect(visit.faults).toEqual([]))

const drafts = () =>
  visit.page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith('tandem-draft/')).length)

test('changes of a closed page are offered, with what others saved since', async () => {
  const { page, go } = visit
  await go('/content/articles/1')
  await page.getByLabel('Title').fill('Kept')
  await page.getByLabel('Body').fill('Kept too')
  await page.getByRole('combobox', { name: 'Add from Tags' }).click()
  await page.getByRole('option', { name: 'travel' }).click()
  await expect.poll(drafts, { timeout: 20_000 }).toBe(1)
  await server.api('PATCH /items/articles/1', { body: 'Theirs' })
  await go('/content/articles/1')
  const offer = page.getByText(
    /^Changes of .* were not saved: Title, Body, Tags\. Saved by somebody since then: Body\.$/,
  )
  await offer.waitFor()
  expect.soft(await violations(page)).toEqual([])
  expect(await page.getByLabel('Title').inputValue()).toBe('Riding in two')
  await page.getByRole('button', { name: 'Restore' }).click()
  await offer.waitFor({ state: 'detached' })
  expect(await page.getByLabel('Body').inputValue()).toBe('Kept too')
  await save(page)
  expect(await drafts()).toBe(0)
  expect(await server.api('GET /items/articles/1?fields=title,body,tags.tag.name')).toEqual({
    title: 'Kept',
    body: 'Kept too',
    tags: ['horses', 'gear', 'travel'].map((name) => ({ tag: { name } })),
  })
})

test('a new item is kept too, until it is discarded', async () => {
  const { page, go } = visit
  await go('/content/authors/create')
  await page.getByLabel('Name').fill('Dora')
  await expect.poll(drafts, { timeout: 20_000 }).toBe(1)
  await go('/content/authors/create')
  await page.getByText(/were not saved: Name\.$/).waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  expect([await page.getByLabel('Name').inputValue(), await drafts()]).toEqual(['', 0])
})

test('a save after the end of the session is told as such, and what was not saved is offered after the login', async () => {
  const { page, go } = visit
  await go('/content/articles/3')
  await page.getByLabel('Title').fill('Not saved')
  await expect.poll(drafts, { timeout: 20_000 }).toBe(1)
  await page.getByRole('combobox', { name: 'Add from Tags' }).waitFor()
  await page.waitForLoadState('networkidle')
  const button = page.getByRole('button', { name: 'Save', exact: true })
  await page.context().clearCookies()
  // At once: whatever else is read now ends the session on the page, too.
  await button.dispatchEvent('click')
  await page
    .getByText('Your session has ended. Log in again. What you had not saved is kept in this browser.')
    .waitFor()
  expect.soft(await violations(page)).toEqual([])
  expect(await page.getByText('Saved', { exact: true }).count()).toBe(0)
  await page.getByLabel('E-mail address').fill('ed@example.com')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText(/were not saved: Title\.$/).waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
})

test('a page opened after the end of the session says so, and is there after the login; a logout says nothing', async () => {
  const { page, go } = visit
  await page.getByRole('button', { name: 'Account of Ed' }).waitFor()
  await page.context().clearCookies()
  await go('/content/articles/4?x=y')
  await page.getByText('Your session has ended. Log in again.').waitFor()
  await page.getByLabel('E-mail address').fill('ed@example.com')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByLabel('Title').waitFor()
  expect(new URL(page.url()).pathname).toBe('/admin/content/articles/4')
  await page.getByRole('button', { name: 'Account of Ed' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByLabel('E-mail address').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  await logIn(visit, 'ed@example.com')
})

test('a server that fails, or does not answer, ends no session', async () => {
  const { page, go } = visit
  const again = page.getByRole('button', { name: 'Try again' })
  for (const [failure, told] of [
    [
      { status: 500, json: { errors: [{ message: 'x', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] } },
      'has failed',
    ],
    [null, 'Check the network'],
  ] as const) {
    await page.route('**/relations', (route) => (failure === null ? route.abort() : route.fulfill(failure)))
    await go('/content/articles/3')
    await page.getByText(told).waitFor()
    expect.soft(await violations(page)).toEqual([])
    await page.unrouteAll()
    await again.click()
    await page.getByLabel('Title').waitFor()
  }
})

test('a page whose build is gone is loaded again once, with what was not saved', async () => {
  const { page, go } = visit
  await go('/content/articles/2')
  await page.evaluate(() => sessionStorage.clear())
  await page.getByLabel('Title').fill('Before the new build')
  let asked = 0
  await page.route(/assets\/history-.*\.js/, (route) =>
    asked++ === 0 ? route.fulfill({ status: 404 }) : route.continue(),
  )
  await page.route('**/admin/', async (route) => {
    if (route.request().resourceType() !== 'fetch') return route.continue()
    return route.fulfill({
      contentType: 'text/html',
      body: '<script type="module" src="./assets/index-new.js"></script>',
    })
  })
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByText('There is a new version of this application.').waitFor()
  const title = () => page.getByLabel('Title').inputValue()
  await expect.poll(title, { timeout: 20_000 }).toBe('Before the new build')
  expect.soft(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('heading', { name: 'History' }).waitFor()
  expect(asked).toBe(2)
  await page.unrouteAll()
})

test('a part that is not loaded with the same build can be loaded again', async () => {
  const { page, go } = visit
  await go('/content/articles/3')
  await page.getByLabel('Title').waitFor()
  let asked = 0
  await page.route(/assets\/history-.*\.js/, (route) => (asked++ === 0 ? route.abort() : route.continue()))
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByText('This part of the application was not loaded.').waitFor()
  await page.getByRole('button', { name: 'Load it again' }).click()
  await page.getByRole('heading', { name: 'History' }).waitFor()
  await page.unrouteAll()
})

test('an item is duplicated, and saved by a key', async () => {
  const { page, go } = visit
  await go('/content/articles/4')
  const duplicate = page.getByRole('link', { name: 'Duplicate' })
  await duplicate.click()
  // The form of the item itself has the same title.
  await duplicate.waitFor({ state: 'detached' })
  await expect.poll(() => page.getByLabel('Title').inputValue(), { timeout: 20_000 }).toBe('Old hay')
  await page.getByLabel('Title').fill('New hay')
  await page.keyboard.press('Control+s')
  await page.getByText('Element created').waitFor()
  const fields = 'fields=section,author,price&filter[title][_eq]=New%20hay'
  expect(await server.api(`GET /items/articles?${fields}`)).toEqual([{ section: 'travel', author: 3, price: null }])
})

test('a logout leaves nothing in the browser', async () => {
  const { page, go } = visit
  await go('/content/articles/3')
  await page.getByLabel('Title').fill('Secret')
  await expect.poll(drafts, { timeout: 20_000 }).toBeGreaterThan(0)
  await page.getByRole('button', { name: /^Account of/ }).click()
  const asked = page.waitForEvent('dialog')
  const leaving = page.getByRole('menuitem', { name: 'Log out' }).click()
  await Promise.race([asked.then((dialog) => dialog.accept()), leaving])
  await page.getByLabel('Password').waitFor()
  expect(await drafts()).toBe(0)
})
