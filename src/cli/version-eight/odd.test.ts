/** Installations of version 7, interrupted imports, and the guide, executed. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { loadConfig } from '../../config/config.ts'
import { databaseAt } from '../../config/projects/source-settings.ts'
import type { Database } from '../../domain/ports/context.ts'
import { legacyGeneration } from '../../legacy/generation.ts'
import { installationImport } from '../../legacy/import/version-eight.ts'
import type { OpenDatabase } from '../../sql/database.ts'
import { openMySql } from '../../sql/sources/mysql/connection.ts'
import { createScratch, createServedScratch, type ScratchDatabase } from '../../sql/sources/mysql/test-mysql.ts'
import { createContext } from '../context.ts'
import { commandsOf, tandemWords } from '../test-guide.ts'
import { createDatabase, openServer, type ProgramDatabase, run } from '../test-program.ts'
import { annToken, magazine, originals } from './test-magazine.ts'
import { grants, onlyOnMariaDb } from './test-magazine-tables.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  // A connection that reads a database keeps it from being dropped.
  for (const close of closing.toReversed()) await close()
})

async function open(...more: readonly string[]) {
  const [source, database] = [await createScratch(), await createDatabase({ isMigrated: true })]
  closing.push(source.drop, database.remove)
  await source.run(...magazine(), ...more)
  const folder = join(database.settings['DATA_DIR'] as string, 'old')
  mkdirSync(folder)
  for (const [name, text] of Object.entries(originals)) writeFileSync(join(folder, name), text)
  return { source, place: database, words: ['import', 'version-8', '--from', source.url, '--files', folder] }
}

const rowsOf = (database: ProgramDatabase, text: string): Promise<readonly unknown[]> =>
  database.onDatabase(async (db) => (await db.run({ text, values: [] })).rows)

const seven: readonly string[] = [
  'create table directus_user_roles (id int unsigned not null auto_increment primary key, user int unsigned, role int unsigned)',
  'insert into directus_user_roles (user, role) select id, role from directus_users where role is not null',
  'insert into directus_user_roles (user, role) values (7, 3)',
  'alter table directus_users drop column role, drop column theme',
  'alter table directus_files change filename_disk filename varchar(255) not null, drop column filename_download, drop column private_hash',
  'alter table directus_settings drop index `key`, add column scope varchar(64) not null default "global"',
  "insert into directus_settings (`key`, value, scope) values ('project_name', 'The Paper', 'status')",
  'alter table directus_roles add column nav_blacklist text, drop column module_listing, drop column collection_listing',
  "update directus_roles set nav_blacklist = 'articles' where id = 3",
  'create table directus_activity_seen (id int unsigned not null auto_increment primary key, activity int unsigned not null, user int unsigned not null, seen_on datetime, archived tinyint not null default 0)',
  "insert into directus_activity_seen (id, activity, user, seen_on, archived) select 3, min(id), 4, '2019-03-01 08:00:00', 1 from directus_activity",
  'insert into directus_activity_seen (id, activity, user) values (4, 999999, 4)',
  "update directus_fields set type = upper(type), width = '4' where collection = 'articles'",
  `update directus_fields set translation = '{"de-DE":"Name"}' where collection = 'authors' and field = 'name'`,
  `update directus_fields set type = 'USER_CREATED' where field = 'owner'`,
  'drop table directus_webhooks, directus_user_sessions',
]

test('an installation of version 7 is understood by its columns', async () => {
  const { place: database, words } = await open(...seven)
  const done = await run(database.settings, ...words)
  expect([done.code, done.error]).toEqual([4, ''])
  expect(done.out).toContain('\nThe user 7 has several roles; it has the last one, 3\n')
  expect(done.out).toContain('\nThe setting project_name is there 2 times; the last value counts\n')
  expect(await rowsOf(database, 'select nav_blacklist as left from platform_roles where number = 3')).toEqual([
    { left: 'articles' },
  ])
  const seen = `select s.id, u.number, s.seen_on::text as at, s.archived from platform_activity_seen s join platform_users u on u.id = s."user"`
  expect(await rowsOf(database, seen)).toEqual([{ id: 3, number: 4, at: '2019-03-01 08:00:00+00', archived: true }])
  const users = `select u.number, r.number as role from platform_users u left join platform_roles r on r.id = u.role order by 1`
  expect(await rowsOf(database, users)).toEqual([
    { number: 1, role: 1 },
    { number: 4, role: 3 },
    { number: 7, role: 3 },
    { number: 9, role: 3 },
  ])
  const files =
    'select filename_disk as disk, filename_download as shown, private_hash as hash from platform_files order by number limit 1'
  expect(await rowsOf(database, files)).toEqual([{ disk: 'file-2.txt', shown: 'Notes 2', hash: null }])
  const fields = `select field, type, width, translations from platform_fields where collection = 'articles' and field in ('owner', 'author')
    or field = 'name' order by 1`
  expect(await rowsOf(database, fields)).toEqual([
    { field: 'author', type: 'm2o', width: 'full', translations: null },
    { field: 'name', type: 'string', width: 'full', translations: [{ language: 'de-DE', translation: 'Name' }] },
    { field: 'owner', type: 'owner', width: 'full', translations: null },
  ])
  const owners = 'select a.id, u.number from articles a join platform_users u on u.id = a.owner order by 1'
  expect(await rowsOf(database, owners)).toEqual([
    { id: 10, number: 4 },
    { id: 11, number: 4 },
    { id: 12, number: 1 },
    { id: 13, number: 1 },
  ])
})

test('accounts that are here already become those of the source, or get numbers behind them', async () => {
  const { place: database, words } = await open()
  await rowsOf(
    database,
    `insert into platform_users (id, email, first_name) values ('00000000-0000-4000-8000-00000000aaaa', 'BOB@example.com', 'Here'),
      ('00000000-0000-4000-8000-00000000bbbb', 'zoe@example.com', 'Zoe')`,
  )
  expect((await run(database.settings, ...words)).code).toBe(4)
  const users =
    'select number, first_name as name, right(id::text, 4) as id from platform_users where number in (4, 10, 11) order by 1'
  expect(await rowsOf(database, users)).toEqual([
    { number: 4, name: 'bob', id: 'aaaa' },
    { number: 11, name: 'Zoe', id: 'bbbb' },
  ])
  // The next one that is made here follows.
  const next = `insert into platform_users (id, email) values (gen_random_uuid(), 'new@example.com') returning number`
  expect(await rowsOf(database, next)).toEqual([{ number: 12 }])
  expect((await run(database.settings, ...words)).code).toBe(4)
  expect(await rowsOf(database, `select count(*)::int as own from platform_users where number > 9`)).toEqual([
    { own: 2 },
  ])
})

/** Rules of tables, views that nobody can read, and system rows that do not hold what they should. */
const broken: readonly string[] = [
  'create table mine (id int primary key)',
  `create table ruled (id int primary key, n int default (1 + 1), word text, place point not null, code varchar(800),
    fulltext key words (word), key beginning (word(9)), unique key codes (code(180)), spatial key places (place),
    constraint positive check (n > 0))`,
  `insert into ruled values (1, 1, repeat('x', 9000), point(1, 2), 'c')`,
  'create trigger ruled_count before insert on ruled for each row set new.n = 1',
  'create table passing (id int)',
  'create view lost as select id from passing',
  'drop table passing',
  `create definer = 'nobody'@'nowhere' sql security definer view ownerless as select id from ruled`,
  'alter table directus_users drop index token',
  `update directus_users set token = '${annToken}' where id = 7`,
  String.raw`update directus_users set first_name = 'B\0b', locale_options = '{' where id = 4`,
  `update directus_roles set module_listing = '[' where id = 3`,
  `update directus_files set metadata = '{', folder = 77 where id = 3`,
  `update directus_files set filename_disk = '../up' where id = 5`,
  `update directus_fields set interface = 'my-stars' where collection = 'articles' and field in ('title', 'published_on')`,
  `update directus_fields set translation = '{' where field = 'published_on'`,
  `update directus_fields set validation = '/^[0-9]+$/' where field = 'price'`,
  `update directus_collections set translation = '{' where collection = 'keywords'`,
  `update directus_collection_presets set filters = '{' where id = 8`,
  `update directus_permissions set \`delete\` = 'sometimes' where id = 35`,
  `update directus_settings set value = '99' where \`key\` = 'project_logo'`,
  `update directus_revisions set delta = '{' order by id limit 1`,
  `update directus_webhooks set directus_action = 'item.delete:before' where id = 1`,
]

