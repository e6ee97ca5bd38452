/** The ways into an installation that is served in place, and out of it: the guide, executed; a configuration file; interruptions. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { loadConfig } from '../config/config.ts'
import { databaseAt } from '../config/projects/source-settings.ts'
import type { Database } from '../domain/ports/context.ts'
import { legacyGeneration } from '../legacy/generation.ts'
import { installationImport } from '../legacy/import/version-eight.ts'
import { openDatabase } from '../sql/database.ts'
import { migrate } from '../sql/schema/migrate.ts'
import { openMySql } from '../sql/sources/mysql/connection.ts'
import { createScratch, type ScratchDatabase } from '../sql/sources/mysql/test-mysql.ts'
import { silentLog } from '../sql/testing/test-database.ts'
import { createContext } from './context.ts'
import { commandsOf, tandemWords } from './test-guide.ts'
import { annToken, magazine, originals } from './test-magazine.ts'
import { createDatabase, openServer, run, type Settings } from './test-program.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

async function open(): Promise<{ source: ScratchDatabase; folder: string; files: string; settings: Settings }> {
  // The folder of an embedded database that is never opened.
  const [source, place] = [await createScratch(), await createDatabase({ isEmbedded: true })]
  closing.push(source.drop, place.remove)
  await source.run(...magazine())
  const folder = place.settings['DATA_DIR'] as string
  const files = join(folder, 'uploads', 'originals')
  mkdirSync(files, { recursive: true })
  for (const [name, text] of Object.entries(originals)) writeFileSync(join(files, name), text)
  const settings = { ...place.settings, ADMIN_SETUP: 'false' }
  return { source, folder, files: join(folder, 'uploads'), settings }
}

/** The tables of version 8 with their definitions and checksums; its server asks for nothing else. */
async function stateOf(source: ScratchDatabase): Promise<readonly unknown[]> {
  const names = (await source.run('show full tables'))
    .filter((row) => row['Table_type'] === 'BASE TABLE')
    .map((row) => String(Object.values(row)[0]))
    .filter((name) => !name.startsWith('platform_'))
  const definitions: unknown[] = []
  for (const name of names) definitions.push(...(await source.run(`show create table \`${name}\``)))
  const sums = await source.run(`checksum table ${names.map((name) => `\`${name}\``).join(', ')}`)
  return [...definitions, ...sums]
}

async function readArticle(settings: Settings, path: string): Promise<number> {
  const server = await openServer(settings)
  try {
    return (await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${annToken}` } })).status
  } finally {
    await server.close()
  }
}

test('the guide leads into the place of the installation, and the way back is open', async () => {
  const { source, folder, files, settings } = await open()
  const before = await stateOf(source)
  const own = {
    ...settings,
    DB_CLIENT: 'mysql',
    DB_CONNECTION_STRING: source.url,
    STORAGE_LOCAL_ROOT: join(files, 'originals'),
  }
  const told: (number | null)[] = []
  for (const command of commandsOf('In place')) {
    const words = tandemWords(command, { database: source.url, files, report: join(folder, 'report.json') })
    if (words !== null) told.push((await run(own, ...words)).code)
    else if (command === 'npm start') told.push(await readArticle(own, '/_/items/articles/10'))
    else expect(command).toMatch(/^export DB_CLIENT=mysql DB_CONNECTION_STRING=mysql:\/\/.* STORAGE_LOCAL_ROOT=/)
  }
  // One file of the installation has no contents.
  expect(told).toEqual([0, 4, 200, 4])
  expect(await stateOf(source)).toEqual(before)
})

const php = (values: object) =>
  `[${Object.entries(values)
    .map(([name, value]) => `'${name}' => '${value}'`)
    .join(', ')}]`

test('the configuration file of version 8 names database, storage and secret, and serves the project', async () => {
  const { source, folder, settings } = await open()
  const { hostname, port, username, password, pathname } = new URL(source.url)
  const database = { type: 'mysql', host: hostname, port: port || '3306', name: pathname.slice(1), username, password }
  const storage = { adapter: 'local', root: 'uploads/originals', root_url: '/uploads/originals' }
  const auth = { secret_key: 's'.repeat(40), public_key: 'p'.repeat(40) }
  mkdirSync(join(folder, 'config'))
  const file = join(folder, 'config', 'api.php')
  const sections = Object.entries({ database, storage, auth }).map(([name, values]) => `'${name}' => ${php(values)}`)
  writeFileSync(file, `<?php return [${sections.join(', ')}];`)
  const done = await run(settings, 'adopt', 'version-8', '--config', file)
  expect([done.code, done.error]).toEqual([4, ''])
  expect(done.out).toContain('Files: 0 copied (0 bytes), 2 present, 1 missing')
  // The static token is kept as a hash with the secret of the file.
  const status = await readArticle({ ...settings, PROJECTS_DIR: join(folder, 'config') }, '/_/items/articles/10')
  expect(status).toBe(200)
  const refusals = [
    [['--config', join(folder, 'none.php')], '--config: expected a configuration file that is there'],
    [['--url', 'postgres://localhost/x'], '--url: expected mysql://user@host/name'],
    [['--url', source.url, '--files', join(folder, 'none')], '--files: expected a folder that is there'],
    [[], '--url: expected mysql://user@host/name, or --config with api.php'],
  ] as const
  for (const [words, reason] of refusals) {
    const { code, error } = await run(settings, 'adopt', 'version-8', ...words)
    expect([code, error]).toEqual([2, expect.stringContaining(reason)])
  }
})

/** A database whose connection breaks after so many statements. */
function breaking(db: Database, after: number, count = { run: 0 }): Database {
  const next = (): void => {
    count.run += 1
    if (count.run > after) throw new Error('The connection broke')
  }
  return {
    ...db,
    run: async (statement) => {
      next()
      return db.run(statement)
    },
    transaction: (work) => db.transaction((inner) => work(breaking(inner, after, count))),
  }
}

test('a run that breaks at twenty points goes on without duplicates', async () => {
  const { source, files, settings } = await open()
  const before = await stateOf(source)
  const db = await openDatabase({ kind: 'mysql', connectionString: source.url })
  closing.push(() => db.close())
  const errors: string[] = []
  for (let at = 1; at <= 20; at += 1) {
    const tables = await openMySql(databaseAt(source.url) as never)
    const broken = breaking(db, at * 5)
    const attempt = async (): Promise<string> => {
      await migrate(at < 8 ? broken : db, silentLog)
      const ctx = await createContext(db, loadConfig(settings, '/'), { generation: legacyGeneration, command: 'test' })
      const options = { files: null, filesInPlace: false, inPlace: true, foreignKeys: false, overwrite: false }
      await installationImport.run({ ...ctx, db: broken }, { ...options, source: tables, onProgress: () => undefined })
      return 'done'
    }
    errors.push(await attempt().catch((error: Error) => error.message))
    await tables.close()
  }
  expect(errors.filter((error) => error === 'The connection broke').length).toBeGreaterThan(10)
  const own = ['adopt', 'version-8', '--url', source.url, '--files', files]
  const done = await run({ ...settings, STORAGE_LOCAL_ROOT: join(files, 'originals') }, ...own)
  expect([done.code, done.error]).toEqual([4, ''])
  expect(done.out).not.toContain('different')
  expect(await source.run('select count(*) as users from platform_users')).toEqual([{ users: 4 }])
  expect(await source.run('select count(*) as entries from platform_activity')).toEqual([{ entries: 4 }])
  expect(await stateOf(source)).toEqual(before)
})
