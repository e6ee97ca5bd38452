/** Listeners of a project whose file is removed are told so, without a change. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openTestProjects, tokenOf } from './test-projects.ts'

const world = await openTestProjects({ _: {} })
afterAll(() => world.close())

const headers = { authorization: `Bearer ${tokenOf('_')}`, 'content-type': 'application/json' }

test('the stream of changes ends at once', async () => {
  const made = await world.ask('POST /collections', {
    headers,
    body: JSON.stringify({ collection: 'notes', schema: {}, fields: [] }),
  })
  expect(made.status).toBe(200)
  const stream = await fetch(`${world.url}/items/notes/changes`, {
    headers: { ...headers, accept: 'text/event-stream' },
  })
  expect(stream.status).toBe(200)
  const text = stream.text()
  rmSync(join(world.folder, 'api.json'))
  const end = await Promise.race([text, new Promise((resolve) => setTimeout(resolve, 6_000, 'still open'))])
  expect(end).toMatch(/event: error\ndata: .*"SERVICE_UNAVAILABLE"/)
}, 20_000)
