import { expect, test } from 'vitest'
import type { Collection, Field } from '../../domain/schema/schema.ts'
import { testSchema } from '../../domain/testing/test-schema.ts'
import { parseField } from './model-input.ts'
import { serializeField } from './model-output.ts'

const articles = testSchema.collections.get('articles') as Collection
const shape = articles.fields.get('shape') as Field
const everything = { shows: () => true, mask: <Row>(row: Row) => row }

test.each([
  ['geometry(Polygon,4326)', 'geometry.Polygon'],
  ['geometry(PointZ,3857)', 'geometry.Point'],
  ['geography(Point,4326)', 'geometry.Point'],
  ['geometry(CircularString)', 'geometry'],
  ['geometry', 'geometry'],
])('a column of type %s is a field of type %s, whatever its flags say', (dataType, type) => {
  const field = { ...shape, column: { ...shape.column, dataType }, meta: { special: 'geometry.LineString' } } as Field
  expect(serializeField(testSchema, articles, field, everything)).toMatchObject({
    type,
    schema: { data_type: dataType },
  })
})

test('the form in which a column is answered is also accepted', () => {
  const given = { field: 'at', type: 'geometry.Point', schema: { data_type: 'geometry(Point,3857)' } } as const
  expect(parseField(given)).toEqual({
    name: 'at',
    type: 'geometry.Point',
    column: { dataType: 'geometry(Point,3857)' },
  })
})
