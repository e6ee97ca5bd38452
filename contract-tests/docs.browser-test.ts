/** `/docs` in Chromium. A machine without it fails here; `npm test` leaves this file out. */
import { execFileSync } from 'node:child_process'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import currentSpec from '../src/generated/current-spec.json' with { type: 'json' }
import legacySpec from '../src/generated/legacy-spec.json' with { type: 'json' }
import { createDocs, type DocumentedSpec } from '../src/http/app/docs.ts'
import { startTestApp, type TestApp } from '../src/http/app/test-app.ts'

/** CI and developers name their browser as for the other browser tests. */
const chromiumPath = (): string =>
  process.env['CHROMIUM_PATH'] ??
  execFileSync('sh', ['-c', 'command -v chromium || command -v chromium-browser || command -v google-chrome'], {
    encoding: 'utf8',
  }).trim()

const quiet = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync']

const documents: readonly DocumentedSpec[] = [
  { name: 'current', spec: currentSpec },
  { name: 'legacy', spec: legacySpec },
]

let app: TestApp
let browser: Browser
beforeAll(async () => {
  app = await startTestApp({}, {}, { pages: { docs: createDocs(documents) } })
  browser = await chromium.launch({ executablePath: chromiumPath(), args: quiet })
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

/** Opens the page, and notes what goes wrong in it and whom else it asks. */
async function open(path: string, options: Parameters<Browser['newPage']>[0] = {}) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, ...options })
  const wrong: string[] = []
  page.on('pageerror', (error) => wrong.push(String(error)))
  page.on('console', (message) => void (message.type() === 'error' && wrong.push(message.text())))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(app.url) && !/^(data|blob):/.test(url)) wrong.push(`asked ${url}`)
  })
  await page.goto(app.url + path)
  return { page, wrong }
}

const shot = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.TEST_SCREENSHOTS
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, timeout: 100_000 })
}

test('an operation is read by its address, with samples that can be copied, and nobody else is asked', async () => {
  const { page, wrong } = await open('/docs/#current/tag/users/GET/users/me')
  const operation = page.locator('section[id="current/tag/users/GET/users/me"]')
  await operation.getByRole('heading', { name: 'Read the own user', exact: true }).waitFor()
  await operation.getByText('curl').first().waitFor()
  await expect.poll(() => operation.innerText(), { timeout: 30_000 }).toContain('https://tandem.example.com/users/me')
  expect(await operation.getByRole('button', { name: /copy/i }).count()).toBeGreaterThan(0)
  await shot(page, 'operation')
  expect(wrong).toEqual([])
  await page.close()
})

test('a search leads to an operation', async () => {
  const { page, wrong } = await open('/docs/')
  await page.getByRole('heading', { name: currentSpec.info.title }).first().waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('snapshot')
  await page.getByRole('option', { name: 'Read a snapshot of the data model' }).first().waitFor()
  await shot(page, 'search')
  expect(wrong).toEqual([])
  await page.close()
})

test('it is dark where the reader prefers that, and fits a narrow window', async () => {
  const { page, wrong } = await open('/docs/#current/model/User', {
    colorScheme: 'dark',
    viewport: { width: 390, height: 800 },
  })
  await page.locator('body.dark-mode').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await shot(page, 'dark-narrow')
  expect(wrong).toEqual([])
  await page.close()
})

test('the other generation is a selection away', async () => {
  const { page, wrong } = await open('/docs/#legacy')
  await page
    .getByRole('heading', { name: documents[1]?.spec.info.title ?? '' })
    .first()
    .waitFor()
  expect(wrong).toEqual([])
  await page.close()
})
