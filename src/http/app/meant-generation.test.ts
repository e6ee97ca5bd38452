import { afterAll, expect, test } from 'vitest'
import { startTestApp } from './test-app.ts'

const app = await startTestApp()
afterAll(() => app.close())

test.each([
  ['/retired', {}, 'old'],
  ['/items/retired/b/c', {}, 'new'],
  ['/nowhere', { 'x-old': '1' }, 'old'],
  ['/items/a/b/c', { 'x-old': '1' }, 'new'],
])('%s with %j fails as the clients of the %s generation know it', async (path, headers, generation) => {
  const answer = await fetch(app.url + path, { headers: headers as Record<string, string> })
  expect([answer.status, answer.headers.get('x-generation')]).toEqual([404, generation])
})
