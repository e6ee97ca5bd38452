/** Folders of other tools are pushed like files: `directus-sync`, and the environment sync of the platform's own program. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { createDatabase, run } from '../test-program.ts'

// Each step opens the database.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const root = mkdtempSync(join(tmpdir(), 'tandem-test-'))

const key = { name: 'id', data_type: 'integer', is_primary_key: true, has_auto_increment: true, is_nullable: false }
const fieldOf = (place: string, type: string, schema: object | null, meta: object = {}) => {
  const [collection = '', field = ''] = place.split('.')
  return {
    collection,
    field,
    type,
    schema: schema === null ? null : { name: field, table: collection, ...schema },
    meta: { collection, field, ...meta },
  }
}
const collectionOf = (collection: string) => ({
  collection,
  meta: { collection, icon: 'article', archive_field: null, singleton: false },
  schema: { name: collection },
})
const relation = {
  collection: 'posts',
  field: 'author',
  related_collection: 'writers',
  schema: {
    table: 'posts',
    column: 'author',
    foreign_key_table: 'writers',
    foreign_key_column: 'id',
    on_delete: 'SET NULL',
  },
  meta: { many_collection: 'posts', many_field: 'author', one_collection: 'writers', one_field: 'posts' },
}
const fields = [
  fieldOf('writers.id', 'integer', key, { hidden: true }),
  fieldOf('writers.name', 'string', { data_type: 'varchar', max_length: 80, is_nullable: false }),
  fieldOf('writers.posts', 'alias', null, { special: ['o2m'], interface: 'list-o2m' }),
  fieldOf('posts.id', 'integer', key, { hidden: true }),
  fieldOf('posts.title', 'string', { data_type: 'varchar', max_length: 255 }, { interface: 'input', required: true }),
  fieldOf('posts.author', 'integer', { data_type: 'integer' }, { special: ['m2o'] }),
]
const permission = {
  permissions: { title: { _nnull: true } },
  validation: null,
  presets: null,
  fields: ['id', 'title'],
}
const panel = {
  type: 'label',
  position_x: 1,
  position_y: 1,
  width: 8,
  height: 4,
  show_header: false,
  options: { text: 'Hi' },
}

/** A dump as `directus-sync` writes it. */
const dump: { readonly [path: string]: unknown } = {
  'snapshot/info.json': { version: 1, directus: '11.10.2', vendor: 'postgres' },
  'snapshot/collections/posts.json': collectionOf('posts'),
  'snapshot/collections/writers.json': collectionOf('writers'),
  'snapshot/collections/directus_sync_id_map.json': collectionOf('directus_sync_id_map'),
  ...Object.fromEntries(fields.map((each) => [`snapshot/fields/${each.collection}/${each.field}.json`, each])),
  'snapshot/relations/posts/author.json': relation,
  'collections/roles.json': [
    { name: 'Administrator', icon: 'verified', parent: null, _syncId: '_sync_default_admin_role' },
    { name: 'Writer', icon: 'edit', description: 'Writes posts', parent: null, _syncId: 'r-1' },
  ],
  'collections/policies.json': [
    {
      name: 'Administrator',
      admin_access: true,
      app_access: true,
      roles: [{ role: '_sync_default_admin_role', user: null, sort: null }],
      _syncId: '_sync_default_admin_policy',
    },
    {
      name: '$t:public_label',
      admin_access: false,
      roles: [{ role: null, user: null, sort: 1 }],
      _syncId: '_sync_default_public_policy',
    },
    { name: 'Writing', app_access: true, roles: [{ role: 'r-1', user: null, sort: 1 }], _syncId: 'p-1' },
  ],
  'collections/permissions.json': [
    { collection: 'posts', action: 'read', policy: 'p-1', ...permission, _syncId: 'x-1' },
    {
      collection: 'directus_files',
      action: 'read',
      policy: '_sync_default_public_policy',
      fields: ['*'],
      _syncId: 'x-2',
    },
  ],
  'collections/settings.json': [{ project_name: 'Posts', project_color: '#112233', _syncId: 's-1' }],
  'collections/translations.json': [{ language: 'de-DE', key: 'hello', value: 'Hallo', _syncId: 't-1' }],
  'collections/presets.json': [
    { role: 'r-1', collection: 'posts', bookmark: 'Mine', layout: 'tabular', _syncId: 'b-1' },
  ],
  'collections/dashboards.json': [{ name: 'Numbers', icon: 'space_dashboard', _syncId: 'd-1' }],
  'collections/panels.json': [{ dashboard: 'd-1', ...panel, _syncId: 'n-1' }],
  'collections/flows.json': [{ name: 'Mail', status: 'active', _syncId: 'f-1' }],
}

const recordsOf = (collection: string, records: readonly object[]) => ({ collection, primaryKey: 'id', records })
const id = (digit: number): string => `00000000-0000-4000-8000-00000000000${digit}`

