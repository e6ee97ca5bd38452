/** A project as files: pulled, planned and pushed, as scripts do it. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { toYaml } from '../../exchange/documents.ts'
import { createDatabase, type ProgramDatabase, run, textsIn } from '../test-program.ts'
import { bigProject } from './test-big-project.ts'

// Each step opens the database.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const root = mkdtempSync(join(tmpdir(), 'tandem-test-'))
const folderOf = (name: string): string => join(root, name)
const secret = 'pk.secret-of-the-map'

const first = await createDatabase({ isMigrated: true })
const second = await createDatabase({ isMigrated: true, isEmbedded: true })
writeFiles('written', bigProject)

afterAll(async () => {
  rmSync(root, { recursive: true, force: true })
  await first.remove()
  await second.remove()
})

function writeFiles(folder: string, files: { readonly [path: string]: unknown }): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folderOf(folder), path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : toYaml(content))
  }
}

const on = (database: ProgramDatabase, ...words: readonly string[]) =>
  run({ ...database.settings, MAPBOX_KEY: secret }, ...words)

test('a written project is planned, pushed and pulled, and the same elsewhere byte for byte', async () => {
  const planned = await on(first, 'plan', folderOf('written'))
  expect(planned).toMatchObject({ code: 2 })
  expect(planned.out).toContain('Create collection "things_02" with')
  expect(planned.out).toContain('Create role "Role 1"\n')
  expect(planned.out).toContain('mapbox_key (a secret)')
  expect(planned.out).not.toContain(secret)
  expect(await on(first, 'push', folderOf('written'), '--yes')).toMatchObject({ code: 0 })
  expect(await on(first, 'plan', folderOf('written'))).toMatchObject({ code: 0, out: 'Nothing differs.\n' })
  expect(await on(first, 'pull', folderOf('pulled'))).toMatchObject({ code: 0 })
  const pulled = textsIn(folderOf('pulled'))
  expect(Object.keys(pulled).filter((path) => path.startsWith('collections/'))).toHaveLength(41)
  expect(Object.keys(pulled).filter((path) => path.startsWith('roles/'))).toHaveLength(14)
  expect(JSON.stringify(pulled)).not.toContain(secret)
  expect(await on(first, 'plan', folderOf('pulled'), '--check')).toMatchObject({ code: 0, out: 'Nothing differs.\n' })
  expect(await on(second, 'push', folderOf('pulled'), '--yes')).toMatchObject({ code: 0 })
  expect(await on(second, 'pull', folderOf('pulled-again'))).toMatchObject({ code: 0 })
  expect(textsIn(folderOf('pulled-again'))).toEqual(pulled)
})

const change = (folder: string, path: string, edit: (text: string) => string): void => {
  const file = join(folderOf(folder), path)
  writeFileSync(file, edit(readFileSync(file, 'utf8')))
}

const rowsOf = (database: ProgramDatabase, text: string) =>
  database.onDatabase(async (db) => (await db.run({ text, values: [] })).rows)

/** Tables whose first new row fails: as far as a push may have come. */
const points = [
  'platform_collections',
  'platform_fields',
  'platform_relations',
  'platform_roles',
  'platform_policies',
  'platform_permissions',
  'platform_role_levels',
  'platform_presets',
  'platform_dashboards',
  'platform_panels',
  'platform_translations',
  'platform_access',
]

test('a push that fails at any point leaves nothing', async () => {
  const database = await createDatabase({ isMigrated: true })
  try {
    expect(await on(database, 'pull', folderOf('before'))).toMatchObject({ code: 0 })
    const before = textsIn(folderOf('before'))
    await rowsOf(
      database,
      `create function stop() returns trigger language plpgsql as $$ begin raise exception 'stopped'; end $$`,
    )
    for (const [at, table] of points.entries()) {
      const former = at === 0 ? '' : `drop trigger stop on ${points[at - 1]};`
      await rowsOf(database, `${former}create trigger stop before insert on ${table} execute function stop()`)
      expect([table, (await on(database, 'push', folderOf('pulled'), '--yes')).code]).toEqual([table, 1])
      expect(await on(database, 'pull', folderOf('after'))).toMatchObject({ code: 0 })
      expect(textsIn(folderOf('after'))).toEqual(before)
    }
    await rowsOf(database, `drop trigger stop on ${points.at(-1)}`)
    expect(await rowsOf(database, `select tablename from pg_tables where tablename like 'things%'`)).toEqual([])
    expect(await on(database, 'push', folderOf('pulled'), '--yes')).toMatchObject({ code: 0 })
  } finally {
    await database.remove()
  }
})

