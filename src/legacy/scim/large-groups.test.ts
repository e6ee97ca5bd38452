/** Groups with more members than one write may have items (`MAX_BATCH_MUTATION`). */
import { afterAll, expect, test } from 'vitest'
import { usualBounds } from '../../domain/conditions/query-cost.ts'
import { createTestServer } from '../testing/test-server.ts'

const limits = { queryDefault: 100, queryMax: null, depth: 10, batch: 12, cost: usualBounds }
const server = await createTestServer({ limits })
afterAll(() => server.close())

const media = { 'content-type': 'application/scim+json', accept: 'application/scim+json' }

async function send(status: number, request: string, body?: object): Promise<{ readonly members?: readonly object[] }> {
  const [method, path] = request.split(' ')
  const answer = await server.ask(`${method} /_/scim/v2${path}`, { headers: media, ...(body && { body }) })
  expect(answer.status, JSON.stringify(answer.body)).toBe(status)
  return answer.body as { readonly members?: readonly object[] }
}

const removal = (value: string) => ({ op: 'remove', path: `members[value eq "${value}"]` })

test('a group of many members is filled, changed and deleted as a whole', async () => {
  const ids = Array.from({ length: 16 }, (_, number) => `m-${number}`)
  for (const id of ids) await send(201, 'POST /Users', { externalId: id, userName: `${id}@example.com` })
  const members = ids.map((value) => ({ value }))
  const made = await send(201, 'POST /Groups', { externalId: 'many', displayName: 'Many', members })
  expect(made.members).toHaveLength(16)
  const operations = [...ids.slice(0, 13).map(removal), { op: 'add', path: 'members', value: [members[0]] }]
  const changed = await send(200, 'PATCH /Groups/many', { Operations: operations })
  expect(changed.members?.map((each) => Object(each).value).toSorted()).toEqual(['m-0', 'm-13', 'm-14', 'm-15'])
  await send(204, 'DELETE /Groups/many')
  await send(404, 'GET /Groups/many')
})