/** The same project as the platform's own program writes it. */
const environment: { readonly [path: string]: unknown } = {
  'schema/metadata.json': {
    files: ['posts_1.json', 'writers_2.json'],
    snapshot: { version: 1, directus: '12.6.0', vendor: 'postgres' },
  },
  'schema/posts_1.json': {
    collection: 'posts',
    definition: collectionOf('posts'),
    fields: fields.filter(({ collection }) => collection === 'posts'),
    systemFields: [],
    relations: [relation],
  },
  'schema/writers_2.json': {
    collection: 'writers',
    definition: collectionOf('writers'),
    fields: fields.filter(({ collection }) => collection === 'writers'),
    systemFields: [],
    relations: [],
  },
  'data/metadata.json': {
    files: [
      'roles_1.json',
      'policies_2.json',
      'access_3.json',
      'permissions_4.json',
      'settings_5.json',
      'texts_6.json',
      'presets_7.json',
      'dashboards_8.json',
      'panels_9.json',
      'flows_a.json',
    ],
    source: 'https://cms.example.com',
    incomplete: [],
  },
  'data/roles_1.json': recordsOf('directus_roles', [
    { id: id(1), name: 'Administrator', icon: 'verified', parent: null },
    { id: id(2), name: 'Writer', icon: 'edit', description: 'Writes posts', parent: null },
  ]),
  'data/policies_2.json': recordsOf('directus_policies', [
    { id: id(3), name: 'Administrator', admin_access: true, app_access: true },
    { id: id(4), name: '$t:public_label', admin_access: false },
    { id: id(5), name: 'Writing', app_access: true },
  ]),
  'data/access_3.json': recordsOf('directus_access', [
    { id: id(6), role: id(1), user: null, policy: id(3), sort: null },
    { id: id(7), role: null, user: null, policy: id(4), sort: 1 },
    { id: id(8), role: id(2), user: null, policy: id(5), sort: 1 },
    { id: id(9), role: null, user: id(9), policy: id(5), sort: 1 },
  ]),
  'data/permissions_4.json': recordsOf('directus_permissions', [
    { id: 1, collection: 'posts', action: 'read', policy: id(5), ...permission },
    { id: 2, collection: 'directus_files', action: 'read', policy: id(4), fields: ['*'] },
  ]),
  'data/settings_5.json': recordsOf('directus_settings', [{ id: 1, project_name: 'Posts', project_color: '#112233' }]),
  'data/texts_6.json': recordsOf('directus_translations', [
    { id: id(1), language: 'de-DE', key: 'hello', value: 'Hallo' },
  ]),
  'data/presets_7.json': recordsOf('directus_presets', [
    { id: 1, role: id(2), user: null, collection: 'posts', bookmark: 'Mine', layout: 'tabular' },
  ]),
  'data/dashboards_8.json': recordsOf('directus_dashboards', [{ id: id(1), name: 'Numbers', icon: 'space_dashboard' }]),
  'data/panels_9.json': recordsOf('directus_panels', [{ id: id(2), dashboard: id(1), ...panel }]),
  'data/flows_a.json': recordsOf('directus_flows', [{ id: id(3), name: 'Mail' }]),
}

function write(name: string, files: { readonly [path: string]: unknown }): string {
  const folder = join(root, name)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), JSON.stringify(content, null, 2))
  }
  return folder
}
const database = await createDatabase({ isMigrated: true })
afterAll(async () => {
  rmSync(root, { recursive: true, force: true })
  await database.remove()
})

const on = (...words: readonly string[]) => run(database.settings, ...words)

test('a dump of directus-sync is planned and pushed, and the environment sync says the same', async () => {
  const folder = write('dump', dump)
  const planned = await on('plan', folder)
  expect([planned.code, planned.error]).toEqual([
    2,
    expect.stringContaining('A folder of directus-sync; left out: 1 flows'),
  ])
  expect(planned.out.trim().split('\n')).toEqual(
    expect.arrayContaining([
      'Create collection "posts" with 3 fields',
      'Create collection "writers" with 3 fields',
      'Create role "Writer"',
      'Create policy "Writing"',
      'Create the right of policy "Writing" to read "posts": fields: id, title; rows: where {"title":{"_nnull":true}}',
      'Create the right of policy "Everybody" to read "platform_files": fields: all; rows: all',
      'Create dashboard "Numbers"',
      'Create the text "hello" in de-DE',
    ]),
  )
  expect(planned.out).not.toContain('directus_')
  expect((await on('push', folder, '--yes')).out).toContain('Applied.\n')
  expect(await on('plan', folder)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Nothing differs\.\n/) as string,
  })
  const same = await on('plan', write('environment', environment))
  expect([same.code, same.out.split('\n')[0], same.error]).toEqual([
    0,
    'Nothing differs.',
    expect.stringContaining('A folder of the environment sync of the platform; left out: 1 flows'),
  ])
  const stored = await database.onDatabase(async (db) => {
    const text = `select r.name as role, p.name as policy, x.collection, x.fields from platform_permissions x
      join platform_policies p on p.id = x.policy join platform_access a on a.policy = p.id
      join platform_roles r on r.id = a.role where x.collection = 'posts'`
    return (await db.run({ text, values: [] })).rows
  })
  expect(stored).toEqual([{ role: 'Writer', policy: 'Writing', collection: 'posts', fields: 'id,title' }])
})

const faults: readonly (readonly [path: string, content: unknown, message: string])[] = [
  ['collections/roles.json', 'nothing', 'collections/roles.json: expected a list, got "nothing"'],
  ['collections/permissions.json', [{ collection: 'posts', action: 'read', policy: 'p-9' }], 'but received "p-9"'],
  [
    'collections/roles.json',
    [
      { name: 'A', _syncId: '1' },
      { name: 'A', _syncId: '2' },
    ],
    'Expected one role "A" but received two',
  ],
  ['snapshot/fields/posts/title.json', { collection: 'posts', field: 'title', type: 'strin' }, 'strin'],
]

test.each(faults)('a wrong %s is refused: %j', async (path, content, message) => {
  const { code, error } = await on(
    'plan',
    write(`wrong-${faults.findIndex(([, given]) => given === content)}`, { ...dump, [path]: content }),
  )
  expect([code, error]).toEqual([1, expect.stringContaining(message)])
})
