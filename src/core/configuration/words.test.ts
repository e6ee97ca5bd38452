import { expect, test } from 'vitest'
import { describeRight, describeValues } from './words.ts'

const none: ReadonlySet<string> = new Set()
const far = (end: string) => ({ _and: [{ description: { _contains: 'x'.repeat(100) } }, { status: { _eq: end } }] })

test.each<readonly [unknown, unknown, string]>([
  [undefined, 'My project', 'key: not set → "My project"'],
  ['My project', null, 'key: "My project" → not set'],
  [undefined, null, 'key: not set → null'],
  [false, 0, 'key: false → 0'],
  [['id', 'title'], ['id', 'body'], 'key: added body, removed title'],
  [['id'], ['id', 'title'], 'key: added title'],
  [['a', 'b'], ['b', 'a'], 'key: a, b → b, a'],
  [undefined, ['a'], 'key: not set → ["a"]'],
  [far('draft'), far('open'), 'key: …},{"status":{"_eq":"draft"}}]} → …},{"status":{"_eq":"open"}}]}'],
  ['a'.repeat(90), 'b', `key: "${'a'.repeat(78)}… → "b"`],
])('%j → %j in words', (before, after, words) => {
  expect(describeValues('key', { before, after, secrets: none })).toBe(words)
})

test.each<readonly [string, { readonly [key: string]: unknown }, string]>([
  ['read', { fields: ['*'] }, 'fields: all; rows: all'],
  ['read', { fields: ['id', 'title'], permissions: {} }, 'fields: id, title; rows: all'],
  ['read', {}, 'fields: none; rows: all'],
  [
    'update',
    { fields: ['title'], permissions: { status: { _eq: 'draft' } }, validation: { title: { _nnull: true } } },
    'fields: title; rows: where {"status":{"_eq":"draft"}}; validation: {"title":{"_nnull":true}}',
  ],
  ['create', { fields: ['*'], presets: { status: 'draft' } }, 'fields: all; presets: {"status":"draft"}'],
  ['delete', { permissions: { owner: { _eq: '$CURRENT_USER' } } }, 'rows: where {"owner":{"_eq":"$CURRENT_USER"}}'],
])('a right to %s %j in words', (action, right, words) => {
  expect(describeRight(action, right, none)).toBe(words)
})

test('no words have a secret', () => {
  const secrets = new Set(['s3cret"'])
  expect(describeValues('url', { before: null, after: 'https://x?key=s3cret"', secrets })).toBe('url (a secret)')
  expect(describeRight('read', { fields: ['*'], permissions: { code: { _eq: 's3cret"' } } }, secrets)).toBe(
    'fields: all; rows: (a secret)',
  )
})
