import { expect, test } from 'vitest'
import { fromRules, operatorsOf, toOperand, toRules } from './rules.ts'

test('rules and filters are the same in both directions', () => {
  const filter = {
    _or: [
      { title: { _contains: 'x' } },
      { author: { name: { _null: true } } },
      { views: { _between: [1, 5] } },
      { tags: { _none: { tag: { name: { _eq: 'x' } } } } },
      { author: { books: { _some: { tags: { _none: { name: { _eq: 'x' } } } } } } },
      { blocks: { _some: { 'item:authors': { name: { _eq: 'Ann' } } } } },
      { 'first.name': { _eq: 'Ann' } },
    ],
  }
  const list = toRules(filter)
  expect(list).toEqual({
    join: '_or',
    rules: [
      { path: 'title', operator: '_contains', value: 'x' },
      { path: 'author.name', operator: '_null', value: true },
      { path: 'views', operator: '_between', value: [1, 5] },
      { path: 'tags._none.tag.name', operator: '_eq', value: 'x' },
      { path: 'author.books._some.tags._none.name', operator: '_eq', value: 'x' },
      { path: 'blocks._some.item:authors.name', operator: '_eq', value: 'Ann' },
      { path: String.raw`first\.name`, operator: '_eq', value: 'Ann' },
    ],
  })
  expect(list === null ? null : fromRules(list)).toEqual(filter)
})

test('fields side by side are rules that all have to hold', () => {
  expect(toRules({ a: { _eq: 1 }, b: { _neq: 2 } })).toEqual({
    join: '_and',
    rules: [
      { path: 'a', operator: '_eq', value: 1 },
      { path: 'b', operator: '_neq', value: 2 },
    ],
  })
  expect(toRules({})).toEqual({ join: '_and', rules: [] })
  expect(fromRules({ join: '_or', rules: [] })).toEqual({})
})

test.each([
  ['groups in groups', { _and: [{ _or: [{ a: { _eq: 1 } }] }] }],
  ['two operators of a field', { a: { _gt: 1, _lt: 5 } }],
  ['an operator that the editor does not know', { a: { _intersects: {} } }],
  ['a quantifier without a field', { _some: { name: { _eq: 'x' } } }],
  ['a quantifier of a quantifier', { tags: { _some: { _none: { name: { _eq: 'x' } } } } }],
  ['an operator without a field', { _eq: 1 }],
])('%s stay JSON', (_, filter) => {
  expect(toRules(filter)).toBeNull()
})

test('operands have the type of their field', () => {
  expect(toOperand('5', 'integer', 'one')).toBe(5)
  expect(toOperand('5', 'string', 'one')).toBe('5')
  expect(toOperand('12345678901234567890', 'bigInteger', 'one')).toBe('12345678901234567890')
  expect(toOperand('1, 2', 'integer', 'many')).toEqual([1, 2])
  expect(toOperand('$CURRENT_USER', 'uuid', 'one')).toBe('$CURRENT_USER')
  expect(toOperand('false', 'boolean', 'one')).toBe(false)
  expect(toOperand('x', 'integer', 'one')).toBe('x')
})

test('only text has the operators of text', () => {
  expect(operatorsOf('string')).toContain('_contains')
  expect(operatorsOf('integer')).not.toContain('_contains')
  expect(operatorsOf('boolean')).toEqual(['_eq', '_null', '_nnull'])
})
