/** `tandem users password` as `docs/operation.md` writes it, and how it reads the password. */
import { readFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { loadConfig } from '../../config/config.ts'
import { verifyPassword } from '../../tokens/password.ts'
import { readPassword } from '../read-password.ts'
import { createDatabase, type ProgramDatabase, type Result, run } from '../test-program.ts'

let database: ProgramDatabase
beforeAll(async () => {
  database = await createDatabase({ isMigrated: true })
  await run(database.settings, 'roles', 'create', '--name', 'Editor', '--app')
  const user = ['--email', 'eve@example.com', '--password', 'the first one', '--role', 'Editor']
  await run(database.settings, 'users', 'create', ...user)
})
afterAll(() => database.remove())

const guide = readFileSync(new URL('../../../docs/operation.md', import.meta.url), 'utf8')
const [, command = ''] = /\ntandem (users password) admin@example\.com\n/.exec(guide) ?? []

/** Runs the command with a text as its standard input. */
async function setPassword(input: string, email = 'eve@example.com'): Promise<Result> {
  const spy = vi.spyOn(process, 'stdin', 'get').mockReturnValue(streamOf(input) as unknown as typeof process.stdin)
  try {
    return await run(database.settings, ...command.split(' '), email)
  } finally {
    spy.mockRestore()
  }
}

const streamOf = (text: string): PassThrough => {
  const stream = new PassThrough()
  stream.end(text)
  return stream
}

type Row = { readonly password?: string }

const ask = (text: string) =>
  database.onDatabase(async (db) => (await db.run({ text, values: [] })).rows as readonly Row[])

const hasPassword = async (password: string): Promise<boolean> => {
  const [row] = await ask(`select password from platform_users where email = 'eve@example.com'`)
  const cost = loadConfig(database.settings).security.hash
  return (await verifyPassword(password, row?.password ?? null, { cost })).matches
}

test('the password of the input replaces the old one, and sessions end', async () => {
  await ask(`insert into platform_sessions (id, token_hash, "user", expires)
    select id, 'x', id, '2100-01-01' from platform_users where email = 'eve@example.com'`)
  expect(await setPassword('the second one\n', 'Eve@example.com')).toMatchObject({
    code: 0,
    out: 'The password of Eve@example.com is set, and the sessions of the user are ended.\n',
  })
  expect(await hasPassword('the second one')).toBe(true)
  expect(await ask('select 1 from platform_sessions')).toEqual([])
})

test('a password that the policy does not allow is refused, and so are the mask and an empty one', async () => {
  await ask(`update platform_settings set auth_password_policy = '/^.{12,}$/'`)
  const refusal = 'tandem: Expected a password that the policy of the project allows\n'
  expect(await setPassword('too short\n')).toMatchObject({ code: 1, error: expect.stringContaining(refusal) })
  await ask('update platform_settings set auth_password_policy = null')
  expect(await setPassword('\n')).toMatchObject({ code: 1, error: expect.stringContaining(refusal) })
  expect((await setPassword('**********\n')).code).toBe(1)
  expect((await setPassword('')).error).toContain('tandem: No password was given\n')
  expect(await hasPassword('the second one')).toBe(true)
})

test('says who has no password, and who cannot log in with it', async () => {
  expect((await setPassword('long enough\n', 'nobody@example.com')).error).toContain(
    'tandem: There is no user with the address nobody@example.com\n',
  )
  await ask(`update platform_users set provider = 'corporate' where email = 'eve@example.com'`)
  expect((await setPassword('long enough\n')).error).toContain(
    'tandem: eve@example.com logs in by the provider "corporate"\n',
  )
  await ask(`update platform_users set provider = 'default', status = 'suspended' where email = 'eve@example.com'`)
  expect((await setPassword('long enough\n')).out).toContain('\nThe user cannot log in: its status is "suspended".\n')
})

/** What is typed into a terminal, and what it shows. */
async function type(...lines: readonly string[]) {
  const terminal = Object.assign(new PassThrough(), { isTTY: true })
  const shown = new PassThrough()
  const reading = readPassword(terminal, shown)
  for (const line of lines) terminal.write(`${line}\r`)
  terminal.end()
  const outcome = await reading.catch(String)
  return { outcome, shown: String(shown.read()) }
}

test('a terminal is asked twice, and shows nothing of what is typed', async () => {
  const shown = 'New password: \nThe same again: \n'
  expect(await type('a secret', 'a secret')).toEqual({ outcome: 'a secret', shown })
  expect(await type('a secret', 'another')).toEqual({ outcome: 'Error: The two passwords are different', shown })
  expect((await type('a secret')).outcome).toBe('Error: No password was given')
})
