import { expectTypeOf, test } from 'vitest'
import type { Client } from '../client.ts'
import { activity, type File, files, folders, permissions, type Role, roles, type User, users } from '../legacy.ts'

/** Type tests send nothing: every request resolves to nothing. */
const client = { request: async () => ({ data: undefined }) } as unknown as Client

test('records are read with the requested fields, through relations', async () => {
  const found = await users(client).read({
    fields: ['id', 'status', { role: ['name'] }],
    filter: { 'role.name': { eq: 'Author' } },
    sort: ['-last_access_on'],
  })
  type Status = User['status']
  expectTypeOf(found).toEqualTypeOf<{ id: number; status: Status; role: { name: string } | null }[]>()
  expectTypeOf<Status>().toEqualTypeOf<'draft' | 'invited' | 'unverified' | 'active' | 'suspended' | 'deleted'>()
  const named = await files(client).readOne(1, { fields: 'title,folder.name' })
  expectTypeOf(named).toEqualTypeOf<{ title: string | null; folder: { name: string } | null }>()
})

test('without fields a record has all of its properties, and relations are numbers', async () => {
  const user = await users(client).readMe()
  expectTypeOf(user).toHaveProperty('role').toEqualTypeOf<number | null>()
  expectTypeOf(user).toHaveProperty('2fa_secret').toEqualTypeOf<string | null>()
  expectTypeOf<Role['users']>().toEqualTypeOf<number[] | User[]>()
  expectTypeOf<File['data']['thumbnails']>().extract<null>().toBeNull()
  expectTypeOf<File['data']['asset_url']>().toBeString()
})

test('unknown properties and values do not compile', () => {
  // @ts-expect-error there is no such field
  void users(client).read({ fields: ['nickname'] })
  // @ts-expect-error no such word
  void users(client).update(1, { status: 'asleep' })
  // @ts-expect-error no such field
  void users(client).create({ nickname: 'Ada' })
  // @ts-expect-error only the server sets it
  void users(client).update(1, { last_access_on: '2020-05-01T10:00:00+00:00' })
  // @ts-expect-error a role needs a name
  void roles(client).create({ description: 'Who writes' })
  // @ts-expect-error no such level
  void permissions(client).update(1, { read: 'some' })
  // @ts-expect-error there is no such field of a folder
  void files(client).read({ fields: [{ folder: ['title'] }] })
  // @ts-expect-error contents are needed
  void files(client).upload({ title: 'Nothing' })
})

test('each of several records is named by its number', () => {
  void folders(client).updateEach([{ id: 1, name: 'Covers' }])
  void roles(client).update(3, {
    users: [{ id: 4, title: 'Editor' }, { email: 'a@b.example' }, { id: 5, $delete: true }],
  })
  // @ts-expect-error the number of a row cannot change
  void folders(client).update(1, { id: 2 })
})

test('history is read-only, and files have writes of their own', () => {
  expectTypeOf(activity(client)).not.toHaveProperty('create')
  expectTypeOf(activity(client).createComment).toBeFunction()
  expectTypeOf(files(client)).not.toHaveProperty('create')
  void files(client).upload(new FormData())
  void files(client).upload({ data: 'aGVsbG8=', filename_disk: 'a.txt', filename_download: 'a.txt' })
})
