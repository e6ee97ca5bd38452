/** A schema for tests of authorization: every kind of relation, a concealed field, a presentational one. */

import { usualBounds } from '../domain/conditions/query-cost.ts'
import type { FieldType } from '../domain/query/field-types.ts'
import { type Filter, matchAll, type Value } from '../domain/query/filter.ts'
import type { Query, Selected, Wildcard } from '../domain/query/query.ts'
import { ownFields, rowsOf } from '../domain/query/rows-of.ts'
import type { Access, Actor, Rule } from '../domain/rights/actor.ts'
import { TandemError } from '../domain/rights/errors.ts'
import { coreView } from '../domain/schema/core-view.ts'
import { type Field, type FieldRelation, type Schema } from '../domain/schema/schema.ts'
import { plainColumn } from '../domain/testing/test-columns.ts'
import { collection, relation } from '../domain/testing/test-schema.ts'
import { authorizeQuery, type WriteScope } from './authorize.ts'

/** Makes a field; a field of type `alias` has no column. */
export function field(name: string, type: FieldType, more: Partial<Field> = {}): Field {
  return {
    name,
    type,
    column: type === 'alias' ? null : { ...plainColumn, name },
    special: [],
    concealed: false,
    validation: null,
    validationMessage: null,
    relation: null,
    meta: null,
    ...more,
  }
}

const toOne = (to: string): FieldRelation => ({ kind: 'many-to-one', collection: to, relation })
const toMany = (to: string, foreignKey: string): FieldRelation => ({
  kind: 'one-to-many',
  collection: to,
  foreignKey,
  sortField: null,
  junctionField: null,
  relation,
})

const collections = [
  collection(
    'posts',
    [
      field('id', 'integer'),
      field('title', 'string'),
      field('status', 'string'),
      field('views', 'integer'),
      field('made', 'timestamp'),
      field('data', 'json'),
      field('secret', 'string', { concealed: true }),
      field('hashed', 'hash'),
      field('divider', 'alias'),
      field('author', 'integer', { relation: toOne('people') }),
      field('notes', 'alias', { relation: toMany('notes', 'post') }),
      field('item', 'string', {
        relation: { kind: 'many-to-any', collectionField: 'status', allowed: ['people', 'notes'], relation },
      }),
    ],
    { archive: { field: 'status', archived: ['old'] } },
  ),
  collection('people', [
    field('id', 'integer'),
    field('name', 'string'),
    field('age', 'integer'),
    field('boss', 'integer', { relation: toOne('people') }),
    field('posts', 'alias', { relation: toMany('posts', 'author') }),
  ]),
  collection('notes', [
    field('id', 'integer'),
    field('text', 'text'),
    field('post', 'integer', { relation: toOne('posts') }),
  ]),
  collection('folder', [], { table: null }),
  collection('platform_users', [
    field('id', 'uuid'),
    field('department', 'integer'),
    field('password', 'hash', { concealed: true }),
  ]),
]

/** The schema of the tests: posts, people and notes. */
export const authzSchema: Schema = {
  version: '1',
  collections: new Map(collections.map((each) => [each.name, each])),
  relations: [],
  unserved: [],
}

/** A user with the given rules; the default rule reads posts. */
export function userWith(rules: readonly Partial<Rule>[], more: Partial<Access> = {}): Actor {
  const full = rules.map(
    (rule): Rule => ({
      collection: 'posts',
      action: 'read',
      fields: '*',
      filter: matchAll,
      validation: null,
      presets: null,
      ...rule,
    }),
  )
  const access: Access = { admin: false, app: false, policies: [], rules: full, fingerprint: '', ...more }
  return { kind: 'user', user: 'u', role: null, roles: [], access, session: null }
}

export function scopeOf(actor: Actor): WriteScope {
  return {
    schema: authzSchema,
    view: coreView(authzSchema),
    actor,
    limits: { queryDefault: 100, queryMax: null, depth: 3, batch: null, cost: usualBounds },
    clock: () => new Date('2026-01-31T10:00:00.000Z'),
  }
}

/** A query for the keys of a collection. */
export const queryOf = (changes: Partial<Query> = {}): Query => ({
  ...rowsOf('posts', ownFields('id'), { limit: 100 }),
  ...changes,
})

/** The filter `field = value`. */
export const is = (name: string, value: Value): Filter => ({
  kind: 'compare',
  operand: { kind: 'field', field: name },
  operator: 'eq',
  values: [value],
})

export const ask = (actor: Actor, changes: Partial<Query>) => authorizeQuery(scopeOf(actor), queryOf(changes))

/** The failure that `work` throws. */
export const failureOf = (work: () => unknown): object => {
  try {
    work()
  } catch (error) {
    if (error instanceof TandemError) return error.failures[0]
    throw error
  }
  throw new Error('Expected a failure')
}

export const compare = (field: string, operator = 'eq', values: readonly string[] = ['x']): Filter =>
  ({ kind: 'compare', operand: { kind: 'field', field }, operator, values }) as Filter
/** A condition on related rows. */
export const related = (field: string, collection: string, filter: Filter = matchAll): Filter => ({
  kind: 'related',
  field,
  collection,
  quantifier: 'some',
  filter,
})
/** A selected field under the key `k`. */
export const named = (field: string): Selected => ({ kind: 'field', key: 'k', field })
/** The wildcard `*`. */
export const wildcard = (changes: Partial<Wildcard> = {}): Wildcard => ({
  kind: 'wildcard',
  aliases: true,
  except: [],
  nested: null,
  ...changes,
})
