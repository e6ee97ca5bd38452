import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { usualBounds } from '../domain/conditions/query-cost.ts'
import { loadConfig, loadSecret } from './config.ts'
import { describeSettings } from './describe-settings.ts'
import { ConfigError } from './error.ts'
import { settingList } from './settings.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-config-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const load = (environment: Record<string, string> = {}) => loadConfig(environment, folder)

const withCost = (value: string): unknown =>
  load({ DB_CLIENT: 'pg', DB_CONNECTION_STRING: 'postgres://h/d', DB_RANDOM_PAGE_COST: value }).database

describe('a start without settings', () => {
  test('uses the embedded database in ./data and port 8055', () => {
    const config = load()
    expect(config.http).toEqual({
      host: '0.0.0.0',
      port: 8055,
      publicUrl: null,
      maxPayload: 1_048_576,
      maxSchema: 16_777_216,
      trustProxy: false,
      strictQuery: false,
      validateResponses: false,
      serverTiming: false,
      cors: null,
      hsts: null,
    })
    expect(config.database).toEqual({ kind: 'pglite', dataDir: join(folder, 'data') })
    expect(config.limits).toMatchObject({
      queryDefault: 100,
      queryMax: null,
      depth: 10,
      batch: 10_000,
      cost: usualBounds,
    })
    expect(config.limits.documents).toEqual({
      introspection: true,
      tokens: 5000,
      depth: 20,
      aliases: 200,
      rootFields: 50,
      directives: 100,
      persisted: null,
    })
  })

  test('gets a secret that persists and only its owner can read', () => {
    const first = loadSecret(load())
    expect(first.secret).toHaveLength(64)
    expect(loadSecret(load())).toEqual(first)
    expect(statSync(join(folder, 'data', 'secret')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(folder, 'data', 'secret'), 'utf8')).toBe(`${first.secret}\n`)
  })
})

test('the first administrator can be created by a request', () => {
  expect(load().admin).toMatchObject({ email: 'admin@example.com', password: null })
  expect(load({ ADMIN_SETUP: 'true' }).admin).toBeNull()
})

const proxies = 'IP_TRUST_PROXY: expected true, false, a number of proxies, or a list of their addresses and networks'
const times = 'expected a duration such as 500ms, 30s, 15m, 12h or 7d (a bare number is milliseconds)'

