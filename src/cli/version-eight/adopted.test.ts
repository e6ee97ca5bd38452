/** The ways into an installation that is served in place, and out of it: the guide, executed; a configuration file; interruptions. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { createServedScratch, type ScratchDatabase } from '../../sql/sources/mysql/test-mysql.ts'
import { commandsOf, tandemWords } from '../test-guide.ts'
import { createDatabase, openServer, run, runProgram, type Settings } from '../test-program.ts'
import { catalogOf, contentsOf } from './test-adopted.ts'
import { annToken, magazine, originals } from './test-magazine.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

async function open(): Promise<{ source: ScratchDatabase; folder: string; files: string; settings: Settings }> {
  // The folder of an embedded database that is never opened.
  const [source, place] = [await createServedScratch(), await createDatabase({ isEmbedded: true })]
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
  const statuses: (number | null)[] = []
  for (const command of commandsOf('In place')) {
    const words = tandemWords(command, { database: source.url, files, report: join(folder, 'report.json') })
    if (words !== null) statuses.push((await run(own, ...words)).code)
    else if (command === 'npm start') statuses.push(await readArticle(own, '/_/items/articles/10'))
    else expect(command).toMatch(/^export DB_CLIENT=mysql DB_CONNECTION_STRING=mysql:\/\/.* STORAGE_LOCAL_ROOT=/)
  }
  // One file of the installation has no contents.
  expect(statuses).toEqual([0, 4, 200, 4])
  expect(await stateOf(source)).toEqual(before)
})

test('an import into the database of the installation itself is refused, and leaves it as it is', async () => {
  const { source, settings } = await open()
  const before = await catalogOf(source)
  const own = { ...settings, DB_CLIENT: 'mysql', DB_CONNECTION_STRING: source.url }
  for (const more of [['--plan'], []]) {
    const { code, error } = await run(own, 'import', 'version-8', '--from', source.url, ...more)
    expect([code, error]).toEqual([
      2,
      'tandem: DB_DATABASE: expected another database than that of an installation of version 8, which "tandem adopt version-8" serves in place, got one with directus_collections\n',
    ])
  }
  expect(await catalogOf(source)).toEqual(before)
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
  const file = join(folder, 'config', 'main.php')
  const sections = Object.entries({ database, storage, auth }).map(([name, values]) => `'${name}' => ${php(values)}`)
  writeFileSync(file, `<?php return [${sections.join(', ')}];`)
  const done = await run(settings, 'adopt', 'version-8', '--config', file)
  expect([done.code, done.error]).toEqual([4, ''])
  expect(done.out).toContain('Files: 0 copied (0 bytes), 2 present, 1 missing')
  // The static token is kept as a hash with the secret of the file.
  const server = { ...settings, PROJECTS_DIR: join(folder, 'config') }
  expect(await readArticle(server, '/main/items/articles/10')).toBe(200)
  expect(await readArticle({ ...server, PROJECT_KEY: 'main' }, '/_/items/articles/10')).toBe(200)
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

test('killed at any point, a run leaves nothing that the next one does not bring to its end', async () => {
  const [{ source, files, settings }, whole] = [await open(), await open()]
  const before = await stateOf(source)
  const own = { ...settings, SECRET: 's'.repeat(40), STORAGE_LOCAL_ROOT: join(files, 'originals') }
  const adopt = (url: string) => ['adopt', 'version-8', '--url', url, '--files', files]
  const killer = `--import ${new URL('./test-kill-at.ts', import.meta.url).href}`
  // While tables are made, and while rows are taken; each run begins where the one before has ended.
  for (const at of [150, 230, 130, 170]) {
    const killed = await runProgram({ ...own, NODE_OPTIONS: killer, KILL_AT: String(at) }, ...adopt(source.url))
    expect([at, killed.code]).toEqual([at, null])
  }
  for (const url of [source.url, whole.source.url]) {
    const done = await run(own, ...adopt(url))
    expect([done.code, done.error]).toEqual([4, ''])
    expect(done.out).not.toContain('different')
  }
  expect(await catalogOf(source)).toEqual(await catalogOf(whole.source))
  expect(await contentsOf(source)).toEqual(await contentsOf(whole.source))
  expect(await stateOf(source)).toEqual(before)
})
