/** The move from one server of Tandem to another database, as `docs/operation.md` writes it. */
import { readFileSync } from 'node:fs'
import { afterAll, expect, test, vi } from 'vitest'
import { adminToken, createDatabase, openServer, run } from '../test-program.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const guide = readFileSync(new URL('../../../docs/operation.md', import.meta.url), 'utf8')
const [, line = ''] = /npm run tandem -- (import directus .*)/.exec(guide) ?? []

const source = await createDatabase({ isEmbedded: true, isMigrated: true })
const target = await createDatabase({ isMigrated: true })
const server = await openServer({ ...source.settings, ADMIN_TOKEN: adminToken })
afterAll(async () => {
  await server.close()
  await source.remove()
  await target.remove()
})

async function send(path: string, body: unknown): Promise<number> {
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }
  return (await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).status
}

test('a project moves to another database with its model, users and items', async () => {
  const key = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } }
  const fields = [key, { field: 'title', type: 'string' }]
  expect(await send('/collections', { collection: 'articles', schema: {}, fields })).toBe(200)
  expect(await send('/items/articles', [{ title: 'One' }, { title: 'Two' }])).toBe(200)
  expect(await send('/users', { email: 'ann@example.com' })).toBe(200)

  const words = line.replace('http://localhost:8055', server.url).replace('TOKEN', adminToken).split(' ')
  const done = await run(target.settings, ...words, '--yes')
  expect(done.out).toMatch(/^articles +2 +2 +2 +0$/m)
  expect(done.code).toBe(0)
  await target.onDatabase(async (db) => {
    const { rows } = await db.run({ text: 'select id, title from articles order by id', values: [] })
    expect(rows).toEqual([
      { id: 1, title: 'One' },
      { id: 2, title: 'Two' },
    ])
    const users = await db.run({ text: `select email from platform_users order by email`, values: [] })
    expect(users.rows).toContainEqual({ email: 'ann@example.com' })
  })
})
