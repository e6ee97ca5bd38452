import { expect, test } from 'vitest'
import { and, equals, type Filter, matchAll, matchNone, or } from '../domain/query/filter.ts'
import { certainly } from './certain.ts'
import { authzSchema } from './test-schema.ts'

const own: Filter = equals('title', 'x')
const related = (field: string, collection: string, quantifier: 'some' | 'none', filter: Filter): Filter => ({
  kind: 'related',
  field,
  collection,
  quantifier,
  filter,
})
const notes = (quantifier: 'some' | 'none') => related('notes', 'notes', quantifier, matchAll)
const ofAuthor = (filter: Filter) => related('author', 'people', 'some', filter)
const counted: Filter = {
  kind: 'compare',
  operand: { kind: 'function', function: 'count', field: 'notes' },
  operator: 'eq',
  values: [0],
}

test.each<[string, Filter, Filter]>([
  ['an own column is known', own, own],
  ['rows that refer to the row are not', notes('some'), matchNone],
  ['nor that there are none', notes('none'), matchNone],
  ['nor their number', counted, matchNone],
  ['a negation does not make it match', { kind: 'not', filter: notes('some') }, { kind: 'not', filter: matchAll }],
  ['what else is allowed stays', or(own, notes('some')), { kind: 'or', filters: [own, matchNone] }],
  ['what else is needed too', and(own, notes('none')), { kind: 'and', filters: [own, matchNone] }],
  ['the row that it refers to is known', ofAuthor(own), ofAuthor(own)],
  ['not those behind it', ofAuthor(related('posts', 'posts', 'none', own)), ofAuthor(matchNone)],
])('%s', (_name, filter, expected) => {
  expect(certainly(authzSchema, 'posts', filter)).toEqual(expected)
})
