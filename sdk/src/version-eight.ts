/** The methods of the version-8 JavaScript client by their names and shapes, so that a program moves without new calls. */
import type { Client, Input } from './client.ts'
import type { Kind, Resource } from './resource.ts'

type Key = string | number
type Query = object
// oxlint-disable-next-line typescript/no-explicit-any -- as in the version-8 client, which leaves types to its callers
type Loose = any

/** An answer as the version-8 client gives it: with its envelope. */
export type Answer<Data = Loose> = { readonly data: Data; readonly meta?: { readonly [name: string]: unknown } }

type Items = {
  getItems: <T extends unknown[] = Loose[]>(collection: string, params?: Query) => Promise<Answer<T>>
  getItem: <T extends object = Loose>(collection: string, key: Key, params?: Query) => Promise<Answer<T>>
  createItem: <T extends object = Loose>(collection: string, body: object) => Promise<Answer<T>>
  createItems: <T extends unknown[] = Loose[]>(collection: string, body: readonly object[]) => Promise<Answer<T>>
  updateItem: <T extends object = Loose>(
    collection: string,
    key: Key,
    body: object,
    params?: Query,
  ) => Promise<Answer<T>>
  updateItems: <T extends unknown[] = Loose[]>(
    collection: string,
    body: readonly object[],
    params?: Query,
  ) => Promise<Answer<T>>
  deleteItem: (collection: string, key: Key) => Promise<void>
  deleteItems: (collection: string, keys: readonly Key[]) => Promise<void>
  getItemRevisions: (collection: string, key: Key, params?: Query) => Promise<Answer<Loose[]>>
  revert: (collection: string, key: Key, revision: number) => Promise<Answer>
}

/** Reads that take parameters alone, by path. */
const lists = {
  getActivity: '/activity',
  getCollections: '/collections',
  getAllFields: '/fields',
  getFiles: '/files',
  getPermissions: '/permissions',
  getMyPermissions: '/permissions/me',
  getRelations: '/relations',
  getRoles: '/roles',
  getUsers: '/users',
  getMe: '/users/me',
  getThirdPartyAuthProviders: '/auth/sso',
  projectInfo: '/',
  getSettings: '/settings?limit=-1',
  getSettingsFields: '/settings/fields',
} as const

/** Facts about the server, outside of projects. */
const facts = { getInterfaces: '/interfaces', getLayouts: '/layouts', getModules: '/modules', serverInfo: '/' } as const

/** Methods with values of the path, then the body of a write, then parameters. */
const others = {
  getCollection: 'GET /collections/{a}',
  createCollection: 'POST /collections',
  updateCollection: 'PATCH /collections/{a}',
  deleteCollection: 'DELETE /collections/{a}',
  createCollectionPreset: 'POST /collection_presets',
  updateCollectionPreset: 'PATCH /collection_presets/{a}',
  deleteCollectionPreset: 'DELETE /collection_presets/{a}',
  getFields: 'GET /fields/{a}',
  getField: 'GET /fields/{a}/{b}',
  createField: 'POST /fields/{a}',
  updateField: 'PATCH /fields/{a}/{b}',
  deleteField: 'DELETE /fields/{a}/{b}',
  getFile: 'GET /files/{a}',
  createPermissions: 'POST /permissions',
  updatePermissions: 'PATCH /permissions',
  createRelation: 'POST /relations',
  updateRelation: 'PATCH /relations/{a}',
  getRole: 'GET /roles/{a}',
  createRole: 'POST /roles',
  updateRole: 'PATCH /roles/{a}',
  deleteRole: 'DELETE /roles/{a}',
  getUser: 'GET /users/{a}',
  createUser: 'POST /users',
  updateUser: 'PATCH /users/{a}',
  uploadFiles: 'POST /files',
  updateDatabase: 'POST /update',
} as const

type Taken<Row extends string> = Row extends `${string}{a}${string}{b}${string}`
  ? [Key, Key]
  : Row extends `${string}{a}${string}`
    ? [Key | readonly Key[]]
    : []

type Method<Row extends string> = Row extends `DELETE ${string}`
  ? (...values: Taken<Row>) => Promise<void>
  : Row extends `GET ${string}`
    ? <T = Loose>(...values: [...Taken<Row>, params?: Query]) => Promise<Answer<T>>
    : <T = Loose>(...values: [...Taken<Row>, body?: object]) => Promise<Answer<T>>

/** The methods of the version-8 client. Those that name a collection take system collections as `directus_…`. */
export type VersionEight = Items & { [Name in keyof typeof facts]: <T = Loose>() => Promise<Answer<T>> } & {
  [Name in keyof typeof lists]: <T = Loose>(params?: Query) => Promise<Answer<T>>
} & {
  [Name in keyof typeof others]: Method<(typeof others)[Name]>
} & {
  updateFields: (collection: string, fields: readonly (string | object)[], changes?: object) => Promise<Answer<Loose[]>>
  getCollectionRelations: (collection: string) => Promise<Answer<Loose[]>[]>
  getCollectionPresets: () => Promise<Loose[]>
  getMyBookmarks: () => Promise<Loose[]>
  getMyListingPreferences: (collection: string) => Promise<Loose>
  requestPasswordReset: (email: string, reset_url?: string) => Promise<unknown>
  resetPassword: (password: string, token: string) => Promise<unknown>
  ping: () => Promise<string>
  isLoggedIn: () => Promise<boolean>
}

