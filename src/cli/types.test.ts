/** Types for the SDK, of a server, of a file and of the configured database. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { addUsage } from '../sql/statements/operation/usage.ts'
import { adminPassword, adminToken, ask, createDatabase, openServer, run } from './test-program.ts'

// Most steps open the embedded database.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })
const folder = mkdtempSync(join(tmpdir(), 'tandem-test-'))
const file = join(folder, 'snapshot.yaml')

const tables = [
  'create table authors (id integer generated always as identity primary key, name varchar(50) not null)',
  'create table books (id integer generated always as identity primary key, title text not null, author integer references authors, made timestamptz)',
]

const database = await createDatabase({ isMigrated: true })
await database.onDatabase(async (db) => {
  for (const text of tables) await db.run({ text, values: [] })
})
expect(await run(database.settings, 'introspect')).toMatchObject({ code: 0 })

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await database.remove()
})

const types = (...words: readonly string[]) => run(database.settings, 'types', ...words)

const everything = `// Written by \`tandem types\`. Write it anew when the data model or the rights change.
import type { DateTime, Rules } from '@tandem/sdk/current'

/** The collections: \`createCurrentClient<Schema>(…)\`. */
export interface Schema {
  authors: Authors[]
  books: Books[]
}

export interface Authors extends Rules<'name', never> {
  id: number
  books: number[] | Books[]
  name: string
}

export interface Books extends Rules<'title', never> {
  id: number
  author: number | Authors | null
  made: DateTime | null
  title: string
}
`

test('the configured database and its snapshot have the same types', async () => {
  expect(await types()).toMatchObject({ code: 0, out: everything })
  expect(await run(database.settings, 'schema', 'snapshot', '--output', file)).toMatchObject({ code: 0 })
  const output = join(folder, 'schema.d.ts')
  expect(await types('--snapshot', file, '--output', output)).toMatchObject({ code: 0, out: '' })
  expect(readFileSync(output, 'utf8')).toBe(everything)
})

test('a server has the types that the rights of a token leave', async () => {
  const admin = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: adminPassword, ADMIN_TOKEN: adminToken }
  const server = await openServer({ ...database.settings, ...admin })
  try {
    expect(await types('--url', `${server.url}/`, '--token', adminToken)).toMatchObject({ code: 0, out: everything })
    const permissions = [{ collection: 'books', action: 'read', fields: ['id', 'title'] }]
    const policies = [{ policy: { name: 'Readers', app_access: true, permissions } }]
    const reader = {
      email: 'reader@example.com',
      token: 'a-static-token-of-a-reader',
      role: { name: 'Reader', policies },
    }
    expect(await ask(server.url, '/users', reader)).toMatchObject({ status: 200 })
    const seen = await types('--url', server.url, '--token', reader.token)
    expect(seen.out).toContain('export interface Schema {\n  books: Books[]\n}\n')
    expect(seen.out).toContain(
      "export interface Books extends Rules<never, 'id' | 'title'> {\n  id: number\n  title: string\n}\n",
    )
    expect(seen.out).not.toMatch(/author|made/i)
    expect(await types('--url', server.url)).toMatchObject({ code: 1, error: expect.stringContaining('app_access') })
    const refused = await types('--url', server.url, '--token', 'not-a-token-of-anybody')
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.error).toMatch(/^tandem: GET http:\S+ was refused: the server does not know the token/)
  } finally {
    await server.close()
  }
})

test('a token without a server, two sources and a file of something else are refused', async () => {
  expect(await types('--token', 'a')).toMatchObject({
    code: 2,
    out: '',
    error: expect.stringContaining("needs '--url <address>'"),
  })
  expect(await types('--url', 'localhost:8055')).toMatchObject({
    code: 2,
    error: expect.stringContaining('--url: expected an address such as "https://api.example.com", got localhost:8055'),
  })
  expect(await types('--url', 'http://127.0.0.1:1')).toMatchObject({
    code: 1,
    error: expect.stringMatching(/GET http:\/\/127\.0\.0\.1:1\/\w+ failed: .+/),
  })
  expect(await types('--url', 'http://a.example', '--snapshot', file)).toMatchObject({ code: 2, out: '' })
  const other = await types('--snapshot', new URL('../../package.json', import.meta.url).pathname)
  expect(other).toMatchObject({ code: 2, out: '', error: expect.stringContaining('--snapshot') })
})

const useOf = (path: string) => ({
  client: 'shop 2.3',
  generation: 'current',
  operation: 'readItems',
  access: 'read' as const,
  path,
  calls: 1,
  first: '2026-01-01T00:00:00Z',
  last: '2026-01-01T00:00:00Z',
})

test('--check names the types that differ from those of a file', async () => {
  const output = join(folder, 'checked.d.ts')
  expect(await types('--output', output)).toMatchObject({ code: 0 })
  expect(await types('--check', output)).toMatchObject({ code: 0, out: 'Nothing differs.\n' })
  const older = readFileSync(output, 'utf8').replace('  title: string', '  title: number\n  isbn: string')
  writeFileSync(output, older.replace(/export interface Authors /, 'export interface Writers '))
  const { code, out } = await types('--check', output)
  expect([code, out.trim().split('\n')]).toEqual([
    3,
    ['Authors is new', 'Books.isbn is gone', 'Books.title: number → string', 'Writers is gone'],
  ])
  await database.onDatabase((db) => addUsage(db, ['books.isbn', 'books', 'books.title'].map(useOf), 100))
  const named = await types('--check', output)
  expect(
    named.out
      .replaceAll(/\d+ days? ago/g, 'ago')
      .trim()
      .split('\n'),
  ).toEqual([
    'Authors is new',
    'Books.isbn is gone',
    '  used by shop 2.3 (last call ago) at readItems books.isbn',
    'Books.title: number → string',
    '  used by shop 2.3 (last call ago) at readItems books.title',
    'Writers is gone',
  ])
  expect(await types('--check', join(folder, 'nowhere.d.ts'))).toMatchObject({ code: 2, out: '' })
})
