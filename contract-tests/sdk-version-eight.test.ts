/** The version-8 methods of the SDK send what the version-8 client sends. */
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { createLegacyClient, versionEight } from '@tandem/sdk/legacy'
import { afterAll, expect, test } from 'vitest'

type Methods = { readonly [name: string]: (...values: readonly unknown[]) => unknown }
type Package = { readonly default: new (options: object) => Methods }

const { default: Old } = createRequire(import.meta.url)('legacy-sdk') as Package

/** Requests in the order of their arrival, with decoded paths and parameters. */
const requests: string[] = []

const server = createServer((req, res) => {
  const chunks: Buffer[] = []
  req.on('data', (chunk: Buffer) => chunks.push(chunk))
  req.on('end', () => {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://localhost')
    // Axios sends an empty object with writes that have no body.
    const body = Buffer.concat(chunks)
      .toString()
      .replace(/^\{\}$/, '')
    const parameters = [...searchParams].map(([name, value]) => `${name.replace(/\[\]$/, '')}=${value}`).toSorted()
    requests.push(`${req.method} ${decodeURIComponent(pathname)} ${parameters.join('&')} ${body}`)
    res.setHeader('content-type', 'application/json')
    res.end(pathname.endsWith('/me') ? '{"data":{"id":7,"role":{"id":3}}}' : '{"data":[{"id":1}],"public":true}')
  })
}).listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const old = new Old({ url, project: 'shop', token: 'x.e30.y' })
const own = versionEight(createLegacyClient({ url, project: 'shop', token: 'x.e30.y' })) as unknown as Methods
afterAll(() => server.close())

const asked = { limit: 3, sort: '-id', filter: { title: { eq: 'A' } } }
const calls: (readonly [name: string, ...values: readonly unknown[]])[] = [
  ...['getActivity', 'getCollections', 'getAllFields', 'getFiles', 'getPermissions', 'getMyPermissions'].map(
    (name) => [name, asked] as const,
  ),
  ...['getRelations', 'getRoles', 'getUsers', 'getMe', 'getSettings', 'getSettingsFields'].map(
    (name) => [name, {}] as const,
  ),
  ...['getInterfaces', 'getLayouts', 'getModules', 'getThirdPartyAuthProviders', 'projectInfo', 'ping'].map(
    (name) => [name] as const,
  ),
  ['serverInfo'],
  ['isLoggedIn'],
  ['getItems', 'articles', asked],
  ['getItems', 'directus_users', asked],
  ['getItem', 'articles', 1, { fields: 'id,title' }],
  ['createItem', 'articles', { title: 'A' }],
  ['createItems', 'articles', [{ title: 'A' }, { title: 'B' }]],
  ['updateItem', 'articles', 'a b', { title: 'C' }, { fields: 'id' }],
  ['updateItems', 'articles', [{ id: 1, title: 'D' }]],
  ['deleteItem', 'directus_users', 4],
  ['deleteItems', 'articles', [1, 2]],
  ['getItemRevisions', 'articles', 1, { limit: 3 }],
  ['revert', 'articles', 1, 9],
  ['getCollection', 'articles'],
  ['createCollection', { collection: 'plants' }],
  ['updateCollection', 'plants', { icon: 'spa' }],
  ['deleteCollection', 'plants'],
  ['getFields', 'articles'],
  ['getField', 'articles', 'title'],
  ['createField', 'articles', { field: 'height' }],
  ['updateField', 'articles', 'height', { note: 'cm' }],
  ['updateFields', 'articles', [{ field: 'height', sort: 9 }]],
  ['updateFields', 'articles', ['title', 'height'], { width: 'half' }],
  ['deleteField', 'articles', 'height'],
  ['getFile', ['1', '2']],
  ['createCollectionPreset', { title: 'Mine' }],
  ['updateCollectionPreset', 5, { title: 'Ours' }],
  ['deleteCollectionPreset', 5],
  ['getCollectionPresets'],
  ['getMyBookmarks'],
  ['getMyListingPreferences', 'articles'],
  ['createPermissions', [{ collection: 'articles' }]],
  ['updatePermissions', [{ id: 1, read: 'full' }]],
  ['createRelation', { collection_many: 'articles' }],
  ['updateRelation', 2, { field_one: 'articles' }],
  ['getCollectionRelations', 'articles'],
  ['getRole', 3],
  ['createRole', { name: 'Editors' }],
  ['updateRole', 3, { name: 'Writers' }],
  ['deleteRole', 3],
  ['getUser', 7],
  ['createUser', { email: 'a@example.com' }],
  ['updateUser', 7, { first_name: 'A' }],
  ['requestPasswordReset', 'a@example.com', 'https://app.example.com/reset'],
  ['resetPassword', 'secret', 'token'],
  ['updateDatabase'],
]

test.each(calls)('%s', async (...given) => {
  const [name, values] = [String(given[0]), given.slice(1)]
  const sentBy = async (client: Methods): Promise<readonly string[]> => {
    requests.length = 0
    await client[name]?.(...structuredClone(values))
    return requests.toSorted()
  }
  const expected = await sentBy(old)
  expect(expected).not.toEqual([])
  expect(await sentBy(own)).toEqual(expected)
})

/** What stays with the client of this SDK, what `uploadFiles` sends (a form of its own), and fields of the old class. */
const elsewhere = ['constructor', 'login', 'logout', 'reset', 'refresh', 'refreshIfNeeded', 'getAssetUrl', 'getAsset']

test('every method of the version-8 client is there', () => {
  const named = new Set([...calls.map(([name]) => name), ...elsewhere, 'uploadFiles'])
  expect(Object.getOwnPropertyNames(Old.prototype).filter((name) => !named.has(name))).toEqual([])
  expect(Object.keys(own).filter((name) => !named.has(name))).toEqual([])
})
