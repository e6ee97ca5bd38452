/** What comes over the line for the first page and the first list, how soon they can be used, and how much moves. */
import { afterAll, expect, test } from 'vitest'
import { openNewsroom } from './newsroom.ts'
import { logIn, openPage } from './pages.ts'

const server = await openNewsroom()
afterAll(() => server.close())

test('the first page needs at most 300 kB; a list opened first 300 kB of scripts', async () => {
  const visit = await openPage(server, 'light')
  const { page, go } = visit
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  await go('/')
  await page.getByLabel('Password').waitFor()
  await page.waitForLoadState('networkidle')
  console.log(`the login page: ${Math.round(bytes / 1000)} kB`)
  expect(bytes).toBeGreaterThan(50_000)
  expect(bytes).toBeLessThan(300_000)
  await logIn(visit, 'ed@example.com')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await go('/content/articles')
  await page.getByRole('link', { name: 'Riding in two' }).waitFor()
  const scripts = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, each) => sum + (each as PerformanceResourceTiming).encodedBodySize, 0),
  )
  console.log(`the first list: ${Math.round(scripts / 1000)} kB of scripts`)
  expect(scripts).toBeLessThan(300_000)
})

test('buttons fade only where the system does not ask for less motion', async () => {
  const { page, go } = await openPage(server, 'light', 'ed@example.com')
  await go('/content/articles')
  const create = page.getByRole('link', { name: 'Create' })
  const seconds = async (): Promise<number> =>
    Number.parseFloat(await create.evaluate((element) => getComputedStyle(element).transitionDuration))
  expect(await seconds()).toBeGreaterThan(0.1)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await seconds()).toBeLessThan(0.001)
})
