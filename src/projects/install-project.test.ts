/** The installation of a project is whole or nothing. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { install } from '../core/server/bootstrap.ts'
import { TandemError } from '../domain/rights/errors.ts'
import { openDatabase } from '../sql/database.ts'
import { dropSystemTables, hasSystemTables } from '../sql/schema/system-tables.ts'
import { createTestDatabase, silentLog } from '../sql/testing/test-database.ts'
import { perVendor, testOnPostgres } from '../sql/testing/test-vendors.ts'
import { installProject } from './install-project.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem-install-'))
const database = await createTestDatabase()
const db = database.db
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

const admin = {
  id: '00000000-0000-4000-8000-0000000000aa',
  firstName: 'Admin',
  lastName: 'User',
  email: 'chief@example.com',
  passwordHash: 'x',
  tokenHash: null,
}
const wanted = { admin, projectName: 'Blog', projectUrl: null, defaultLanguage: null, force: false, existing: false }

const emails = async (): Promise<unknown> =>
  (await db.run({ text: 'select email from platform_users order by email', values: [] })).rows

test('an earlier installation is kept, replaced or respected', async () => {
  await db.run({
    text: `create table recipes (id int primary key, author ${perVendor({ postgres: 'uuid', mariadb: 'char(36) character set ascii collate ascii_bin' })} references platform_users (id))`,
    values: [],
  })
  await expect(install(db, wanted, silentLog)).rejects.toThrow('project-fault')
  await install(db, { ...wanted, existing: true }, silentLog)
  expect(await emails()).toEqual([{ email: 'chief@example.com' }])
  const other = { ...wanted, admin: { ...admin, email: 'other@example.com' } }
  await install(db, { ...other, existing: true }, silentLog)
  expect(await emails()).toEqual([{ email: 'chief@example.com' }])
  await install(db, { ...other, force: true }, silentLog)
  expect(await emails()).toEqual([{ email: 'other@example.com' }])
})

const throwInTheMiddle = (): never => {
  throw new Error('in the middle')
}

testOnPostgres('on MariaDB, changes of tables are no part of a transaction')(
  'an installation that fails in the middle leaves the database as it was',
  async () => {
    const failing = { ...silentLog, info: throwInTheMiddle }
    await expect(install(db, { ...wanted, force: true }, failing)).rejects.toThrow('in the middle')
    expect(await emails()).toEqual([{ email: 'other@example.com' }])
  },
)

test('the system tables are dropped, and other tables stay', async () => {
  await dropSystemTables(db)
  expect(await hasSystemTables(db)).toBe(false)
  expect((await db.run({ text: 'select * from recipes', values: [] })).count).toBe(0)
  expect(await install(db, wanted, silentLog)).toBe(true)
})

const project = {
  key: 'blog',
  isPrivate: false,
  force: false,
  existing: false,
  admin: { email: 'chief@example.com', password: 'correct-horse-42', token: null },
  projectUrl: null,
  defaultLanguage: null,
  settings: {},
}
const settings = { DATA_DIR: join(folder, 'blog'), SECRET: 'x'.repeat(32) }

test('a database that cannot be reached leaves no folder', async () => {
  const server = { DB_HOST: '127.0.0.1', DB_PORT: '1', DB_DATABASE: 'x', DB_USER: 'x' }
  const config = readConfig({ ...settings, ...server }, folder)
  const options = { log: silentLog, saveFiles: () => Promise.resolve() }
  await expect(installProject(project, config, options)).rejects.toThrow('project-fault')
  expect(existsSync(config.dataDir)).toBe(false)
})

test('a configuration file that cannot be placed takes the tables with it, and leaves those of others', async () => {
  const config = readConfig({ ...settings, DB_CLIENT: 'pglite' }, folder)
  await mkdir(config.dataDir)
  const earlier = await openDatabase({ kind: 'pglite', dataDir: config.dataDir })
  await earlier.run({ text: 'create table recipes (id int primary key)', values: [] })
  await earlier.close()
  const refusal = new TandemError({ kind: 'project-fault', problem: 'taken', reason: 'taken' })
  const saveFiles = (): Promise<void> => Promise.reject(refusal)
  await expect(installProject(project, config, { log: silentLog, saveFiles })).rejects.toBe(refusal)
  const again = await openDatabase({ kind: 'pglite', dataDir: config.dataDir })
  expect(await hasSystemTables(again)).toBe(false)
  expect((await again.run({ text: 'select * from recipes', values: [] })).count).toBe(0)
  await again.close()
}, 180_000)
