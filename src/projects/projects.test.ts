/** Several projects in one process: each answers from its own database, and nothing of one touches another. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { as, codeOf, openTestProjects, superAdminToken, tokenOf } from './test-projects.ts'

/** Both projects have it. */
const secret = 'a-secret-that-two-projects-have-in-common'
const world = await openTestProjects({
  blog: {
    project_name: 'Blog',
    auth: { secret },
    cors: { origin: ['https://blog.example.com'], credentials: true },
  },
  shop: { auth: { secret }, rate_limit: { enabled: true, limit: 1000, interval: 60 } },
})
afterAll(() => world.close())

const login = async (project: string, email = `${project}@example.com`): Promise<string> => {
  const body = JSON.stringify({ email, password: 'correct-horse-42' })
  const answer = await world.ask(`POST /${project}/auth/authenticate`, { method: 'POST', body })
  return (answer.body as { readonly data: { readonly token: string } }).data.token
}

const withToken = (project: string, headers: Readonly<Record<string, string>>) => ({
  headers: { ...as(tokenOf(project)).headers, ...headers },
})

const emailsOf = async (path: string, headers: Readonly<Record<string, string>>): Promise<unknown> => {
  const { body } = await world.ask(`GET ${path}`, { headers })
  const { data } = body as { readonly data?: readonly { readonly email: string }[] }
  return data?.map(({ email }) => email) ?? body
}

describe('which project', () => {
  test.each([
    ['the first segment of the path', '/blog/users?fields=email', 'blog', {}, 'blog@example.com'],
    ['a segment in upper case', '/BLOG/users?fields=email', 'blog', {}, 'blog@example.com'],
    ['the default', '/_/users?fields=email', '_', {}, 'default@example.com'],
    ['the header', '/users?fields=email', 'blog', { 'X-Platform-Project': 'blog' }, 'blog@example.com'],
    ['any word in the header', '/users?fields=email', 'shop', { 'X-Acme-Project': 'shop' }, 'shop@example.com'],
    ['no header', '/users?fields=email', '_', {}, 'default@example.com'],
  ])('%s', async (...[, path, project, headers, email]) => {
    expect(await emailsOf(path, { ...as(tokenOf(project)).headers, ...headers })).toEqual([email])
  })

  test('a project that nobody configured is not found', async () => {
    expect(codeOf(await world.ask('GET /nowhere/users'))).toEqual([404, 8])
    expect(codeOf(await world.ask('GET /users', { headers: { 'x-platform-project': 'nowhere' } }))).toEqual([
      404,
      'ROUTE_NOT_FOUND',
    ])
  })

  test('everybody may list the projects', async () => {
    expect((await world.ask('GET /server/projects')).body).toEqual({ data: ['_', 'blog', 'shop'], public: true })
  })
})

describe('a token of one project', () => {
  test('is refused by another with the same secret, in both generations', async () => {
    const token = await login('blog')
    expect((await world.ask('GET /blog/users', as(token))).status).toBe(200)
    expect(codeOf(await world.ask('GET /shop/users', as(token)))).toEqual([401, 101])
    const headers = { ...as(token).headers, 'x-platform-project': 'shop' }
    expect(codeOf(await world.ask('GET /users', { headers }))).toEqual([403, 'INVALID_TOKEN'])
  })

  test('is refused as the cookie of another', async () => {
    const token = await login('blog')
    const answer = await world.ask('GET /shop/users', { headers: { cookie: `platform-shop-session=${token}` } })
    expect(codeOf(answer)).toEqual([401, 101])
  })

  test('is not refreshed by another', async () => {
    const body = JSON.stringify({ token: await login('blog') })
    expect(codeOf(await world.ask('POST /shop/auth/refresh', { method: 'POST', body }))).toEqual([401, 101])
  })

  test('is refused by another if it is a static one', async () => {
    expect(codeOf(await world.ask('GET /shop/users', as(tokenOf('blog'))))).toEqual([401, 101])
  })

  test('names the project where the path does not', async () => {
    const { body } = await world.ask('GET /', as(await login('blog')))
    expect(body).toMatchObject({ data: { api: { project_name: 'Blog' } } })
    expect((await world.ask('GET /types', as(await login('shop')))).status).toBe(200)
  })
})

