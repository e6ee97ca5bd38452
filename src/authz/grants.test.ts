/** Which fields a rule is about. */
import { expect, test } from 'vitest'
import { matchAll, or } from '../domain/query/filter.ts'
import type { Rule } from '../domain/rights/actor.ts'
import type { FieldRelation } from '../domain/schema/schema.ts'
import { covers, coversField, findReadGrant, forbidden, readGrant, rulesFor } from './grants.ts'
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
