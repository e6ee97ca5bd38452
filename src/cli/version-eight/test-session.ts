/** A session of the JavaScript clients of version 8 with the test magazine, and what they get, for comparisons. */
import { createRequire } from 'node:module'
import { passwords } from './test-magazine.ts'

/** A call of a client; `as` names who makes it. A value `{ at }` stands for what an earlier call has answered there. */
export type SessionCall = { readonly as: 'ann' | 'bob'; readonly method: string; readonly values: readonly unknown[] }

export type SessionAnswer = { readonly call: string; readonly answer: unknown }

type Client = { readonly [method: string]: ((...values: readonly unknown[]) => Promise<unknown>) | undefined }
type Sdk = new (options: object) => object
type Package = Sdk & { readonly default?: Sdk }

const load = createRequire(import.meta.url)

/** Both published clients; the older package is its class. */
export const clients = ['legacy-sdk', 'legacy-sdk-5'] as const
export type ClientName = (typeof clients)[number]

const by =
  (as: SessionCall['as']) =>
  (method: string, ...values: readonly unknown[]): SessionCall => ({ as, method, values })
const [ann, bob] = [by('ann'), by('bob')]

const everything = { fields: '*.*', status: '*', sort: 'id', meta: '*' }

const itemReads: readonly SessionCall[] = [
  ann('getMe', { fields: 'id,email,role,avatar' }),
  bob('getMe', { fields: 'id,email,role' }),
  ann('getItems', 'articles', everything),
  bob('getItems', 'articles', { sort: '-id', meta: '*' }),
  bob('getItems', 'articles', { filter: { owner: { eq: 4 } }, fields: 'id,owner.email,owner.role.name' }),
  bob('getItems', 'authors', { sort: 'id' }),
  ann('getItems', 'articles', { q: 'text', sort: 'owner,-id', fields: 'id,owner', limit: 2, offset: 1 }),
  ann('getItems', 'articles', { filter: { 'owner.email': { contains: 'bob' } }, fields: 'id', sort: 'id' }),
  ann('getItem', 'articles', 10, { fields: '*,author.account.email,gallery.directus_files_id.*,translations.*' }),
  bob('getItem', 'articles', 12, {}),
  ann('getItems', 'everything', { sort: 'n' }),
  ann('getItems', 'directus_files', { fields: 'id,title,uploaded_by.email,folder', sort: 'id' }),
]

const itemWrites = (name: string): readonly SessionCall[] => [
  bob('createItem', 'articles', {
    title: `By Bob with ${name}`,
    status: 'draft',
    tags: ['a', 'b'],
    extra: { deep: true },
    price: 3.5,
  }),
  bob('updateItem', 'articles', { at: 'last' }, { title: `By Bob again with ${name}`, cover: 3 }),
  bob('getItemRevisions', 'articles', { at: 'last' }, { fields: 'id,item,delta,data' }),
  bob('updateItem', 'articles', 13, { title: 'Not his' }),
  ann('createItem', 'articles', { title: `For Bob with ${name}`, owner: 4, cover: { title: 'No contents' } }),
  ann('createItem', 'articles', { title: 'For nobody', owner: 4711 }),
  ann('updateItem', 'articles', 11, { owner: 9, author: { name: 'New', account: 4, portrait: null } }),
  ann('updateItem', 'articles', 11, { owner: 'bob' }),
  ann('updateItem', 'authors', 3, { account: null }),
  ann('updateItem', 'articles', 10, { keywords: [{ keyword: { word: 'third' } }] }),
  ann('getItems', 'authors', { fields: '*.*', sort: 'id' }),
  bob('deleteItem', 'articles', 10),
  ann('createItems', 'keywords', [{ word: `one of ${name}` }, { word: `two of ${name}` }]),
  ann('deleteItems', 'keywords', [1, 2]),
  ann('updateItem', 'everything', 'Z;1', { bit8: 7, bit1: false, da: null, iu: 5, y: 2001, e: 'c' }),
  ann('getItems', 'everything', { filter: { bit8: { eq: 7 } }, fields: 'k,n,bit1,bit8,da,iu,y,e' }),
]

const usersAndRoles = (name: string): readonly SessionCall[] => [
  ann('getUsers', { fields: 'id,email,status,role,avatar', status: '*', sort: 'id' }),
  ann('updateUser', 4, { last_name: 'Builder', avatar: 3 }),
  ann('getRoles', { fields: 'id,name,users.id', sort: 'id' }),
  ann('createRole', { name: `Guests of ${name}` }),
  ann('createPermissions', [{ collection: 'keywords', role: { at: 'last' }, read: 'full' }]),
  bob('getMyPermissions', { sort: 'id' }),
  ann('getPermissions', { sort: 'id' }),
]

const modelAndSettings: readonly SessionCall[] = [
  ann('getRelations', { limit: -1, sort: 'id' }),
  ann('getCollection', 'articles'),
  ann('getFields', 'articles'),
  ann('getField', 'articles', 'owner'),
  ann('updateField', 'articles', 'title', { note: 'As printed' }),
  ann('createCollectionPreset', { title: 'Ours', collection: 'articles', role: 3 }),
  bob('getMyListingPreferences', 'articles'),
  ann('getSettings', { limit: -1 }),
  ann('getActivity', { fields: 'id,action,action_by,collection,item,comment', sort: 'id', limit: -1 }),
  ann('getItems', 'articles', everything),
]

/** Reads and writes of an ordinary day. Both clients have these methods. */
export const session = (name: string): readonly SessionCall[] => [
  ...itemReads,
  ...itemWrites(name),
  ...usersAndRoles(name),
  ...modelAndSettings,
]

/** Runs the session; answers and errors in the order of the calls. */
export async function replay(url: string, name: ClientName): Promise<readonly SessionAnswer[]> {
  const loaded = load(name) as Package
  const logIn = async (who: SessionCall['as']): Promise<Client> => {
    const client = new (loaded.default ?? loaded)({ url, project: '_', mode: 'jwt' }) as Client
    await client['login']?.({ email: `${who}@example.com`, password: passwords[who], mode: 'jwt', persist: false })
    return client
  }
  const people = { ann: await logIn('ann'), bob: await logIn('bob') }
  const answers: SessionAnswer[] = []
  let last: unknown = null
  for (const { as, method, values } of session(name)) {
    const given = values.map((value) => withAnswer(value, last))
    const answer = await answerOf(people[as], method, given)
    const id = (answer as { readonly data?: { readonly id?: unknown } } | null)?.data?.id
    if (id !== undefined && method.startsWith('create')) last = id
    answers.push({ call: `${as} ${method} ${JSON.stringify(given)}`, answer })
  }
  return answers
}

async function answerOf(client: Client, method: string, values: readonly unknown[]): Promise<unknown> {
  const called = client[method]
  if (called === undefined) throw new Error(`The client has no method ${method}`)
  try {
    return await called.apply(client, values as unknown[])
  } catch (error) {
    // A client that cannot read an answer has no error for it.
    if (error === undefined) throw new Error(`${method} ${JSON.stringify(values)} has no answer`, { cause: error })
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
    return { error: { code, message } }
  }
}

const withAnswer = (value: unknown, last: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if ('at' in value) return last
  if (Array.isArray(value)) return value.map((each) => withAnswer(each, last))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withAnswer(each, last)]))
}
