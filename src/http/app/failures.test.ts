import { expect, test } from 'vitest'
import { empty, json, type Reply, withHeaders } from '../reply/reply.ts'
import { startTestApp } from './test-app.ts'

test('an answer that cannot be sent does not end the process', async () => {
  const answers: { readonly [id: string]: () => Promise<Reply> } = {
    header: async () => withHeaders(empty(), { 'x-lost': '1', location: 'a\r\nb' }),
    bigint: async () => json({ data: 1n }),
    nothing: async () => undefined as unknown as Reply,
  }
  const own = await startTestApp(
    { validateResponses: false },
    { readItem: (_ctx, input: { path: { id: string } }) => (answers[input.path.id] as () => Promise<Reply>)() },
  )
  for (const id of Object.keys(answers)) {
    const { status, headers } = await fetch(`${own.url}/items/a/${id}`)
    expect([status, headers.get('x-generation'), headers.get('x-lost')]).toEqual([500, 'new', null])
  }
  expect((await fetch(`${own.url}/items/a`)).status).toBe(200)
  expect(own.lines.filter(({ level }) => level === 'error').map(({ message }) => message)).toEqual([
    'Request failed with an unexpected error',
    'Request failed with an unexpected error',
    'Request failed with an unexpected error',
  ])
  await own.close()
})
