/** Which fields can be named at all, and which have an order. */
import { expect, test } from 'vitest'
import type { FieldType } from '../domain/query/field-types.ts'
import { type Filter, matchAll } from '../domain/query/filter.ts'
import type { Collection, Field } from '../domain/schema/schema.ts'
import { plainColumn } from '../domain/testing/test-columns.ts'
import { assertOrdered, guardOf, isBounded, type ReadGrant, readableField } from './grants.ts'
import { authzSchema, failureOf, field, is } from './test-schema.ts'

const posts = authzSchema.collections.get('posts') as Collection
const mine = is('status', 'mine')
const readable = (of: Field, guard: Filter | null = null) => ({ field: of, guard })
const unknown = (ordered: boolean) => field('f', 'unknown', { column: { ...plainColumn, name: 'f', ordered } })

test('a field is readable with its guard, a missing and a presentational one alike are not', () => {
  const fields = new Map([...posts.fields.values()].map((each) => [each.name, readable(each, mine)]))
  const grant: ReadGrant = { collection: posts, rows: matchAll, fields }
  expect(readableField(grant, 'title')).toEqual(readable(posts.fields.get('title') as Field, mine))
  expect(readableField(grant, 'notes').field.relation?.kind).toBe('one-to-many')
  for (const name of ['nonsense', 'divider']) {
    const denied = { action: 'read', collection: 'posts', field: name }
    expect(failureOf(() => readableField(grant, name))).toEqual({ kind: 'forbidden', denied })
  }
})

test('a field without a guard adds none', () => {
  expect(guardOf({ guard: mine })).toEqual({ guard: mine })
  expect(guardOf({ guard: null })).toStrictEqual({})
})

test.each<[what: string, of: Field]>([
  ...(['string', 'integer', 'timestamp', 'uuid', 'boolean', 'csv'] as const).map((type: FieldType): [string, Field] => [
    type,
    field('f', type),
  ]),
  ['unknown to us that the database orders', unknown(true)],
])('values of a type %s have an order', (_what, of) => {
  expect(() => assertOrdered(readable(of), 'sort')).not.toThrow()
})

test.each<[what: string, of: Field]>([
  ...(['json', 'geometry', 'alias', 'hash'] as const).map((type: FieldType): [string, Field] => [
    type,
    field('f', type),
  ]),
  ['unknown to us that the database does not order', unknown(false)],
  ['unknown without a column', field('f', 'unknown', { column: null })],
  [
    'json, even if the database orders it',
    field('f', 'json', { column: { ...plainColumn, name: 'f', ordered: true } }),
  ],
])('values of a type %s have none', (_what, of) => {
  const reason = `Expected a field with an order but received "f" of type ${of.type}`
  expect(failureOf(() => assertOrdered(readable(of), 'sort'))).toEqual({ kind: 'invalid-query', name: 'sort', reason })
})

test('a concealed field has no order, since an order tells of its values', () => {
  const reason = 'Expected a field that is not concealed but received "f"'
  const concealed = readable(field('f', 'string', { concealed: true }))
  expect(failureOf(() => assertOrdered(concealed, 'group'))).toEqual({ kind: 'invalid-query', name: 'group', reason })
})

test('only what the server asks itself is free of limits of cost', () => {
  const access = { admin: true, app: true, policies: [], rules: [], fingerprint: '' }
  const administrator = { kind: 'user', user: 'u', role: null, roles: [], access, session: null } as const
  expect(isBounded({ kind: 'system' })).toBe(false)
  expect([isBounded(administrator), isBounded({ kind: 'public', access })]).toEqual([true, true])
})