describe('a bad value stops with one line that names it', () => {
  test.each([
    [{ PORT: 'abc' }, 'PORT: expected an integer from 0 to 65535, got "abc"'],
    [{ PORT: '70000' }, 'PORT: expected an integer from 0 to 65535, got "70000"'],
    [{ DB_CLIENT: 'oracle' }, 'DB_CLIENT: expected one of pglite, pg, mysql, got "oracle"'],
    [{ CORS_ENABLED: 'perhaps' }, 'CORS_ENABLED: expected true or false, got "perhaps"'],
    [{ PUBLIC_URL: 'example.com' }, 'PUBLIC_URL: expected an absolute http or https address, got "example.com"'],
    [{ ADMIN_EMAIL: 'me' }, 'ADMIN_EMAIL: expected an e-mail address, got "me"'],
    [
      { ACCESS_TOKEN_TTL: 'soon' },
      'ACCESS_TOKEN_TTL: expected a duration such as 500ms, 30s, 15m, 12h or 7d (a bare number is milliseconds), from 1s to 36500d, got "soon"',
    ],
    [
      { MAX_PAYLOAD_SIZE: '1 tb' },
      'MAX_PAYLOAD_SIZE: expected a size such as 500kb or 1mb (a bare number is bytes), got "1 tb"',
    ],
    [{ EMAIL_TEMPLATES_PATH: '/no/such/folder' }, 'EMAIL_TEMPLATES_PATH: expected a folder, got "/no/such/folder"'],
    [{ IP_TRUST_PROXY: '10.0.0.0/8,loopback,proxy' }, `${proxies}, got "10.0.0.0/8,loopback,proxy"`],
    [{ IP_TRUST_PROXY: '10.0.0.0/33' }, `${proxies}, got "10.0.0.0/33"`],
    [{ SERVER_SHUTDOWN_TIMEOUT: '30d' }, `SERVER_SHUTDOWN_TIMEOUT: ${times}, from 0 to 24d, got "30d"`],
    [{ IMPORT_TIMEOUT: '0' }, `IMPORT_TIMEOUT: ${times}, from 1ms to 24d, got "0"`],
    [{ CACHE_ENABLED: 'true', CACHE_TTL: '0' }, `CACHE_TTL: ${times}, from 1s to 36500d, got "0"`],
    [{ REFRESH_TOKEN_TTL: '99999999d' }, `REFRESH_TOKEN_TTL: ${times}, from 1s to 36500d, got "99999999d"`],
    [
      { REFRESH_TOKEN_COOKIE_DOMAIN: 'a.example; Path=/' },
      'REFRESH_TOKEN_COOKIE_DOMAIN: expected a domain such as example.com, got "a.example; Path=/"',
    ],
    [{ CORS_METHODS: 'GET,P\nUT' }, 'CORS_METHODS: expected a comma-separated list of names, got "GET,P\\nUT"'],
    [{ DB_SEARCH_PATH: ', ,' }, 'DB_SEARCH_PATH: expected a comma-separated list of at least one name, got ", ,"'],
    [
      { HASH_MEMORY_COST: '16' },
      'HASH_MEMORY_COST: expected at least 8 for each lane (32) with HASH_PARALLELISM=4, got 16',
    ],
    [
      { CACHE_ENABLED: 'true', CACHE_STORE: 'redis', REDIS_HOST: 'a b' },
      'REDIS_HOST: expected a name or an address, got "a b"',
    ],
    [
      { ADMIN_TOKEN: 'no header can have this' },
      'ADMIN_TOKEN: expected at least 16 visible characters of ASCII, got 23 characters',
    ],
    [{ SECRET: 'hunter2' }, 'SECRET: expected at least 32 characters, got 7 characters'],
    [{ ADMIN_PASSWORD: 'short' }, 'ADMIN_PASSWORD: expected at least 8 characters, got 5 characters'],
    [
      { DB_CLIENT: 'pg', DB_CONNECTION_STRING: 'mysql://me:hunter2@host/db' },
      'DB_CONNECTION_STRING: expected postgres://user:password@host:5432/name, got something else',
    ],
    [{ DB_CLIENT: 'pg' }, 'DB_HOST: expected a value (or DB_CONNECTION_STRING) with DB_CLIENT=pg, got nothing'],
    [
      { DB_CLIENT: 'pg', DB_CONNECTION_STRING: 'postgres://host/db', DB_POOL__MIN: '20' },
      'DB_POOL__MIN: expected at most DB_POOL__MAX (10), got 20',
    ],
    [
      { REFRESH_TOKEN_COOKIE_SAME_SITE: 'none', REFRESH_TOKEN_COOKIE_SECURE: 'false' },
      'REFRESH_TOKEN_COOKIE_SECURE: expected true when REFRESH_TOKEN_COOKIE_SAME_SITE is none, got false',
    ],
    [{ QUERY_LIMIT_MAX: '0' }, 'QUERY_LIMIT_MAX: expected -1 for none or an integer from 1, got "0"'],
    [
      { IMPORT_IP_ALLOW_LIST: '10.0.0.0/8,intranet' },
      'IMPORT_IP_ALLOW_LIST: expected addresses and networks, got "intranet"',
    ],
    [{ SECRET_FILE: '/no/such/file' }, 'SECRET_FILE: expected a readable file, got ENOENT for /no/such/file'],
    [
      { ADMIN_TOKEN: 'x'.repeat(20), ADMIN_TOKEN_FILE: '/a' },
      'ADMIN_TOKEN: expected either ADMIN_TOKEN or ADMIN_TOKEN_FILE, got both',
    ],
  ] as const)('%j', (environment, message) => {
    expect(() => load(environment)).toThrow(new ConfigError(...(splitMessage(message) as [string, string, string])))
    expect(() => load(environment)).toThrow(message)
  })
})

const splitMessage = (message: string) => /^(\w+): expected (.*), got (.*)$/.exec(message)?.slice(1)

const secure = (environment: Record<string, string>) => load(environment).security.cookie.secure