test('settings of an administrator that a file takes the place of are named at the start', async () => {
  const own = await openTestProjects({ _: { project_name: 'From a file' } })
  const warned = own.lines.filter(({ level, message }) => level === 'warn' && message.startsWith('ADMIN_'))
  await own.close()
  expect(warned.map(({ message }) => message)).toEqual([
    'ADMIN_TOKEN has no effect: the default project is that of api.json, where "token" of "admin" takes its place',
    'ADMIN_PASSWORD has no effect: the default project is that of api.json, where "password" of "admin" takes its place',
  ])
  expect(world.lines.filter(({ message }) => message.startsWith('ADMIN_'))).toEqual([])
})

test('a change of the data model is that of one project', async () => {
  const field = { field: 'id', type: 'integer', datatype: 'INT', length: 10, primary_key: true, auto_increment: true }
  const body = JSON.stringify({ collection: 'recipes', fields: [field] })
  const since = world.lines.length
  const made = await world.ask('POST /blog/collections', { method: 'POST', body, ...as(tokenOf('blog')) })
  expect(made.status).toBe(200)
  expect((await world.ask('GET /blog/items/recipes', as(tokenOf('blog')))).status).toBe(200)
  expect(codeOf(await world.ask('GET /shop/items/recipes', as(tokenOf('shop'))))).toEqual([404, 200])
  const changed = world.lines.slice(since).filter(({ message }) => message === 'The schema changed')
  expect(changed.map(({ detail }) => (detail as { readonly project?: string }).project)).toEqual(['blog'])
})

test('a project answers while another one has no free connection', async () => {
  const { db } = world.database
  const release = Promise.withResolvers<void>()
  const taken = Array.from({ length: db.connections }, () => db.transaction(() => release.promise))
  let answered = 0
  const waiting = Array.from({ length: 20 }, async (_each, at) => {
    const answer = await world.ask(`GET /_/users?limit=${at + 1}`, as(tokenOf('_')))
    answered += 1
    return answer.status
  })
  const others = await Promise.all(
    Array.from({ length: 20 }, (_each, at) => world.ask(`GET /blog/users?limit=${at + 1}`, as(tokenOf('blog')))),
  )
  expect(others.map(({ status }) => status)).toEqual(others.map(() => 200))
  expect(answered).toBe(0)
  release.resolve()
  await Promise.all(taken)
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => 200))
})

test('the rate limit of a project counts its own requests', async () => {
  const own = await world.ask('GET /shop/')
  expect(own.headers.get('x-ratelimit-limit')).toBe('1000')
  const left = Number(own.headers.get('x-ratelimit-remaining'))
  expect((await world.ask('GET /blog/')).headers.get('x-ratelimit-limit')).toBeNull()
  const next = await world.ask('GET /users', { headers: { 'x-platform-project': 'shop' } })
  expect(Number(next.headers.get('ratelimit-remaining'))).toBe(left - 1)
})

test('pages of other origins are those of the project', async () => {
  const preflight = {
    method: 'OPTIONS',
    headers: { origin: 'https://blog.example.com', 'access-control-request-method': 'GET' },
  }
  const allowed = async (path: string): Promise<string | null> =>
    (await world.ask(`OPTIONS ${path}`, preflight)).headers.get('access-control-allow-origin')
  expect(await allowed('/blog/users')).toBe('https://blog.example.com')
  expect([await allowed('/shop/users'), await allowed('/users')]).toEqual([null, null])
})

