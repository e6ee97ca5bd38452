import { expectTypeOf, test } from 'vitest'
import type { Client } from '../client.ts'
import { activity, type File, type Role, settings, type User, users } from '../current.ts'
import type { Json, Uuid } from './schema.ts'

/** Type tests send nothing: every request resolves to nothing. */
const client = { request: async () => ({ data: undefined }) } as unknown as Client

test('records are read with the requested fields, through relations', async () => {
  const found = await users(client).read({
    fields: ['id', 'status', { role: ['name'] }],
    filter: { role: { name: { _eq: 'Author' } } },
    sort: ['-last_access'],
  })
  type Status = User['status']
  expectTypeOf(found).toEqualTypeOf<{ id: Uuid; status: Status; role: { name: string } | null }[]>()
  expectTypeOf<Status>().toEqualTypeOf<'draft' | 'invited' | 'unverified' | 'active' | 'suspended' | 'archived'>()
})

test('without fields a record has all of its properties, and relations are keys', async () => {
  const user = await users(client).readOne('a')
  expectTypeOf(user).toHaveProperty('role').toEqualTypeOf<Uuid | null>()
  expectTypeOf<File['metadata']>().toEqualTypeOf<Json<{ [key: string]: unknown }> | null>()
  expectTypeOf<Role['children']>().toEqualTypeOf<Uuid[] | Role[]>()
})

test('unknown properties and values do not compile', () => {
  // @ts-expect-error there is no such field
  void users(client).read({ fields: ['nickname'] })
  // @ts-expect-error no such word
  void users(client).update('a', { status: 'asleep' })
  // @ts-expect-error no such field
  void users(client).create({ nickname: 'Ada' })
})

test('the schema of a project adds its columns to the records', async () => {
  type Schema = { platform_users: { shoe_size: number | null }[] }
  const [user] = await users<Schema>(client)
    .read({ fields: ['email', 'shoe_size'] })
    .then((all) => all ?? [])
  expectTypeOf(user).toEqualTypeOf<{ email: string | null; shoe_size: number | null } | undefined>()
})

test('history is read-only, settings are a singleton', () => {
  expectTypeOf(activity(client)).not.toHaveProperty('create')
  expectTypeOf(settings(client).update).toBeFunction()
})