describe('values are typed', () => {
  test('durations, sizes and limits', () => {
    const config = load({
      ACCESS_TOKEN_TTL: '15m',
      REFRESH_TOKEN_TTL: '7d',
      LOGIN_STALL_TIME: '250',
      MAX_PAYLOAD_SIZE: '2.5mb',
      QUERY_LIMIT_MAX: '50',
      MAX_BATCH_MUTATION: '10',
    })
    expect([config.security.accessTtl, config.security.refreshTtl, config.security.loginStall]).toEqual([
      900_000, 604_800_000, 250,
    ])
    expect(config.http.maxPayload).toBe(2_621_440)
    expect(config.limits).toMatchObject({ queryDefault: 50, queryMax: 50, depth: 10, batch: 10, cost: usualBounds })
    expect(load({ MAX_BATCH_MUTATION: 'false' }).limits.batch).toBeNull()
  })

  test('a Postgres server by its parts, with pool and encryption', () => {
    const environment = { DB_CLIENT: 'pg', DB_HOST: 'db', DB_USER: 'me', DB_PASSWORD: 'p@ss', DB_DATABASE: 'shop' }
    expect(load({ ...environment, DB_SSL: 'no-verify', DB_POOL__MAX: '4', DB_SEARCH_PATH: 'a, b' }).database).toEqual({
      kind: 'pg',
      host: 'db',
      user: 'me',
      password: 'p@ss',
      database: 'shop',
      ssl: { rejectUnauthorized: false },
      pool: { min: 0, max: 4 },
      searchPath: ['a', 'b'],
      randomPageCost: 1.1,
    })
  })

  test('planner costs', () => {
    expect([withCost('2.5'), withCost('0')]).toMatchObject([{ randomPageCost: 2.5 }, { randomPageCost: 0 }])
    expect(() => withCost('-1')).toThrow('DB_RANDOM_PAGE_COST: expected a number from 0 to 1000, got "-1"')
  })

  test('a connection string or a host selects Postgres', () => {
    const line = { DB_CONNECTION_STRING: 'postgres://me@db/shop' }
    expect(load(line).database).toMatchObject({ kind: 'pg', connectionString: 'postgres://me@db/shop' })
    expect(load({ DB_HOST: 'db', DB_USER: 'me', DB_DATABASE: 'shop' }).database).toMatchObject({
      kind: 'pg',
      host: 'db',
    })
    expect(load({ ...line, DB_CLIENT: 'pglite' }).database).toMatchObject({ kind: 'pglite' })
  })

  test('-1 disables the limit of rows', () => {
    expect(load({ QUERY_LIMIT_MAX: '-1' }).limits).toMatchObject({ queryDefault: 100, queryMax: null })
  })

  test('a cookie is secure by request, unless configured or required', () => {
    expect(secure({})).toBeNull()
    expect(secure({ REFRESH_TOKEN_COOKIE_SECURE: 'false' })).toBe(false)
    expect(secure({ REFRESH_TOKEN_COOKIE_SECURE: 'true' })).toBe(true)
    expect(secure({ REFRESH_TOKEN_COOKIE_SAME_SITE: 'none' })).toBe(true)
  })

  test('proxies, by address, network or name', () => {
    const trusted = 'loopback, 10.0.0.0/8,2001:db8::/32,192.0.2.7'
    expect(load({ IP_TRUST_PROXY: trusted }).http.trustProxy).toEqual(trusted.split(/, ?/))
    expect([load({ IP_TRUST_PROXY: '2' }).http.trustProxy, load({ IP_TRUST_PROXY: 'true' }).http.trustProxy]).toEqual([
      2,
      true,
    ])
  })

  test('Redis at an address of IPv6', () => {
    const redis = load({ CACHE_ENABLED: 'true', CACHE_STORE: 'redis', REDIS_HOST: '::1', REDIS_PASSWORD: 'a@b' }).redis
    expect(redis).toBe('redis://:a%40b@[::1]:6379/0')
  })

  test('cross-origin credentials are only for listed origins', () => {
    const any = load({ CORS_ENABLED: 'true', CORS_ORIGIN: 'true' })
    const listed = load({ CORS_ENABLED: 'true', CORS_ORIGIN: 'https://a.example, https://b.example/' })
    expect([any.http.cors?.origin, any.http.cors?.credentials]).toEqual([true, false])
    expect(listed.http.cors?.origin).toEqual(['https://a.example', 'https://b.example'])
    expect(listed.http.cors?.credentials).toBe(true)
    const replicas = { CORS_ENABLED: 'true', CORS_ORIGIN: 'true', DB_READ_REPLICAS: 'postgres://replica.example/app' }
    const server = { DB_CONNECTION_STRING: 'postgres://primary.example/app', ...replicas }
    expect(any.http.cors?.exposedHeaders).not.toContain('X-Tandem-Position')
    expect(load(server).http.cors?.exposedHeaders).toContain('X-Tandem-Position')
    expect(load(server).http.cors?.allowedHeaders).toContain('X-Tandem-Position')
    expect(load({ CORS_ENABLED: 'true' }).http.cors).toBeNull()
  })
})

test('probable misspellings of settings are reported, from environment and file', () => {
  writeFileSync(join(folder, '.env'), 'ADMIN_EMIAL=me@example.com\n')
  expect(load({ PATH: '/bin', CORS_ORIGINS: 'true', HTTP_PROXY: 'x', DB_HSOT: '' }).misspelt).toEqual([
    { name: 'ADMIN_EMIAL', suggestion: 'ADMIN_EMAIL' },
    { name: 'CORS_ORIGINS', suggestion: 'CORS_ORIGIN' },
  ])
})

describe('sources', () => {
  test('a .env file is read, the environment wins, and empty values count as absent', () => {
    writeFileSync(join(folder, '.env'), 'PORT=9000\nPROJECT_NAME="My shop"\nHOST=127.0.0.1\n')
    const config = load({ PORT: '9001', HOST: '' })
    expect([config.http.port, config.projectName, config.http.host]).toEqual([9001, 'My shop', '127.0.0.1'])
  })

  test('an unreadable .env is reported', () => {
    mkdirSync(join(folder, '.env'))
    expect(() => load()).toThrow(`.env: expected a readable file, got EISDIR for ${join(folder, '.env')}`)
  })

  test('NAME_FILE reads the value from a file', () => {
    writeFileSync(join(folder, 'password'), 'from-a-file\n')
    expect(load({ ADMIN_PASSWORD_FILE: join(folder, 'password') }).admin?.password).toBe('from-a-file')
  })
})

test('the help text has a line for every setting and shows no secret default', () => {
  const help = describeSettings()
  for (const [name, row] of settingList) {
    expect(help).toContain(`  ${name} `)
    if (row.secret) expect(row.fallback).toBeNull()
  }
})
