/** Which fields a rule is about. */
import { expect, test } from 'vitest'
import { matchAll } from '../domain/query/filter.ts'
import type { Rule } from '../domain/rights/actor.ts'
import type { FieldRelation } from '../domain/schema/schema.ts'
import { covers, coversField, forbidden, rulesFor } from './grants.ts'
import { authzSchema, field, userWith } from './test-schema.ts'

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
})
