/** Settings of version 8 that the server obeys. */
import { afterAll, expect, test } from 'vitest'
import { askingAs } from './legacy-asking.ts'
import { send } from './send.ts'
import { openWorld } from './world.ts'
import { password } from './world-data.ts'

const world = await openWorld()
afterAll(() => world.close())

const { ask, dataOf } = askingAs(() => world)

const lengthOf = async (list: string): Promise<number> => ((await dataOf(`GET /_/${list}`)) as unknown[]).length

test('default_limit is the length of lists that name no limit, from the next request on', async () => {
  const all = await lengthOf('items/comments?limit=-1')
  expect(all).toBeGreaterThan(3)
  await dataOf('PATCH /_/settings/9', { value: '3' })
  expect([await lengthOf('items/comments'), await lengthOf('settings')]).toEqual([3, 3])
  expect(await lengthOf('items/comments?limit=-1')).toBe(all)
  await dataOf('PATCH /_/settings/9', { value: '-1' })
  expect(await lengthOf('items/comments')).toBe(all)
})

test('default_limit has an effect also where a revision brings it back', async () => {
  for (const value of ['2', '4']) await dataOf('PATCH /_/settings/9', { value })
  const search = 'filter[collection]=platform_settings&sort=-id&limit=2'
  const [, earlier] = (await dataOf(`GET /revisions?${search}`)) as { id: number }[]
  expect((await ask(`POST /utils/revert/${earlier?.id}`))[0]).toBe(204)
  expect(await lengthOf('items/comments')).toBe(2)
})

test('without default_limit lists have 200 items', async () => {
  await dataOf('PATCH /_/settings/9', { value: '3' })
  expect((await ask('DELETE /_/settings/9'))[0]).toBe(204)
  expect(await lengthOf('items/comments')).toBeGreaterThan(3)
})

const logIn = async (mode: string) => {
  const body = { email: 'admin@example.com', password, mode }
  return send(world.url, 'POST /_/auth/authenticate', { body, token: null })
}

/** Minutes of a token, by its claims, and of a cookie. */
const lifetime = async (): Promise<readonly number[]> => {
  const [, claims = ''] = ((await logIn('jwt')).body as { data: { token: string } }).data.token.split('.')
  const { exp, iat, ttl } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { [claim: string]: number }
  const cookie = (await logIn('cookie')).headers.get('set-cookie') ?? ''
  return [((exp ?? 0) - (iat ?? 0)) / 60, ttl ?? 0, Number(/Max-Age=(\d+)/.exec(cookie)?.[1]) / 60]
}

const idOf = async (key: string) => ((await dataOf(`GET /_/settings?filter[key]=${key}`)) as { id: number }[])[0]?.id

test('auth_token_ttl and auto_sign_out are the lifetimes of tokens and sessions, in minutes', async () => {
  expect(await lifetime()).toEqual([20, 20, 10_080])
  await dataOf(`PATCH /_/settings/${await idOf('auth_token_ttl')}`, { value: '90' })
  await dataOf(`PATCH /_/settings/${await idOf('auto_sign_out')}`, { value: '120' })
  expect(await lifetime()).toEqual([90, 90, 120])
  await dataOf(`PATCH /_/settings/${await idOf('auth_token_ttl')}`, { value: '43200' })
  expect(await lifetime()).toEqual([43_200, 43_200, 43_200])
})
