/** A database, items and versions of them, for tests of content versions. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Query } from '../../domain/query/query.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import { createTestDatabase, type TestDatabase } from '../../sql/testing/test-database.ts'
import { worldSql } from '../../sql/testing/test-world.ts'
import { compareVersion, readVersionedItem, type VersionChoice } from '../history/versions.ts'
import { writeItems } from '../items/items.ts'
import { changesOf, createTestContext, queryOf, testUser } from './test-context.ts'

let database: TestDatabase
export let ctx: Context

/** Opens the database before the tests of a file; its versions are deleted before each test. */
export function useVersions(): void {
  beforeAll(open)
  beforeEach(() => rowsOf('delete from platform_versions'))
  afterAll(() => database.close())
}

async function open(): Promise<void> {
  database = await createTestDatabase({ sql: worldSql })
  await rowsOf(`insert into platform_users (id, email) values ('${testUser}', 'test@example.com')`)
  await rowsOf(
    `update platform_collections set versioning = true where collection in ('articles', 'authors', 'comments', 'pages')`,
  )
  const ids = { uuid: () => crypto.randomUUID(), token: (length: number) => 'x'.repeat(length) }
  ctx = createTestContext(database.db, await database.loadSchema(), { ids })
}

export const rowsOf = async (text: string): Promise<readonly unknown[]> =>
  (await database.db.run({ text, values: [] })).rows

export const as = (actor: Actor): Context => ({ ...ctx, actor })

export const create = async (collection: string, values: object): Promise<Key> => {
  const items = [changesOf(values as { readonly [field: string]: unknown })]
  const [key] = await writeItems(ctx, { kind: 'create', collection, items })
  return key as Key
}

export const newArticle = (values: object = {}): Promise<Key> =>
  create('articles', { title: 'Main', status: 'draft', body: 'The text', author: 1, ...values })

export const newVersion = (item: Key, key = 'summer'): Promise<Key> =>
  create('platform_versions', { collection: 'articles', item, key })

export const fields = (...names: readonly string[]): Partial<Query> => ({
  selection: names.map((field) => ({ kind: 'field', key: field, field })),
})

export const read = (
  at: Context,
  item: Key,
  asked: Partial<Query>,
  { name = 'summer', raw = false }: Partial<VersionChoice> = {},
): Promise<unknown> => readVersionedItem(at, queryOf('articles', asked), item, { name, raw }).then(JSON.parse)

export const compare = async (at: Context, version: Key) =>
  JSON.parse(await compareVersion(at, version, () => queryOf('articles', fields('title', 'status')))) as {
    readonly outdated: boolean
    readonly mainHash: string
    readonly current: object
    readonly main: object
  }
