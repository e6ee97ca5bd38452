/** `/docs` in Chromium. */
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import currentSpec from '../src/generated/current-spec.json' with { type: 'json' }
import legacySpec from '../src/generated/legacy-spec.json' with { type: 'json' }
import { createDocs } from '../src/http/app/docs.ts'
import { startTestApp, type TestApp } from '../src/http/app/test-app.ts'
import { browserOptions } from './browser.ts'

const documents = [
  { name: 'current', spec: currentSpec },
  { name: 'legacy', spec: legacySpec },
]

let app: TestApp
let browser: Browser
beforeAll(async () => {
  app = await startTestApp({}, {}, { pages: { docs: createDocs(documents) } })
  browser = await chromium.launch(browserOptions())
})
afterAll(async () => {
  await browser?.close()
  await app?.close()
})

/** Opens the page. `faults` lists errors and requests to other hosts. */
async function open(path: string) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } })
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => void (message.type() === 'error' && faults.push(message.text())))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(app.url) && !/^(data|blob):/.test(url)) faults.push(`requested ${url}`)
  })
  await page.goto(app.url + path)
  return { page, faults }
}

test('the filter finds an operation, which opens with its parameters, without any other host', async () => {
  const { page, faults } = await open('/docs/')
  await page.locator('.operation-filter-input').fill('users/me update')
  const operation = page.locator('#operations-users-updateMe')
  await operation.waitFor()
  await page.locator('#operations-users-readUsers').waitFor({ state: 'detached' })
  await operation.locator('.opblock-summary-control').click()
  await operation.getByText('If-Match').first().waitFor()
  expect(faults).toEqual([])
  await page.close()
})

test('the legacy spec can be selected', async () => {
  const { page, faults } = await open('/docs/')
  await page.locator('#select').selectOption({ label: legacySpec.info.title })
  await page.locator('#operations-items-readItems').getByText('/{project}/items/{collection}').waitFor()
  expect(faults).toEqual([])
  await page.close()
})
