import { describe, expect, test } from 'vitest'
import { usualBounds } from '../../domain/conditions/query-cost.ts'
import { matchAll } from '../../domain/query/filter.ts'
import type { Change, Mutation } from '../../domain/query/mutation.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { testSchema } from '../../domain/testing/test-schema.ts'
import { createView } from '../views/schema-view.ts'
import { type OpenedCollection, openCollection } from './collections.ts'
import { parseCreate, parseDelete, parseUpdate, parseUpdateEach } from './mutation.ts'

const limits = { queryDefault: 100, queryMax: null, depth: 5, batch: null, cost: usualBounds }
const access = { admin: false, app: false, policies: [], rules: [], fingerprint: '' }
const openFor = (actor: Actor): OpenedCollection =>
  openCollection({ schema: testSchema, view: createView(testSchema), limits, actor }, 'articles', 'create')
const articles = openFor({ kind: 'system' })
const rule = { collection: 'articles', filter: matchAll, validation: null, presets: null }
const rules = [{ ...rule, action: 'create', fields: ['title'] } as const]

const value = (of: unknown) => ({ kind: 'value', value: of }) as Change
const changes = (of: object) => new Map(Object.entries(of)) as ReadonlyMap<string, Change>

const failureOf = (work: () => Mutation): unknown => {
  try {
    return work()
  } catch (error) {
    return error instanceof TandemError ? error.failures[0] : error
  }
}

test('one item or several can be created', () => {
  const item = changes({ title: value('x'), price: value(null) })
  expect(parseCreate({ title: 'x', price: null }, articles)).toEqual({
    kind: 'create',
    collection: 'articles',
    items: [item],
  })
  expect(parseCreate([{ title: 'x', price: null }, {}], articles)).toMatchObject({ items: [item, new Map()] })
})

test('updates name rows in the path, or each by its key', () => {
  expect(parseUpdate({ title: 'x' }, ['1', '2'], articles)).toEqual({
    kind: 'update',
    collection: 'articles',
    target: { kind: 'keys', keys: ['1', '2'] },
    changes: changes({ title: value('x') }),
  })
  expect(parseUpdateEach([{ id: 1, title: 'x' }], articles)).toEqual({
    kind: 'update-each',
    collection: 'articles',
    items: [{ key: 1, changes: changes({ title: value('x') }) }],
  })
  expect(parseDelete(['1'], articles)).toEqual({
    kind: 'delete',
    collection: 'articles',
    target: { kind: 'keys', keys: ['1'] },
  })
})

const untouched = { kind: 'detail', create: [], update: [], delete: [], upsert: [], erase: [] }

const changeOf = (item: object): unknown => {
  const mutation = parseCreate(item, articles)
  return mutation.kind === 'create' ? [...(mutation.items[0]?.values() ?? [])][0] : null
}

describe('related items', () => {
  test.each([
    ['a key links', { author: 3 }, value(3)],
    ['an object with nothing but the key links', { author: { id: 3 } }, value(3)],
    [
      'an object without a key is new',
      { author: { name: 'Ann' } },
      { kind: 'one', key: null, changes: changes({ name: value('Ann') }) },
    ],
    [
      'an object with a key and more changes the row',
      { author: { id: 3, name: 'Ann' } },
      { kind: 'one', key: 3, changes: changes({ name: value('Ann') }) },
    ],
    [
      'a list says what is new, changed and removed',
      { sections: [{ item: 'a' }, { id: 4, item: 'b' }, { id: 5, $delete: true }] },
      {
        ...untouched,
        upsert: [
          { key: null, changes: changes({ item: value('a') }) },
          { key: 4, changes: changes({ item: value('b') }) },
        ],
        erase: [5],
      },
    ],
    ['an empty list changes nothing', { sections: [] }, untouched],
    [
      'an object with a key and $delete deletes the row',
      { author: { id: 3, $delete: true } },
      { kind: 'erase', key: 3 },
    ],
  ])('%s', (_name, item, expected) => {
    expect(changeOf(item)).toEqual(expected)
  })
})

describe('refusals', () => {
  test.each([
    ['a body that is not an object', 5, { kind: 'invalid-payload' }],
    ['an item that is not an object', ['x'], { kind: 'invalid-payload' }],
    ['an unknown field', { nope: 1 }, { kind: 'unprocessable' }],
    ['an object for a plain field', { title: {} }, { kind: 'not-scalar', field: 'title' }],
    ['a list for a plain field', { title: [] }, { kind: 'not-scalar', field: 'title' }],
    ['an object for a list of related items', { sections: {} }, { kind: 'unprocessable' }],
    ['keys for a list of related items', { sections: [1] }, { kind: 'unprocessable' }],
    ['a removal without a key', { sections: [{ $delete: true }] }, { kind: 'unprocessable' }],
  ])('%s', (_name, body, expected) => {
    expect(failureOf(() => parseCreate(body, articles))).toMatchObject(expected)
  })

  test('a batch that is not a list, or whose items have no keys', () => {
    expect(failureOf(() => parseUpdateEach([{ title: 'x' }], articles))).toMatchObject({ kind: 'unprocessable' })
    expect(failureOf(() => parseUpdateEach({ id: 1 }, articles))).toMatchObject({ kind: 'invalid-payload' })
  })

  test('an unknown field is a denial for callers that may not see the fields', () => {
    const limited = openFor({
      kind: 'user',
      user: 'u',
      role: null,
      roles: [],
      access: { ...access, rules },
      session: null,
    })
    expect(failureOf(() => parseCreate({ nope: 1 }, limited))).toEqual({
      kind: 'forbidden',
      denied: { action: 'create', collection: 'articles', field: 'nope' },
    })
  })

  test('related items nested too deeply', () => {
    let item: object = { name: 'x' }
    for (let depth = 0; depth < 20; depth += 1) item = { boss: item }
    expect(failureOf(() => parseCreate({ author: item }, articles))).toMatchObject({ kind: 'invalid-payload' })
  })
})

test.each([{}, { x: 1 }, [[1]], [[{ id: {} }]], 'x'])(
  'a field that no rule speaks of is refused with %j like one that is not there',
  (given) => {
    const writer = openFor({ kind: 'public', access: { ...access, rules } })
    for (const name of ['status', 'author', 'comments', 'published_on', 'no_such']) {
      expect(failureOf(() => parseCreate({ [name]: given }, writer))).toEqual({
        kind: 'forbidden',
        denied: { action: 'create', collection: 'articles', field: name },
      })
    }
  },
)