/** What MySQL 5.6 does not have. */
const newerNotes: readonly string[] = [
  'The check positive of ruled is left out: its condition is written for one database',
  'The default n of ruled is left out: it is computed there',
  'The index places of ruled is left out: it is one of words, places, expressions or first letters',
]

const brokenNotes: readonly string[] = [
  'The trigger ruled_count of ruled is left out: triggers are written for one database',
  ...['beginning', 'codes', 'words'].map(
    (name) => `The index ${name} of ruled is left out: it is one of words, places, expressions or first letters`,
  ),
  'The user 7 has no static token here: the user 1 has the same',
  'The value of locale_options of the user 4 is left out: it is no JSON',
  'The value of module_listing of the role 3 is left out: it is no JSON',
  'The value of metadata of the file 3 is left out: it is no JSON',
  'The file 3 is in the folder 77, which is not there; it is in none',
  'The file 5 has no contents here: "../up" is no name of an object',
  'The interface my-stars is not known here, so these fields look as their types do: articles.published_on, articles.title',
  'The value of translation of the field articles.published_on is left out: it is no JSON',
  'The validation of articles.price is left out: patterns are for texts, not for decimal',
  'The value of translation of the collection keywords is left out: it is no JSON',
  'The value of filters of the preset 8 is left out: it is no JSON',
  'The permission 35 of directus_files has the level sometimes in delete, which is not known; it grants nothing',
  'The setting project_logo is left out: the file 99 is not there',
  'The webhook 1 is inactive: the action "item.delete:before" is not known here',
]

