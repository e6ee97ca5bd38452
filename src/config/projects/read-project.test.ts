/** Every attribute of a configuration file is used, known to have no effect, or refused by its name. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import type { Config, ProjectsSettings } from '../sections.ts'
import { ProjectError } from './error.ts'
import type { Plain } from './php-array.ts'
import { readProject } from './read-project.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem-read-project-'))
afterAll(() => rmSync(folder, { recursive: true }))

const server = readConfig(
  {
    PROJECTS_DIR: folder,
    SECRET: 'a-secret-of-the-server-that-is-long-enough',
    DB_HOST: 'server.example.com',
    DB_DATABASE: 'main',
    DB_USER: 'main',
    DB_PASSWORD: 'main',
    ADMIN_PASSWORD: 'correct-horse-42',
    STORAGE_LOCATIONS: 'main',
    STORAGE_MAIN_DRIVER: 's3',
    STORAGE_MAIN_BUCKET: 'main',
    CORS_ENABLED: 'true',
    CORS_ORIGIN: 'https://main.example.com',
    EMAIL_TRANSPORT: 'smtp',
    EMAIL_SMTP_HOST: 'mail.example.com',
    QUERY_LIMIT_DEFAULT: '7',
  },
  folder,
)

const database = { name: 'blog', username: 'editor', password: 'open-sesame' }
const secret = 'a-secret-of-at-least-thirty-two-characters'

const read = (contents: Plain, more: { readonly isConfined?: boolean } = {}): Config =>
  readProject(
    { key: 'blog', contents, dataDir: '/data/projects/blog', base: '/base', ...more },
    server.projects as ProjectsSettings,
  )
const readWith = (contents: { readonly [attribute: string]: Plain }): Config => read({ database, ...contents })

test('a project takes the limits of the server, but no database, secret, administrator or storage', () => {
  const config = read({ database })
  expect(config.database).toEqual({
    kind: 'pg',
    host: 'localhost',
    user: 'editor',
    password: 'open-sesame',
    database: 'blog',
    ssl: false,
    pool: { min: 0, max: 10 },
    searchPath: ['public'],
    randomPageCost: 1.1,
  })
  expect([config.secret, config.admin, config.leavesSetup, config.projects]).toEqual([null, null, false, null])
  expect(config.storage).toEqual([['local', { driver: 'local', root: '/data/projects/blog/uploads' }]])
  expect([config.limits.queryDefault, config.mail.transport.kind]).toEqual([7, 'smtp'])
  expect(config.http.cors?.origin).toEqual(['https://main.example.com'])
})

test('the embedded database is in the folder of the project', () => {
  expect(read({ database: { type: 'embedded' } }).database).toEqual({ kind: 'pglite', dataDir: '/data/projects/blog' })
})

test.each([
  ['port', { port: 5433 }, { port: 5433 }],
  ['host', { host: 'db.example.com' }, { host: 'db.example.com' }],
  ['socket', { socket: '/var/run/postgresql', host: 'localhost' }, { host: '/var/run/postgresql' }],
  ['schema', { schema: 'blog' }, { searchPath: ['blog'] }],
  ['ssl', { ssl: true }, { ssl: true }],
  ['pool', { pool_min: 1, pool_max: 3 }, { pool: { min: 1, max: 3 } }],
  ['what has no effect', { engine: 'InnoDB', charset: 'utf8mb4', driver_options: [] }, { kind: 'pg' }],
])('database: %s', (_, given, expected) => {
  expect(read({ database: { ...database, ...given } }).database).toMatchObject(expected)
})

test('auth, administrator, names and tables', () => {
  const config = readWith({
    auth: { secret_key: secret, public_key: 'x', ttl: 30, social_providers: [] },
    admin: { email: 'chief@example.com', password: 'correct-horse-42', token: 'a-token-of-the-chief' },
    cookie: { same_site: 'Strict', secure: true, httponly: true },
    project_name: 'Blog',
    tableBlacklist: ['drafts'],
    hooks: { actions: [], filters: [] },
    app: { env: 'production', timezone: 'UTC' },
    logger: { path: '/logs' },
  })
  expect(config.secret).toBe(secret)
  expect(config.security).toMatchObject({ accessTtl: 1_800_000, cookie: { sameSite: 'strict', secure: true } })
  expect(config.admin).toEqual({
    email: 'chief@example.com',
    password: 'correct-horse-42',
    token: 'a-token-of-the-chief',
  })
  expect([config.projectName, config.excludeTables]).toEqual(['Blog', ['spatial_ref_sys', 'sysdiagrams', 'drafts']])
})

test('a request may set up the project if its file says so', () => {
  const config = readWith({ admin: { setup: true } })
  expect([config.admin, config.leavesSetup]).toEqual([null, true])
})

test('cors replaces that of the server', () => {
  expect(readWith({ cors: {} }).http.cors).toMatchObject({ origin: true, credentials: false })
  expect(readWith({ cors: { enabled: false } }).http.cors).toBeNull()
  const cors = {
    enabled: true,
    origin: ['https://blog.example.com'],
    methods: ['GET', 'POST'],
    headers: ['X-Own'],
    exposed_headers: ['X-Read'],
    max_age: 600,
    credentials: true,
  }
  expect(readWith({ cors }).http.cors).toEqual({
    origin: ['https://blog.example.com'],
    methods: ['GET', 'POST'],
    allowedHeaders: ['Content-Type', 'Authorization', 'X-Client', 'X-*-Project', 'X-Own'],
    exposedHeaders: ['X-Read'],
    credentials: true,
    maxAge: 600,
  })
})

test('cache: memory, Redis, and off', () => {
  const on = { enabled: true, response_ttl: 60 }
  const expected = { shared: false, ttl: 60_000, autoPurge: true }
  expect(readWith({ cache: { ...on, pool: { adapter: 'filesystem', path: '/tmp' } } }).cache).toMatchObject(expected)
  const redis = readWith({ cache: { ...on, adapter: 'redis', host: 'redis.example.com', port: 6380 } })
  expect([redis.cache?.shared, redis.redis]).toEqual([true, 'redis://redis.example.com:6380/0'])
  const off = readWith({ cache: { enabled: false, adapter: 'redis' } })
  expect([off.cache, off.redis]).toEqual([null, null])
})

test('rate_limit: memory, Redis, and off', () => {
  const limit = { enabled: true, limit: 5, interval: 10, timeout: 10 }
  expect(readWith({ rate_limit: limit }).rates.perAddress).toEqual({ points: 5, seconds: 10 })
  expect(readWith({ rate_limit: { enabled: true } }).rates.perAddress).toEqual({ points: 100, seconds: 60 })
  const redis = readWith({ rate_limit: { ...limit, adapter: 'redis', host: '127.0.0.1', port: 6379 } })
  expect([redis.rates.shared, redis.redis]).toEqual([true, 'redis://127.0.0.1:6379/0'])
  const off = readWith({ rate_limit: { enabled: false, adapter: 'redis', host: '127.0.0.1' } })
  expect([off.rates.perAddress, off.redis]).toEqual([null, null])
})

test('storage: a folder, and a bucket', () => {
  const rooted = (root: string): unknown => readWith({ storage: { adapter: 'local', root, root_url: '/x' } }).storage
  expect(rooted('public/uploads')).toEqual([['local', { driver: 'local', root: '/base/public/uploads' }]])
  expect(rooted('/srv/uploads')).toEqual([['local', { driver: 'local', root: '/srv/uploads' }]])
  const bucket = {
    adapter: 's3',
    key: 'k',
    secret: 's',
    bucket: 'files',
    region: 'eu-west-1',
    endpoint: 'https://s3.example.com',
    version: 'latest',
    root: 'blog',
    options: { ACL: 'public-read', ServerSideEncryption: 'AES256' },
  }
  expect(readWith({ storage: bucket }).storage).toEqual([
    [
      's3',
      {
        driver: 's3',
        key: 'k',
        secret: 's',
        bucket: 'files',
        region: 'eu-west-1',
        endpoint: 'https://s3.example.com',
        forcePathStyle: false,
        root: 'blog',
        acl: 'public-read',
        serverSideEncryption: 'AES256',
      },
    ],
  ])
})

test('mail replaces that of the server, but for its sender alone', () => {
  const smtp = {
    host: 'm.example.com',
    port: 465,
    username: 'u',
    password: 'p',
    encryption: 'ssl',
    from: 'b@example.com',
  }
  const expected = { kind: 'smtp', host: 'm.example.com', port: 465, user: 'u', password: 'p', secure: true }
  const mail = readWith({ mail: { default: { transport: 'smtp', ...smtp } } }).mail
  expect(mail).toMatchObject({ from: 'b@example.com', transport: expected })
  const sendmail = readWith({ mail: { transport: 'sendmail', sendmail: '/usr/sbin/sendmail -bs' } }).mail.transport
  expect(sendmail).toMatchObject({ kind: 'sendmail', path: '/usr/sbin/sendmail' })
  const sender = readWith({ mail: { from: 'b@example.com' } }).mail
  expect(sender).toMatchObject({ from: 'b@example.com', transport: { host: 'mail.example.com' } })
})

describe('refused by name', () => {
  test.each<readonly [string, string, { readonly [attribute: string]: Plain }]>([
    ['database.type', 'settings', { database: { ...database, type: 'oracle' } }],
    ['database.port', 'settings', { database: { ...database, port: 'x' } }],
    ['database.username', 'settings', { database: { name: 'blog' } }],
    ['database.color', 'settings', { database: { ...database, color: 'red' } }],
    ['database', 'settings', { database: 'blog' }],
    ['database.name', 'settings', { database: { name: { a: 1 } } }],
    ['auth.secret', 'settings', { auth: { secret: 'short' } }],
    [
      'auth.social_providers.github.client_secret',
      'settings',
      { auth: { social_providers: { github: { client_id: 'x' } } } },
    ],
    ['hooks', 'settings', { hooks: { actions: { a: 'b' } } }],
    ['nothing', 'settings', { nothing: 1 }],
    ['cors.origin', 'settings', { cors: { origin: ['blog'] } }],
    ['cache.adapter', 'cache-adapter', { cache: { enabled: true, adapter: 'memcached' } }],
    ['cache.pool.adapter', 'cache-adapter', { cache: { pool: { adapter: 'rainbow' } } }],
    ['cache.host', 'cache-settings', { cache: { enabled: true, adapter: 'redis' } }],
    ['cache.response_ttl', 'cache-settings', { cache: { response_ttl: 'long' } }],
    ['rate_limit.host', 'settings', { rate_limit: { enabled: true, adapter: 'redis' } }],
    ['storage.adapter', 'storage-settings', { storage: { root: 'x' } }],
    ['storage', 'storage-settings', { storage: { adapter: 's3' } }],
    ['storage.root', 'folder', { storage: { adapter: 'local', root: 'a/../../b' } }],
    ['mail', 'settings', { mail: { transport: 'smtp' } }],
    ['mail.encryption', 'settings', { mail: { encryption: 'rot13' } }],
  ])('%s', (attribute, problem, contents) => {
    const thrown = errorOf(() => readWith(contents))
    expect(thrown).toBeInstanceOf(ProjectError)
    expect(thrown).toMatchObject({ attribute, problem })
  })

  test('a list in the place of the file', () => {
    expect(() => read(['a'])).toThrow('the file: expected an object, got a list')
  })

  test('an absolute path of a request', () => {
    const contents = { database, storage: { adapter: 'local', root: '/etc' } }
    expect(() => read(contents, { isConfined: true })).toThrow('storage.root: expected a relative path, got "/etc"')
  })

  test('no message has the secret', () => {
    const thrown = errorOf(() => readWith({ auth: { secret: 'sesame' } }))
    expect(String(thrown)).not.toContain('sesame')
  })
})

function errorOf(work: () => unknown): unknown {
  try {
    work()
    return null
  } catch (error) {
    return error
  }
}
