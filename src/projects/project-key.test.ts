/** The key of the default project: the one of an installation of version 8, so that its addresses stay. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { as, codeOf, openTestProjects, type TestProjects, tokenOf } from './test-projects.ts'

let own: TestProjects
let named: TestProjects
beforeAll(async () => {
  own = await openTestProjects({}, { PROJECT_KEY: 'main' })
  named = await openTestProjects({ _: {}, blog: {}, shop: {} }, { PROJECT_KEY: 'blog' })
})
afterAll(async () => {
  await own.close()
  await named.close()
})

const emailsOf = async ({ ask }: TestProjects, path: string, token: string): Promise<unknown> => {
  const { body } = await ask(`GET ${path}?fields=email`, as(token))
  return (body as { readonly data?: readonly { readonly email: string }[] }).data?.map(({ email }) => email) ?? body
}

test('the project of the environment has the key, and is also that of requests without one', async () => {
  for (const path of ['/main/users', '/MAIN/users', '/_/users', '/users'])
    expect([path, await emailsOf(own, path, tokenOf('_'))]).toEqual([path, ['default@example.com']])
  expect((await own.ask('GET /server/projects')).body).toEqual({ data: ['main'], public: true })
  expect(codeOf(await own.ask('GET /other/users'))).toEqual([404, 8])
})

test('addresses of files and tokens have the key', async () => {
  const headers = { ...as(tokenOf('_')).headers, 'content-type': 'application/json' }
  const file = { filename_disk: 'a.txt', filename_download: 'a.txt', data: 'aGVsbG8=' }
  const made = await own.ask('POST /_/files', { method: 'POST', headers, body: JSON.stringify(file) })
  const { data } = (made.body as { readonly data: { readonly data: { readonly url: string; asset_url: string } } }).data
  expect(data).toMatchObject({ url: expect.stringMatching(/^\/uploads\/main\/originals\//) as string })
  for (const path of [data.url, data.asset_url, data.url.replace('/main/', '/_/')])
    expect([path, (await own.ask(`GET ${path}`, as(tokenOf('_')))).status]).toEqual([path, 200])
  const body = JSON.stringify({ email: 'default@example.com', password: 'correct-horse-42' })
  const login = await own.ask('POST /main/auth/authenticate', { method: 'POST', headers, body })
  const { token } = (login.body as { readonly data: { readonly token: string } }).data
  for (const path of ['/main/users', '/_/users', '/users'])
    expect([path, await emailsOf(own, path, token)]).toEqual([path, ['default@example.com']])
})

test('a project of the folder can be the default one', async () => {
  for (const path of ['/blog/users', '/_/users', '/users'])
    expect([path, await emailsOf(named, path, tokenOf('blog'))]).toEqual([path, ['blog@example.com']])
  expect(await emailsOf(named, '/shop/users', tokenOf('shop'))).toEqual(['shop@example.com'])
  expect((await named.ask('GET /server/projects')).body).toEqual({ data: ['blog', 'shop'], public: true })
  const message = 'api.json is not served: PROJECT_KEY makes "_" another name of "blog"'
  expect(named.lines).toContainEqual({ level: 'warn', detail: {}, message })
})

test('a key that is a path of the server, or no key, is refused', async () => {
  await expect(openTestProjects({}, { PROJECT_KEY: 'items' })).rejects.toThrow(/PROJECT_KEY/)
  expect(() => readConfig({ PROJECT_KEY: 'My Project' }, '.')).toThrow(/PROJECT_KEY/)
})
