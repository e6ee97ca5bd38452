/** What an administrator does, in both themes; each task is looked up in the API afterwards. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { codeAt } from '../../src/tokens/one-time-codes.ts'
import { openNewsroom, password } from './newsroom.ts'
import { choose, openPage, save, type Theme, themes, type Visit, violations } from './pages.ts'

const server = await openNewsroom()
afterAll(() => server.close())

describe.each(themes)('in the %s theme an administrator', (theme: Theme) => {
  let visit: Visit
  beforeAll(async () => {
    visit = await openPage(server, theme, 'ann@example.com')
  })
  afterEach(() => expect(visit.faults).toEqual([]))
  const collection = `horses_${theme}`

  test('makes a collection', async () => {
    const { page, go } = visit
    await go('/model')
    await page.getByRole('link', { name: 'Articles', exact: true }).last().waitFor()
    expect.soft(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'New collection' }).click()
    await page.getByLabel('Name').fill(collection)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('rowheader', { name: 'id', exact: true }).waitFor()
    expect(await server.api(`GET /fields/${collection}/id`)).toMatchObject({
      type: 'integer',
      schema: { is_primary_key: true },
    })
  })

  test('gives it a field and a relation', async () => {
    const { page, go } = visit
    await go(`/model/${collection}`)
    await page.getByRole('button', { name: 'New field' }).click()
    const form = page.getByRole('dialog', { name: 'New field' })
    await form.getByLabel('Name').fill('id')
    await form.getByRole('button', { name: 'Save', exact: true }).click()
    // In the dialog: a notice of the page would cover its buttons.
    await form.getByRole('alert').getByText('"id" exists already').waitFor()
    await form.getByLabel('Name').fill('name')
    await page.getByRole('switch', { name: 'Required' }).click()
    await choose(page, 'Interface', 'select-dropdown')
    await page.getByLabel('Choices').fill('Max\nmoritz = Moritz')
    expect.soft(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('rowheader', { name: 'name' }).waitFor()
    await page.getByRole('button', { name: 'New relation' }).click()
    await choose(page, 'Related collection', 'authors')
    await page.getByRole('textbox', { name: 'Name' }).fill('owner')
    await page.getByLabel('Field of the other side').fill(collection)
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('rowheader', { name: 'owner' }).waitFor()
    expect.soft(await violations(page)).toEqual([])
    expect(await server.api(`GET /fields/${collection}/name`)).toMatchObject({
      type: 'string',
      meta: {
        required: true,
        options: {
          choices: [
            { text: 'Max', value: 'Max' },
            { text: 'Moritz', value: 'moritz' },
          ],
        },
      },
    })
    expect(await server.api(`GET /relations/${collection}/owner`)).toMatchObject({
      related_collection: 'authors',
      meta: { one_field: collection },
    })
  })

  test('makes a relation to many, all of it or nothing', async () => {
    const { page, go } = visit
    await go(`/model/${collection}`)
    await page.getByRole('button', { name: 'New relation' }).click()
    await choose(page, 'Kind', 'To many items')
    await choose(page, 'Related collection', 'tags')
    await page.getByRole('textbox', { name: 'Name' }).fill('labels')
    await page.getByLabel('Field of the other side').fill('name')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('tags has a field "name" already.').waitFor()
    expect((await server.ask(`GET /collections/${collection}_labels`)).status).toBe(403)
    await page.getByLabel('Field of the other side').fill(collection)
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('rowheader', { name: 'labels' }).waitFor()
    expect(await server.api(`GET /relations/${collection}_labels/tags_id`)).toMatchObject({
      related_collection: 'tags',
      meta: { one_field: collection, junction_field: `${collection}_id` },
    })
    const horse = { name: 'Max', labels: [{ tags_id: 1 }] }
    const { id } = (await server.api(`POST /items/${collection}`, horse)) as { id: number }
    const read = `fields=${collection}.${collection}_id.name`
    expect(await server.api(`GET /items/tags/1?${read}`)).toEqual({
      [collection]: [{ [`${collection}_id`]: { name: 'Max' } }],
    })
    await server.api(`DELETE /items/${collection}/${id}`)
    await server.api(`DELETE /collections/${collection}_labels`)
  })

  test('makes a role with a policy, and a user with the role', async () => {
    const { page, go } = visit
    await go('/system/policies/create')
    await page.getByLabel('Name').fill(`Grooms ${theme}`)
    await page.getByRole('switch', { name: 'App access' }).click()
    await page.getByRole('combobox', { name: 'Icon' }).fill('shield')
    await page.getByRole('option', { name: 'shield' }).click()
    expect.soft(await violations(page)).toEqual([])
    await save(page)
    await page.getByRole('heading', { name: 'Permissions' }).waitFor()
    await go('/system/policies')
    await page
      .getByRole('row', { name: new RegExp(`Grooms ${theme}`) })
      .getByRole('img', { name: 'shield' })
      .waitFor()
    await go('/system/roles/create')
    await page.getByLabel('Name').fill(`Groom ${theme}`)
    await page.getByRole('combobox', { name: 'Add from Policies' }).fill(`Grooms ${theme}`)
    await page.getByRole('option', { name: `Grooms ${theme}` }).click()
    expect.soft(await violations(page)).toEqual([])
    await save(page)
    await go('/system/users/create')
    await page.getByLabel('Email').fill(`${theme}@example.com`)
    await page.getByLabel('Password').fill('correct-horse-43')
    await page.getByRole('combobox', { name: 'Role' }).fill(`Groom ${theme}`)
    await page.getByRole('option', { name: `Groom ${theme}` }).click()
    expect.soft(await violations(page)).toEqual([])
    await save(page)
    const query = `fields=role.name,role.policies.policy.name,role.policies.policy.app_access,role.policies.policy.icon&filter[email][_eq]=${theme}@example.com`
    expect(await server.api(`GET /users?${query}`)).toEqual([
      {
        role: {
          name: `Groom ${theme}`,
          policies: [{ policy: { name: `Grooms ${theme}`, app_access: true, icon: 'shield' } }],
        },
      },
    ])
  })

  test('sees levels of version 8 beside the rules that they stand for, and lists as a user with them', async () => {
    const { page, go } = visit
    const query = `fields=id&filter[name][_eq]=Groom%20${theme}`
    const [{ id: role } = { id: '' }] = (await server.api(`GET /roles?${query}`)) as { id: string }[]
    await server.rows(
      `insert into platform_role_levels (role, collection, status, "create", "read", "update", "delete", read_field_blacklist)
        values ($1, 'articles', 'draft', 'full', 'full', 'none', 'none', 'price'),
        ($1, 'platform_users', null, 'none', 'role', 'mine', 'none', null)`,
      [role],
    )
    await server.api('POST /utils/cache/clear?system')
    await go(`/system/roles/${role}`)
    const levels = page.getByRole('region', { name: 'Levels of version 8' })
    const drafts = levels.getByRole('row', { name: /^Articles draft/ })
    await drafts.getByText('Which items: Status is draft').waitFor()
    expect(await drafts.getByText(/^(full|none)$/).allTextContents()).toEqual(['full', 'full', 'none', 'none'])
    await drafts.getByText('Without the fields: Price', { exact: true }).waitFor()
    const people = levels.getByRole('row', { name: /^Users every status/ })
    expect(await people.getByText(/^(role|mine|none)$/).allTextContents()).toEqual(['none', 'role', 'mine', 'none'])
    expect.soft(await violations(page)).toEqual([])
    await go('/explain')
    await page.getByRole('combobox', { name: 'Who' }).fill(`${theme}@example.com`)
    await page.getByRole('option', { name: `${theme}@example.com` }).click()
    await page.getByRole('combobox', { name: 'Collection' }).fill('articles')
    await page.getByRole('option', { name: 'articles', exact: true }).click()
    await page.getByRole('button', { name: 'Explain', exact: true }).click()
    await page.getByRole('button', { name: 'See the application as this user' }).click()
    await page.getByRole('list', { name: 'Content' }).getByRole('link', { name: 'Articles' }).click()
    await page.getByRole('link', { name: 'One saddle' }).waitFor()
    const links = page.getByRole('table').getByRole('row').getByRole('link')
    expect(await links.allTextContents()).toEqual(['One saddle', expect.stringMatching(/^A very long title/)])
    await page.getByRole('button', { name: 'End' }).click()
    await page.getByRole('list', { name: 'Content' }).getByRole('link', { name: 'Authors' }).waitFor()
    await server.rows('delete from platform_role_levels where role = $1', [role])
  })

  const policyOf = async (): Promise<string> => {
    const query = `fields=id&filter[name][_eq]=Grooms%20${theme}`
    const [policy] = (await server.api(`GET /policies?${query}`)) as { id: string }[]
    return policy?.id ?? ''
  }

  test('gives rights by the matrix, with a filter', async () => {
    const { page, go } = visit
    await go(`/system/policies/${await policyOf()}`)
    await page.getByRole('button', { name: 'None, Read: Articles', exact: true }).click()
    await choose(page, 'Access', 'Some items or fields')
    await page.getByRole('button', { name: 'Add a rule' }).click()
    await page.getByRole('combobox', { name: 'Field', exact: true }).fill('status')
    await page.getByRole('option', { name: 'Status' }).click()
    await choose(page, 'Value', 'Published')
    expect.soft(await violations(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Some, Read: Articles', exact: true }).waitFor()
    await page.getByRole('button', { name: 'None, Read: Tags', exact: true }).click()
    await choose(page, 'Access', 'All items, all fields')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'All, Read: Tags', exact: true }).waitFor()
    expect.soft(await violations(page)).toEqual([])
    const query = `fields=collection,action,fields,permissions&filter[policy][_eq]=${await policyOf()}&sort=collection`
    const rows = (await server.api(`GET /permissions?${query}`)) as { collection: string }[]
    expect(rows.filter((each) => ['articles', 'tags'].includes(each.collection))).toEqual([
      {
        collection: 'articles',
        action: 'read',
        fields: ['*'],
        permissions: { _and: [{ status: { _eq: 'published' } }] },
      },
      { collection: 'tags', action: 'read', fields: ['*'], permissions: {} },
    ])
  })

  test('asks why somebody may not see an item', async () => {
    const { page, go } = visit
    await go('/explain')
    await page.getByRole('combobox', { name: 'Who' }).fill(`${theme}@example.com`)
    await page.getByRole('option', { name: `${theme}@example.com` }).click()
    await page.getByRole('combobox', { name: 'Collection' }).fill('articles')
    await page.getByRole('option', { name: 'articles', exact: true }).click()
    await choose(page, 'Action', 'Read')
    await page.getByLabel('Key of an item').fill('2')
    await page.getByRole('button', { name: 'Explain', exact: true }).click()
    const answer = page.getByRole('region', { name: 'Explanation' })
    await expect.poll(() => page.locator('main').textContent()).toContain('Read: refused')
    expect(await answer.textContent()).toContain(`Grooms ${theme}`)
    await answer.getByText(/reaches only items with: Status is published\. This item does not meet it\.$/).waitFor()
    expect(await answer.textContent()).not.toContain('_eq')
    expect.soft(await violations(page)).toEqual([])
  })

  test('sees a notice that follows an error beside it', async () => {
    const { page, go } = visit
    await go(`/system/policies/${await policyOf()}`)
    await page.getByRole('button', { name: 'All, Read: Tags', exact: true }).click()
    const json = { errors: [{ message: 'Not now', extensions: { code: 'FORBIDDEN' } }] }
    await page.route('**/permissions/*', (route) => route.fulfill({ status: 403, json }), { times: 1 })
    const store = page.getByRole('dialog').getByRole('button', { name: 'Save' })
    // By the keyboard: a click elsewhere puts notices away.
    await store.press('Enter')
    await page.getByRole('alert').waitFor()
    await store.press('Enter')
    await page.getByRole('status').getByText('Saved').waitFor()
    expect(await page.getByRole('alert').count()).toBe(1)
    // What has the focus by the keyboard moves all the time.
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    expect.soft(await violations(page)).toEqual([])
    await page.getByRole('alert').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('alert').waitFor({ state: 'detached' })
  })

  test('files: makes a folder, uploads into it, and describes the file', async () => {
    const { page, go } = visit
    await go('/files')
    await page.getByRole('button', { name: 'New folder' }).click()
    await page.getByLabel('Name of the folder').fill(`Stable ${theme}`)
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('button', { name: `Stable ${theme}` }).click()
    await page.getByRole('link', { name: 'Change the folder' }).waitFor()
    const file = { name: `${theme}.txt`, mimeType: 'text/plain', buffer: Buffer.from('hay') }
    await page.locator('main input[type=file]').setInputFiles(file)
    const link = page.getByRole('link', { name: theme === 'light' ? 'Light' : 'Dark', exact: true })
    await link.waitFor()
    expect.soft(await violations(page)).toEqual([])
    await link.click()
    await page.getByLabel('Description').fill(`Hay in ${theme}`)
    await save(page)
    const query = `fields=description,folder.name&filter[filename_download][_eq]=${theme}.txt`
    expect(await server.api(`GET /files?${query}`)).toEqual([
      { description: `Hay in ${theme}`, folder: { name: `Stable ${theme}` } },
    ])
  })

  test('changes the settings, and looks at what was done', async () => {
    const { page, go } = visit
    await go('/settings')
    await page.getByLabel('Project descriptor').fill(`Seen in ${theme}`)
    expect.soft(await violations(page)).toEqual([])
    await save(page)
    expect(await server.api('GET /settings?fields=project_descriptor')).toEqual({
      project_descriptor: `Seen in ${theme}`,
    })
    await go('/system/activity')
    await page.getByRole('cell', { name: 'Settings', exact: true }).first().waitFor()
    expect.soft(await violations(page)).toEqual([])
  })

  test('changes the own name, in German', async () => {
    const { page, go } = visit
    await go('/profile')
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByRole('menuitem', { name: 'Deutsch' }).click()
    await page.getByLabel('Nachname').fill(`Lee ${theme}`)
    expect.soft(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('Gespeichert').waitFor()
    expect(await server.api('GET /users?fields=last_name&filter[email][_eq]=ann@example.com')).toEqual([
      { last_name: `Lee ${theme}` },
    ])
    await page.getByRole('button', { name: 'Deutsch' }).click()
    await page.getByRole('menuitem', { name: 'English' }).click()
    await page.getByLabel('Last name').waitFor()
  })

  test('sets up a second factor, and is told at the field what is wrong', async () => {
    const { page, go } = visit
    await go('/profile')
    await page.getByLabel('Your password').fill('wrong')
    await page.getByRole('button', { name: 'Set up an authenticator' }).click()
    await page.getByText('The password is wrong.').waitFor()
    await page.getByLabel('Your password').fill(password)
    await page.getByRole('button', { name: 'Set up an authenticator' }).click()
    await page.getByRole('img', { name: 'QR code of the secret' }).waitFor()
    expect.soft(await violations(page)).toEqual([])
    await page.getByLabel('One-time code').fill('1')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('This code is wrong or was used already.').waitFor()
    const secret = (await page.locator('code').textContent()) ?? ''
    await page.getByLabel('One-time code').fill(codeAt(secret, new Date()))
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('Logins need a one-time code.').waitFor()
    expect(await page.getByLabel('One-time code').inputValue()).toBe('')
    await server.rows(`update platform_users set tfa_secret = null where email = 'ann@example.com'`)
    await go('/profile')
    await page.getByText('Logins need only the password.').waitFor()
  })

  test('sees whom a change of a field breaks, and how many items have a value in it', async () => {
    const { page, go } = visit
    const headers = { 'x-client': `field-app-${theme}/2.1.0`, authorization: `Bearer ${server.adminToken}` }
    await server.ask('GET /items/articles?fields=views&limit=1', { headers })
    await go('/model/articles')
    await page.getByRole('button', { name: 'Change Views' }).click()
    await choose(page, 'Type', 'string')
    const consequences = page.getByRole('region', { name: 'What this change does' })
    await consequences.getByText(/^Change field "articles\.views": .*type: "integer" → "string"$/).waitFor()
    await consequences.getByText(`field-app-${theme} 2.1: readItems articles.views`).waitFor()
    await consequences.getByText(/^\d+ items have a value here\.$/).waitFor()
    // The inputs scroll, the buttons stay in sight.
    expect((await page.getByRole('button', { name: 'Cancel' }).boundingBox())?.y).toBeLessThan(860)
    expect.soft(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Delete Views' }).click()
    await consequences.getByText('Delete field "articles.views" (integer) and its values').waitFor()
    await consequences.getByText(`field-app-${theme} 2.1: readItems articles.views`).waitFor()
    expect.soft(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await server.api('GET /fields/articles/views')).toMatchObject({ type: 'integer' })
  })

  test('deletes the collection after it is told how many items go', async () => {
    const { page, go } = visit
    await server.api(`POST /items/${collection}`, [{ name: 'Max' }, { name: 'Moritz' }])
    const [field, related] = [`horse_of_${theme}`, collection]
    await server.api('POST /fields/articles', { field, type: 'integer', schema: {} })
    const meta = { one_field: 'articles' }
    await server.api('POST /relations', { collection: 'articles', field, related_collection: related, meta })
    await go(`/model/${collection}`)
    const { promise: planned, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/configuration/plan*', (route) => planned.then(() => route.continue()))
    await page.getByRole('button', { name: 'Delete this collection' }).click()
    await page.getByRole('button', { name: 'Confirm', disabled: true }).waitFor()
    answer()
    await page.getByText('2 items are deleted.').waitFor()
    await page.getByText(`Delete field "articles.${field}" (integer) and its values`).waitFor()
    await page.getByText(`Delete collection "${collection}" and all of its items`).waitFor()
    expect.soft(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect.poll(async () => (await server.ask(`GET /collections/${collection}`)).status).toBe(403)
  })

  test('finds everything in a narrow window', async () => {
    const { page, go } = visit
    await page.setViewportSize({ width: 375, height: 740 })
    for (const path of ['/content/articles', '/content/articles/1', '/system/users', '/model/articles']) {
      await go(path)
      await page.getByRole('heading', { level: 1, name: /\w/ }).waitFor()
      await page.waitForLoadState('networkidle')
      const widest = await page.evaluate(() => document.documentElement.scrollWidth)
      expect.soft([path, widest]).toEqual([path, 375])
    }
    await page.setViewportSize({ width: 1280, height: 900 })
  })
})