test('a project named beside the path decides limits and origins too', async () => {
  const left = async () => Number((await world.ask('GET /shop/')).headers.get('x-ratelimit-remaining'))
  const blog = 'https://blog.example.com'
  const preflight = { method: 'OPTIONS', headers: { origin: blog, 'access-control-request-method': 'GET' } }
  const opens = async (path: string, headers = {}): Promise<string | null> => {
    const { headers: sent } = await world.ask(`OPTIONS ${path}`, {
      ...preflight,
      headers: { ...preflight.headers, ...headers },
    })
    return sent.get('access-control-allow-origin')
  }
  expect(await opens('/types?project=blog')).toBe(blog)
  expect(await opens('/types?project=shop', { 'x-platform-project': 'blog' })).toBeNull()
  expect(await opens('/types', { 'x-platform-project': 'blog' })).toBe(blog)
  expect(await opens('/?project=BLOG')).toBe(blog)
  // The parameter means nothing to the current generation.
  expect(await opens('/items/posts?project=blog')).toBeNull()
  const token = await login('shop')
  const before = await left()
  const spent = [
    await world.ask('GET /types?project=shop', as(tokenOf('shop'))),
    await world.ask('GET /types', withToken('shop', { 'x-acme-project': 'shop' })),
    await world.ask('GET /types?project=blog', as(token)),
  ]
  expect(spent.map(({ status, headers }) => [status, Number(headers.get('x-ratelimit-remaining'))])).toEqual([
    [200, before - 1],
    [200, before - 2],
    [200, before - 3],
  ])
  const page = { origin: blog }
  const read = await world.ask('GET /types?project=blog', withToken('blog', page))
  expect([read.status, read.headers.get('access-control-allow-origin')]).toEqual([200, blog])
  const elsewhere = await world.ask(
    'GET /types?project=shop',
    withToken('shop', { ...page, 'x-platform-project': 'blog' }),
  )
  expect([elsewhere.status, elsewhere.headers.get('access-control-allow-origin')]).toEqual([200, null])
})

test.each(['/%73hop', '/s%68op', '/%73%68%6f%70', '/%73%68%6F%70', '/S%48OP', '//shop', '///%73hop'])(
  'another spelling of a key (%s) is the project with its own limits',
  async (prefix) => {
    const before = Number((await world.ask('GET /shop/')).headers.get('x-ratelimit-remaining'))
    const answer = await world.ask(`GET ${prefix}/users?fields=email`, as(tokenOf('shop')))
    expect(answer.body).toEqual({ data: [{ email: 'shop@example.com' }] })
    expect(Number(answer.headers.get('x-ratelimit-remaining'))).toBe(before - 1)
  },
)

test.each(['/%62log', '/%42LOG', '/blo%67', '//blog'])(
  'another spelling of a key (%s) is the project with its own origins',
  async (prefix) => {
    const preflight = {
      method: 'OPTIONS',
      headers: { origin: 'https://blog.example.com', 'access-control-request-method': 'GET' },
    }
    const answer = await world.ask(`OPTIONS ${prefix}/users`, preflight)
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://blog.example.com')
  },
)

test.each(['/%2562log', '/blog%2F', '/blog%2f..', '/blog%00', '/blog.', '/blog%20', '/%2Fblog', '/blo%E2%84%AA'])(
  'what only resembles a key (%s) is no project',
  async (prefix) => {
    expect(codeOf(await world.ask(`GET ${prefix}/users`, as(tokenOf('blog'))))).toEqual([400, 4])
  },
)

test('maintenance of one project does not touch another', async () => {
  world.write('maintenance.shop', '')
  const look = async (): Promise<readonly unknown[]> => codeOf(await world.ask('GET /shop/'))
  await expect.poll(look, { timeout: 20_000 }).toEqual([503, 21])
  expect((await world.ask('GET /shop/')).headers.get('retry-after')).toBe('5')
  expect((await world.ask('GET /blog/')).status).toBe(200)
  expect((await world.ask('GET /_/')).status).toBe(200)
  rmSync(join(world.folder, 'maintenance.shop'))
  await expect.poll(look, { timeout: 20_000 }).toEqual([200, undefined])
})

test('a PHP file that is added is served, and one that is removed is not', async () => {
  world.write('private.later.php', `<?php\nreturn ${toPhp(await world.contentsOf('later'))};\n`)
  const look = async (): Promise<unknown> => (await world.ask('GET /later/users', as(tokenOf('later')))).status
  await expect.poll(look, { timeout: 120_000, interval: 500 }).toBe(200)
  expect((await world.ask('GET /server/projects')).body).toEqual({ data: ['_', 'blog', 'shop'], public: true })
  const deletion = await world.ask(`DELETE /server/projects/later?super_admin_token=${superAdminToken}`)
  expect(codeOf(deletion)).toEqual([422, 12])
  rmSync(join(world.folder, 'private.later.php'))
  await expect.poll(look, { timeout: 20_000, interval: 500 }).toBe(404)
}, 180_000)

function toPhp(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `[${Object.entries(value)
    .map(([key, each]) => `'${key}' => ${toPhp(each)}`)
    .join(', ')}]`
}
