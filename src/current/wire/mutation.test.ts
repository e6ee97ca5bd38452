import { expect, test } from 'vitest'
import { usualBounds } from '../../domain/conditions/query-cost.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { testSchema } from '../../domain/testing/test-schema.ts'
import { createView } from '../views/schema-view.ts'
import { parseCreate, parseUpdate } from './mutation.ts'
import type { ParseScope } from './parse-scope.ts'

const scope: ParseScope = {
  schema: testSchema,
  view: createView(testSchema),
  limits: { queryDefault: 100, queryMax: null, depth: 4, batch: null, cost: usualBounds },
}
const at = { collection: testSchema.collections.get('articles') as Collection, scope, visible: scope }

const changes = (values: object): Map<string, unknown> => new Map(Object.entries(values))
const value = (of: unknown): object => ({ kind: 'value', value: of })

const bodies: readonly (readonly [name: string, body: object, changed: object])[] = [
  [
    'values as they came',
    { title: null, data: { kind: 'now' }, views: '5' },
    { title: value(null), data: value({ kind: 'now' }), views: value('5') },
  ],
  ['a many-to-one by key', { author: 5 }, { author: value(5) }],
  ['a many-to-one set to null', { author: null }, { author: value(null) }],
  [
    'a new many-to-one',
    { author: { name: 'Ann' } },
    { author: { kind: 'one', key: null, changes: changes({ name: value('Ann') }) } },
  ],
  [
    'a many-to-one with changes',
    { author: { id: 5, name: 'Ann' } },
    { author: { kind: 'one', key: 5, changes: changes({ id: value(5), name: value('Ann') }) } },
  ],
  ['a to-many emptied', { sections: null }, { sections: { kind: 'replace', items: [] } }],
  [
    'a to-many as a list',
    { sections: [1, { item: 'a' }, { id: 2 }] },
    {
      sections: {
        kind: 'replace',
        items: [
          { kind: 'link', key: 1 },
          { kind: 'write', key: null, changes: changes({ item: value('a') }) },
          { kind: 'write', key: 2, changes: changes({ id: value(2) }) },
        ],
      },
    },
  ],
  [
    'a to-many in detail',
    { sections: { create: [{ item: 'a' }], update: [{ id: 2, item: 'b' }], delete: [3] } },
    {
      sections: {
        kind: 'detail',
        create: [changes({ item: value('a') })],
        update: [{ key: 2, changes: changes({ id: value(2), item: value('b') }) }],
        delete: [3],
      },
    },
  ],
  ['a to-many that is not a list', { sections: 5 }, { sections: value(5) }],
]

test.each(bodies)('%s', (_name, body, changed) => {
  expect(parseCreate(body, at)).toEqual({ kind: 'create', collection: 'articles', items: [changes(changed)] })
})

test('the key in the path is the target', () => {
  expect(parseUpdate({ title: 'a' }, '7', at)).toEqual({
    kind: 'update',
    collection: 'articles',
    target: { kind: 'keys', keys: ['7'] },
    changes: changes({ title: value('a') }),
  })
})

const refused: readonly (readonly [body: object, failure: object])[] = [
  [{ nope: 1 }, { kind: 'field-not-found', collection: 'articles', field: 'nope' }],
  [{ author: { nope: 1 } }, { kind: 'field-not-found', collection: 'authors', field: 'nope' }],
  [
    { sections: { upsert: [] } },
    {
      kind: 'invalid-payload',
      name: 'sections.upsert',
      reason: 'Expected "create", "update" and "delete" but received "upsert"',
    },
  ],
  [
    { sections: { create: {} } },
    { kind: 'invalid-payload', name: 'sections.create', reason: 'Expected a list for "create"' },
  ],
  [
    { sections: { update: [{}] } },
    { kind: 'invalid-payload', name: 'sections.update', reason: 'Expected the primary key "id" in each of "update"' },
  ],
  [
    { sections: { delete: [{}] } },
    { kind: 'invalid-payload', name: 'sections.delete', reason: 'Expected a list of primary keys for "delete"' },
  ],
  [{ sections: [true] }, { kind: 'invalid-payload', name: 'sections.0', reason: 'Expected an object for each item' }],
]

test.each(refused)('refuses %j', (body, failure) => {
  expect(failuresOf(() => parseCreate(body, at))).toEqual([failure])
})

test('related items can be nested up to the limit', () => {
  let body: object = { name: 'Ann' }
  for (let level = 0; level < 1000; level += 1) body = { boss: body }
  expect(failuresOf(() => parseCreate({ author: body }, at))).toEqual([
    {
      kind: 'invalid-payload',
      name: 'author.boss.boss.boss.boss',
      reason: 'Expected at most 4 levels of related items',
    },
  ])
})

function failuresOf(act: () => unknown): readonly object[] {
  try {
    act()
  } catch (error) {
    if (error instanceof TandemError) return error.failures
    throw error
  }
  throw new Error('nothing was thrown')
}
