import { expect, test } from 'vitest'
import { holds, underConditions } from './conditions.ts'
import type { Field } from './model.ts'

test.each([
  [{ status: { _eq: 'draft' } }, { status: 'draft' }, true],
  [{ status: { _eq: 'draft' } }, {}, false],
  [{ status: { _neq: 'draft' } }, { status: null }, true],
  [{ views: { _gt: 9 } }, { views: 10 }, true],
  [{ views: { _gt: 9 } }, { views: null }, false],
  [{ views: { _lte: 9 } }, { views: null }, false],
  [{ price: { _eq: 5 } }, { price: '5' }, true],
  [{ title: { _null: true } }, { title: '' }, false],
  [{ title: { _empty: true } }, { title: '' }, true],
  [{ title: { _nnull: true } }, {}, false],
  [{ tags: { _contains: 'a' } }, { tags: ['a', 'b'] }, true],
  [{ _or: [{ a: { _eq: 1 } }, { b: { _in: [2, 3] } }] }, { b: 3 }, true],
  [{ _and: [{ a: { _eq: 1 } }, { b: { _in: [2, 3] } }] }, { b: 3 }, false],
  [{ author: { name: { _starts_with: 'A' } } }, { author: { name: 'Ann' } }, true],
  [{ a: { _unknown: 1 } }, { a: 1 }, false],
])('%j with %j: %s', (rule, values, expected) => {
  expect(holds(rule, values)).toBe(expected)
})

test('conditions that hold override the metadata of a field', () => {
  const field: Field = {
    collection: 'articles',
    field: 'note',
    type: 'string',
    schema: null,
    meta: {
      hidden: true,
      required: false,
      options: { a: 1 },
      conditions: [
        { rule: { status: { _eq: 'draft' } }, hidden: false, options: { b: 2 } },
        { rule: { status: { _nnull: true } }, required: true },
      ],
    },
  }
  expect(underConditions(field, { status: 'draft' }).meta).toMatchObject({
    hidden: false,
    required: true,
    options: { a: 1, b: 2 },
  })
  expect(underConditions(field, { status: 'published' }).meta).toMatchObject({
    hidden: true,
    required: true,
    options: { a: 1 },
  })
  expect(underConditions(field, {})).toBe(field)
})
