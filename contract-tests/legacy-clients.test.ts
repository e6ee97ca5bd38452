/**
 * The published clients of version 8, unmodified: each calls all of its methods against a running server, in the order
 * in which somebody would use them, and reads what it gets as its applications do.
 */
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorld, type World } from './world.ts'
import { password } from './world-data.ts'

type Answer = { readonly data: never; readonly meta?: unknown; readonly public?: true }
type Method = (...parameters: unknown[]) => Promise<Answer>
type Client = { readonly [method: string]: Method }
type Options = { readonly url: string; readonly project: string; readonly token?: string; readonly mode?: 'jwt' }
type Sdk = new (options: Options) => object
/** The older package is its class. */
type Package = Sdk & { readonly default?: Sdk }

const require = createRequire(import.meta.url)
const packages = [
  ['6.3.0', require('legacy-sdk') as Package],
  ['5.3.4', require('legacy-sdk-5') as Package],
] as const

/** What only says something about the client itself, or is the means by which all others ask. */
const inner = new Set(['constructor', 'request', 'get', 'post', 'patch', 'put', 'delete', 'stopInterval'])
const facts = new Set(['url', 'project', 'token', 'localExp', 'payload', 'loggedIn', 'storage', 'tokenExpiryTime'])

const key = { field: 'id', type: 'integer', datatype: 'INT', length: 10, primary_key: true, auto_increment: true }
const title = { field: 'title', type: 'string', datatype: 'VARCHAR', length: 100, interface: 'text-input' }
const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe.each(packages)('the client %s', (version, loaded) => {
  let world: World
  let client: Client
  let used: Set<string>
  let loggedOut = 0
  const isOld = version === '5.3.4'
  const Sdk = loaded.default ?? loaded
  const declared = Object.getOwnPropertyNames(Sdk.prototype as object).filter(
    (each) => !inner.has(each) && !facts.has(each),
  )

  const create = (more: Partial<Options> = {}): Client => {
    const made = new Sdk({ url: world.url, project: '_', ...more })
    sendFormsAsBrowsersDo(made)
    httpOf(made).interceptors.response.use((answer) => {
      loggedOut += answer.config.url?.endsWith('/auth/logout') === true ? 1 : 0
      return answer
    })
    return new Proxy(made, {
      get(target, method, receiver) {
        if (typeof method === 'string') used.add(method)
        return Reflect.get(target, method, receiver) as unknown
      },
    }) as Client
  }
  const call = async (method: string, ...parameters: unknown[]): Promise<Answer> => {
    const found = client[method]
    if (found === undefined) throw new Error(`The client has no method ${method}`)
    return await found.apply(client, parameters)
  }
  const dataOf = async (method: string, ...parameters: readonly unknown[]): Promise<never> =>
    (await call(method, ...parameters)).data

  beforeAll(async () => {
    used = new Set()
    world = await openWorld({ PASSWORD_RESET_URL_ALLOW_LIST: 'https://app.example.com/reset' })
    client = create()
  })
  afterAll(() => world.close())

  test('logs in, refreshes and logs out', async () => {
    if (!isOld) expect(await call('isLoggedIn')).toBe(false)
    expect(await call('getThirdPartyAuthProviders')).toEqual({
      data: ['keycloak', 'gone', 'corp', 'hub'],
      public: true,
    })
    const wrong = { email: 'admin@example.com', password: 'not-this-one' }
    // The newer client leaves a second promise of a failed login to nobody.
    if (isOld) await expect(call('login', wrong)).rejects.toMatchObject({ code: 100 })
    await call('login', { email: 'admin@example.com', password, persist: false })
    const { token } = (isOld ? client : client['config']) as unknown as { readonly token: string }
    expect(token).toMatch(/^[^.]+\.[^.]+\.[^.]+$/)
    expect(await call('refresh', token)).toMatchObject({ data: { token: expect.any(String) as unknown } })
    await call('refreshIfNeeded')
    if (!isOld) expect(await call('isLoggedIn')).toBe(true)
    await call('logout')
    await call('login', { email: 'admin@example.com', password, persist: false })
  })

  test('asks for a password by mail', async () => {
    await call('requestPasswordReset', 'nobody-knows@example.com')
    if (isOld) return
    await call('requestPasswordReset', 'admin@example.com', 'https://app.example.com/reset')
    await expect(call('resetPassword', 'another-horse-42', 'no-token')).rejects.toMatchObject({ code: '104' })
    await call('resetPassword', 'another-horse-42', await world.accounts.issueToken('password-reset', 'new'))
  })

  test('reads facts about the server', async () => {
    expect(await call('ping')).toBe('pong')
    expect(await dataOf('serverInfo')).toMatchObject({ api: { version: expect.any(String) as unknown } })
    expect(await call('projectInfo')).toMatchObject({ data: { api: { project_name: 'Tandem' } } })
    expect((await call('projectInfo')).public).toBeUndefined()
    expect(await call('updateDatabase')).toBe('')
    expect(await dataOf('getInterfaces')).toMatchObject([{ id: 'stars' }])
    expect(await dataOf('getLayouts')).toMatchObject([{ id: 'map' }])
    expect(await dataOf(isOld ? 'getPages' : 'getModules')).toEqual(expect.any(Array))
    expect(await dataOf('getSettings')).toContainEqual({ id: 21, key: 'project_name', value: 'Tandem' })
    expect(await dataOf('getSettingsFields')).toContainEqual(expect.objectContaining({ field: 'project_logo' }))
  })

  test('makes collections, fields and relations', async () => {
    const collection = { collection: 'plants', note: 'What grows', fields: [key, title] }
    expect(await dataOf('createCollection', collection)).toMatchObject({ collection: 'plants', managed: true })
    expect(await dataOf('updateCollection', 'plants', { icon: 'spa' })).toMatchObject({ icon: 'spa' })
    expect(await dataOf('getCollections', { limit: -1 })).toContainEqual(
      expect.objectContaining({ collection: 'plants', fields: expect.objectContaining({ title: expect.anything() }) }),
    )
    expect(await dataOf('getCollection', 'plants')).toMatchObject({ fields: { title: { length: '100' } } })
    const height = { field: 'height', type: 'integer', datatype: 'INT', length: 10 }
    expect(await dataOf('createField', 'plants', height)).toMatchObject({ field: 'height', type: 'integer' })
    expect(await dataOf('getAllFields', { limit: -1 })).toContainEqual(expect.objectContaining({ field: 'height' }))
    expect(await dataOf('getFields', 'plants')).toHaveLength(3)
    expect(await dataOf('getField', 'plants', 'height')).toMatchObject({ collection: 'plants', datatype: 'INT' })
    expect(await dataOf('updateField', 'plants', 'height', { note: 'cm' })).toMatchObject({ note: 'cm' })
    expect(await dataOf('updateFields', 'plants', [{ field: 'height', sort: 9 }])).toMatchObject([{ sort: 9 }])
    expect(await dataOf('updateFields', 'plants', ['title', 'height'], { width: 'half' })).toMatchObject([
      { width: 'half' },
      { width: 'half' },
    ])
    await dataOf('createCollection', { collection: 'gardens', fields: [key, title] })
    await dataOf('createField', 'plants', { field: 'garden', type: 'm2o', datatype: 'INT', length: 10 })
    await dataOf('createField', 'gardens', { field: 'plants', type: 'o2m', interface: 'one-to-many' })
    const ends = { collection_many: 'plants', field_many: 'garden', collection_one: 'gardens' }
    const made = (await dataOf('createRelation', ends)) as { readonly id: number }
    expect(await dataOf('updateRelation', made.id, { field_one: 'plants' })).toMatchObject({ field_one: 'plants' })
    expect(await dataOf('getRelations', { limit: -1 })).toContainEqual(expect.objectContaining(ends))
    const [many, one] = (await call('getCollectionRelations', 'plants')) as unknown as readonly Answer[]
    expect(many?.data).toMatchObject([ends])
    expect(one?.data).toEqual([])
  })

  test('writes and reads items, and takes changes back', async () => {
    const rose = { title: 'Rose', height: 60, garden: { title: 'Front' } }
    expect(await dataOf('createItem', 'plants', rose)).toMatchObject({ id: 1, title: 'Rose', garden: 1 })
    const more = [{ title: 'Oak', garden: 1 }, { title: 'Moss' }]
    expect(await dataOf('createItems', 'plants', more)).toMatchObject([{ id: 2 }, { id: 3 }])
    const asked = { fields: ['title', 'garden.title'], filter: { garden: { nnull: 1 } }, sort: '-title', meta: '*' }
    expect(await call('getItems', 'plants', asked)).toMatchObject({
      data: [
        { title: 'Rose', garden: { title: 'Front' } },
        { title: 'Oak', garden: { title: 'Front' } },
      ],
      meta: { collection: 'plants', filter_count: 2, total_count: 3 },
    })
    expect(await dataOf('getItem', 'gardens', 1, { fields: '*.*' })).toMatchObject({ plants: [{ id: 1 }, { id: 2 }] })
    expect(await dataOf('updateItem', 'plants', 3, { height: 2 })).toMatchObject({ id: 3, height: 2 })
    const each = [
      { id: 1, height: 61 },
      { id: 2, height: 900 },
    ]
    expect(await dataOf('updateItems', 'plants', each)).toMatchObject([{ height: 61 }, { height: 900 }])
    const revisions = (await dataOf('getItemRevisions', 'plants', 1)) as readonly { readonly id: number }[]
    expect(revisions).toMatchObject([{ collection: 'plants', item: '1' }, { delta: { height: 61 } }])
    expect(await dataOf('revert', 'plants', 1, revisions[0]?.id)).toMatchObject({ height: 60 })
    expect(await dataOf('getActivity', { filter: { collection: { eq: 'plants' } }, limit: -1 })).toContainEqual(
      expect.objectContaining({ action: 'revert', item: '1' }),
    )
    expect(await call('deleteItem', 'plants', 3)).toBe('')
    expect(await call('deleteItems', 'plants', [1, 2])).toBe('')
    await expect(call('getItem', 'plants', 1)).rejects.toMatchObject({ code: isOld ? 203 : '203' })
  })

  test('uploads files and reads them', async () => {
    const form = new FormData()
    form.append('title', 'Leaf')
    form.append(
      'file',
      new Blob([Buffer.from(picture.split(',')[1] ?? '', 'base64')], { type: 'image/png' }),
      'leaf.png',
    )
    const uploaded = (await dataOf('uploadFiles', form, () => ({}))) as { readonly id: number; private_hash: string }
    expect(uploaded).toMatchObject({ title: 'Leaf', type: 'image/png', width: 1, height: 1 })
    expect(await dataOf('getFiles', { limit: -1, sort: '-id' })).toContainEqual(
      expect.objectContaining({ title: 'Leaf' }),
    )
    if (isOld) return
    expect(await dataOf('getFile', String(uploaded.id))).toMatchObject({ id: uploaded.id })
    const url = (client['getAssetUrl'] as unknown as (hash: string, query: object) => string)(uploaded.private_hash, {
      key: 'platform-small-crop',
    })
    expect(url).toBe(`${world.url}/_/assets/${uploaded.private_hash}?key=platform-small-crop`)
    const bytes = (await call('getAsset', uploaded.private_hash, { w: 8, h: 8, f: 'crop', q: 80 })) as unknown as Buffer
    expect(Buffer.from(bytes).subarray(1, 4).toString()).toBe('PNG')
  })

  test('keeps bookmarks and preferences', async () => {
    const me = (await dataOf('getMe', { fields: '*.*' })) as { readonly id: number; readonly role: { id: number } }
    const made = await dataOf('createCollectionPreset', { title: 'Mine', collection: 'plants', user: me.id })
    const { id } = made as { readonly id: number }
    expect(await dataOf('updateCollectionPreset', id, { title: 'Ours' })).toMatchObject({ title: 'Ours' })
    await dataOf('createCollectionPreset', { title: 'Roles', collection: 'plants', role: me.role.id })
    await dataOf('createCollectionPreset', { title: 'All', collection: 'plants' })
    const bookmarks = (await call('getMyBookmarks')) as unknown as readonly { readonly title: string }[]
    const everybodys = isOld ? [] : ['All', 'Left by anybody', 'Spare']
    expect(bookmarks.map((each) => each.title).toSorted()).toEqual(['Ours', 'Roles', ...everybodys].toSorted())
    if (!isOld) expect(await call('getCollectionPresets')).toHaveLength(5)
    await dataOf('createCollectionPreset', { collection: 'plants', user: me.id, role: me.role.id, view_type: 'cards' })
    expect(await call('getMyListingPreferences', 'plants')).toMatchObject({ view_type: 'cards' })
    expect(await call('deleteCollectionPreset', id)).toBe('')
  })

  test('manages roles, users and permissions', async () => {
    const role = (await dataOf('createRole', { name: 'Gardeners' })) as { readonly id: number }
    expect(await dataOf('getRole', role.id)).toMatchObject({ name: 'Gardeners' })
    expect(await dataOf('updateRole', role.id, { description: 'Who water' })).toMatchObject({
      description: 'Who water',
    })
    expect(await dataOf('getRoles')).toContainEqual(expect.objectContaining({ id: role.id }))
    const levels = [{ collection: 'plants', role: role.id, read: 'full', create: 'full', update: 'mine' }]
    const [made] = (await dataOf('createPermissions', levels)) as readonly { readonly id: number }[]
    expect(await dataOf('updatePermissions', [{ id: made?.id, update: 'full' }])).toMatchObject([{ update: 'full' }])
    expect(await dataOf('getPermissions', { filter: { role: { eq: role.id } }, limit: -1 })).toContainEqual(
      expect.objectContaining({ collection: 'plants', update: 'full' }),
    )
    expect(await dataOf('getMyPermissions')).toEqual([])
    const person = { email: 'flora@example.com', password: 'correct-horse-42', role: role.id, status: 'active' }
    const flora = (await dataOf(isOld ? 'createItem' : 'createUser', ...(isOld ? ['directus_users'] : []), person)) as {
      readonly id: number
    }
    expect(await dataOf('getUser', flora.id)).toMatchObject({ email: 'flora@example.com', role: role.id })
    expect(await dataOf('updateUser', flora.id, { first_name: 'Flora' })).toMatchObject({ first_name: 'Flora' })
    expect(await dataOf('getUsers', { limit: -1 })).toContainEqual(expect.objectContaining({ first_name: 'Flora' }))
    const other = create()
    await other['login']?.({ email: person.email, password: person.password })
    expect((await other['getMyPermissions']?.())?.data).toContainEqual(
      expect.objectContaining({ collection: 'plants' }),
    )
    expect((await other['createItem']?.('plants', { title: 'Ivy' }))?.data).toMatchObject({ title: 'Ivy' })
    await expect(other['getItems']?.('authors')).rejects.toMatchObject({ code: isOld ? 300 : '300' })
    await call('deleteItem', 'directus_users', flora.id)
    expect(await call('deleteRole', role.id)).toBe('')
  })

  test('drops what it made', async () => {
    expect(await call('deleteField', 'plants', 'height')).toBe('')
    expect(await call('deleteCollection', 'plants')).toBe('')
    await expect(call('getCollection', 'plants')).rejects.toMatchObject({ code: isOld ? 200 : '200' })
    if (isOld) {
      await call('startInterval', true)
      await call('stopInterval')
    }
    const before = loggedOut
    await call('reset')
    // The newer client tells the server, and does not wait for the answer.
    if (!isOld) await expect.poll(() => loggedOut).toBe(before + 1)
  })

  test('every method was called', () => {
    expect(declared.filter((method) => !used.has(method))).toEqual([])
  })
})

type Config = { readonly url?: string; readonly data?: unknown; readonly headers: Record<string, string> }
type Reply = { readonly config: Config }
type Http = {
  readonly interceptors: {
    readonly request: { readonly use: (change: (config: Config) => Promise<Config>) => void }
    readonly response: { readonly use: (change: (reply: Reply) => Reply) => void }
  }
}

function httpOf(made: object): Http {
  const { axios, api } = made as { readonly axios?: Http; readonly api?: { readonly xhr: Http } }
  const http = axios ?? api?.xhr
  if (http === undefined) throw new Error('The client has no HTTP library')
  return http
}

/** Browsers give a form its boundary themselves; in Node the HTTP library of the client leaves that to its user. */
function sendFormsAsBrowsersDo(made: object): void {
  httpOf(made).interceptors.request.use(async (config) => {
    if (!(config.data instanceof FormData)) return config
    const encoded = new Response(config.data)
    const type = encoded.headers.get('content-type') ?? ''
    const headers = { ...config.headers, 'Content-Type': type }
    return { ...config, headers, data: Buffer.from(await encoded.arrayBuffer()) }
  })
}
