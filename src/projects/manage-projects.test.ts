/** Requests that create and delete projects. */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type Answer, as, codeOf, openTestProjects, superAdminToken } from './test-projects.ts'

const world = await openTestProjects({})
const { database } = (await world.contentsOf('blog')) as { readonly database: { readonly [name: string]: unknown } }
const entries = Object.entries(database).map(([name, value]) => [`db_${name === 'username' ? 'user' : name}`, value])
/** The database of the new project, as parameters. */
const place: { readonly [name: string]: unknown } = { db_name: 'blog', ...(Object.fromEntries(entries) as object) }
afterAll(() => world.close())

const usual = { super_admin_token: superAdminToken, user_email: 'Chief@example.com', user_password: 'correct-horse-42' }

const create = (body: object, path = '/server/projects'): Promise<Answer> =>
  world.ask(`POST ${path}`, { method: 'POST', body: JSON.stringify({ ...usual, ...place, ...body }) })

const remove = (key: string, token = superAdminToken): Promise<Answer> =>
  world.ask(`DELETE /server/projects/${key}?super_admin_token=${token}`)

const message = ({ body }: Answer): unknown =>
  (body as { readonly error?: { readonly message?: unknown } }).error?.message

describe('a creation is refused', () => {
  const nowhere = { db_type: 'postgres', db_host: '127.0.0.1', db_port: 1, db_user: 'x', db_name: 'x' }
  test.each<readonly [string, object, number, number, string]>([
    ['a name that is taken', { project: '_' }, 409, 18, 'A project named "_" already exists'],
    ['no name, which is the default', {}, 409, 18, 'A project named "_" already exists'],
    ['a reserved name', { project: 'server' }, 409, 18, 'The name "server" is a path of the server'],
    ['a path', { project: '../x' }, 422, 17, 'for "project" but received "../x"'],
    ['a wrong token', { project: 'blog', super_admin_token: 'guessed' }, 401, 3, 'Unauthorized request'],
    ['no token', { project: 'blog', super_admin_token: '' }, 400, 4, 'super_admin_token'],
    ['another vendor', { project: 'blog', db_type: 'oracle' }, 422, 12, 'for "db_type" but received "oracle"'],
    [
      'no server of MariaDB',
      { project: 'blog', ...nowhere, db_type: 'mysql' },
      400,
      19,
      'The database cannot be used: ',
    ],
    ['no server', { project: 'blog', ...nowhere }, 400, 19, 'The database cannot be used: '],
    ['no user', { project: 'blog', ...nowhere, db_user: undefined }, 400, 19, 'for "db_user" but received nothing'],
    ['a cache that is not there', { project: 'blog', cache: { adapter: 'memcached' } }, 503, 22, 'cache.adapter'],
    [
      'a cache without its host',
      { project: 'blog', cache: { enabled: true, adapter: 'redis' } },
      503,
      23,
      'cache.host',
    ],
    ['a bucket without its name', { project: 'blog', storage: { adapter: 's3' } }, 500, 20, 'storage'],
    ['a path elsewhere', { project: 'blog', storage: { adapter: 'local', root: '/etc' } }, 500, 16, 'storage.root'],
    ['a login provider', { project: 'blog', auth: { social_providers: ['x'] } }, 400, 4, 'auth.social_providers'],
    ['an unknown attribute', { project: 'blog', color: 'red' }, 400, 4, 'color'],
    ['an unknown attribute of an object', { project: 'blog', cors: { color: 'red' } }, 400, 4, 'color'],
  ])('%s', async (...[, body, status, code, text]) => {
    const answer = await create(body)
    expect([...codeOf(answer), message(answer)]).toEqual([status, code, expect.stringContaining(text)])
    expect(readdirSync(world.folder)).toEqual([])
  })

  test('while the folder is locked', async () => {
    world.write('.lock', '')
    const answers = [
      await create({ project: 'blog' }),
      await create({ project: 'blog' }, '/projects'),
      await remove('_'),
    ]
    rmSync(join(world.folder, '.lock'))
    expect(answers.map(codeOf)).toEqual([
      [403, 10],
      [403, 10],
      [403, 10],
    ])
  })
})

test('a project is created, used, deleted and created again', async () => {
  const made = await create({
    project: 'Blog',
    user_token: 'a-token-of-the-chief',
    project_name: 'Blog',
    locale: 'de-DE',
  })
  expect([made.status, made.body]).toEqual([200, { public: true }])
  const file = join(world.folder, 'api.blog.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const { auth } = JSON.parse(readFileSync(file, 'utf8')) as { readonly auth: { readonly secret: string } }
  expect(auth.secret.length).toBeGreaterThan(32)
  expect((await world.ask('GET /server/projects')).body).toEqual({ data: ['_', 'blog'], public: true })

  const chief = as('a-token-of-the-chief')
  const users = await world.ask('GET /blog/users?fields=email,role', chief)
  expect(users.body).toEqual({ data: [{ email: 'chief@example.com', role: 1 }] })
  expect((await world.ask('GET /blog/')).body).toMatchObject({ data: { api: { project_name: 'Blog' } } })
  const body = JSON.stringify({ email: 'chief@example.com', password: 'correct-horse-42' })
  expect((await world.ask('POST /blog/auth/authenticate', { method: 'POST', body })).status).toBe(200)
  expect((await world.ask('POST /blog/update', { method: 'POST', ...chief })).status).toBe(204)
  expect(codeOf(await create({ project: 'blog' }))).toEqual([409, 18])

  expect(codeOf(await remove('blog', 'guessed'))).toEqual([401, 3])
  expect(codeOf(await remove('nowhere'))).toEqual([404, 8])
  expect(codeOf(await remove('_'))).toEqual([422, 12])
  const gone = await remove('blog')
  expect([gone.status, gone.body]).toEqual([200, { public: true }])
  expect(codeOf(await world.ask('GET /blog/users'))).toEqual([404, 8])
  expect(readdirSync(world.folder)).toEqual([])

  expect((await create({ project: 'blog', private: true }, '/projects')).status).toBe(200)
  expect(readdirSync(world.folder)).toEqual(['private.blog.json'])
  expect((await world.ask('GET /server/projects')).body).toEqual({ data: ['_'], public: true })
  expect((await remove('blog')).status).toBe(200)
}, 300_000)

test('of several creations at once, one succeeds', async () => {
  const answers = await Promise.all(Array.from({ length: 4 }, () => create({ project: 'blog' })))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409])
  expect((await remove('blog')).status).toBe(200)
}, 300_000)
