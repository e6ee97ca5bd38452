/** The data model as a file, complete and partial, as scripts use it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { createDatabase, run } from './test-program.ts'

// Each step opens the database.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })
const folder = mkdtempSync(join(tmpdir(), 'tandem-test-'))
const file = join(folder, 'part.yaml')

const database = await createDatabase({ isMigrated: true })
await database.onDatabase(async (db) => {
  await db.run({ text: 'create table authors (id integer primary key, name varchar(50))', values: [] })
  await db.run({
    text: 'create table books (id integer primary key, author integer references authors (id))',
    values: [],
  })
})

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await database.remove()
})

const schema = (...words: readonly string[]) => run(database.settings, 'schema', ...words)

test('a partial snapshot is written, compared and applied, and the rest stays', async () => {
  expect(await schema('snapshot', '--include', 'authors', '--output', file)).toMatchObject({ code: 0 })
  const text = readFileSync(file, 'utf8')
  expect(text).toMatch(/^version: 2\n/)
  expect(text).not.toContain('books')
  expect(await schema('diff', file)).toMatchObject({ code: 0, out: 'Nothing differs.\n' })
  writeFileSync(file, text.replaceAll('max_length: 50', 'max_length: 60'))
  const plan = [
    'A partial snapshot: collections that it does not hold stay as they are.',
    'Fields:',
    '  ~ authors.name',
    '      schema.max_length: 50 → 60',
    '',
  ].join('\n')
  expect(await schema('diff', file)).toMatchObject({ code: 3, out: plan })
  expect(await schema('apply', file)).toMatchObject({ code: 2, out: plan })
  expect(await schema('apply', '--dry-run', file)).toMatchObject({ code: 0, out: plan })
  expect(await schema('apply', '--yes', file)).toMatchObject({ code: 0, out: `${plan}Applied.\n` })
  expect(await schema('diff', file)).toMatchObject({ code: 0 })
  const { out } = await schema('snapshot', '--exclude', 'authors', '--format', 'json')
  expect(JSON.parse(out)).toMatchObject({ version: 2, collections: [{ collection: 'books' }] })
})

test('a part with missing collections, and two parts at once, are refused', async () => {
  const unknown = await schema('snapshot', '--include', 'authors,nowhere')
  expect(unknown).toMatchObject({ code: 1, out: '' })
  expect(unknown.error).toMatch(/tandem: .*"--include" but received "nowhere"\n$/)
  const both = await schema('snapshot', '--include', 'authors', '--exclude', 'books')
  expect(both).toMatchObject({ code: 2, out: '' })
  expect(both.error).toContain("'--include <names>' cannot be used with option '--exclude <names>'")
})

test.each(['diff', 'apply'])('%s names a file that is no snapshot, before it opens a database', async (command) => {
  const broken = join(folder, 'broken.yaml')
  const nowhere = { ...database.settings, DB_CLIENT: 'pg', DB_CONNECTION_STRING: 'postgres://nobody@127.0.0.1:1/none' }
  const runWith = async (text: string | null) => {
    rmSync(broken, { force: true })
    if (text !== null) writeFileSync(broken, text)
    return run(nowhere, 'schema', command, broken)
  }
  const expected = `tandem: ${broken}: expected a file of "tandem schema snapshot", YAML or JSON, got`
  expect(await runWith(null)).toEqual({ code: 2, out: '', error: `${expected} no such file\n` })
  expect(await runWith('hello')).toEqual({
    code: 2,
    out: '',
    error: `${expected} a document without a list of collections\n`,
  })
  expect(await runWith('a: [1')).toMatchObject({
    code: 2,
    error: expect.stringMatching(/^tandem: .*broken\.yaml: expected YAML or JSON, got .+\n$/),
  })
  const whole = await run(database.settings, 'schema', command, broken)
  expect(whole.error).toContain('broken.yaml')
})

test('a snapshot with a wrong part is refused by the name of its file', async () => {
  const wrong = join(folder, 'wrong.json')
  writeFileSync(wrong, JSON.stringify({ version: 1, platform: 'x', collections: [{}], fields: [], relations: [] }))
  const { code, error } = await schema('apply', '--yes', wrong)
  expect([code, error]).toEqual([1, expect.stringMatching(/^tandem: .*wrong\.json: Expected a snapshot but at "/m)])
})
