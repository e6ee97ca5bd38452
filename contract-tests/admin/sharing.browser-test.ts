/** Versions and shares of an item, and addresses that are opened as they are, in both themes. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openNewsroom } from './newsroom.ts'
import { choose, logIn, openPage, type Theme, type Visit, violations } from './pages.ts'

const server = await openNewsroom()
await server.api('PATCH /collections/articles', { meta: { versioning: true } })
afterAll(() => server.close())

describe.each(['light', 'dark'] as const)('in the %s theme', (theme: Theme) => {
  let visit: Visit
  beforeAll(async () => {
    visit = await openPage(server, theme, 'ann@example.com')
  })
  afterEach(() => expect(visit.faults).toEqual([]))
  const article = theme === 'light' ? 1 : 2
  const versions = `filter[item][_eq]=${article}&filter[collection][_eq]=articles`

  test('a version is made, saved, compared and promoted with some of its fields', async () => {
    const { page, go } = visit
    const before = await server.api(`GET /items/articles/${article}?fields=title,body`)
    await go(`/content/articles/${article}`)
    await page.getByRole('button', { name: 'Versions' }).click()
    await page.getByText('There are no versions.').waitFor()
    expect.soft(await violations(page)).toEqual([])
    await page.getByLabel('Name of a new version').fill(`Spring, in ${theme}!`)
    await page.getByRole('button', { name: 'Create the version' }).click()
    await page.getByText('Nothing is changed in this version yet.').waitFor()
    await page.getByRole('button', { name: 'Edit the version' }).click()
    const form = page.getByRole('dialog', { name: `Version Spring, in ${theme}!` })
    await form.getByLabel('Title').fill(`Spring in ${theme}`)
    await form.getByLabel('Body').fill('Flowers')
    expect.soft(await violations(page)).toEqual([])
    await form.getByRole('button', { name: 'Save in the version' }).click()
    await page.getByRole('cell', { name: 'Flowers' }).waitFor()
    expect.soft(await violations(page)).toEqual([])
    expect(await server.api(`GET /items/articles/${article}?fields=title,body`)).toEqual(before)
    expect(await server.api(`GET /versions?fields=key,name&${versions}`)).toEqual([
      { key: `spring-in-${theme}`, name: `Spring, in ${theme}!` },
    ])
    await page.getByRole('checkbox', { name: 'Take Body' }).click()
    await page.getByRole('button', { name: 'Promote' }).click()
    await page.getByText('The changes are in the item.').waitFor()
    expect(await server.api(`GET /items/articles/${article}?fields=title,body`)).toEqual({
      ...(before as object),
      title: `Spring in ${theme}`,
    })
  })

  test('a version of an item that has changed since is marked, and can be deleted', async () => {
    const { page, go } = visit
    await server.api(`PATCH /items/articles/${article}`, { views: 99 })
    await go(`/content/articles/${article}`)
    await page.getByRole('button', { name: 'Versions' }).click()
    await page.getByRole('button', { name: /^Spring/ }).click()
    await page.getByText('The item has changed since this version was made.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('There are no versions.').waitFor()
    expect(await server.api(`GET /versions?fields=key&${versions}`)).toEqual([])
  })

  test('a share is made, opened by a visitor with its password, and revoked', async () => {
    const { page, go } = visit
    await go(`/content/articles/${article}`)
    await page.getByRole('button', { name: 'Shares' }).click()
    await page.getByText('There are no shares.').waitFor()
    await page.getByLabel('Name', { exact: true }).fill(`Printer ${theme}`)
    await page.getByLabel('Password').fill('letter-press-42')
    await page.getByLabel('Greatest number of uses').fill('3')
    await choose(page, 'Reads with the rights of', 'Editor')
    await page.getByRole('button', { name: 'Create the share' }).click()
    const link = page.getByRole('link', { name: `Printer ${theme}` })
    await link.waitFor()
    expect.soft(await violations(page)).toEqual([])
    const stored = `GET /shares?fields=name,max_uses,role.name,times_used&filter[name][_eq]=Printer%20${theme}`
    const share = { name: `Printer ${theme}`, max_uses: 3, role: { name: 'Editor' } }
    expect(await server.api(stored)).toEqual([{ ...share, times_used: 0 }])
    const address = (await link.getAttribute('href')) ?? ''
    const visitor = await openPage(server, theme)
    await visitor.page.goto(address)
    await visitor.page.getByLabel('Password').fill('wrong')
    await visitor.page.getByRole('button', { name: 'Open' }).click()
    await visitor.page.getByText('The password is wrong, or the link has been used too often.').waitFor()
    await visitor.page.getByLabel('Password').fill('letter-press-42')
    await visitor.page.getByRole('button', { name: 'Open' }).click()
    await visitor.page
      .getByRole('definition')
      .filter({ hasText: `Spring in ${theme}` })
      .waitFor()
    expect.soft(await violations(visitor.page)).toEqual([])
    expect(await server.api(stored)).toEqual([{ ...share, times_used: 1 }])
    const [made] = (await server.api(stored.replace('=name', '=id,name'))) as { id: string }[]
    await server.api(`PATCH /shares/${made?.id}`, { date_end: '2026-01-01T00:00:00Z' })
    await go(`/content/articles/${article}`)
    await page.getByRole('button', { name: 'Shares' }).click()
    await page.getByText('Expired', { exact: true }).waitFor()
    expect.soft(await violations(page)).toEqual([])
    await page.getByRole('button', { name: `Revoke Printer ${theme}` }).click()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('There are no shares.').waitFor()
    expect(await server.api(stored)).toEqual([])
    await visitor.page.goto(address)
    await visitor.page.getByText('This link does not work, or no longer.').waitFor()
    expect.soft(visitor.faults).toEqual([])
    await visitor.page.context().close()
  })
})

test('each page of the menu, and each address that people or mails use, opens after a reload', async () => {
  const visit = await openPage(server, 'light')
  const { page, go } = visit
  await logIn(visit, 'ann@example.com')
  await go('/')
  const links = page.getByRole('navigation').getByRole('link')
  await links.filter({ hasText: 'Activity' }).waitFor()
  const hrefs = await links.evaluateAll((all) => all.map((each) => new URL((each as HTMLAnchorElement).href).pathname))
  const paths = hrefs.map((href) => href.replace(/^\/admin/, ''))
  expect(paths).toContain('/system/policies')
  const [user] = (await server.api('GET /users?fields=id&filter[email][_eq]=ed@example.com')) as { id: string }[]
  const more = ['/access', '/administration', '/content', '/system', '/users', `/users/${user?.id}`, '/model/articles']
  for (const path of [...paths, ...more, '/content/articles/1', '/content/articles/create', '/profile']) {
    await go(path)
    const title = await page.getByRole('heading', { level: 1 }).filter({ hasText: /\w/ }).textContent()
    expect.soft([path, title]).not.toEqual([path, 'There is no such page'])
  }
  await go('/access')
  await page
    .locator('main')
    .getByRole('link', { name: /^Policies ./ })
    .waitFor()
  expect.soft(await violations(page)).toEqual([])
  await go('/no/such/page')
  await page.getByText('The address /no/such/page leads to nothing that you may see.').waitFor()
  expect.soft(await violations(page)).toEqual([])
  expect(visit.faults).toEqual([])
  await page.context().close()
})

/** The address in the newest mail that leads to a page, on this server. */
const mailed = async (pattern: RegExp): Promise<string> => {
  await expect.poll(() => server.mails().some((mail) => pattern.test(mail))).toBe(true)
  const { pathname, search } = new URL(
    server
      .mails()
      .flatMap((mail) => pattern.exec(mail) ?? [])
      .at(-1) ?? '',
  )
  return `${server.url}${pathname}${search}`
}

