/** A webhook of an installation of version 8 goes on after the import: its receiver is sent changes as before. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { openReceiver } from '../../../contract-tests/webhook-receiver.ts'
import { createScratch } from '../../sql/sources/mysql/test-mysql.ts'
import { createDatabase, openServer, run } from '../test-program.ts'
import { annToken, magazine } from './test-magazine.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const receiver = await openReceiver()
const source = await createScratch()
await source.run(
  ...magazine(),
  `update directus_webhooks set url = '${receiver.url}/hook'`,
  `insert into directus_webhooks (id, status, http_action, url, collection, directus_action) values
      (2, 'active', 'post', '${receiver.url}/changed', 'articles', 'item.update'),
      (3, 'inactive', 'post', '${receiver.url}/off', 'articles', 'item.create')`,
)
const database = await createDatabase({ isMigrated: true })
const folder = join(database.settings['DATA_DIR'] as string, 'old', 'uploads')
mkdirSync(join(folder, 'originals'), { recursive: true })
const taken = await run(database.settings, 'import', 'version-8', '--from', source.url, '--files', folder)
// The contents of its files are not there.
expect([taken.code, taken.out]).toEqual([4, expect.stringContaining('directus_webhooks')])
const server = await openServer({
  ...database.settings,
  HOST: '127.0.0.1',
  PORT: '0',
  WEBHOOKS_IP_ALLOW_LIST: '127.0.0.1',
})
afterAll(async () => {
  await server.close()
  await receiver.close()
  await database.remove()
  await source.drop()
})

async function ask(method: string, path: string, body: object): Promise<{ readonly id: number }> {
  const answer = await fetch(`${server.url.replace(/\/$/, '')}/_/items/${path}`, {
    method,
    headers: { authorization: `Bearer ${annToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  expect([answer.status, text]).toEqual([200, text])
  return (JSON.parse(text) as { readonly data: { readonly id: number } }).data
}

test('a created and a changed item reach their receivers as the item alone, and what is off gets nothing', async () => {
  const { id } = await ask('POST', 'articles', { title: 'After the move', status: 'draft' })
  await receiver.until(1)
  await ask('PATCH', `articles/${id}`, { title: 'Changed after the move' })
  const received = await receiver.until(2)
  const deliveries = received.map(({ path, method, body }) => {
    const { id: key, title } = JSON.parse(body) as { readonly id: number; readonly title: string }
    return [method, path, key, title]
  })
  expect(deliveries).toEqual([
    ['POST', '/hook', id, 'After the move'],
    ['POST', '/changed', id, 'Changed after the move'],
  ])
})
