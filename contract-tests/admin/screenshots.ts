/**
 * Makes the pictures of the README, `docs/pictures/admin-*.webp`, in Chromium:
 * `node --conditions=tandem-src contract-tests/admin/screenshots.ts`. With a folder as argument, it adds pictures of more
 * pages there, in a wide, a usual and a narrow window, to be looked at.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { openNewsroom } from './newsroom.ts'
import { logIn, openPage, type Theme } from './pages.ts'

const published = new URL('../../docs/pictures/', import.meta.url).pathname
const largest = 150_000
const paths = [
  '/',
  '/content/articles',
  '/content/articles/1',
  '/files',
  '/access',
  '/explain',
  '/model',
  '/moving-on',
  '/administration',
  '/settings',
]

const server = await openNewsroom()
try {
  for (const theme of ['light', 'dark'] as const) await takeAll(theme)
} finally {
  await server.close()
}

async function takeAll(theme: Theme): Promise<void> {
  const visit = await openPage(server, theme)
  const { page, go } = visit
  page.setDefaultTimeout(60_000)
  await logIn(visit, 'ann@example.com')
  await page.setViewportSize({ width: 1280, height: 800 })
  await go('/content/articles/1')
  await page.getByRole('button', { name: 'Upload a file' }).waitFor()
  await take(page, join(published, `admin-${theme}.webp`))
  const [folder] = process.argv.slice(2)
  if (folder === undefined) return
  await mkdir(folder, { recursive: true })
  for (const [width, height] of [
    [1920, 1080],
    [1280, 800],
    [400, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const path of paths) {
      await go(path)
      await page.waitForLoadState('networkidle')
      await take(page, join(folder, `${path.replaceAll('/', '-').slice(1) || 'home'}-${width}-${theme}.webp`))
    }
  }
}

/** Waits until everything is loaded and nothing moves. */
async function take(page: Page, file: string): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.waitForFunction(
    () =>
      document.querySelector('[role="progressbar"]') === null &&
      document.getAnimations().every(({ playState }) => playState !== 'running'),
  )
  const picture = await sharp(await page.screenshot())
    .webp({ quality: 80 })
    .toBuffer()
  if (picture.length > largest) throw new Error(`${file} has ${picture.length} bytes, expected at most ${largest}`)
  await writeFile(file, picture)
}
