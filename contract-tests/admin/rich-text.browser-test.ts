/** HTML in an editor that shows how it looks, and as source where the editor would lose some of it. */
import { afterAll, afterEach, expect, test } from 'vitest'
import { openNewsroom } from './newsroom.ts'
import { openPage, save, violations } from './pages.ts'

const server = await openNewsroom()
await server.api('PATCH /fields/articles/body', { meta: { interface: 'input-rich-text-html' } })
const visit = await openPage(server, 'light', 'ed@example.com')
afterAll(() => server.close())
afterEach(() => expect(visit.faults).toEqual([]))

const write = (body: string | null) => server.api('PATCH /items/articles/1', { body })
const stored = async (): Promise<unknown> =>
  ((await server.api('GET /items/articles/1?fields=body,title')) as { body: unknown }).body

/** Opens the article with this text. */
async function open(body: string | null): Promise<void> {
  await write(body)
  await visit.go('/content/articles/1')
  await visit.page.getByLabel('Body').waitFor()
}

const editor = () => visit.page.getByRole('textbox', { name: 'Body' })
const button = (name: string) => visit.page.getByRole('toolbar').getByRole('button', { name, exact: true })

test('a text is formatted by buttons and keys', async () => {
  const { page } = visit
  await open(null)
  await editor().click()
  await button('Bold').click()
  await expect.poll(() => button('Bold').getAttribute('aria-pressed')).toBe('true')
  await page.keyboard.type('Riders')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+b')
  await button('List').click()
  await page.keyboard.type('one')
  await page.keyboard.press('Enter')
  await page.keyboard.type('two')
  await editor().locator('li').last().selectText()
  await button('Link').click()
  await page.getByRole('dialog').getByLabel('Address').fill('https://example.com/two')
  expect.soft(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('combobox', { name: 'Kind of paragraph' }).waitFor()
  expect.soft(await violations(page)).toEqual([])
  await save(page)
  expect(await stored()).toBe(
    '<p><strong>Riders</strong></p><ul><li>one</li><li><a href="https://example.com/two">two</a></li></ul>',
  )
})

/** Whatever the editor writes in its own way, but does not lose. */
const untouched =
  '<h2>Two <b>riders</b></h2>\n<p style="text-align: center;">in <i>one</i> <u>saddle</u><br>and <del>none</del></p>\n' +
  '<ul>\n <li>hay</li>\n <li><p>oats</p></li>\n</ul>\n<pre><code class="language-ts">const a  = 1</code></pre>\n' +
  '<p><img src="/assets/x.png" alt="A horse" width="3"></p><blockquote>Words</blockquote><hr>'

test('a text that nobody touched is not sent, also after a change that was taken back', async () => {
  const { page } = visit
  await open(untouched)
  await editor().getByText('hay').click()
  await page.keyboard.type('stack of ')
  await page.keyboard.press('Control+z')
  expect(await button('Undo').isDisabled()).toBe(true)
  await page.getByLabel('Title').fill('Riding in two!')
  const sent = page.waitForRequest((request) => request.method() === 'PATCH')
  await save(page)
  expect((await sent).postDataJSON()).toEqual({ title: 'Riding in two!' })
  expect(await stored()).toBe(untouched)
})

test('a text with markup that the editor does not hold is shown as source, and keeps it', async () => {
  const { page } = visit
  const table = '<p class="lead">Prices</p><table><tbody><tr><td>1</td></tr></tbody></table>'
  await open(`${table}<iframe src="https://example.com/film"></iframe><script>alert(1)</script>`)
  const note = page.getByText('This text is shown as source')
  expect(await note.textContent()).toContain('p class, table, tbody, tr, td, iframe, iframe src, script')
  expect(await page.getByRole('button', { name: 'Editor', exact: true }).isDisabled()).toBe(true)
  expect.soft(await violations(page)).toEqual([])
  await editor().fill(table.replace('1', '2'))
  await save(page)
  expect(await stored()).toBe(table.replace('1', '2'))
  await visit.go('/content/articles/1')
  await editor().fill('<p>plain</p>')
  await note.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Editor', exact: true }).click()
  await editor().getByText('plain').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' words')
  await page.getByRole('button', { name: 'Source', exact: true }).click()
  expect(await editor().inputValue()).toBe('<p>plain words</p>')
  await save(page)
  expect(await stored()).toBe('<p>plain words</p>')
})

test('markup that could run scripts is neither shown nor lost', async () => {
  const { page } = visit
  const evil = '<p>Hay</p><img src="x" onerror="document.title = \'run\'"><a href="javascript:alert(1)">go</a>'
  await open(evil)
  await page.getByText('This text is shown as source').waitFor()
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('Hay', { exact: true }).waitFor()
  expect(await page.title()).not.toBe('run')
  expect(await page.locator('a[href^=javascript]').count()).toBe(0)
  await page.getByLabel('Title').fill('Riding in two?')
  await save(page)
  expect(await stored()).toBe(evil)
})