test('changes are told in words, and collections and fields keep their rows under a new name', async () => {
  cpSync(folderOf('pulled'), folderOf('changed'), { recursive: true })
  await rowsOf(first, `insert into only_one (motto) values ('Kept')`)
  change('changed', 'collections/only_one.yaml', (text) =>
    text
      .replace('collection: only_one', 'collection: one_only\nrenamed_from: only_one')
      .replace('  motto:\n', '  saying:\n    renamed_from: motto\n'),
  )
  change('changed', 'collections/things_02.yaml', (text) => text.replace('max_length: 80', 'max_length: 40'))
  change('changed', 'roles/Role 2.yaml', (text) => text.replace('role: Role 2', 'role: Second\nrenamed_from: Role 2'))
  change('changed', 'settings.yaml', (text) => text.replace('Role 2', 'Second').replace('Big', 'Bigger'))
  rmSync(join(folderOf('changed'), 'translations/fr-FR.yaml'))
  const planned = await on(first, 'plan', folderOf('changed'))
  expect(planned.out.trim().split('\n')).toEqual([
    'Rename collection "only_one" to "one_only"',
    'Rename field "one_only.motto" to "one_only.saying"',
    'Change field "things_02.slug": max_length: 80 → 40',
    'Rename role "Role 2" to "Second"',
    'Change the settings: project_name: "Big" → "Bigger"',
    'Stays, as it is in no file: the text "hello" in fr-FR',
  ])
  expect(planned.code).toBe(2)
  expect(await on(first, 'push', folderOf('changed'))).toMatchObject({ code: 2 })
  expect(await on(first, 'push', folderOf('changed'), '--yes')).toMatchObject({ code: 0 })
  expect(await rowsOf(first, 'select saying from one_only')).toEqual([{ saying: 'Kept' }])
  expect(await on(first, 'plan', folderOf('changed'))).toMatchObject({ code: 0 })
  expect(await on(first, 'plan', folderOf('changed'), '--check')).toMatchObject({ code: 2 })
  expect((await on(first, 'push', folderOf('changed'), '--yes', '--prune')).out).toBe(
    'Delete the text "hello" in fr-FR\nApplied.\n',
  )
  expect(await on(first, 'plan', folderOf('changed'), '--check')).toMatchObject({ code: 0 })
  const unset = await run(first.settings, 'plan', folderOf('changed'), '--check')
  expect(unset).toMatchObject({ code: 0, out: 'Nothing differs.\n' })
})

test('prune brings a project back, and the rights of fixed roles stay', async () => {
  expect((await on(first, 'push', folderOf('pulled'), '--yes', '--prune')).code).toBe(0)
  expect(await on(first, 'pull', folderOf('back'))).toMatchObject({ code: 0 })
  expect(textsIn(folderOf('back'))).toEqual(textsIn(folderOf('pulled')))
})

/** A file that is wrong, and what is said of it. */
const faults: readonly (readonly [path: string, content: string, message: string])[] = [
  [
    'collections/a.yaml',
    'collection: a\nfields:\n  id:\n    type: strin\n',
    'collections/a.yaml:4: expected another value for "fields.id.type": it must be one of',
  ],
  [
    'collections/a.yaml',
    'collection: a\nfeilds: {}\n',
    'collections/a.yaml:2: expected a known key in the file, got "feilds"',
  ],
  ['collections/a.yaml', 'collection: [a\n', 'collections/a.yaml: expected YAML, got'],
  [
    'collections/a.yaml',
    'fields: {}\n',
    "collections/a.yaml:1: expected another value for the file: it must have required property 'collection'",
  ],
  [
    'collections/a.yaml',
    'collection: a\nfields:\n  id:\n    type: integer\n    display:\n      sort: first\n',
    'collections/a.yaml:6: expected another value for "fields.id.display.sort": it must be integer,null, got "first"',
  ],
  [
    'roles/a.yaml',
    'role: A\npolicies: [Nobody]\n',
    'roles/a.yaml:2: Expected the name of a policy of the files or of this project in role "A" but received "Nobody"',
  ],
  ['policies/a.yaml', 'policy: A\nadmin_acces: true\n', 'policies/a.yaml:2: Expected one of'],
  [
    'settings.yaml',
    'project_name: $env:NOT_SET\n',
    'settings.yaml:1: expected the variable NOT_SET for "project_name", got none',
  ],
  [
    'settings.yaml',
    'project_name: 7\n',
    'settings.yaml:1: expected another value for "project_name": it must be string, got 7',
  ],
  [
    'translations/a.yaml',
    'language: de\ntexts:\n  a: 1\n',
    'translations/a.yaml:3: expected another value for "texts.a": it must be string, got 1',
  ],
]

