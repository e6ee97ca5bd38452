/** The same files on another vendor: byte for byte. With `TEST_MYSQL_URL`, that is MariaDB. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { openDatabase } from '../../sql/database.ts'
import { createDatabase, run, type Settings } from '../test-program.ts'

// Each step opens a database.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 120_000 })

const root = mkdtempSync(join(tmpdir(), 'tandem-test-'))
const folderOf = (name: string): string => join(root, name)
afterAll(() => rmSync(root, { recursive: true, force: true }))

function textsIn(folder: string): { readonly [path: string]: string } {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((each) => join(folder, each))
  const files = all.filter((file) => statSync(file).isFile() && !file.includes('/seed/')).toSorted()
  return Object.fromEntries(files.map((file) => [relative(folder, file), readFileSync(file, 'utf8')]))
}

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

test('a project is pushed elsewhere, and pulled there byte for byte', async () => {
  const [first, other] = [await createDatabase({ isMigrated: true }), await createOther()]
  try {
    expect(await run(first.settings, 'init', folderOf('written'))).toMatchObject({ code: 0 })
    expect(await run(first.settings, 'push', folderOf('written'), '--yes')).toMatchObject({ code: 0 })
    expect(await run(first.settings, 'pull', folderOf('pulled'))).toMatchObject({ code: 0 })
    cpSync(folderOf('pulled'), folderOf('moved'), { recursive: true })
    expect(await run(other.settings, 'push', folderOf('moved'), '--yes')).toMatchObject({ code: 0 })
    expect(await run(other.settings, 'plan', folderOf('moved'), '--check')).toMatchObject({ code: 0 })
    expect(await run(other.settings, 'pull', folderOf('elsewhere'))).toMatchObject({ code: 0 })
    expect(textsIn(folderOf('elsewhere'))).toEqual(textsIn(folderOf('pulled')))
  } finally {
    await first.remove()
    await other.remove()
  }
})
