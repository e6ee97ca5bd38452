/** Rows of the system collections, for the mock and for a real server: users of every kind, and two rows of most others. */
import { seedIds } from '../../src/domain/schema/identity.ts'
import systemRows from '../src/generated/system-rows.json' with { type: 'json' }
import type { GivenRows, MockUser } from '../src/mock.ts'

/** A uuid that is known on both sides. */
export const idOf = (letter: string, number: number): string => `00000000-0000-4000-8000-0000000000${letter}${number}`

const editorPolicy = idOf('b', 1)
const writersPolicy = idOf('b', 2)
const [writers, readers] = [idOf('c', 1), idOf('c', 2)]
const [admin, editor, writer, sleeper] = [idOf('a', 1), idOf('a', 2), idOf('a', 3), idOf('a', 4)]

export const tokens = {
  [admin]: 'static-token-of-the-administrator',
  [editor]: 'static-token-of-the-editor',
  [writer]: 'static-token-of-the-writer',
  [sleeper]: 'static-token-of-the-sleeper',
} as const

const users = [
  { id: admin, number: 1, email: 'admin@example.com', first_name: 'Ada', role: seedIds.administratorRole },
  { id: editor, number: 2, email: 'editor@example.com', first_name: 'Ed', language: 'en-US' },
  { id: writer, number: 3, email: 'writer@example.com', first_name: 'Wilma', role: writers, tags: ['a', 'b'] },
  { id: sleeper, number: 4, email: 'sleeper@example.com', role: readers, status: 'suspended' },
]

/** Permissions beside those on items. */
const permissions = [
  [editorPolicy, 'platform_users', 'read', 'id,first_name,email,role', null],
  [editorPolicy, 'platform_users', 'update', 'first_name,role', { id: { _neq: admin } }],
  [editorPolicy, 'platform_folders', 'read', '*', null],
  [editorPolicy, 'platform_folders', 'create', '*', null],
  [editorPolicy, 'platform_folders', 'update', 'name', { name: { _neq: 'Secret' } }],
  [editorPolicy, 'platform_folders', 'delete', null, null],
  [editorPolicy, 'platform_roles', 'read', 'id,name,users', null],
  [editorPolicy, 'platform_permissions', 'create', '*', null],
  [editorPolicy, 'platform_presets', 'read', '*', { user: { _eq: '$CURRENT_USER' } }],
  [editorPolicy, 'platform_presets', 'create', '*', null],
  [editorPolicy, 'platform_comments', 'read', '*', null],
  [editorPolicy, 'platform_comments', 'create', '*', null],
  [editorPolicy, 'platform_access', 'create', '*', null],
  [editorPolicy, 'platform_settings', 'read', 'id,project_name', null],
  [writersPolicy, 'platform_users', 'read', '*', { role: { _eq: '$CURRENT_ROLE' } }],
  [writersPolicy, 'platform_dashboards', 'read', '*', null],
  [writersPolicy, 'platform_dashboards', 'create', '*', null],
  [writersPolicy, 'platform_panels', 'read', 'id,name', null],
  [writersPolicy, 'platform_translations', 'read', '*', null],
  [writersPolicy, 'platform_notifications', 'delete', null, { recipient: { _eq: '$CURRENT_USER' } }],
] as const

