/** `/`, and the login that it shares with `/docs` and GraphiQL, in Chromium. */
import { chromium, type Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { browserOptions } from './browser.ts'
import { openOwnDatabase } from './own-database.ts'

const server = await openOwnDatabase('create table horses (id serial primary key, name text)', {
  HASH_MEMORY_COST: '8',
  HASH_PARALLELISM: '1',
})
const browser = await chromium.launch(browserOptions())
const user = { email: 'ann@example.com', password: 'correct-horse-42' }
const policies = await server.rows('select id from platform_roles where name = $1', ['Administrator'])
await server.ask('POST /users', { body: { ...user, role: policies[0]?.['id'] } })
afterAll(async () => {
  await browser.close()
  await server.close()
})

async function open(
  colorScheme: 'light' | 'dark',
): Promise<{ readonly page: Page; readonly faults: readonly string[] }> {
  const page = await (await browser.newContext({ colorScheme })).newPage()
  page.setDefaultTimeout(60_000)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => void (message.type() === 'error' && faults.push(message.text())))
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url) && !/^(data|blob):/.test(request.url())) faults.push(request.url())
  })
  await page.goto(`${server.url}/`)
  return { page, faults }
}

const background = (): string => getComputedStyle(document.body).backgroundColor

test('whoever logs in sees the own collections, also in the other pages, until the logout', async () => {
  const { page, faults } = await open('light')
  await page.getByText('This page shows what visitors may use.').waitFor()
  await page.getByText('No collection is shown.').waitFor()
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByLabel('E-mail address').fill('ann@example.com')
  await page.getByLabel('Password').fill('correct-horse-42')
  await page.getByRole('dialog').getByRole('button', { name: 'Log in' }).click()
  await page.getByText('This page shows what ann@example.com may use.').waitFor()
  await page.getByRole('link', { name: 'horses' }).waitFor()
  await page.goto(`${server.url}/graphql`)
  await page.getByText('The schema shows what ann@example.com may use.').waitFor()
  await page.goto(`${server.url}/docs/`)
  await page.getByText('The document "Your collections" shows what ann@example.com may use.').waitFor()
  await page.locator('#select').selectOption({ label: 'Your collections' })
  // The first document is drawn until then, and has no collections of its own.
  await page.getByText('../server/specs/oas').waitFor()
  await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'items' }).click()
  await page.getByText('/items/horses').first().waitFor()
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByText('shows what visitors may use.').waitFor()
  expect(faults).toEqual([])
})

test('a wrong password and a needed code are told', async () => {
  const { page } = await open('dark')
  await page.route('**/auth/login', (route) =>
    route.fulfill({ status: 401, json: { errors: [{ extensions: { code: 'INVALID_OTP' } }] } }),
  )
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByLabel('E-mail address').fill('ann@example.com')
  await page.getByLabel('Password').fill('correct-horse-42')
  await page.getByRole('dialog').getByRole('button', { name: 'Log in' }).click()
  await page.getByText('Enter the one-time code').waitFor()
  await page.getByLabel('One-time code').fill('123456')
  await page.getByRole('dialog').getByRole('button', { name: 'Log in' }).click()
  await page.getByText('This code is wrong').waitFor()
  await page.unroute('**/auth/login')
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('dialog').getByRole('button', { name: 'Log in' }).click()
  await page.getByText('Address or password is wrong.').waitFor()
})

test('both themes', async () => {
  const [light, dark] = [await open('light'), await open('dark')]
  expect(await light.page.evaluate(background)).not.toBe(await dark.page.evaluate(background))
})

test('programs get the answer of the operation', async () => {
  const answer = await fetch(`${server.url}/`)
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  const page = await fetch(`${server.url}/`, { headers: { accept: 'text/html' } })
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/)
  expect(await page.text()).not.toMatch(/<style|style=|<script>|https?:\/\//)
})
