/** Files: the point that crops keep, other sizes, and an upload that goes on where it stopped; in both themes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openNewsroom } from './newsroom.ts'
import { choose, openPage, save, type Theme, type Visit, violations } from './pages.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem-films-'))
const server = await openNewsroom()
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const find = async (name: string, fields: string): Promise<Record<string, unknown>> => {
  const query = `fields=${fields}&filter[filename_download][_eq]=${name}`
  return ((await server.api(`GET /files?${query}`)) as Record<string, unknown>[])[0] ?? {}
}

const titleOf = async (name: string) => (await find(name, 'title'))['title'] as string | undefined

describe.each(['light', 'dark'] as const)('in the %s theme an administrator', (theme: Theme) => {
  let visit: Visit
  beforeAll(async () => {
    visit = await openPage(server, theme, 'ann@example.com')
  })
  afterEach(() => expect(visit.faults).toEqual([]))

  test('sets the focal point with a click, and looks at another size', async () => {
    const { page, go } = visit
    const create = { width: 400, height: 200, channels: 3 as const, background: '#4a3aff' }
    const buffer = await sharp({ create }).png().toBuffer()
    await go('/files')
    await page.locator('main input[type=file]').setInputFiles({ name: `${theme}.png`, mimeType: 'image/png', buffer })
    await page.getByRole('link', { name: theme === 'light' ? 'Light' : 'Dark', exact: true }).click()
    await page.getByText('The picture has 400 × 200 pixels.').waitFor()
    const picture = page.locator('form img')
    await expect.poll(() => picture.evaluate((each) => (each as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
    // The bars at the top and at the bottom stay in sight, and may lie over a picture at an edge.
    await picture.evaluate((each) => each.scrollIntoView({ block: 'center' }))
    const { width = 0, height = 0 } = (await picture.boundingBox()) ?? {}
    await picture.click({ position: { x: width / 4, y: height / 2 } })
    await page.locator('[data-focal-point]').waitFor()
    expect.soft(await violations(page)).toEqual([])
    await save(page)
    expect(await find(`${theme}.png`, 'focal_point_x,focal_point_y')).toEqual({
      focal_point_x: 100,
      focal_point_y: 100,
    })
    const { id } = await find(`${theme}.png`, 'id')
    await go(`/system/files/${String(id)}`)
    await page.getByLabel('Width').fill('50')
    await page.getByLabel('Height').fill('50')
    await choose(page, 'Format', 'webp')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    const shown = page.getByRole('img', { name: 'Other sizes and formats' })
    await expect
      .poll(() =>
        shown.evaluate((each) => [(each as HTMLImageElement).naturalWidth, (each as HTMLImageElement).naturalHeight]),
      )
      .toEqual([50, 50])
    expect(await page.getByLabel('Address').inputValue()).toBe(
      `${server.url}/assets/${String(id)}?width=50&height=50&fit=cover&format=webp`,
    )
    // The bar with the title comes back at the top.
    await page.evaluate(() => window.scrollTo(0, 0))
    expect.soft(await violations(page)).toEqual([])
  })

  test('is told where the contents of a file are missing', async () => {
    const { page, go } = visit
    const name = `lost-${theme}.png`
    const columns = 'id, storage, filename_disk, filename_download, title, type'
    const values = [crypto.randomUUID(), 'local', name, name, `Lost ${theme}`, 'image/png']
    await server.rows(`insert into platform_files (${columns}) values ($1, $2, $3, $4, $5, $6)`, values)
    await go('/files')
    const words = 'The contents of this file are missing.'
    const link = page.getByRole('link', { name: new RegExp(`Lost ${theme}$`) })
    await link.getByText(words).waitFor()
    await link.click()
    await page.getByRole('alert').getByText(words).waitFor()
    expect(await page.getByRole('link', { name: 'Download' }).count()).toBe(0)
    expect.soft(await violations(page)).toEqual([])
  })

  test('goes on with a large upload that was interrupted', async () => {
    const { page, go } = visit
    const name = `film-${theme}.bin`
    // On the disk: the same file has the same time each time that it is chosen.
    const file = join(folder, name)
    const contents = Buffer.alloc(2_500_000, theme)
    writeFileSync(file, contents)
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH' && request.url().includes('/files/tus/'))
        sent.push(request.headers()['upload-offset'] ?? '')
    })
    await page.route('**/files/tus/*', (route) =>
      route.request().headers()['upload-offset'] === '1048576' ? route.fulfill({ status: 403 }) : route.continue(),
    )
    await go('/files')
    await page.locator('main input[type=file]').setInputFiles(file)
    await page.getByText(new RegExp(`^${name}: `)).waitFor()
    expect(await find(name, 'filename_download')).toEqual({})
    await page.unrouteAll()
    await go('/files')
    await page.locator('main input[type=file]').setInputFiles(file)
    await page
      .getByRole('link', { name: `Film ${theme}`, exact: true })
      .or(page.getByText(name))
      .first()
      .waitFor()
    await expect.poll(() => find(name, 'filesize')).toMatchObject({ filesize: '2500000' })
    expect(sent).toEqual(['0', '1048576', '1048576', '2097152'])
    const { id } = await find(name, 'id')
    const { body } = await server.ask(`GET /assets/${String(id)}`)
    expect(body).toBe(contents.toString())
  })

  test('renames a file, and moves and deletes several', async () => {
    const { page, go } = visit
    const { id: parent } = (await server.api('POST /folders', { name: `Films ${theme}` })) as { id: string }
    const { id: inner } = (await server.api('POST /folders', { name: 'Old', parent })) as { id: string }
    const names = ['one', 'two'].map((name) => `${theme}-${name}.txt`)
    await go('/files')
    const files = names.map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) }))
    await page.locator('main input[type=file]').setInputFiles(files)
    const long = `${theme} ${'with a very long title '.repeat(8)}`.trim()
    const chosen = (name: string) => page.getByRole('checkbox', { name: `Choose ${name}`, exact: true })
    await expect.poll(() => titleOf(`${theme}-two.txt`), { timeout: 20_000 }).toBeTypeOf('string')
    const [first, second] = await Promise.all(names.map(titleOf))
    await chosen(first ?? '').focus()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('dialog').getByLabel('Title').fill(long)
    await page.getByRole('button', { name: 'Save' }).click()
    await chosen(long).check()
    await chosen(second ?? '').check()
    await page.getByText('2 files chosen').waitFor()
    expect.soft(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Move' }).click()
    await choose(page, 'Folder', `Films ${theme} › Old`)
    expect.soft(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('2 files moved').waitFor()
    const inFolder = `GET /files?fields=title&filter[folder][_eq]=${inner}&sort=title`
    expect(await server.api(inFolder)).toEqual([{ title: second }, { title: long }])
    await go(`/files?folder=${inner}`)
    await chosen(long).check()
    await page.keyboard.press('Escape')
    await page.getByText('1 file chosen').waitFor({ state: 'detached' })
    await chosen(long).check()
    await page.getByRole('button', { name: 'Choose all on this page' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('There are no files here.').waitFor()
    expect(await server.api(inFolder)).toEqual([])
  })
})
