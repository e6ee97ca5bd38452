/** `/docs` in Chromium. */
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import currentSpec from '../src/generated/current-spec.json' with { type: 'json' }
import legacySpec from '../src/generated/legacy-spec.json' with { type: 'json' }
import { startTestApp } from '../src/http/app/test-app.ts'
import { createDocs } from '../src/http/pages/docs.ts'
import { browserOptions } from './browser.ts'

const documents = [
  { name: 'current', spec: currentSpec },
  { name: 'legacy', spec: legacySpec },
]
const app = await startTestApp({}, {}, { pages: { docs: createDocs(documents) } })
const browser = await chromium.launch(browserOptions())
afterAll(async () => {
  await browser.close()
  await app.close()
})

type Look = NonNullable<Parameters<Browser['newPage']>[0]>

type Opened = { readonly page: Page; readonly faults: readonly string[] }

// This server has no operations, so that nobody can be logged in.
const isFault = (type: string, url: string): boolean => type === 'error' && !url.endsWith('/graphql/system')

/** Opens the page, which takes seconds. `faults` lists errors and requests to other hosts. */
async function open(path: string, look: Look = {}): Promise<Opened> {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, ...look })
  page.setDefaultTimeout(60_000)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => void (isFault(message.type(), message.location().url) && faults.push(message.text())))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(app.url) && !/^(data|blob):/.test(url)) faults.push(`requested ${url}`)
  })
  await page.goto(app.url + path)
  return { page, faults }
}

/** Opens the page once for the tests of the group. */
function opened(path: string, look: Look = {}): () => Page {
  let all: Opened
  beforeAll(async () => {
    all = await open(path, look)
  })
  afterEach(() => expect(all.faults).toEqual([]))
  afterAll(() => all.page.close())
  return () => all.page
}

describe('the page', () => {
  const page = opened('/docs/')
  const contents = () => page().getByRole('navigation', { name: 'Contents' })

  test('the filter finds an operation, which opens with its parameters, without any other host', async () => {
    await page().locator('.operation-filter-input').fill('users/me update')
    const operation = page().locator('#operations-users-updateMe')
    await operation.waitFor()
    await page().locator('#operations-users-readUsers').waitFor({ state: 'detached' })
    await operation.locator('.opblock-summary-control').click()
    await operation.getByText('If-Match').first().waitFor()
    await page().locator('.operation-filter-input').fill('')
  })

  test('the contents lead to each tag, and the search finds words of descriptions', async () => {
    await contents().getByRole('link', { name: 'server' }).waitFor()
    expect(await contents().getByRole('link').allTextContents()).toEqual(currentSpec.tags.map(({ name }) => name))
    await contents().getByRole('link', { name: 'versions' }).click()
    await page().locator('#operations-versions-promoteVersion').waitFor()
    expect(new URL(page().url()).hash).toBe('#/versions')
    await page().locator('.operation-filter-input').fill('mails each a link')
    await page().locator('#operations-users-inviteUsers').waitFor()
    await page().locator('#operations-users-readUsers').waitFor({ state: 'detached' })
  })

  test('a resource is listed with its properties, without what is derived from it', async () => {
    const models = page().locator('section.models')
    await models.getByRole('button', { name: 'Schemas' }).click()
    const titles = models.locator('.json-schema-2020-12__title')
    await titles.first().waitFor()
    const names = await titles.allTextContents()
    expect(names).toEqual(expect.arrayContaining(['Role', 'User']))
    expect(names.filter((name) => /^User(Input|Patch|Envelope|OneOrSeveral)$/.test(name))).toEqual([])
    await models.getByRole('button', { name: 'User', exact: true }).click()
    await models.getByText('first_name').first().waitFor()
  })

  test('the legacy spec can be selected', async () => {
    await page().locator('.operation-filter-input').fill('')
    await page().locator('#select').selectOption({ label: legacySpec.info.title })
    await contents().getByRole('link', { name: 'collection_presets' }).waitFor()
    await contents().getByRole('link', { name: 'items' }).click()
    await page().locator('#operations-items-readItems').getByText('/{project}/items/{collection}').waitFor()
  })
})

describe('a link to an operation', () => {
  const page = opened('/docs/#/users/inviteUsers', {
    permissions: ['clipboard-read', 'clipboard-write'],
    colorScheme: 'dark',
  })

  test('opens it, and its samples can be copied', async () => {
    const samples = page().locator('#operations-users-inviteUsers .code-samples')
    await samples.getByText('curl -X POST').waitFor()
    await samples.getByRole('tab', { name: 'SDK' }).click()
    await samples.getByText('await client.users.invite({').waitFor()
    await samples.getByRole('button', { name: 'Copy' }).click()
    await samples.getByRole('button', { name: 'Copied' }).waitFor()
    const [, sdk] = currentSpec.paths['/users/invite'].post['x-codeSamples']
    expect(await page().evaluate(() => navigator.clipboard.readText())).toBe(sdk?.source)
  })

  test('shows it in the dark where the reader prefers that, and a button changes it', async () => {
    await page().locator('html.dark-mode').waitFor()
    const dark = await page().evaluate(background)
    await page().getByRole('button', { name: 'Switch to light mode' }).click()
    expect(await page().locator('html.dark-mode').count()).toBe(0)
    expect(await page().evaluate(background)).not.toBe(dark)
  })
})

const background = () => getComputedStyle(document.documentElement).backgroundColor

describe('a narrow window', () => {
  const page = opened('/docs/#/users/updateMe', { viewport: { width: 375, height: 800 } })

  test('needs no scrolling to the side, also with an open operation', async () => {
    await page().locator('#operations-users-updateMe .code-samples').waitFor()
    expect(await page().evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
    await page().locator('#select').waitFor()
  })
})
