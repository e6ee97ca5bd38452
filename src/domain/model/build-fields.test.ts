import { expect, test } from 'vitest'
import type { FieldType } from '../query/field-types.ts'
import { compare } from '../query/filter.ts'
import { build, column, table } from '../testing/test-tables.ts'
import type { MetadataRow } from './metadata.ts'

const one = (type: FieldType, special: string | null, more: MetadataRow = {}) =>
  build({ fields: [{ collection: 'things', field: 'value', special, ...more }] }, [
    table('things', [column('value', type)]),
  ]).field('things.value')

test.each([
  ['text', 'cast-json', 'json'],
  ['text', 'cast-csv', 'csv'],
  ['string', 'cast-csv', 'csv'],
  ['integer', 'cast-boolean', 'boolean'],
  ['dateTime', 'cast-timestamp', 'timestamp'],
  ['timestamp', 'cast-datetime', 'dateTime'],
  ['string', 'hash', 'hash'],
  ['json', 'cast-json', 'json'],
  ['uuid', 'uuid', 'uuid'],
  ['integer', 'cast-json', 'integer'],
  ['uuid', 'hash', 'uuid'],
] as const)('a %s column that is said to be %s is of type %s', (type, special, expected) => {
  expect(one(type, special)?.type).toBe(expected)
})

test.each([
  ['array', 'csv', ['cast-csv']],
  ['json', 'json', ['cast-json']],
  ['hash', 'hash', ['hash']],
  ['owner', 'text', ['user-created']],
  ['constructor', 'text', []],
] as const)('a text column declared as %s is of type %s', (declared, type, special) => {
  expect(one('text', null, { type: declared })).toMatchObject({ type, special })
})

test('hidden and hashed columns are concealed', () => {
  expect(one('string', 'conceal')?.concealed).toBe(true)
  expect(one('string', 'hash')?.concealed).toBe(true)
  expect(one('string', null)?.concealed).toBe(false)
})

test('flags that nobody knows are left out', () => {
  expect(one('string', 'uuid,geometry.Point,__proto__,conceal')?.special).toEqual(['uuid', 'conceal'])
})

test('a condition on written values is read against the finished schema', () => {
  expect(one('string', null, { validation: { value: { _contains: 'x' } } })?.validation).toEqual(
    compare('value', 'contains', ['x']),
  )
})

test('a condition that cannot be read is left out and told', () => {
  const { field, warnings } = build({
    fields: [{ collection: 'authors', field: 'name', validation: { nothing: { _eq: 1 } } }],
  })
  expect(field('authors.name')?.validation).toBeNull()
  expect(warnings).toEqual(['The validation of a field cannot be read; it is left out'])
})

test('a presentational field has neither a column nor a relation', () => {
  const { field } = build({ fields: [{ collection: 'authors', field: 'divider', special: ['alias', 'no-data'] }] })
  expect(field('authors.divider')).toMatchObject({ type: 'alias', column: null, relation: null })
})

test('an alias whose relation is still to come leads nowhere', () => {
  const { field } = build({ fields: [{ collection: 'authors', field: 'later', special: 'o2m' }] })
  expect(field('authors.later')).toMatchObject({ type: 'alias', column: null, relation: null })
})

test('a field without a column or a relation is left out and told', () => {
  const { field, warnings } = build({
    fields: [
      { collection: 'authors', field: 'dropped', special: null },
      { collection: 'authors', field: 'lost', special: 'uuid' },
      { collection: 'authors', field: null },
      { collection: 'nothing', field: 'there' },
    ],
  })
  expect(field('authors.dropped')).toBeUndefined()
  expect(field('authors.lost')).toBeUndefined()
  expect(warnings).toEqual(
    Array(3).fill('A field is registered that has neither a column nor a relation; it is left out'),
  )
})
