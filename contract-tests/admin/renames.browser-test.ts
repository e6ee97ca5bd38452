/** Other names for fields and collections: planned, then made, with rows, relations and settings as before. */
import { afterAll, afterEach, expect, test } from 'vitest'
import { openNewsroom } from './newsroom.ts'
import { openPage, violations } from './pages.ts'

const server = await openNewsroom()
const { page, go, faults } = await openPage(server, 'light', 'ann@example.com')
afterAll(() => server.close())
afterEach(() => expect(faults).toEqual([]))

/** What the plan says, without the clients that it names. */
async function lines(): Promise<readonly string[]> {
  const plan = page.getByRole('region', { name: 'What this change does' })
  return (await plan.getByRole('listitem').allTextContents()).filter((line) => !line.startsWith('node: '))
}

/** Opens the dialog, types the name, and shows the plan. */
async function ask(button: string, name: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.getByLabel('New name').fill(name)
  await page.getByRole('button', { name: 'Show what this does' }).click()
}

async function plan(button: string, name: string): Promise<void> {
  await ask(button, name)
  await page.getByRole('region', { name: 'What this change does' }).getByRole('listitem').first().waitFor()
}

const rename = () => page.getByRole('button', { name: 'Rename', exact: true }).click()

test('a field gets another name, which the collection and its conditions follow', async () => {
  const right = {
    collection: 'articles',
    action: 'read',
    fields: ['title', 'status'],
    permissions: { status: { _eq: 'published' } },
  }
  await server.api('POST /policies', { name: 'Readers', permissions: [right] })
  await server.api('PATCH /collections/articles', { meta: { display_template: '{{title}} ({{ status }})' } })
  await go('/model/articles')
  await plan('Rename Status', 'state')
  expect(await lines()).toEqual([
    'Rename field "articles.status" to "articles.state"',
    'Change collection "articles": display_template: "{{title}} ({{ status }})" → "{{title}} ({{ state }})"',
    expect.stringMatching(/^Change field "articles\.internal_note": conditions/),
    'Change the right of policy "Readers" to read "articles": rows: {"status":{"_eq":"published"}} → {"state":{"_eq":"published"}}',
  ])
  expect.soft(await violations(page)).toEqual([])
  await rename()
  await page.getByRole('rowheader', { name: 'state', exact: true }).waitFor()
  expect(await server.api('GET /items/articles?fields=title,state&sort=id&limit=1')).toEqual([
    { title: 'Riding in two', state: 'published' },
  ])
  expect(await server.api('GET /collections/articles')).toMatchObject({
    meta: { archive_field: 'state', sort_field: 'sort', display_template: '{{title}} ({{ state }})' },
  })
  const readers = 'GET /permissions?fields=fields,permissions&filter[policy][name][_eq]=Readers'
  expect(await server.api(readers)).toEqual([
    { fields: ['title', 'state'], permissions: { state: { _eq: 'published' } } },
  ])
  expect(await server.api('GET /fields/articles/internal_note')).toMatchObject({
    meta: { conditions: [{ rule: { _and: [{ state: { _eq: 'draft' } }] } }] },
  })
})

test('a collection gets another name, with its rows, relations and rights', async () => {
  await go('/model/articles')
  await ask('Rename this collection', 'tags')
  await page.getByText(/names "articles" and "tags"/).waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await plan('Rename this collection', 'stories')
  expect(await lines()).toEqual(['Rename collection "articles" to "stories"'])
  await rename()
  await page.getByRole('heading', { level: 1, name: 'Stories' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/admin/model/stories')
  expect(await server.api('GET /items/stories/1?fields=title,tags.tag.name,author.name')).toEqual({
    title: 'Riding in two',
    tags: [{ tag: { name: 'horses' } }, { tag: { name: 'gear' } }],
    author: { name: 'Ann' },
  })
  const [editors] = (await server.api('GET /policies?filter[name][_eq]=Editors')) as { id: string }[]
  const rights = `GET /permissions?fields=collection&filter[policy][_eq]=${editors?.id}&filter[collection][_in]=articles,stories`
  expect(await server.api(rights)).toEqual(Array.from({ length: 4 }, () => ({ collection: 'stories' })))
})
