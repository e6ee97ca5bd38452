/** `tandem events` prints what is recorded, as lines of JSON. */
import { afterAll, expect, test, vi } from 'vitest'
import { adminToken, ask, createDatabase, openServer, run } from '../test-program.ts'

// Each command opens the database.
vi.setConfig({ testTimeout: 120_000 })
const database = await createDatabase({ isMigrated: true })
const settings = { ...database.settings, ADMIN_TOKEN: adminToken, LOG_LEVEL: 'error' }
afterAll(() => database.remove())

test('changes that were recorded for webhooks are printed in their order, and from a place on', async () => {
  const server = await openServer(settings)
  const hook = { name: 'Test', url: 'https://example.com/', status: 'active', actions: ['delete'] }
  await ask(server.url, '/webhooks', { ...hook, collections: ['platform_folders', 'platform_dashboards'] })
  await ask(server.url, '/folders', { name: 'First' })
  await ask(server.url, '/dashboards', { name: 'Second' })
  await ask(server.url, '/translations', { language: 'en-US', key: 'a', value: 'not recorded' })
  await server.close()
  const lines = async (...words: readonly string[]) => {
    const { code, out } = await run(settings, 'events', ...words)
    expect(code).toBe(0)
    const events = out.split('\n').filter((line) => line !== '')
    return events.map(
      (line) =>
        JSON.parse(line) as { readonly id: string; readonly position: number; readonly after: { name: string } },
    )
  }
  const all = await lines()
  expect(all.map(({ after }) => after.name)).toEqual(['First', 'Second'])
  expect(all[0]).toMatchObject({ action: 'create', collection: 'platform_folders', before: null })
  expect((await lines('--collection', 'platform_dashboards')).map(({ after }) => after.name)).toEqual(['Second'])
  expect((await lines('--since', String(all[0]?.id))).map(({ after }) => after.name)).toEqual(['Second'])
  expect((await lines('--since', String(all[0]?.position))).map(({ after }) => after.name)).toEqual(['Second'])
  expect(await lines('--since', '2999-01-01')).toEqual([])
})

test.each([
  ['yesterday', 'Expected the id of an event or a time for --since'],
  ['1-mmq4g4lk', 'an id of another database'],
  ['99', 'The changes after 99 are not kept'],
])('the place %s is refused', async (place, reason) => {
  const { code, error } = await run(settings, 'events', '--since', place)
  expect([code, error]).toEqual([1, expect.stringContaining(reason)])
})
