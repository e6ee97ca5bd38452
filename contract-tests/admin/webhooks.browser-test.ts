/** Webhooks: made, seen to fail, replayed, and given a new secret, in both themes. */
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openReceiver } from '../webhook-receiver.ts'
import { openNewsroom } from './newsroom.ts'
import { choose, openPage, save, type Theme, type Visit, violations } from './pages.ts'

const server = await openNewsroom()
const receiver = await openReceiver()
afterAll(async () => {
  await receiver.close()
  await server.close()
})

describe.each(['light', 'dark'] as const)('in the %s theme an administrator', (theme: Theme) => {
  let visit: Visit
  let secret = ''
  beforeAll(async () => {
    visit = await openPage(server, theme, 'ann@example.com')
  })
  afterEach(() => expect(visit.faults).toEqual([]))
  const idOf = async (): Promise<number> => {
    const found = (await server.api(`GET /webhooks?fields=id&filter[name][_eq]=Index%20${theme}`)) as { id: number }[]
    return found[0]?.id ?? 0
  }
  const stateOf = async (): Promise<unknown> =>
    ((await server.api(`GET /webhooks/${await idOf()}/deliveries`)) as { state: string }[]).map(({ state }) => state)

  test('makes a webhook, and sees its secret once', async () => {
    const { page, go } = visit
    await go('/webhooks')
    await page.getByRole('link', { name: 'New webhook' }).waitFor()
    expect.soft(await violations(page)).toEqual([])
    await page.getByRole('link', { name: 'New webhook' }).click()
    await page.getByLabel('Name').fill(`Index ${theme}`)
    await page.getByLabel('Url').fill(`${receiver.url}/${theme}`)
    await page.getByRole('combobox', { name: 'Collections' }).fill('tags')
    await page.getByRole('option', { name: 'tags', exact: true }).click()
    await page.keyboard.press('Escape')
    expect.soft(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    secret = await page.getByRole('textbox', { name: 'Secret', exact: true }).inputValue()
    expect.soft(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'I have it' }).click()
    await page.getByText('There are no deliveries in this state.').waitFor()
    expect(await server.api(`GET /webhooks/${await idOf()}?fields=url,collections,actions,status,method`)).toEqual({
      url: `${receiver.url}/${theme}`,
      collections: ['tags'],
      actions: ['create', 'update', 'delete'],
      status: 'active',
      method: 'POST',
    })
  })

  test('sees a delivery that was given up, and replays it', async () => {
    const { page, go } = visit
    const id = await idOf()
    receiver.answer = () => ({ status: 500 })
    await server.api('POST /items/tags', { name: `${theme} one` })
    await expect.poll(stateOf, { timeout: 20_000 }).toEqual(['dead'])
    await go('/webhooks')
    const row = page.getByRole('row', { name: new RegExp(`Index ${theme}`) })
    await row.getByText('fails', { exact: true }).waitFor()
    await row.getByRole('cell', { name: '1', exact: true }).waitFor()
    expect.soft(await violations(page)).toEqual([])
    await row.getByRole('link').click()
    await choose(page, 'State', 'Given up')
    await page.getByRole('cell', { name: /answered 500/ }).waitFor()
    expect.soft(await violations(page)).toEqual([])
    receiver.answer = () => ({ status: 204 })
    await page.getByRole('button', { name: 'Replay what was given up' }).click()
    await page.getByText('One delivery is sent again.').waitFor()
    await expect.poll(stateOf, { timeout: 20_000 }).toEqual(['delivered'])
    expect(receiver.received.filter(({ path }) => path === `/${theme}`)).toHaveLength(2)
    const { headers, body } = receiver.received.at(-1) ?? { headers: {}, body: '' }
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ data: { item: { name: `${theme} one` } } })
    expect(await server.api(`GET /webhooks/${id}?fields=failing_since`)).toEqual({ failing_since: null })
  })

  test('gives it a new secret, changes and deletes it', async () => {
    const { page, go } = visit
    const id = await idOf()
    await go(`/webhooks/${id}`)
    await page.getByRole('button', { name: 'New secret' }).click()
    await choose(page, 'The former secret signs, too', 'not any more')
    expect.soft(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Make a new secret' }).click()
    const renewed = await page.getByRole('textbox', { name: 'Secret', exact: true }).inputValue()
    await page.getByRole('button', { name: 'I have it' }).click()
    const before = receiver.received.length
    await server.api('POST /items/tags', { name: `${theme} two` })
    await receiver.until(before + 1)
    const { headers, body } = receiver.received.at(-1) ?? { headers: {}, body: '' }
    expect(new Webhook(renewed).verify(body, headers)).toMatchObject({ data: { item: { name: `${theme} two` } } })
    expect(() => new Webhook(secret).verify(body, headers)).toThrow()
    await page.getByLabel('Name').fill(`Index ${theme}, off`)
    await choose(page, 'Status', 'Inactive')
    await save(page)
    expect(await server.api(`GET /webhooks/${id}?fields=name,status`)).toEqual({
      name: `Index ${theme}, off`,
      status: 'inactive',
    })
    await go(`/webhooks/${id}`)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('link', { name: 'New webhook' }).waitFor()
    expect((await server.ask(`GET /webhooks/${id}`)).status).toBe(403)
  })
})
