/** GraphiQL in Chromium. */
import { chromium } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { browserOptions } from './browser.ts'
import { openWorld } from './world.ts'

const world = await openWorld()
const browser = await chromium.launch(browserOptions())
afterAll(async () => {
  await browser.close()
  await world.close()
})

const isSchema = (text: string | null): boolean => text?.includes('IntrospectionQuery') === true

/** Opens the editor as a user with that token, and fails for whatever it would load from elsewhere. */
async function open(path: string, token: string | null) {
  const context = await browser.newContext({
    extraHTTPHeaders: token === null ? {} : { authorization: `Bearer ${token}` },
  })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(world.url) && !url.startsWith('data:')) faults.push(`asked ${url}`)
  })
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
  // The line above the editor asks for the user.
  const schema = page.waitForResponse((response) => isSchema(response.request().postData()))
  await page.goto(`${world.url}${path}`)
  const types = await (await schema).text()
  await page.waitForSelector('.graphiql-editor .monaco-editor .view-lines')
  return { page, faults, types, close: () => context.close() }
}

test('a query is written, run and answered in the browser, from this machine alone', { timeout: 60_000 }, async () => {
  const { page, faults, types, close } = await open('/graphql', world.tokens.admin)
  await page.click('.graphiql-editor .monaco-editor .view-lines')
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText('query { articles(limit: 1) { id title } }')
  await page.keyboard.press('Control+Enter')
  await page.waitForFunction(() => document.querySelector('.result-window')?.textContent?.includes('Hello') === true)
  expect(types).toContain('"create_articles_item"')
  // In a narrow window the result is below the query, as wide as that.
  await page.setViewportSize({ width: 390, height: 844 })
  const [query, result] = await Promise.all(
    ['.graphiql-editors', '.graphiql-response'].map((part) => page.locator(part).boundingBox()),
  )
  expect(result?.width).toBe(query?.width)
  expect(result?.height).toBeGreaterThan(200)
  expect(faults).toEqual([])
  await close()
})

test('the schema is that of the caller', { timeout: 60_000 }, async () => {
  const editor = await open('/graphql', world.tokens.editor)
  expect(editor.types).toContain('"articles"')
  expect(editor.types).not.toContain('"delete_articles_item"')
  await editor.close()
  const stranger = await open('/graphql', null)
  expect(stranger.types).not.toContain('"articles"')
  await stranger.close()
  const system = await open('/graphql/system', world.tokens.admin)
  expect(system.types).toContain('"users_me"')
  expect(system.faults).toEqual([])
  await system.close()
})

const ask = async (path: string, accept: string) => {
  const answer = await fetch(`${world.url}${path}`, { headers: { accept } })
  return [answer.status, answer.headers.get('content-type')?.split(';')[0]]
}

test('only a browser that goes there gets the editor', async () => {
  const html = 'text/html,application/xhtml+xml,*/*;q=0.8'
  expect(await ask('/graphql', html)).toEqual([200, 'text/html'])
  expect(await ask('/graphql?query=%7B__typename%7D', html)).toEqual([200, 'application/json'])
  expect((await ask('/graphql', '*/*'))[0]).toBe(400)
  expect((await ask('/graphql/assets/../../package.json', html))[0]).toBe(404)
  expect((await ask('/graphql/assets/__proto__', html))[0]).toBe(404)
  expect((await ask('/graphql/assets/graphiql.css', '*/*'))[1]).toBe('text/css')
})