test('a table that no import has made is never touched, and what is broken there is told', async () => {
  const { place: database, words, source } = await open(...broken)
  await rowsOf(database, 'create table mine (own integer)')
  const planned = await run(database.settings, ...words, '--plan')
  expect(planned.out).toContain('Files: 2 with contents (14 bytes), 1 without, by their numbers: 5')
  expect(planned.out).toContain('loose.seen has values that are no dates, which become null: 1')
  expect(planned.out).toContain('To decide: the table mine is here already, and no import has made it')
  const refused = await run(database.settings, ...words)
  expect([refused.code, refused.error]).toEqual([
    1,
    expect.stringContaining('names that are free here but mine are there'),
  ])
  await rowsOf(database, 'drop table mine')
  const done = await run(database.settings, ...words)
  expect(done.code).toBe(4)
  for (const lines of [planned.out.split('\n'), done.out.split('\n')]) {
    expect(lines).toEqual(expect.arrayContaining([...brokenNotes, ...(source.isOld ? [] : newerNotes)]))
    expect(lines.filter((line) => /^The view (lost|ownerless) is not taken: ./.test(line))).toHaveLength(2)
  }
  expect(done.out).toMatch(/\ndirectus_revisions.delta: 1 × no JSON, so it is left out: \d+ "{"\n/)
  expect(done.out).not.toContain('refused:')
  const users =
    'select number, first_name, token is not null as token from platform_users where number in (1, 4, 7) order by 1'
  expect(await rowsOf(database, users)).toEqual([
    { number: 1, first_name: 'ann', token: true },
    { number: 4, first_name: 'B\uFFFDb', token: false },
    { number: 7, first_name: 'Bob', token: false },
  ])
})

