/** Logins to the application, and by the form of a directory on `/`, in Chromium. */
import { chromium, type Page } from 'playwright-core'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { seedIds } from '../../src/domain/schema/identity.ts'
import { codeAt } from '../../src/tokens/one-time-codes.ts'
import { browserOptions } from '../browser.ts'
import { freePort, startOidcProvider } from '../oidc-process.ts'
import { directorySettings, person, playDirectory } from '../played-directory.ts'
import { openProvidersWorld } from '../providers-world.ts'

const secret = 'WS36IYF5QGENQ3NE3UTBJN2AVYXYFX4G'
const password = 'correct-horse-42'

const port = await freePort()
const started = await startOidcProvider(`http://127.0.0.1:${port}/auth/login/certified/callback`)
const provider = started.child
const directory = await playDirectory([person('ada')])
const world = await openProvidersWorld({
  PORT: String(port),
  AUTH_PROVIDERS: 'certified,corp',
  AUTH_CERTIFIED_DRIVER: 'openid',
  AUTH_CERTIFIED_LABEL: 'Certified',
  AUTH_CERTIFIED_CLIENT_ID: 'tandem',
  AUTH_CERTIFIED_CLIENT_SECRET: 'secret-of-the-client',
  AUTH_CERTIFIED_ISSUER_URL: started.issuer,
  AUTH_CERTIFIED_PARAMS: '{"login_hint":"eve"}',
  ...directorySettings('CORP', directory),
  AUTH_CORP_LABEL: 'Corporation',
  AUTH_CORP_DEFAULT_ROLE_ID: seedIds.administratorRole,
})
const browser = await chromium.launch(browserOptions())
afterAll(async () => {
  await browser.close()
  await world.close()
  await directory.close()
  provider?.kill()
})
beforeEach(async () => {
  await world.rows(`delete from platform_users where email is distinct from 'admin@example.com'`)
  await world.rows('update platform_users set tfa_secret = null')
  await world.rows('delete from platform_account_states')
})

async function open(path: string): Promise<Page> {
  const page = await (await browser.newContext({ locale: 'en-US' })).newPage()
  await page.goto(`${world.url}${path}`)
  return page
}

const home = (page: Page) => page.getByRole('navigation').getByRole('link', { name: 'Home' }).waitFor()

const addEve = (secretOfEve: string | null = null) =>
  world.rows(
    `insert into platform_users (id, email, provider, external_identifier, role, tfa_secret)
      values (gen_random_uuid(), 'eve@example.com', 'certified', 'eve', $1, $2)`,
    [seedIds.administratorRole, secretOfEve],
  )

const byProvider = (page: Page) => page.getByRole('link', { name: 'Log in with Certified' })

test('the button of a provider leads into the application', async () => {
  await addEve()
  const page = await open('/admin/')
  await byProvider(page).click()
  await home(page)
  expect(new URL(page.url()).pathname).toBe('/admin/')
})

test('a person without an account here reads the reason', async () => {
  const page = await open('/admin/')
  await byProvider(page).click()
  await page.getByText('The provider knows you, but you have no account here.').waitFor()
  expect(await world.rows('select id from platform_sessions')).toEqual([])
})

test('a login by a provider asks for the code of a second factor', async () => {
  await addEve(secret)
  const page = await open('/admin/')
  await byProvider(page).click()
  await page.getByLabel('One-time code').fill(codeAt(secret, new Date()))
  await byProvider(page).click()
  await home(page)
})

test('so does a login by password', async () => {
  await world.rows(`update platform_users set tfa_secret = $1 where email = 'admin@example.com'`, [secret])
  const page = await open('/admin/')
  await page.getByLabel('E-mail address').fill('admin@example.com')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('Enter the one-time code of your authenticator.').waitFor()
  await page.getByLabel('One-time code').fill(codeAt(secret, new Date()))
  await page.getByRole('button', { name: 'Log in' }).click()
  await home(page)
})

test('a directory checks the password of its users', async () => {
  const page = await open('/admin/')
  await page.getByRole('combobox', { name: 'Account of' }).click()
  await page.getByRole('option', { name: 'Corporation' }).click()
  await page.getByLabel('User name').fill('ada')
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('Address or password is wrong.').waitFor()
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await home(page)
  expect(await world.rows('select provider from platform_users where provider = $1', ['corp'])).toEqual([
    { provider: 'corp' },
  ])
})

test('the front page takes users of a directory too', async () => {
  const page = await open('/')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByLabel('Account').selectOption('corp')
  await page.getByLabel('Name').fill('ada')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('dialog').getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('button', { name: 'Log out' }).waitFor()
  expect(await world.rows('select provider from platform_users where provider = $1', ['corp'])).toEqual([
    { provider: 'corp' },
  ])
})
