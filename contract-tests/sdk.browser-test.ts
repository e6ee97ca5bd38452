/** A page that Vite builds with the SDK, in Chromium: login, list, reload, upload with progress, logout. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { build } from 'vite'
import { afterAll, expect, test } from 'vitest'
import { browserOptions } from './browser.ts'
import { openWorld } from './world.ts'
import { password } from './world-data.ts'

const example = join(import.meta.dirname, '../sdk/examples/browser-page.ts')
afterAll(async () => {
  await browser.close()
  site.close()
  await world.close()
})

/** A worker that posts the titles of all articles. */
const workerSource = () => `import { createCurrentClient } from '@tandem/sdk/current'
const client = createCurrentClient({ url: '${world.url}', token: '${world.tokens.admin}' })
client.items('articles').read({ fields: ['title'], sort: ['id'] }).then(
  (articles) => postMessage(articles.map(({ title }) => title)),
  (error) => postMessage(String(error)),
)`

const site = createServer().listen(0, '127.0.0.1')
await new Promise((resolve) => site.once('listening', resolve))
const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
const world = await openWorld({ CORS_ENABLED: 'true', CORS_ORIGIN: origin })
const scripts = await bundle(`import { showPage } from '${example}'\nshowPage(document.body, '${world.url}')`)
const [entry] = scripts.keys()
const [worker = ''] = (await bundle(workerSource())).values()
site.on('request', (req, res) => {
  const script = req.url === '/worker.js' ? worker : scripts.get((req.url ?? '').slice(1))
  res.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript')
  res.end(script ?? `<!doctype html><link rel="icon" href="data:,"><script type="module" src="/${entry}"></script>`)
})
const browser = await chromium.launch(browserOptions())

/** The scripts by name, the entry first. */
async function bundle(source: string): Promise<ReadonlyMap<string, string>> {
  const made = await build({
    configFile: false,
    logLevel: 'silent',
    resolve: { conditions: ['tandem-src'] },
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? id : null),
        load: (id) => (id === 'entry' ? source : null),
      },
    ],
    build: { write: false, rollupOptions: { input: 'entry' }, modulePreload: false },
  })
  const [output] = [made].flat()
  if (output === undefined || !('output' in output)) throw new Error('nothing was built')
  return new Map(output.output.map((part) => [part.fileName, part.type === 'chunk' ? part.code : '']))
}

test('a user logs in, sees the articles, uploads a file and logs out', async () => {
  const page = await browser.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.goto(origin)
  const state = page.locator('p')
  await state.getByText(/list: (done|FORBIDDEN)/).waitFor()

  await page.fill('[name=email]', 'admin@example.com')
  await page.fill('[name=password]', 'wrong')
  await page.click('text=Log in')
  await state.getByText('login: INVALID_CREDENTIALS').waitFor()
  await page.fill('[name=password]', password)
  await page.click('text=Log in')
  await state.getByText('login: done').waitFor()
  const titles = await page.locator('li').allTextContents()
  expect(titles.length).toBeGreaterThan(1)

  await page.reload()
  await state.getByText('list: done').waitFor()
  expect(await page.locator('li').allTextContents()).toEqual(titles)

  const buffer = Buffer.alloc(300_000, 'a')
  await page.setInputFiles('[type=file]', { name: 'long.txt', mimeType: 'text/plain', buffer })
  await state.getByText('upload: done').waitFor()
  expect(await page.locator('progress').evaluate((bar) => (bar as HTMLProgressElement).value)).toBe(1)

  await page.click('text=Log out')
  await state.getByText('logout: done').waitFor()
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
  expect(faults).toEqual([])
})

test('a worker reads the articles', async () => {
  const page = await browser.newPage()
  await page.goto(origin)
  const titles = await page.evaluate(async () => {
    const worker = new Worker('/worker.js', { type: 'module' })
    return new Promise<unknown>((resolve) => {
      worker.addEventListener('message', ({ data }) => resolve(data), { once: true })
    })
  })
  expect(titles).toEqual(expect.arrayContaining([expect.any(String)]))
})