test('another database on MariaDB takes an installation over, too', async () => {
  const [{ place, words, source }, target] = [await open(...grants), await createServedScratch()]
  closing.push(target.drop)
  const [version] = await source.run('select version() as v')
  const isMariaDb = /mariadb/i.test(String(version?.['v']))
  if (isMariaDb) await source.run(...onlyOnMariaDb)
  await target.run('alter database character set latin1')
  const settings = {
    ...place.settings,
    DB_CLIENT: 'mysql',
    DB_CONNECTION_STRING: target.url,
    SECRET: 's'.repeat(40),
    ADMIN_SETUP: 'false',
  }
  const done = await run(settings, ...words, '--foreign-keys')
  expect([done.code, done.error]).toEqual([4, ''])
  expect(done.out).not.toContain('different')
  expect(done.out).toContain('Foreign key articles.cover → platform_files')
  expect(done.out).toContain('No foreign key articles.author → authors: 1 × names a row that is not there: 9')
  // A part of a key cannot become null.
  expect(done.out).toContain('Foreign key grants.role → platform_roles')
  const rule = `select delete_rule as rule from information_schema.referential_constraints
    where constraint_schema = database() and table_name = 'grants'`
  expect(await target.run(rule)).toEqual([{ rule: expect.stringMatching(/^(NO ACTION|RESTRICT)$/) }])
  expect(done.out).toContain('No foreign key grants.word → keywords: 1 × names a row that is not there: ""')
  const [sequence, isView] = ['The sequence invoices is left out', 'The view audited becomes a table']
  expect([done.out.includes(sequence), done.out.includes(isView)]).toEqual([isMariaDb, false])
  if (isMariaDb) expect(await target.run('select * from audited')).toEqual([{ id: 1, note: 'two' }])
  const others = `select distinct table_name as name from information_schema.columns where table_schema = database()
    and collation_name not in ('utf8mb4_bin', 'ascii_bin')`
  expect(await target.run(others)).toEqual([])
  const same =
    'select hex(bl) as bl, hex(vb) as vb, dt6, cast(bu as char) as bu, d, f, bit8, e from everything where n = -5'
  const [[there], [here]] = [await source.run(same.replace('bit8', 'bit8 + 0 as bit8')), await target.run(same)]
  expect(here).toEqual(there)
  await source.run(
    "update articles set title = 'First again' where id = 10",
    "delete from loose where seen > '2000-01-01'",
  )
  const again = await run(settings, ...words)
  expect(again.out).toMatch(/^articles +4 +4 +0 +1 +0 +0 +0 +equal$/m)
  expect(again.out).toMatch(/^loose +1 +1 +0 +0 +1 +0 +0 +equal$/m)
  expect(await target.run('select title from articles where id = 10')).toEqual([{ title: 'First again' }])
})

const php = (values: object) =>
  `[${Object.entries(values)
    .map(([name, value]) => `'${name}' => '${value}'`)
    .join(', ')}]`

