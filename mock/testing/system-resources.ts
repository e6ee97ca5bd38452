/** The system collections as random requests use them: keys, fields and values. */
import { idOf } from './system-world.ts'

export type Resource = {
  readonly keys: readonly unknown[]
  readonly fields: readonly string[]
  readonly written: { readonly [field: string]: readonly unknown[] }
  /** What a new row needs. */
  readonly needed: { readonly [field: string]: readonly unknown[] }
}

const several = (letter: string, most: number): readonly string[] =>
  Array.from({ length: most }, (_, at) => idOf(letter, at + 1))

const users = several('a', 4)
const roles = [...several('c', 2), '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
const policies = [...several('b', 2), '00000000-0000-4000-8000-000000000011']
export const strange = ['x', '', null, 5]

export const resources: { readonly [name: string]: Resource } = {
  users: {
    keys: [...users, idOf('a', 9)],
    fields: ['id', 'email', 'first_name', 'status', 'role', 'tags', 'language', 'policies', 'role.name', 'token'],
    written: {
      first_name: ['New', '', null, 5],
      status: ['active', 'suspended', 'draft', 'nonsense'],
      role: [...roles, null],
      email: ['new@example.com', 'Admin@Example.com', 'nothing', null],
      tags: [['x'], [], null],
      policies: [[], [{ policy: policies[0] }]],
      token: ['a-new-static-token-of-somebody', null],
    },
    needed: { id: [idOf('a', 8)], email: ['later@example.com', 'writer@example.com'] },
  },
  roles: {
    keys: [...roles, idOf('c', 9)],
    fields: ['id', 'name', 'description', 'parent', 'users', 'children', 'policies', 'parent.name'],
    written: {
      name: ['Guests', '', null],
      description: ['Said', null],
      parent: [...roles, null],
      users: [[users[2]], []],
    },
    needed: { id: [idOf('c', 8)], name: ['Guests'] },
  },
  policies: {
    keys: [...policies, idOf('b', 9)],
    fields: ['id', 'name', 'admin_access', 'app_access', 'ip_access', 'permissions', 'users', 'roles'],
    written: {
      name: ['More'],
      admin_access: [true, false],
      app_access: [true, false],
      ip_access: [['127.0.0.1'], 'x', null],
      permissions: [[], [{ collection: 'tags', action: 'read', fields: ['*'] }]],
    },
    needed: { id: [idOf('b', 8)], name: ['More'] },
  },
  permissions: {
    keys: [1, 2, 3, 16, 20, 99, 'x'],
    fields: ['id', 'policy', 'collection', 'action', 'fields', 'permissions', 'policy.name'],
    written: {
      collection: ['articles', 'tags', 'nowhere'],
      action: ['read', 'create', 'update', 'nonsense'],
      fields: [['*'], ['id', 'title'], ['nowhere'], null],
      permissions: [{ status: { _eq: 'draft' } }, { nowhere: { _eq: 1 } }, {}, null],
      presets: [{ status: 'draft' }, null],
    },
    needed: { policy: policies, collection: ['tags', 'articles'], action: ['read', 'create'] },
  },
  access: {
    keys: [...several('d', 2), idOf('d', 9)],
    fields: ['id', 'role', 'user', 'policy', 'sort', 'policy.name'],
    written: { role: [...roles, null], user: [...users, null], sort: [1, 2, 'x'] },
    needed: { id: [idOf('d', 8)], policy: policies },
  },
  folders: {
    keys: [...several('1', 3), idOf('1', 9)],
    fields: ['id', 'name', 'parent', 'parent.name'],
    written: {
      name: ['Paintings', '', null, 7],
      parent: [...several('1', 3), null, { id: idOf('1', 7), name: 'Nested' }],
    },
    needed: { id: [idOf('1', 8)], name: ['Paintings'] },
  },
  presets: {
    keys: [1, 2, 99, 'x'],
    fields: ['id', 'bookmark', 'user', 'role', 'collection', 'search', 'layout', 'layout_query', 'filter'],
    written: {
      bookmark: ['Mine', null],
      user: [...users, null],
      role: [...roles, null],
      search: ['b', null],
      layout_query: [{ a: 1 }, null],
      filter: [{ id: { _eq: 1 } }, null],
    },
    needed: { collection: ['articles', 'tags'] },
  },
  dashboards: {
    keys: [...several('2', 1), idOf('2', 9)],
    fields: ['id', 'name', 'icon', 'note', 'panels', 'user_created', 'panels.name'],
    written: { name: ['More'], note: ['Said', null], panels: [[], [{ id: idOf('3', 1), name: 'Two' }]] },
    needed: { id: [idOf('2', 8)], name: ['More'] },
  },
  panels: {
    keys: [...several('3', 1), idOf('3', 9)],
    fields: ['id', 'name', 'type', 'dashboard', 'options', 'width', 'dashboard.name'],
    written: { name: ['Two', null], width: [2, 'x'], options: [{ b: 1 }, null] },
    needed: {
      id: [idOf('3', 8)],
      dashboard: several('2', 1),
      type: ['label'],
      position_x: [1],
      position_y: [1],
      width: [1],
      height: [1],
    },
  },
  translations: {
    keys: [...several('4', 2), idOf('4', 9)],
    fields: ['id', 'language', 'key', 'value'],
    written: { value: ['Hi', ''], key: ['hello', 'bye'], language: ['en-US', 'de-DE'] },
    needed: { id: [idOf('4', 8)], language: ['en-US', 'fr-FR'], key: ['hello', 'bye'], value: ['Said'] },
  },
  notifications: {
    keys: [1, 99],
    fields: ['id', 'status', 'recipient', 'sender', 'subject', 'message'],
    written: { status: ['archived', 'inbox'], subject: ['More'], message: ['Text', null] },
    needed: { recipient: users, subject: ['Look here'] },
  },
  comments: {
    keys: [...several('5', 1), idOf('5', 9)],
    fields: ['id', 'collection', 'item', 'comment', 'user_created'],
    written: { comment: ['Better', ' '] },
    needed: {
      id: [idOf('5', 8)],
      collection: ['articles', 'nowhere', 'tags'],
      item: ['1', '99', 'red'],
      comment: ['Said'],
    },
  },
  versions: {
    keys: [...several('6', 1), idOf('6', 9)],
    fields: ['id', 'key', 'name', 'collection', 'item', 'delta'],
    written: { name: ['Later', null], key: ['later', 'main'] },
    needed: {
      id: [idOf('6', 8)],
      key: ['later', 'next'],
      name: ['Later'],
      collection: ['articles', 'tags'],
      item: ['1', '2', '99'],
    },
  },
  shares: {
    keys: [...several('7', 1), idOf('7', 9)],
    fields: ['id', 'name', 'collection', 'item', 'role', 'max_uses', 'times_used', 'password'],
    written: { name: ['Some', null], max_uses: [1, null], role: [...roles, null], password: ['secret', null] },
    needed: { id: [idOf('7', 8)], collection: ['articles', 'tags'], item: ['1', 'red', '99'] },
  },
  files: {
    keys: [...several('8', 2), idOf('8', 9)],
    fields: ['id', 'title', 'type', 'folder', 'filename_download', 'folder.name', 'tags'],
    written: {
      title: ['New', null],
      folder: [...several('1', 2), null, idOf('1', 9)],
      tags: [['x'], null],
      storage: ['elsewhere'],
    },
    needed: {},
  },
}

/** Rows in the names of the legacy generation. */
export const legacyResources: { readonly [name: string]: Resource } = {
  users: {
    keys: [1, 2, 3, 4, 9, 'x'],
    fields: ['id', 'email', 'first_name', 'status', 'role', 'role.name', 'locale'],
    written: {
      first_name: ['New', null, 5],
      status: ['active', 'suspended', 'nonsense'],
      role: [1, 2, 3, 4, 9, null],
      email: ['new@example.com', 'nothing'],
    },
    needed: { email: ['later@example.com', 'writer@example.com'], password: ['secret-horse'] },
  },
  roles: {
    keys: [1, 2, 3, 4, 9],
    fields: ['id', 'name', 'description', 'users', 'ip_whitelist', 'enforce_2fa'],
    written: {
      name: ['Guests', ''],
      description: ['Said', null],
      ip_whitelist: ['127.0.0.1', null],
      enforce_2fa: [true, false],
    },
    needed: { name: ['Guests'] },
  },
  folders: {
    keys: [1, 2, 3, 9],
    fields: ['id', 'name', 'parent_folder', 'parent_folder.name'],
    written: { name: ['Paintings', null, 7], parent_folder: [1, 2, 3, 9, null] },
    needed: { name: ['Paintings'] },
  },
  permissions: {
    keys: [1, 2, 9],
    fields: ['id', 'collection', 'role', 'create', 'read', 'update', 'delete', 'status'],
    written: {
      read: ['full', 'none', 'mine', 'nonsense'],
      create: ['full', 'none'],
      delete: ['mine', 'full'],
      read_field_blacklist: [['title'], []],
    },
    needed: { collection: ['articles', 'tags'], role: [2, 3, 4, 9] },
  },
  collection_presets: {
    keys: [1, 2, 9],
    fields: ['id', 'title', 'user', 'role', 'collection', 'search_query', 'view_type'],
    written: {
      title: ['Mine', null],
      user: [1, 2, 9, null],
      role: [3, null],
      search_query: ['b', null],
      view_query: [{ a: 1 }, null],
    },
    needed: { collection: ['articles', 'tags'] },
  },
  files: {
    keys: [1, 2, 9],
    fields: ['id', 'title', 'type', 'folder', 'filename_download', 'folder.name', 'data', 'tags'],
    written: { title: ['New', null], folder: [1, 2, 9, null], tags: [['x'], null] },
    needed: {},
  },
}