test('the link of an invitation sets the first password, that of a forgotten one another', async () => {
  const [role] = (await server.api('GET /roles?fields=id&filter[name][_eq]=Editor')) as { id: string }[]
  await server.api('POST /users/invite', { email: 'new@example.com', role: role?.id })
  const visit = await openPage(server, 'light')
  const { page } = visit
  await page.goto(await mailed(/https?:\/\/\S+accept-invite\?token=[\w.-]+/))
  await page.getByLabel('New password').fill('correct-horse-41')
  expect.soft(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByRole('link', { name: 'Log in' }).click()
  await page.getByRole('link', { name: 'Forgotten your password?' }).click()
  await page.getByLabel('E-mail address').fill('new@example.com')
  expect.soft(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Send the mail' }).click()
  await page.getByText('If there is an account with this address, a mail is on its way.').waitFor()
  await page.goto(await mailed(/https?:\/\/\S+reset-password\?token=[\w.-]+/))
  await page.getByLabel('New password').fill('correct-horse-42')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByRole('link', { name: 'Log in' }).click()
  await logIn(visit, 'new@example.com')
  expect(visit.faults).toEqual([])
  await page.goto(`${server.url}/admin/reset-password`)
  await page.getByText('The address of this page is not complete.').waitFor()
})