test('a configuration file names the database and the folder, and the storage here can be that folder', async () => {
  const { source, place: database } = await open()
  const [folder, root] = [database.settings['DATA_DIR'] as string, join(database.settings['DATA_DIR'] as string, 'old')]
  const { hostname, port, username, password, pathname } = new URL(source.url)
  const file = join(folder, 'main.php')
  const entries = { type: 'mysql', host: hostname, port: port || '3306', name: pathname.slice(1), username, password }
  writeFileSync(file, `<?php return ['database' => ${php(entries)}, 'storage' => ${php({ adapter: 'local', root })}];`)
  const take = (more: object, ...words: readonly string[]) =>
    run({ ...database.settings, ...more }, 'import', 'version-8', ...words)
  const planned = await take({}, '--config', file, '--plan')
  expect([planned.code, planned.out.includes('  articles → articles: 4 rows')]).toEqual([0, true])
  expect(planned.out).toContain('Addresses: version 8 has them below /main/, as PROJECT_KEY=main does here.')
  const unseen = await take({}, '--from', source.url, '--plan')
  expect(unseen.out).toContain('Files: their contents are not looked for; --files names their folder')
  const reported = join(folder, 'report.json')
  const copied = await take({}, '--config', file, '--report', reported)
  const { files } = JSON.parse(readFileSync(reported, 'utf8'))
  const lost = await rowsOf(database, 'select id::text as id from platform_files where number = 5')
  expect(files.missing).toEqual([{ number: '5', name: 'notes 5.txt', ...(lost[0] as object) }])
  expect([copied.code, copied.out]).toEqual([
    4,
    expect.stringContaining('Files: 2 copied (14 bytes), 0 present, 1 missing'),
  ])
  const inPlace = await take({ STORAGE_LOCAL_ROOT: root }, '--config', file, '--files-in-place')
  expect(inPlace.out).toContain('Files: 0 copied (0 bytes), 2 present, 1 missing')
  const without = await take({}, '--from', source.url)
  expect(without.out).toContain('Files: their contents were not looked for; --files names their folder')
  const refusals = [
    [['--config', join(folder, 'none.php')], '--config: expected a configuration file that is there'],
    [['--from', source.url, '--files', 's3://'], '--files: expected a folder, or s3://bucket/folder'],
    [['--from', source.url, '--files', join(folder, 'none')], '--files: expected a folder that is there'],
    [['--from', source.url, '--project', 'blog'], '--project: expected _, or PROJECTS_DIR'],
    [[], '--from: expected mysql://user@host/name, or --config with api.php'],
  ] as const
  for (const [words, reason] of refusals) {
    const { code, error } = await take({}, ...words)
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

test('an import that breaks at twenty points resumes without duplicates', async () => {
  const many = `insert into keywords (word) select concat('word ', a.id, b.id, c.id, d.id, e.id) from
    (select id from directus_fields limit 8) a, (select id from directus_fields limit 8) b,
    (select id from directus_fields limit 8) c, (select id from directus_fields limit 8) d,
    (select id from directus_fields limit 4) e`
  const { place: database, words, source } = await open(many)
  const tables = await openMySql(databaseAt(source.url) as never)
  closing.push(tables.close)
  const wish = {
    source: tables,
    files: null,
    filesInPlace: false,
    inPlace: false,
    foreignKeys: true,
    overwrite: false,
    onProgress: () => undefined,
  }
  const count = { run: 0 }
  const broken = await database.onDatabase(async (db) => {
    const ctx = await createContext(db as OpenDatabase, loadConfig(database.settings, '/'), {
      generation: legacyGeneration,
      command: 'test',
    })
    const errors: string[] = []
    for (let at = 1; at <= 20; at += 1) {
      const attempt = installationImport.run({ ...ctx, db: breaking(db, at * 15, count) }, wish)
      errors.push(
        await attempt.then(
          () => 'done',
          (error: Error) => error.message,
        ),
      )
      count.run = 0
    }
    return errors
  })
  expect(broken.filter((error) => error === 'The connection broke').length).toBeGreaterThan(10)
  const done = await run(database.settings, ...words)
  expect([done.code, done.error]).toEqual([4, ''])
  expect(done.out).not.toContain('different')
  const [there] = await source.run('select count(*) as count from keywords')
  expect(await rowsOf(database, 'select count(*)::int as count from keywords')).toEqual([there])
  expect((await run(database.settings, ...words)).out).toMatch(/^keywords +16386 +16386 +0 +0 +0 +0 +0 +equal$/m)
})

const tablesOf = async (source: ScratchDatabase) =>
  source.run(
    `checksum table ${(await source.run("show full tables where table_type = 'BASE TABLE'")).map((row) => `\`${String(Object.values(row)[0])}\``).join(', ')}`,
  )

test('the guide leads from a dump to the switch, and the way back is open', async () => {
  const { source, place: database, words } = await open()
  const before = await tablesOf(source)
  const address = new URL(source.url)
  const statuses: (number | string)[] = []
  const places = {
    database: source.url,
    files: words[5] as string,
    report: join(database.settings['DATA_DIR'] as string, 'report.json'),
  }
  for (const command of commandsOf('Moving in')) {
    const given = tandemWords(command, places)
    // What makes dumps here is of MariaDB, and cannot read so old a server; the guide says so.
    if (/^mysql(dump)? /.test(command) && source.isOld) statuses.push('dump')
    else if (/^mysql(dump)? /.test(command)) {
      const access = `--host=${address.hostname} --port=${address.port || 3306} --user=${address.username}`
      const own = command
        .replace('-h 127.0.0.1 -u root', '')
        .replace(/^mysql(dump)?/, `mysql$1 ${access}`)
        .replace('--databases directus', `--databases ${source.name}`)
      if (command.startsWith('mysql ')) await source.run(`drop database \`${source.name}\``).catch(() => undefined)
      execFileSync('sh', ['-c', own], { cwd: database.settings['DATA_DIR'] })
      statuses.push('dump')
    } else if (given !== null) {
      statuses.push((await run(database.settings, ...given)).code ?? -1)
    } else if (command === 'npm start') {
      const server = await openServer({ ...database.settings, ADMIN_SETUP: 'false' })
      const headers = { authorization: `Bearer ${annToken}` }
      statuses.push((await fetch(`${server.url}/_/items/articles/10`, { headers })).status)
      await server.close()
    } else expect(command).toMatch(/^export DB_CLIENT=pg /)
  }
  // The plan has nothing to refuse; one file of the source has no contents.
  expect(statuses).toEqual(['dump', 'dump', 0, 4, 200, 4, 4])
  expect(await tablesOf(source)).toEqual(before)
})
