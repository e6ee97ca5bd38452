/** Which fields a rule is about. */
import { expect, test } from 'vitest'
import type { FieldType } from '../domain/query/field-types.ts'
import { type Filter, matchAll, or } from '../domain/query/filter.ts'
import type { Rule } from '../domain/rights/actor.ts'
import type { Collection, Field, FieldRelation } from '../domain/schema/schema.ts'
import { plainColumn } from '../domain/testing/test-columns.ts'
import {
  assertOrdered,
  covers,
  coversField,
  findReadGrant,
  forbidden,
  guardOf,
  isBounded,
  type ReadGrant,
  readableField,
  readGrant,
  rulesFor,
} from './grants.ts'
import { authzSchema, failureOf, field, is, userWith } from './test-schema.ts'

const rule = (changes: Partial<Rule>): Rule => ({
  collection: 'platform_users',
  action: 'read',
  fields: ['id'],
  filter: matchAll,
  validation: null,
  presets: null,
  ...changes,
})

test.each<[what: string, rule: Partial<Rule>, field: string, isCovered: boolean]>([
  ['a named field', {}, 'id', true],
  ['another field', {}, 'email', false],
  ['any field', { fields: '*' }, 'email', true],
  ['the number of a row whose id is readable', {}, 'number', true],
  ['the number of a row whose id is not', { fields: ['email'] }, 'number', false],
  ['the number in a write', { action: 'update' }, 'number', false],
  ['the number where it is a column of its own', { collection: 'posts' }, 'number', false],
])('a rule on %s: %j covers "%s": %s', (_what, changes, name, isCovered) => {
  expect(covers(rule(changes), name)).toBe(isCovered)
})

test('a reference of several columns needs the right to each of them', () => {
  const author = authzSchema.collections.get('posts')?.fields.get('author')?.relation as FieldRelation
  const relation = { ...author, relation: { ...author.relation, manyColumns: ['id', 'email'] } } as FieldRelation
  const reference = field('person', 'alias', { relation })
  expect(coversField(rule({ fields: ['id', 'email'] }), reference)).toBe(true)
  expect(coversField(rule({ fields: ['id', 'person'] }), reference)).toBe(false)
  expect(coversField(rule({ fields: ['id', 'person'] }), field('person', 'integer'))).toBe(true)
})

test('rules are those of the collection and the action, and the server has none', () => {
  const actor = userWith([{}, { action: 'update' }, { collection: 'notes' }])
  expect(rulesFor(actor, 'posts', 'read')).toMatchObject([{ collection: 'posts', action: 'read' }])
  expect(rulesFor({ kind: 'system' }, 'posts', 'read')).toEqual([])
  expect(forbidden('read', 'posts').failures).toStrictEqual([
    { kind: 'forbidden', denied: { action: 'read', collection: 'posts' } },
  ])
  expect(forbidden('read', 'posts', 'title').failures).toEqual([
    { kind: 'forbidden', denied: { action: 'read', collection: 'posts', field: 'title' } },
  ])
})

test('a folder has no rows to read, and a collection without a rule none for the actor', () => {
  const admin = userWith([], { admin: true })
  for (const actor of [admin, { kind: 'system' } as const, userWith([{ collection: 'folder' }])]) {
    expect(findReadGrant(actor, authzSchema, 'folder')).toBeNull()
    expect(findReadGrant(actor, authzSchema, 'gone')).toBeNull()
  }
  expect(findReadGrant(admin, authzSchema, 'notes')?.rows).toEqual(matchAll)
  const writer = userWith([{ action: 'update' }, { collection: 'notes' }])
  expect(findReadGrant(writer, authzSchema, 'posts')).toBeNull()
  expect(failureOf(() => readGrant(writer, authzSchema, 'posts'))).toEqual({
    kind: 'forbidden',
    denied: { action: 'read', collection: 'posts' },
  })
})

test('a field of some rules only is guarded by their rows', () => {
  const [mine, open] = [is('status', 'mine'), is('status', 'open')]
  const actor = userWith([
    { fields: ['id', 'title'], filter: mine },
    { fields: ['id', 'views'], filter: open },
  ])
  const grant = readGrant(actor, authzSchema, 'posts')
  const guards = [...grant.fields].map(([name, { guard }]) => [name, guard])
  expect(grant.rows).toEqual(or(mine, open))
  expect(guards).toEqual([
    ['id', null],
    ['title', mine],
    ['views', open],
  ])
  expect(readGrant(actor, authzSchema, 'posts')).toBe(grant)
  const free = readGrant(userWith([{ fields: ['title'] }, { fields: ['id'], filter: mine }]), authzSchema, 'posts')
  expect([free.rows, free.fields.get('title')?.guard, free.fields.get('id')?.guard]).toEqual([matchAll, null, mine])
})

// Which fields can be named at all, and which have an order.
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
