/** Makes the collections, rows and users of the verifier. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Ask } from '../http/client.ts'
import { dataOf } from '../run/mismatch.ts'
import { type CollectionNames, collectionBodies, collectionNames, readableFields, relationBodies } from './fields.ts'
import type { Journal } from './journal.ts'
import { type ArticleRow, articleDrafts, authorDrafts, type Rows, tagDrafts } from './rows.ts'

export type World = {
  readonly prefix: string
  readonly names: CollectionNames
  readonly rows: Rows
  /** The rows that the restricted user may read. */
  readonly visible: readonly ArticleRow[]
  readonly reader: Reader
}

export type Reader = {
  readonly id: string
  readonly role: string
  readonly policy: string
  readonly email: string
  readonly password: string
  readonly token: string
}

/** `tv_<random>`: unique per run. */
export const newPrefix = (): string => `tv_${randomBytes(4).toString('hex')}`

/** Everything made is in the journal before this function returns or throws. */
export async function createWorld(ask: Ask, journal: Journal, prefix: string): Promise<World> {
  const names = collectionNames(prefix)
  for (const body of collectionBodies(names)) {
    journal.add(`/collections/${body.collection}`)
    dataOf(await ask('POST /collections', { body }))
  }
  for (const body of relationBodies(names)) dataOf(await ask('POST /relations', { body }))
  const rows = await createRows(ask, names)
  const reader = await createReader(ask, journal, names)
  return { prefix, names, rows, visible: rows.articles.filter(({ live }) => live === true), reader }
}

type Keyed = { readonly id: number }

async function createRows(ask: Ask, names: CollectionNames): Promise<Rows> {
  const create = async (collection: string, body: readonly object[]): Promise<readonly number[]> =>
    dataOf<readonly Keyed[]>(await ask(`POST /items/${collection}`, { body })).map(({ id }) => id)
  const authorKeys = await create(names.authors, authorDrafts())
  const tagKeys = await create(names.tags, tagDrafts())
  const drafts = articleDrafts().map((draft) => ({
    ...draft,
    author: draft.author === null ? null : (authorKeys[draft.author] ?? 0),
    tags: draft.tags.map((at) => tagKeys[at] ?? 0),
  }))
  const keys = await create(
    names.articles,
    drafts.map((draft) => Object.fromEntries(Object.entries(draft).filter(([name]) => name !== 'tags'))),
  )
  const articles = drafts.map((draft, at) => ({ ...draft, id: keys[at] ?? 0 }))
  await create(
    names.links,
    articles.flatMap(({ id, tags }) => tags.map((tag) => ({ article: id, tag }))),
  )
  return {
    articles,
    authors: authorDrafts().map((draft, at) => ({ ...draft, id: authorKeys[at] ?? 0 })),
    tags: tagDrafts().map((draft, at) => ({ ...draft, id: tagKeys[at] ?? 0 })),
  }
}

/** Lists whose records bear the prefix. */
const namedLists = [
  ['/users', 'email'],
  ['/roles', 'name'],
  ['/policies', 'name'],
] as const

/** A user who reads some rows and fields of articles, and updates one field of them. */
async function createReader(ask: Ask, journal: Journal, names: CollectionNames): Promise<Reader> {
  const prefix = names.articles.replace(/_articles$/, '')
  for (const [path, field] of namedLists) journal.addNamed({ path, field, key: 'id' })
  const make = async (path: string, body: object): Promise<string> => {
    const { id } = dataOf<{ readonly id: string }>(await ask(`POST ${path}`, { body }))
    journal.add(`${path}/${id}`)
    return id
  }
  const policy = await make('/policies', { name: `${prefix} reader` })
  const role = await make('/roles', { name: `${prefix} reader` })
  await make('/access', { role, policy })
  const seen = { live: { _eq: true } }
  const fields = [...readableFields]
  const permissions = [
    { collection: names.articles, action: 'read', permissions: seen, fields },
    { collection: names.articles, action: 'update', permissions: seen, fields: ['title'] },
    { collection: names.authors, action: 'read', permissions: null, fields: ['id', 'name', 'articles'] },
    { collection: names.drafts, action: 'read', permissions: { live: { _eq: true } }, fields: ['id', 'title', 'live'] },
    { collection: names.drafts, action: 'update', permissions: { live: { _eq: true } }, fields: ['title'] },
    { collection: names.drafts, action: 'create', permissions: null, fields: ['title', 'live'] },
  ]
  for (const each of permissions) dataOf(await ask('POST /permissions', { body: { policy, ...each } }))
  const email = `${prefix}@example.com`
  const password = randomUUID()
  const token = `${prefix}-${randomBytes(18).toString('base64url')}`
  const id = await make('/users', { email, password, role, token, status: 'active' })
  return { id, role, policy, email, password, token }
}

/** Names of what still exists under the prefix. */
export async function leftUnder(ask: Ask, prefix: string): Promise<readonly string[]> {
  const starts = (field: string) => ({ filter: { [field]: { _starts_with: prefix } }, fields: field, limit: -1 })
  const collections = dataOf<readonly { readonly collection: string }[]>(await ask('GET /collections'))
  const named = collections.map(({ collection }) => collection).filter((name) => name.startsWith(prefix))
  const listed = async (path: string, field: string): Promise<readonly string[]> =>
    dataOf<readonly { readonly [name: string]: string }[]>(await ask(`GET ${path}`, { query: starts(field) })).map(
      (row) => `${path} ${row[field] ?? ''}`,
    )
  return [...named, ...(await Promise.all(namedLists.map(async ([path, field]) => listed(path, field)))).flat()]
}
