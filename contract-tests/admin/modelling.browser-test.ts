/** Options, conditions and validation of fields: set by forms, and followed by the form of an item, in German too. */
import { afterAll, afterEach, expect, test } from 'vitest'
import { openNewsroom } from './newsroom.ts'
import { choose, openPage, violations } from './pages.ts'

const server = await openNewsroom()
const visit = await openPage(server, 'light', 'ann@example.com')
afterAll(() => server.close())
afterEach(() => expect(visit.faults).toEqual([]))

/** Opens the dialog of a field. */
async function change(field: string) {
  await visit.go('/model/articles')
  await visit.page.getByRole('button', { name: `Change ${field}`, exact: true }).click()
  return visit.page.getByRole('dialog')
}

async function saveField(): Promise<void> {
  await visit.page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await visit.page.getByRole('dialog').waitFor({ state: 'detached' })
}

const metaOf = async (field: string, names: readonly string[]): Promise<object> => {
  const { meta } = (await server.api(`GET /fields/articles/${field}`)) as { meta: { [name: string]: unknown } }
  return Object.fromEntries(names.map((name) => [name, meta[name]]))
}

test('options of an interface are set by a form', async () => {
  const title = await change('Title')
  await title.getByLabel('Placeholder').fill('As it is printed')
  await title.getByLabel('Without spaces before the text').check()
  expect.soft(await violations(visit.page)).toEqual([])
  await saveField()
  const views = await change('Views')
  await views.getByLabel('Smallest value').fill('0')
  await views.getByLabel('Greatest value').fill('50')
  await views.getByLabel('Step').fill('5')
  await views.getByRole('button', { name: 'All options as JSON' }).click()
  expect(JSON.parse(await views.getByLabel('Options (JSON)').inputValue())).toEqual({ min: 0, max: 50, step: 5 })
  await saveField()
  expect(await metaOf('title', ['options'])).toEqual({ options: { placeholder: 'As it is printed', trim: true } })
  const { page, go } = visit
  await go('/content/articles/create')
  expect(await page.getByLabel('Title').getAttribute('placeholder')).toBe('As it is printed')
  await page.getByLabel('Views').fill('60')
  await page.getByLabel('Title').fill('  Hay')
  expect(await page.getByLabel('Title').inputValue()).toBe('Hay')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Must be 50 or less').waitFor()
})

test('templates of code, fields of lists and formats of dates are set by forms', async () => {
  const { page, go } = visit
  const settings = await change('Settings')
  await settings.getByLabel('Template', { exact: true }).fill('{"layout": "wide"}')
  await saveField()
  const links = await change('Links')
  await links.getByRole('button', { name: 'Add a field' }).click()
  const group = links.getByRole('group', { name: 'Fields of a group' })
  await group.getByLabel('Name').last().fill('rank')
  await choose(page, 'Type', 'integer')
  expect.soft(await violations(page)).toEqual([])
  await saveField()
  await change('Day')
  await choose(page, 'Interface', 'date (version 8)')
  await choose(page, 'Format of dates', 'Long')
  expect.soft(await violations(page)).toEqual([])
  await saveField()
  expect(await metaOf('day', ['interface', 'display_options'])).toEqual({
    interface: 'date',
    display_options: { format: 'long' },
  })
  const { options } = (await metaOf('links', ['options'])) as { options: { fields: { field: string; type: string }[] } }
  expect(options.fields.map(({ field, type }) => `${field} ${type}`)).toEqual([
    'label string',
    'url string',
    'rank integer',
  ])
  await server.api('PATCH /items/articles/2', { day: '2026-05-02' })
  await page.evaluate(() => localStorage.setItem('RaStore.columns.articles', '["title","day"]'))
  await go('/content/articles')
  await page.getByRole('cell', { name: 'May 2, 2026' }).waitFor()
  await go('/content/articles/create')
  await page.getByRole('button', { name: 'Fill in the template' }).click()
  expect(JSON.parse(await page.locator('textarea[name=settings]').inputValue())).toEqual({ layout: 'wide' })
  await page.evaluate(() => localStorage.removeItem('RaStore.columns.articles'))
})

test('conditions and validation are set by rules', async () => {
  const note = await change('Internal note')
  await note.getByRole('button', { name: 'Add a condition' }).click()
  const second = note.getByRole('group', { name: 'Condition 2' })
  await second.getByRole('button', { name: 'Add a rule' }).click()
  await second.getByRole('combobox', { name: 'Field' }).fill('featured')
  await visit.page.getByRole('option', { name: 'Featured' }).click()
  await choose(visit.page, 'Value', 'Yes')
  await second.getByLabel('Required').check()
  expect.soft(await violations(visit.page)).toEqual([])
  await saveField()
  expect(await metaOf('internal_note', ['conditions'])).toMatchObject({
    conditions: [
      { name: 'drafts', rule: { _and: [{ status: { _eq: 'draft' } }] }, hidden: false },
      { rule: { _and: [{ featured: { _eq: true } }] }, required: true },
    ],
  })
  const views = await change('Views')
  const validation = views.getByRole('region', { name: 'Validation' })
  await validation.getByRole('button', { name: 'Add a rule' }).click()
  await validation.getByRole('combobox', { name: 'Field' }).fill('views')
  await visit.page.getByRole('option', { name: 'Views' }).click()
  await choose(visit.page, 'Operator', 'at most')
  await validation.getByLabel('Value', { exact: true }).fill('10')
  await saveField()
  expect(await metaOf('views', ['validation'])).toEqual({ validation: { _and: [{ views: { _lte: 10 } }] } })
})

test('errors and explanations of the server are in the language of the interface', async () => {
  const { page, go } = visit
  await page.evaluate(() => localStorage.setItem('RaStore.locale', '"de"'))
  await go('/content/articles/1')
  await page.getByLabel('Views').fill('20')
  await page.getByRole('button', { name: 'Speichern', exact: true }).click()
  await page.getByText('Der Wert darf höchstens 10 sein.', { exact: true }).first().waitFor()
  await go('/explain')
  await page.getByRole('combobox', { name: 'Sammlung' }).fill('articles')
  await page.getByRole('option', { name: 'articles', exact: true }).click()
  await page.getByRole('button', { name: 'Erklären', exact: true }).click()
  await page.getByText('Eine Richtlinie gibt alle Rechte').first().waitFor()
  await page.getByText('Die Richtlinie „Administrator“ erlaubt alles.').first().waitFor()
  expect.soft(await violations(page)).toEqual([])
})
