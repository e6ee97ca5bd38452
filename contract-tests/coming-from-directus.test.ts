/** What clients and files of Directus 10 to 12 send is understood. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '../src/sql/testing/test-database.ts'
import { type OwnDatabase, openOwnDatabase } from './own-database.ts'

const lines: { readonly detail: object; readonly message: string }[] = []
const publicPolicy = 'abf8a154-5b1c-4a46-ac9c-7300570f4f17'

const warn = (detail: object, message: string): void => void lines.push({ detail, message })

let own: OwnDatabase
beforeAll(async () => {
  own = await openOwnDatabase('create table notes (id serial primary key, text text)', {}, { ...silentLog, warn })
})
afterAll(() => own.close())

const dataOf = async (request: string, body?: object): Promise<never> =>
  ((await own.ask(request, body === undefined ? {} : { body })).body as { readonly data: never }).data

const column = (table: string, name: string, more: object) => ({
  name,
  table,
  data_type: 'character varying',
  default_value: null,
  max_length: 255,
  numeric_precision: null,
  numeric_scale: null,
  is_nullable: true,
  is_unique: false,
  is_indexed: false,
  is_primary_key: false,
  is_generated: false,
  generation_expression: null,
  has_auto_increment: false,
  foreign_key_table: null,
  foreign_key_column: null,
  ...more,
})
const integer = { data_type: 'integer', max_length: null, numeric_precision: 32, numeric_scale: 0 }

const snapshot = {
  version: 1,
  directus: '11.5.1',
  vendor: 'postgres',
  collections: [
    {
      collection: 'posts',
      meta: {
        collection: 'posts',
        icon: 'article',
        status: 'active',
        autosave_revision_interval: 5,
        versioning: false,
      },
      schema: { name: 'posts' },
    },
  ],
  fields: [
    {
      collection: 'posts',
      field: 'id',
      type: 'integer',
      meta: { collection: 'posts', field: 'id', hidden: true, interface: 'input', searchable: true, special: null },
      schema: column('posts', 'id', {
        ...integer,
        default_value: "nextval('posts_id_seq'::regclass)",
        is_nullable: false,
        is_unique: true,
        is_primary_key: true,
        has_auto_increment: true,
      }),
    },
    {
      collection: 'posts',
      field: 'tags',
      type: 'json',
      meta: { collection: 'posts', field: 'tags', special: ['cast-json'] },
      schema: column('posts', 'tags', { data_type: 'json', max_length: null, default_value: '[]' }),
    },
    {
      collection: 'posts',
      field: 'author',
      type: 'uuid',
      meta: { collection: 'posts', field: 'author', special: ['m2o'] },
      schema: column('posts', 'author', {
        data_type: 'uuid',
        max_length: null,
        is_nullable: true,
        foreign_key_table: 'directus_users',
        foreign_key_column: 'id',
      }),
    },
  ],
  systemFields: [{ collection: 'directus_activity', field: 'timestamp', schema: { is_indexed: true } }],
  relations: [
    {
      collection: 'posts',
      field: 'author',
      related_collection: 'directus_users',
      meta: {
        many_collection: 'posts',
        many_field: 'author',
        one_collection: 'directus_users',
        one_field: null,
        one_deselect_action: 'nullify',
        one_collection_field: null,
        one_allowed_collections: null,
        junction_field: null,
        sort_field: null,
      },
      schema: {
        table: 'posts',
        column: 'author',
        foreign_key_table: 'directus_users',
        foreign_key_column: 'id',
        constraint_name: 'posts_author_foreign',
        on_update: 'NO ACTION',
        on_delete: 'SET NULL',
      },
    },
  ],
}

test('a snapshot is applied as it is, and differs in nothing afterwards', async () => {
  const partial = { ...snapshot, version: 2 }
  const diff = await dataOf('POST /schema/diff', partial)
  expect(await own.ask('POST /schema/apply', { body: diff })).toMatchObject({ status: 204 })
  expect((await own.ask('POST /schema/diff', { body: partial })).body).toBe(null)
  expect(await dataOf('GET /relations/posts/author')).toMatchObject({
    related_collection: 'platform_users',
    schema: { foreign_key_table: 'platform_users', on_delete: 'SET NULL' },
  })
  expect(await dataOf('GET /fields/posts/tags')).toMatchObject({ schema: { default_value: [] } })
  expect(lines.filter(({ message }) => message.startsWith('A snapshot has keys'))[0]?.detail).toEqual({
    directus: '11.5.1',
    keys: [
      'collections.meta.autosave_revision_interval',
      'collections.meta.status',
      'fields.meta.searchable',
      'systemFields',
    ],
  })
})

test('system collections are known by their names there, wherever a name is a value', async () => {
  const fields = [{ field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } }]
  expect((await own.ask('POST /collections', { body: { collection: 'tasks', schema: {}, fields } })).status).toBe(200)
  expect((await own.ask('POST /fields/tasks', { body: { field: 'owner', type: 'uuid' } })).status).toBe(200)
  const relation = { collection: 'tasks', field: 'owner', related_collection: 'directus_users' }
  expect(await dataOf('POST /relations', relation)).toMatchObject({ related_collection: 'platform_users' })
  expect(await dataOf('POST /fields/directus_users', { field: 'nickname', type: 'string' })).toMatchObject({
    collection: 'platform_users',
  })
  const permission = { policy: publicPolicy, collection: 'directus_files', action: 'read', fields: ['id'] }
  expect(await dataOf('POST /permissions', permission)).toMatchObject({ collection: 'platform_files' })
  const filter = encodeURIComponent('{"collection":{"_in":["directus_files"]}}')
  expect(await dataOf(`GET /permissions?fields=collection&filter=${filter}`)).toEqual([
    { collection: 'platform_files' },
  ])
  expect(await dataOf('POST /items/notes?fields=text', { text: 'directus_users' })).toEqual({ text: 'directus_users' })
})

test('the public policy has the id that tools of that platform use', async () => {
  expect(await dataOf(`GET /policies/${publicPolicy}?fields=id`)).toEqual({ id: publicPolicy })
})

test('a relation that cannot be null may be set null by its constraint, as the database takes it', async () => {
  const owner = { field: 'editor', type: 'uuid', schema: { is_nullable: false } }
  expect((await own.ask('POST /fields/tasks', { body: owner })).status).toBe(200)
  const body = {
    collection: 'tasks',
    field: 'editor',
    related_collection: 'platform_users',
    schema: { on_delete: 'SET NULL' },
  }
  expect((await own.ask('POST /relations', { body })).status).toBe(200)
})