test.each(faults)('%s is refused: %j', async (path, content, message) => {
  rmSync(folderOf('wrong'), { recursive: true, force: true })
  writeFiles('wrong', { [path]: content })
  const planned = await on(first, 'plan', folderOf('wrong'))
  expect([planned.code, planned.out]).toEqual([1, ''])
  expect(planned.error).toContain(message)
})

test('the last administrator cannot be lost', async () => {
  await rowsOf(
    first,
    `insert into platform_users (id, email, password, role, status)
    select gen_random_uuid(), 'chief@example.com', 'x', id, 'active' from platform_roles where name = 'Administrator'`,
  )
  cpSync(folderOf('pulled'), folderOf('headless'), { recursive: true })
  change('headless', 'policies/Administrator.yaml', (text) => text.replace('admin_access: true\n', ''))
  const pushed = await on(first, 'push', folderOf('headless'), '--yes')
  expect(pushed.code).toBe(1)
  expect(pushed.error).toContain('The last administrator cannot lose its rights')
  expect(await on(first, 'plan', folderOf('pulled'), '--check')).toMatchObject({ code: 0 })
})

test('statuses are in the order of their file, and another order is a change', async () => {
  cpSync(folderOf('pulled'), folderOf('ordered'), { recursive: true })
  const orderIn = (folder: string) =>
    [...readFileSync(join(folderOf(folder), 'collections/things_01.yaml'), 'utf8').matchAll(/^ {10}(\w+):$/gm)].map(
      ([, status]) => status,
    )
  expect(orderIn('pulled')).toEqual(['draft', 'published', 'deleted'])
  change('ordered', 'collections/things_01.yaml', (text) =>
    text.replace(/( {10}draft:\n {12}name: Draft\n)( {10}published:\n {12}name: Live\n)/, '$2$1'),
  )
  const words =
    'Change field "things_01.status": order of options.status_mapping: draft, published, deleted → published, draft, deleted\n'
  expect(await on(first, 'plan', folderOf('ordered'))).toMatchObject({ code: 2, out: words })
  expect(await on(first, 'push', folderOf('ordered'), '--yes')).toMatchObject({ code: 0 })
  expect(await on(first, 'pull', folderOf('reordered'))).toMatchObject({ code: 0 })
  expect(textsIn(folderOf('reordered'))).toEqual(textsIn(folderOf('ordered')))
  expect(await on(first, 'push', folderOf('pulled'), '--yes')).toMatchObject({ code: 0 })
})

test('init writes a project that works from nothing', async () => {
  const database = await createDatabase({ isMigrated: true })
  try {
    expect(await on(database, 'init', folderOf('new'))).toMatchObject({ code: 0, error: '' })
    expect(await on(database, 'push', folderOf('new'), '--yes')).toMatchObject({ code: 0 })
    expect(await on(database, 'plan', folderOf('new'))).toMatchObject({ code: 0, out: 'Nothing differs.\n' })
    expect(await rowsOf(database, `insert into authors (name) values ('Ann') returning id`)).toEqual([{ id: 1 }])
    expect(await on(database, 'init', folderOf('new'))).toMatchObject({ code: 1 })
    const schema = JSON.parse(readFileSync(join(folderOf('new'), 'schemas/collection.json'), 'utf8')) as object
    expect(Object.keys(schema)).toEqual([
      '$schema',
      'type',
      'properties',
      'additionalProperties',
      'required',
      'not',
      '$defs',
    ])
  } finally {
    await database.remove()
  }
})
