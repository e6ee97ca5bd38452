/** Random requests to the system collections of both generations, by REST and by GraphQL. */
import type { Random } from '../../contract-tests/random.ts'
import { type Asking, maybe, queryText } from './requests.ts'
import { idOf } from './system-world.ts'

type Resource = {
  readonly keys: readonly unknown[]
  readonly fields: readonly string[]
  /** Some values of each field that is written. */
  readonly written: { readonly [field: string]: readonly unknown[] }
  /** What a new row needs. */
  readonly needed: { readonly [field: string]: readonly unknown[] }
}

const several = (letter: string, most: number): readonly string[] =>
  Array.from({ length: most }, (_, at) => idOf(letter, at + 1))

const users = several('a', 4)
const roles = [...several('c', 2), '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
const policies = [...several('b', 2), '00000000-0000-4000-8000-000000000011']
const strange = ['x', '', null, 5]

const resources: { readonly [name: string]: Resource } = {
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

const names = Object.keys(resources)

function row(
  { pick, below }: Random,
  { written, needed }: Resource,
  isNew: boolean,
): { readonly [field: string]: unknown } {
  const fields = Object.keys(written)
  const some = Array.from({ length: 1 + below(2) }, () => pick(fields)).map((field) => [
    field,
    pick(written[field] as unknown[]),
  ])
  const must = isNew && below(10) > 0 ? Object.entries(needed).map(([field, values]) => [field, pick(values)]) : []
  return Object.fromEntries([...some, ...must]) as { readonly [field: string]: unknown }
}

/** A field of its own, without a path. */
const plain = ({ pick }: Random, { fields }: Resource): string => pick(fields.filter((each) => !each.includes('.')))

const operators = ['_eq', '_neq', '_in', '_null', '_nnull', '_gt', '_icontains', '_empty', '_nonsense']

function query(random: Random, resource: Resource, isLegacy = false): { readonly [name: string]: unknown } {
  const { pick, below } = random
  const { fields, keys, written } = resource
  const condition = (): object => {
    const field = maybe(random, 20) ? 'nowhere' : plain(random, resource)
    const operator = pick(operators)
    const value = pick([...keys, ...(written[field] ?? []), ...strange].filter((each) => typeof each !== 'object'))
    const given = operator === '_in' ? [value, pick(keys)] : operator.endsWith('null') ? true : value
    return {
      [field]: {
        [isLegacy ? operator.slice(1) : operator]: isLegacy && Array.isArray(given) ? given.join(',') : given,
      },
    }
  }
  return {
    ...(maybe(random, 2) ? { fields: Array.from({ length: 1 + below(3) }, () => pick([...fields, '*', '*.*'])) } : {}),
    ...(maybe(random, 2) ? { filter: condition() } : {}),
    ...(maybe(random) ? { sort: [`${pick(['', '-'])}${plain(random, resource)}`] } : {}),
    ...(maybe(random) ? { limit: pick([0, 1, 2, 100, -1, 'x']) } : {}),
    ...(maybe(random, 6) ? { [isLegacy ? 'q' : 'search']: pick(['a', 'e', 'hello', '1']) } : {}),
    ...(maybe(random, 5) ? { meta: '*' } : {}),
    ...(maybe(random, 8) && !isLegacy
      ? {
          aggregate: { [pick(['count', 'countDistinct'])]: pick([plain(random, resource), '*']) },
          ...(maybe(random, 2) ? { groupBy: [plain(random, resource)] } : {}),
        }
      : {}),
  }
}

/** Rights of callers and facts about themselves. */
const own = [
  '/users/me',
  '/roles/me',
  '/permissions/me',
  '/permissions/me/articles',
  '/permissions/me/articles/1',
  '/policies/me/globals',
  '/users/me?fields=*.*',
  '/settings',
  '/settings?fields=project_name',
  '/items/articles?fields=id,title',
  '/collections/articles',
  '/fields/tags',
  '/versions/' + idOf('6', 1) + '/compare',
  '/shares/info/' + idOf('7', 1),
  '/items/articles/1?version=next',
]

/** A request to a system collection of the current generation. */
export function systemRequest(random: Random): Asking {
  const { pick, below } = random
  const name = maybe(random, 2) ? pick(['users', 'roles', 'folders', 'presets', 'permissions']) : pick(names)
  const resource = resources[name] as Resource
  const path = `/${name}`
  const key = pick(resource.keys)
  const one = `${path}/${encodeURIComponent(String(key))}`
  switch (below(12)) {
    case 0:
    case 1:
      return name === 'files'
        ? { method: 'GET', path: one }
        : { method: 'POST', path, body: row(random, resource, true) }
    case 2:
      return {
        method: 'POST',
        path,
        body: name === 'files' ? {} : [row(random, resource, true), row(random, resource, true)],
      }
    case 3:
    case 4:
      return { method: 'PATCH', path: one, body: row(random, resource, false) }
    case 5:
      return { method: 'PATCH', path, body: { keys: [key, pick(resource.keys)], data: row(random, resource, false) } }
    case 6:
      return { method: 'DELETE', path: one }
    case 7:
      return maybe(random) ? { method: 'DELETE', path, body: [key, pick(resource.keys)] } : settingsRequest(random)
    case 8:
      return { method: 'GET', path: pick(own) }
    case 9:
      return { method: 'GET', path: one + queryText({ fields: [pick(resource.fields), '*'] }) }
    default:
      return { method: 'GET', path: path + queryText(query(random, resource)) }
  }
}

const settingsRequest = ({ pick }: Random): Asking =>
  pick<Asking>([
    { method: 'PATCH', path: '/settings', body: { project_name: pick(['Tandem', 'Other', null]) } },
    { method: 'PATCH', path: '/settings', body: { auth_login_attempts: pick([5, 'x']), nowhere: 1 } },
    { method: 'PATCH', path: '/users/me', body: { first_name: pick(['Me', 7]) } },
    { method: 'PATCH', path: '/users/me/track/page', body: { last_page: '/here' } },
    {
      method: 'POST',
      path: `/versions/${idOf('6', 1)}/save`,
      body: pick([{ title: 'Later' }, { nowhere: 1 }, { views: -1 }]),
    },
  ])

const legacyNames = {
  users: 'users',
  roles: 'roles',
  folders: 'folders',
  permissions: 'permissions',
  collection_presets: 'presets',
  files: 'files',
} as const

/** Rows in the names of the legacy generation. */
const legacyRows: {
  readonly [name: string]: {
    readonly keys: readonly unknown[]
    readonly fields: readonly string[]
    readonly written: { readonly [field: string]: readonly unknown[] }
    readonly needed: { readonly [field: string]: readonly unknown[] }
  }
} = {
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

const legacyOwn = [
  '/_/users/me',
  '/_/permissions/me',
  '/_/permissions/me/articles',
  '/_/settings',
  '/_/settings/fields',
  '/_/fields/tags',
  '/_/items/articles?fields=id,title',
  '/server/ping',
]

/** A request to a system collection of the legacy generation. */
export function legacySystemRequest(random: Random): Asking {
  const { pick, below } = random
  const name = pick(Object.keys(legacyNames))
  const resource = legacyRows[name] as Resource
  const path = `/_/${name}`
  const key = pick(resource.keys)
  const one = `${path}/${String(key)}`
  switch (below(10)) {
    case 0:
    case 1:
      return name === 'files'
        ? { method: 'GET', path: one }
        : { method: 'POST', path, body: row(random, resource, true) }
    case 2:
    case 3:
      return name === 'files'
        ? { method: 'GET', path: one }
        : { method: 'PATCH', path: one, body: row(random, resource, false) }
    case 4:
      return { method: 'DELETE', path: one }
    case 5:
      return { method: 'GET', path: pick(legacyOwn) }
    case 6:
      return pick<Asking>([
        {
          method: 'POST',
          path: '/_/gql',
          body: {
            query: `{ ${pick(['articles', 'authors', 'nowhere'])} { data { ${pick(['id', 'id title', 'nowhere'])} } meta { total_count } } }`,
          },
        },
        {
          method: 'POST',
          path: '/_/gql',
          body: { query: '{ directusUsers(limit: 2) { data { id email } } platform_folders { data { name } } }' },
        },
      ])
    default:
      return { method: 'GET', path: path + queryText(query(random, resource, true)) }
  }
}

/** A document for `/graphql/system`. */
export function systemGraphqlRequest(random: Random): Asking {
  const { pick } = random
  const name = maybe(random, 2) ? pick(['users', 'roles', 'folders', 'presets', 'permissions']) : pick(names)
  const resource = resources[name] as Resource
  const key = pick(resource.keys)
  const shown = `{ ${[...new Set(['id', plain(random, resource)].filter((each) => !/^(role|user|parent|policy|policies|users|roles|permissions|children|panels|dashboard|folder|recipient|sender|user_created)$/.test(each)))].join(' ')} }`
  const { aggregate: _, groupBy: __, fields: ___, meta: ____, filter, ...page } = query(random, resource)
  const given = Object.entries(page).map(([argument, value]) => `${argument}: ${JSON.stringify(value)}`)
  const listed = filter === undefined ? given : ['filter: $filter', ...given]
  const asked = pick([
    () => ({
      query: `query${filter === undefined ? '' : ` ($filter: directus_${name}_filter)`.replace('directus', 'platform')} { ${name}${listed.length === 0 ? '' : `(${listed.join(', ')})`} ${shown} }`,
      ...(filter === undefined ? {} : { variables: { filter } }),
    }),
    () => ({ query: `{ ${name}_by_id(id: ${JSON.stringify(String(key))}) ${shown} ${name}_aggregated { countAll } }` }),
    () => ({
      query: `mutation ($data: create_platform_${name}_input!) { create_${name}_item(data: $data) ${shown} }`,
      variables: { data: row(random, resource, true) },
    }),
    () => ({
      query: `mutation ($id: ID!, $data: update_platform_${name}_input!) { update_${name}_item(id: $id, data: $data) ${shown} }`,
      variables: { id: key, data: row(random, resource, false) },
    }),
    () => ({ query: `mutation ($id: ID!) { delete_${name}_item(id: $id) { id } }`, variables: { id: key } }),
    () => ({
      query: pick([
        '{ users_me { id email } roles_me { name } }',
        '{ permissions_me policies_me_globals { admin_access } server_ping }',
        '{ settings { project_name } }',
        '{ collections_by_name(name: "articles") { collection } }',
      ]),
    }),
  ])()
  return { method: 'POST', path: '/graphql/system', body: asked }
}
