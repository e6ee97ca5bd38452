import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../sql/testing/test-database.ts'
import { worldSql } from '../../sql/testing/test-world.ts'
import { createView } from './schema-view.ts'

const database = await createTestDatabase({ sql: worldSql })
const schema = await database.loadSchema()
const view = createView(schema)

afterAll(() => database.close())

const codecs = (collection: string): object =>
  Object.fromEntries([...(view.collections.get(collection)?.fields.values() ?? [])].map((f) => [f.name, f.codec.kind]))

test('values have the format of this generation', () => {
  expect(codecs('articles')).toMatchObject({
    id: 'literal',
    title: 'text',
    featured: 'boolean',
    reads: 'number-text',
    rating: 'number',
    price: 'number-text',
    published_on: 'date',
    published_at: 'time',
    embargo: 'iso-datetime',
    date_created: 'iso-instant',
    user_created: 'text',
    metadata: 'json',
    keywords: 'csv',
    payload: 'base64',
  })
  expect(view.computed).toBe('text')
})

test('concealed fields are masked', () => {
  expect(codecs('authors')).toMatchObject({ secret: 'mask' })
  expect(codecs('platform_users')).toMatchObject({ password: 'mask', token: 'mask', tfa_secret: 'mask' })
})

test('users have the fields that clients of this generation know', () => {
  expect(Object.keys(codecs('platform_users')).toSorted()).toEqual(
    [
      ['appearance', 'auth_data', 'avatar', 'description', 'email', 'email_notifications', 'external_identifier'],
      ['first_name', 'id', 'language', 'last_access', 'last_name', 'last_page', 'location', 'password', 'policies'],
      ['provider', 'role', 'status', 'tags', 'text_direction', 'tfa_secret', 'theme_dark', 'theme_dark_overrides'],
      ['theme_light', 'theme_light_overrides', 'title', 'token'],
    ].flat(),
  )
})

test('integer ids, dividers and sessions are hidden', () => {
  expect(view.collections.get('platform_roles')?.fields.has('number')).toBe(false)
  expect(view.collections.get('articles')?.fields.has('divider')).toBe(false)
  expect(view.collections.has('platform_sessions')).toBe(false)
})