/**
 * Adds the version-8 methods to a client: `client.with({ api: versionEight })` has `client.api.getItems('articles')`.
 * Login, refresh and logout stay with the client, which renews its token, as does `assetUrl`. Uploads take a `FormData`.
 * Errors are those of this SDK.
 */
export const versionEight: Resource<OfVersionEight> = (client) => methodsFor(client)

interface OfVersionEight extends Kind {
  readonly methods: VersionEight
}

function methodsFor(client: Client): VersionEight {
  const ask = async <Result = never>(method: string, path: string, input: Pick<Input, 'body' | 'query'> = {}) => {
    const [address = '', fixed] = path.split('?')
    const query = { ...input.query, ...Object.fromEntries(new URLSearchParams(fixed)) }
    return client.request<Result>({ method, path: `/{project}${address}` }, { ...input, query })
  }
  /** Presets of the caller, then those of the caller's role, then those of everybody. */
  const presets = async (queryOf: (scope: object) => Query): Promise<Loose[]> => {
    const { data: me } = await ask<Answer>('GET', '/users/me', { query: { fields: '*.*' } })
    const scopes = [
      { user: { eq: me.id } },
      { role: { eq: me.role.id }, user: { null: 1 } },
      { role: { null: 1 }, user: { null: 1 } },
    ]
    const read = (scope: object) => ask<Answer<Loose[]>>('GET', '/collection_presets', { query: queryOf(scope) })
    return (await Promise.all(scopes.map(read))).flatMap(({ data }) => data)
  }
  const bookmarks = () => presets((scope) => ({ filter: { ...scope, title: { nnull: 1 } } }))
  return {
    ...mapValues(lists, (path) => (query?: Query) => ask('GET', path, { query })),
    ...mapValues(facts, (path) => () => client.request({ method: 'GET', path })),
    ...mapValues(others, (row) => (...values: readonly unknown[]) => {
      const [method = '', template = ''] = row.split(' ')
      const rest = [...values]
      const path = template.replace(/\{\w\}/g, () => part(rest.shift()))
      return ask(method, path, method === 'GET' ? { query: rest[0] as Query } : { body: rest[0] })
    }),
    getItems: (collection, query) => ask('GET', itemsOf(collection), { query }),
    getItem: (collection, key, query) => ask('GET', itemsOf(collection, key), { query }),
    createItem: (collection, body) => ask('POST', itemsOf(collection), { body }),
    createItems: (collection, body) => ask('POST', itemsOf(collection), { body }),
    updateItem: (collection, key, body, query) => ask('PATCH', itemsOf(collection, key), { body, query }),
    updateItems: (collection, body, query) => ask('PATCH', itemsOf(collection), { body, query }),
    deleteItem: (collection, key) => ask('DELETE', itemsOf(collection, key)),
    deleteItems: (collection, keys) => ask('DELETE', itemsOf(collection, keys)),
    getItemRevisions: (collection, key, query) => ask('GET', `${itemsOf(collection, key)}/revisions`, { query }),
    revert: (collection, key, revision) => ask('PATCH', `${itemsOf(collection, key)}/revert/${part(revision)}`),
    updateFields: (collection, fields, changes) =>
      changes === undefined
        ? ask('PATCH', `/fields/${part(collection)}`, { body: fields })
        : ask('PATCH', `/fields/${part(collection)}/${part(fields)}`, { body: changes }),
    getCollectionRelations: (collection) =>
      Promise.all(
        ['collection_many', 'collection_one'].map((end) =>
          ask('GET', '/relations', { query: { filter: { [end]: { eq: collection } } } }),
        ),
      ),
    getCollectionPresets: bookmarks,
    getMyBookmarks: bookmarks,
    getMyListingPreferences: async (collection) => {
      const shared = { title: { null: 1 }, collection: { eq: collection } }
      const found = await presets((scope) => ({ filter: { ...scope, ...shared }, limit: 1, sort: '-id' }))
      return found[0] ?? {}
    },
    requestPasswordReset: (email, reset_url) =>
      ask('POST', '/auth/password/request', { body: reset_url === undefined ? { email } : { email, reset_url } }),
    resetPassword: (password, token) => ask('POST', '/auth/password/reset', { body: { password, token } }),
    ping: () => client.request({ method: 'GET', path: '/server/ping' }),
    isLoggedIn: async () => {
      const answer = await ask<{ readonly public?: boolean }>('GET', '/').catch(() => null)
      return answer !== null && answer.public === undefined
    },
  } satisfies Partial<VersionEight> as unknown as VersionEight
}

const mapValues = <Row>(table: { readonly [name: string]: Row }, make: (row: Row) => unknown) =>
  Object.fromEntries(Object.entries(table).map(([name, row]) => [name, make(row)]))

/** The path of a collection, and of its items. System collections have paths of their own. */
function itemsOf(collection: string, keys?: Key | readonly Key[]): string {
  const list = /^(directus|platform)_/.test(collection)
    ? `/${part(collection.slice(collection.indexOf('_') + 1))}`
    : `/items/${part(collection)}`
  return keys === undefined ? list : `${list}/${part(keys)}`
}

/** One value of a path, or several joined by commas. Relative path segments would reach another operation. */
function part(value: unknown): string {
  const text = [value].flat().map(String).join(',')
  if (value === undefined || ['', '.', '..'].includes(text)) {
    throw new TypeError(`Expected a value for the path but received "${text}".`)
  }
  return encodeURIComponent(text)
}
