/** The same files on another vendor: byte for byte. With `TEST_MYSQL_URL`, that is MariaDB. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { toYaml } from '../../exchange/documents.ts'
import { openDatabase } from '../../sql/database.ts'
import { textFor } from '../../sql/testing/test-database.ts'
import { createDatabase, run, type Settings, textsIn } from '../test-program.ts'
import { bigProject } from './test-big-project.ts'

// Each step opens a database.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 120_000 })

const root = mkdtempSync(join(tmpdir(), 'tandem-test-'))
const folderOf = (name: string): string => join(root, name)
afterAll(() => rmSync(root, { recursive: true, force: true }))

type Other = { readonly settings: Settings; readonly remove: () => Promise<void> }

/** An empty database of MariaDB, or else another embedded one. */
async function createOther(): Promise<Other> {
  const server = process.env['TEST_MYSQL_URL']
  if (server === undefined) return createDatabase({ isMigrated: true, isEmbedded: true })
  const name = `tandem_program_${crypto.randomUUID().replaceAll('-', '')}`
  const url = new URL(server)
  const onServer = async (text: string): Promise<void> => {
    url.pathname = '/mysql'
    const db = await openDatabase({ kind: 'mysql', connectionString: url.href })
    await db.run({ text, values: [] })
    await db.close()
  }
  await onServer(`create database ${name}`)
  url.pathname = `/${name}`
  return {
    settings: {
      DB_CLIENT: 'mysql',
      DB_CONNECTION_STRING: url.href,
      DATA_DIR: folderOf('data'),
      SECRET: 's'.repeat(40),
    },
    remove: () => onServer(`drop database ${name}`),
  }
}

test('a project of 40 collections and 12 roles is pushed elsewhere, and pulled there byte for byte', async () => {
  for (const [path, content] of Object.entries(bigProject)) {
    const file = join(folderOf('written'), path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, toYaml(content))
  }
  const [first, other] = [await createDatabase({ isMigrated: true }), await createOther()]
  const secrets = { MAPBOX_KEY: 'pk.of-the-map' }
  const on = (settings: Settings, ...args: readonly string[]) => run({ ...settings, ...secrets }, ...args)
  try {
    expect(await on(first.settings, 'push', folderOf('written'), '--yes')).toMatchObject({ code: 0 })
    expect(await on(first.settings, 'pull', folderOf('pulled'))).toMatchObject({ code: 0 })
    expect(await on(other.settings, 'push', folderOf('pulled'), '--yes')).toMatchObject({ code: 0 })
    expect(await on(other.settings, 'pull', folderOf('elsewhere'))).toMatchObject({ code: 0 })
    expect(textsIn(folderOf('elsewhere'))).toEqual(textsIn(folderOf('pulled')))
    expect(await on(other.settings, 'plan', folderOf('pulled'), '--check')).toMatchObject({ code: 0 })
  } finally {
    await first.remove()
    await other.remove()
  }
})

const tables = [
  `create table makers (id integer primary key, name varchar(50) not null default 'x', uid uuid, made decimal(10,2),
    ratio double precision, rough real, few smallint, is_open boolean not null default true, born date,
    seen timestamp null, body text, data json)`,
  'create table things (id uuid primary key, maker integer references makers (id) on delete cascade)',
]

test('a snapshot of one vendor is applied to another, and nothing differs then, there and back', async () => {
  const [first, other, third] = [
    await createDatabase({ isMigrated: true }),
    await createOther(),
    await createDatabase({ isMigrated: true }),
  ]
  const [file, back] = [join(root, 'model.yaml'), join(root, 'back.yaml')]
  try {
    await first.onDatabase(async (db) => {
      for (const text of tables) await db.run({ text: textFor(db, text), values: [] })
    })
    expect(await run(first.settings, 'schema', 'snapshot', '--output', file)).toMatchObject({ code: 0 })
    expect(await run(other.settings, 'schema', 'apply', '--yes', file)).toMatchObject({ code: 0 })
    const same = { code: 0, out: 'Nothing differs.\n' }
    expect(await run(other.settings, 'schema', 'diff', file)).toMatchObject(same)
    expect(await run(other.settings, 'schema', 'snapshot', '--output', back)).toMatchObject({ code: 0 })
    expect(await run(first.settings, 'schema', 'diff', back)).toMatchObject(same)
    expect(await run(third.settings, 'schema', 'apply', '--yes', back)).toMatchObject({ code: 0 })
    expect(await run(third.settings, 'schema', 'diff', file)).toMatchObject(same)
  } finally {
    for (const each of [first, other, third]) await each.remove()
  }
})
