import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { createDatabase, run, runProgram } from './test-program.ts'

// Most steps open the embedded database.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const database = await createDatabase({ isMigrated: true })

afterAll(() => database.remove())

test('a plan whose reader ends early has its exit code, and no message', async () => {
  const main = fileURLToPath(new URL('../main.js', import.meta.url))
  const child = spawn(process.execPath, [main, 'plan', '--help'])
  child.stdout.destroy()
  let error = ''
  child.stderr.on('data', (chunk) => {
    error += String(chunk)
  })
  expect(await once(child, 'close')).toEqual([0, null])
  expect(error).toBe('')
})

describe('help', () => {
  test('without a command the commands are listed and the exit code is 2', async () => {
    const { code, out } = await runProgram({})
    expect(code).toBe(2)
    for (const name of [
      'start',
      'migrate',
      'introspect',
      'untrack',
      'schema',
      'import',
      'users',
      'roles',
      'token',
      'spec',
    ]) {
      expect(out).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'))
    }
  })

  test.each([
    [['--help'], 'Usage: tandem [options] [command]'],
    [['--version'], `${packageJson.version}\n`],
    [['start', '--help'], 'DB_CONNECTION_STRING'],
    [['users', 'create', '--help'], '--password <text>'],
    [['token', '--help'], '--set <token>'],
    [['schema', 'apply', '--help'], '--dry-run'],
    [['import', 'directus', '--help'], '--source-database <address>'],
  ])('%j is answered with exit code 0', async (words, text) => {
    const { code, out, error } = await run({}, ...words)
    expect([code, error]).toEqual([0, ''])
    expect(out).toContain(text)
  })
})

describe('wrong usage and settings end with exit code 2 and one line', () => {
  test.each([
    [{}, ['fly'], "tandem: unknown command 'fly'\n"],
    [{}, ['users', 'create'], "tandem: required option '--email <address>' not specified\n"],
    [
      {},
      ['spec', '--generation', 'next'],
      "tandem: option '--generation <name>' argument 'next' is invalid. Allowed choices are current, legacy.\n",
    ],
    [{ PORT: 'x' }, ['start'], 'tandem: PORT: expected an integer from 0 to 65535, got "x"\n'],
    [{ SECRET: 'hunter2' }, ['start'], 'tandem: SECRET: expected at least 32 characters, got 7 characters\n'],
    [
      {},
      ['users', 'create', '--email', 'a@example.com', '--password', 'hunter2', '--role', 'x'],
      'tandem: --password: expected at least 8 characters, got 7 characters\n',
    ],
    [
      {},
      ['users', 'create', '--email', 'a\u0001@example.com', '--password', 'hunter2hunter2', '--role', 'x'],
      'tandem: --email: expected an e-mail address, got "a\\u0001@example.com"\n',
    ],
    [{}, ['roles', 'create', '--name', ' '], 'tandem: --name: expected a name, got " "\n'],
    [
      {},
      ['token', '--email', 'a@example.com', '--set', 'no header can have this'],
      'tandem: --set: expected at least 16 visible characters of ASCII, got 23 characters\n',
    ],
    [
      {},
      ['token', '--email', 'a@example.com', '--remove', '--set', 'abcdefghijklmnop'],
      "tandem: option '--remove' cannot be used with option '--set <token>'\n",
    ],
  ] as const)('%j %j', async (settings, words, line) => {
    expect(await run(settings, ...words)).toEqual({ code: 2, out: '', error: line })
  })
})

test('a database that does not answer ends with exit code 1 and one line', async () => {
  const settings = { DB_CLIENT: 'pg', DB_CONNECTION_STRING: 'postgres://me:hunter2@127.0.0.1:1/nothing' }
  const { code, error } = await run(settings, 'migrate')
  expect(code).toBe(1)
  // Slow steps are reported with their duration.
  const lines = error.split('\n').filter((line) => !/^(Opening|Migrating)/.test(line))
  expect(lines).toEqual([
    expect.stringMatching(/^tandem: The database cannot be reached: .*ECONNREFUSED 127\.0\.0\.1:1$/),
    '',
  ])
  expect(error).not.toContain('hunter2')
})

describe('spec', () => {
  test.each(['current', 'legacy'])('the %s spec is printed as YAML and as JSON', async (generation) => {
    const yaml = await run({}, 'spec', '--generation', generation)
    const json = await run({}, 'spec', '--generation', generation, '--format', 'json')
    expect(yaml.code).toBe(0)
    expect(parse(yaml.out)).toEqual(JSON.parse(json.out))
    expect(JSON.parse(json.out)).toMatchObject({ openapi: expect.stringMatching(/^3\.1/), paths: expect.any(Object) })
  })
})

const key = (...words: readonly string[]) => run(database.settings, 'key', ...words)

describe('roles, users and tokens', () => {
  const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\n$/
  const user = ['users', 'create', '--email', 'Editor@example.com', '--password', 'long enough', '--role', 'Editor']
  const of = ['token', '--email', 'editor@example.com']

  test('are created, printed, and refused a second time', async () => {
    const role = await run(database.settings, 'roles', 'create', '--name', 'Editor', '--app')
    expect([role.code, role.out]).toEqual([0, expect.stringMatching(uuid)])
    expect(await run(database.settings, 'roles', 'create', '--name', 'Editor')).toMatchObject({
      code: 1,
      error: expect.stringContaining('tandem: There is a role named Editor already\n'),
    })
    expect(await run(database.settings, ...user)).toMatchObject({ code: 0, out: expect.stringMatching(uuid) })
    expect(await run(database.settings, ...user)).toMatchObject({
      code: 1,
      error: expect.stringContaining('tandem: There is a user with the address Editor@example.com already\n'),
    })
    expect((await run(database.settings, ...of, '--set', 'a-token-of-my-own-choice')).out).toBe(
      'a-token-of-my-own-choice\n',
    )
    expect((await run(database.settings, ...of)).out).toMatch(/^[\w-]{32}\n$/)
    expect((await run(database.settings, ...of, '--remove')).out).toBe(
      'editor@example.com no longer has a static token.\n',
    )
  })

  test('API keys are created, listed and deleted', async () => {
    const made = await key('create', '--email', 'Editor@example.com', '--name', 'Nightly', '--max-cost', '5')
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^tk_[\w-]{48}\n$/) })
    const [id, prefix, ...rest] = (await key('list', '--email', 'editor@example.com')).out.trim().split('\t')
    expect([prefix, ...rest]).toEqual([made.out.slice(0, 11), 'never expires', 'never used', 'Nightly'])
    expect(await key('create', '--email', 'editor@example.com', '--name', 'x', '--policy', 'Nothing')).toMatchObject({
      code: 2,
      error: expect.stringContaining('--policy: expected the name of a policy, got "Nothing"'),
    })
    expect(await key('delete', String(id))).toMatchObject({ code: 0, out: `The key ${id} is deleted.\n` })
    expect((await key('delete', String(id))).code).toBe(1)
    expect((await key('list')).out).toBe('')
  })

  test('secrets are stored hashed and addresses in lower case', async () => {
    await run(database.settings, ...of, '--set', 'a-token-of-my-own-choice')
    const text = `select email, password, token, (select name from platform_roles r where r.id = role) as role from platform_users`
    const { rows } = await database.onDatabase((db) => db.run({ text, values: [] }))
    expect(rows).toEqual([
      {
        email: 'editor@example.com',
        password: expect.stringMatching(/^\$argon2id\$/),
        token: expect.not.stringContaining('choice'),
        role: 'Editor',
      },
    ])
  })
})