export function systemWorld(ofEditor: readonly object[]): GivenRows {
  const onItems = ofEditor.map((each) => ({ policy: editorPolicy, ...each }))
  const others = permissions.map(([policy, collection, action, fields, filter]) => ({
    policy,
    collection,
    action,
    fields,
    permissions: filter,
  }))
  return {
    platform_roles: [
      ...systemRows.platform_roles,
      { id: writers, number: 3, name: 'Writers' },
      { id: readers, number: 4, name: 'Readers', parent: writers, description: 'They read' },
    ],
    platform_users: users,
    platform_policies: [
      ...systemRows.platform_policies,
      { id: editorPolicy, name: 'Editing' },
      { id: writersPolicy, name: 'Writing', app_access: true },
    ],
    platform_access: [
      ...systemRows.platform_access,
      { id: idOf('d', 1), user: editor, policy: editorPolicy },
      { id: idOf('d', 2), role: writers, policy: writersPolicy, sort: 1 },
    ],
    platform_permissions: [...onItems, ...others].map((each, at) => ({ id: at + 1, ...each })),
    platform_role_levels: [{ id: 1, role: readers, collection: 'tags', read: 'full' }],
    platform_settings: systemRows.platform_settings,
    platform_folders: [
      { id: idOf('1', 1), number: 1, name: 'Pictures' },
      { id: idOf('1', 2), number: 2, name: 'Holidays', parent: idOf('1', 1) },
      { id: idOf('1', 3), number: 3, name: 'Secret' },
    ],
    platform_presets: [
      { id: 1, collection: 'articles', user: editor, layout: 'tabular', layout_query: { tabular: { page: 1 } } },
      { id: 2, collection: 'authors', role: writers, bookmark: 'All', search: 'a' },
    ],
    platform_dashboards: [
      { id: idOf('2', 1), name: 'Numbers', user_created: writer, date_created: '2026-01-01T00:00:00Z' },
    ],
    platform_panels: [
      {
        id: idOf('3', 1),
        dashboard: idOf('2', 1),
        name: 'One',
        type: 'label',
        position_x: 1,
        position_y: 1,
        width: 4,
        height: 4,
        options: { a: [1] },
      },
    ],
    platform_translations: [
      { id: idOf('4', 1), language: 'en-US', key: 'hello', value: 'Hello' },
      { id: idOf('4', 2), language: 'de-DE', key: 'hello', value: 'Hallo' },
    ],
    platform_notifications: [
      { id: 1, status: 'inbox', recipient: writer, sender: editor, subject: 'Look', timestamp: '2026-01-02T00:00:00Z' },
    ],
    platform_comments: [
      {
        id: idOf('5', 1),
        collection: 'articles',
        item: '1',
        comment: 'Good',
        user_created: editor,
        date_created: '2026-01-03T00:00:00Z',
      },
    ],
    platform_versions: [
      {
        id: idOf('6', 1),
        key: 'next',
        name: 'Next',
        collection: 'articles',
        item: '1',
        delta: { title: 'Soon' },
        date_created: '2026-01-04T00:00:00Z',
      },
    ],
    platform_shares: [{ id: idOf('7', 1), name: 'All', collection: 'articles', item: '1', user_created: admin }],
    platform_files: [
      {
        id: idOf('8', 1),
        number: 1,
        storage: 'local',
        filename_download: 'a.txt',
        type: 'text/plain',
        title: 'A',
        folder: idOf('1', 1),
        created_on: '2026-01-05T00:00:00Z',
        modified_on: '2026-01-05T00:00:00Z',
      },
      {
        id: idOf('8', 2),
        number: 2,
        storage: 'local',
        filename_download: 'b.png',
        type: 'image/png',
        created_on: '2026-01-05T00:00:00Z',
        modified_on: '2026-01-05T00:00:00Z',
      },
    ],
  }
}

export const mockUsers: readonly MockUser[] = users.map((user) => ({ ...user, token: tokens[user.id] as string }))

const counted = [
  ['platform_users', 'number'],
  ['platform_roles', 'number'],
  ['platform_folders', 'number'],
  ['platform_files', 'number'],
  ['platform_permissions', 'id'],
  ['platform_role_levels', 'id'],
  ['platform_presets', 'id'],
  ['platform_notifications', 'id'],
] as const

/** Restores the rows in a database. `hash` makes the stored form of a token. */
export function systemSql(world: GivenRows, hash: (token: string) => string): string {
  const names = Object.keys(world)
  const inserts = names.map((name) => {
    const rows = (world[name] ?? []).map((row) => {
      const token = (tokens as { readonly [id: string]: string })[String(row['id'])]
      return token === undefined ? row : { ...row, token: hash(token) }
    })
    // A column that no row has gets its default, and so does a missing value of the others.
    return rows
      .map((row) => {
        const columns = Object.keys(row)
          .map((each) => `"${each}"`)
          .join(', ')
        const json = JSON.stringify(row).replaceAll("'", "''")
        return `insert into ${name} (${columns}) select ${columns} from json_populate_record(null::${name}, '${json}')`
      })
      .join('; ')
  })
  const deletes = [...names.toReversed().map((name) => `delete from ${name}`), 'delete from platform_sessions']
  const numbers = counted.map(
    ([name, column]) =>
      `perform setval(pg_get_serial_sequence('${name}', '${column}'), ${Math.max(...(world[name] ?? []).map((row) => Number(row[column])))})`,
  )
  return `begin ${deletes.join('; ')}; ${[...inserts, ...numbers].join('; ')}; end`
}
