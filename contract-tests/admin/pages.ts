/** Pages of the application in Chromium, logged in, and what is looked for on each of them. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { type Newsroom, password } from './newsroom.ts'

export type Theme = 'light' | 'dark'

/** The themes in which tasks are done: both, or that of ADMIN_THEME. CI does one on each database. */
export const themes: Theme[] = (['light', 'dark'] as const).filter(
  (theme) => theme === (process.env['ADMIN_THEME'] ?? theme),
)

type Shown = Pick<Newsroom, 'browser' | 'url'>

export type Visit = {
  readonly page: Page
  /** Errors of scripts, and requests to anywhere but the server. */
  readonly faults: readonly string[]
  /** Opens a page of the application by its path. */
  readonly go: (path: string) => Promise<void>
}

/** A page of the application in a browser of its own, logged in as somebody. */
export async function openPage({ browser, url }: Shown, colorScheme: Theme, email?: string): Promise<Visit> {
  const context = await browser.newContext({ colorScheme, viewport: { width: 1280, height: 900 }, locale: 'en-US' })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url())) faults.push(request.url())
  })
  const visit: Visit = { page, faults, go: async (path) => void (await page.goto(`${url}/admin${path}`)) }
  if (email !== undefined) await logIn(visit, email)
  return visit
}

export async function logIn(visit: Visit, email: string): Promise<void> {
  const { page, go } = visit
  await go('/')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('navigation').getByRole('link', { name: 'Home' }).waitFor()
}

/** What differs between themes on the same page. */
export const rulesOfColors = ['color-contrast', 'link-in-text-block'] as const

/** What axe finds against WCAG 2.2 AA and its own best practice, by all rules or some, as `rule: element`. */
export async function violations(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  // Colours that fade in are no violation.
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'))
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async (only) => {
    const { axe: inPage } = window as unknown as { readonly axe: typeof axe }
    const runOnly = only === undefined ? {} : { runOnly: { type: 'rule' as const, values: [...only] } }
    const { violations: found } = await inPage.run(document, { resultTypes: ['violations'], ...runOnly })
    return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
  }, rules)
}

/** Chooses in a list that opens on a click. */
export async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).last().click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

export const save = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page
    .getByText(/^(Saved|Element created)$/)
    .first()
    .waitFor()
}
