import { expect, expectTypeOf, test } from 'vitest'
import { createCurrentClient, fields, files, resources, schema, server, users, versions } from './current.ts'
import { observedFetch } from './observed-fetch.ts'
import type { Rules, Uuid } from './types/schema.ts'

type Project = {
  platform_users: (Rules<'shoe_size', 'badge'> & { shoe_size: number; badge: string | null })[]
  platform_files: { license: 'free' | 'paid' }[]
}

const clientOf = (...answers: Parameters<typeof observedFetch>[0]) => {
  const { fetch, asked } = observedFetch(answers)
  return { client: createCurrentClient<Project>({ url: 'http://api.example', token: 't', fetch }), asked }
}

test('a client has the methods of the resources that it is given, one after the other', async () => {
  const { client, asked } = clientOf({ body: { data: { email: 'a@b.example', shoe_size: 40 } } })
  const made = client.with({ users }).with({ schema })
  const me = await made.users.readMe({ fields: ['email', 'shoe_size'] })
  expectTypeOf(me).toEqualTypeOf<{ email: string | null; shoe_size: number }>()
  expect(me).toEqual({ email: 'a@b.example', shoe_size: 40 })
  expect(asked[0]?.url).toBe('http://api.example/users/me?fields=email%2Cshoe_size')
  expect(Object.keys(made)).toEqual(expect.arrayContaining(['items', 'users', 'schema']))
  expect(Object.keys(client)).not.toContain('users')
})

test('methods take the values of the path, the body and the query, and give the data', async () => {
  const { client, asked } = clientOf(
    { body: { data: { version: 1 } } },
    { body: { data: { field: 'title' } } },
    { body: { data: { outdated: false } } },
    { status: 204 },
  )
  const made = client.with({ schema, fields, versions, users })
  expect(await made.schema.snapshot({ includeCollections: ['articles'] })).toEqual({ version: 1 })
  expect(await made.fields.readOne('articles', 'title')).toEqual({ field: 'title' })
  expect(await made.versions.compare('a b')).toEqual({ outdated: false })
  expect(await made.users.invite({ email: 'a@b.example', role: 'r' })).toBeUndefined()
  expect(asked.map(({ method, url }) => `${method} ${url.replace('http://api.example', '')}`)).toEqual([
    'GET /schema/snapshot?includeCollections=articles',
    'GET /fields/articles/title',
    'GET /versions/a%20b/compare',
    'POST /users/invite',
  ])
  expect(asked[3]?.body).toBe('{"email":"a@b.example","role":"r"}')
})

test('the update of one record takes options after its changes', async () => {
  const { client, asked } = clientOf({ body: { data: { id: 'a' } } })
  const options = { fields: ['id'], headers: { 'if-match': '"a"' } } as const
  const me = await client.with({ users }).users.updateMe({ first_name: 'Ada' }, options)
  expectTypeOf(me).toEqualTypeOf<{ id: Uuid } | undefined>()
  expect(asked[0]?.url).toBe('http://api.example/users/me?fields=id')
  expect(asked[0]?.headers.get('if-match')).toBe('"a"')
})

test('what is no JSON object with data is given as it came', async () => {
  const { client } = clientOf({ body: { openapi: '3.1.0' } })
  expect(await client.with({ server }).server.readOpenApi()).toEqual({ openapi: '3.1.0' })
})

test('all resources at once are an object for each tag', () => {
  const all = clientOf().client.with(resources)
  expectTypeOf(all.roles.readMine).toBeFunction()
  expectTypeOf(all.activity).not.toHaveProperty('create')
  expect(Object.keys(all.users)).toEqual(expect.arrayContaining(['read', 'update', 'readMe', 'invite', 'enableTfa']))
})

/** Checked by the compiler alone. */
export const typed = (): void => {
  const made = clientOf().client.with({ users, files })
  expectTypeOf(made.files.readOne('a', { fields: ['license'] })).resolves.toEqualTypeOf<{ license: 'free' | 'paid' }>()
  const one = made.users.readOne('a', { fields: ['id', { avatar: ['title'] }] })
  expectTypeOf(one).resolves.toEqualTypeOf<{ id: Uuid; avatar: { title: string | null } | null }>()
  void made.users.create({ email: 'a@b.example', shoe_size: 40 })
  void made.users.update('a', { role: { name: 'Author' } })
  // @ts-expect-error a column without which no user is created here
  void made.users.create({ email: 'a@b.example' })
  // @ts-expect-error no such field
  void made.users.create({ shoe_size: 40, nickname: 'Ada' })
  // @ts-expect-error only the server sets it
  void made.users.update('a', { last_access: new Date() })
  // @ts-expect-error only the server sets it here
  void made.users.update('a', { badge: 'x' })
  // @ts-expect-error no such word
  void made.users.update('a', { status: 'asleep' })
  // @ts-expect-error no such field
  void made.users.readMe({ fields: ['nickname'] })
}
