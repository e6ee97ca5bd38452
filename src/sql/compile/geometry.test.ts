import { DatabaseError } from 'pg'
import { describe, expect, test } from 'vitest'
import { newGeometryType } from '../../domain/conditions/geometry.ts'
import type { Database } from '../../domain/ports/context.ts'
import type { OperatorName } from '../../domain/query/operators.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Collection, Field, Schema } from '../../domain/schema/schema.ts'
import { testSchema } from '../../domain/testing/test-schema.ts'
import type { ColumnPlan } from '../dialects/ddl-plan.ts'
import { postgres } from '../dialects/postgres.ts'
import { toTandemError } from '../errors/errors.ts'
import { prepare } from '../run/prepare.ts'
import { runDdl } from '../schema/ddl.ts'
import { compare, field, noon, queryOf, someUser, viewOf } from '../testing/test-query.ts'

function schemaWith(dataType: string): Schema {
  const articles = testSchema.collections.get('articles') as Collection
  const shape = articles.fields.get('shape') as Field
  const typed = { ...shape, column: { ...shape.column, name: 'shape', dataType } } as Field
  const collection = { ...articles, fields: new Map(articles.fields).set('shape', typed) }
  return { ...testSchema, version: dataType, collections: new Map(testSchema.collections).set('articles', collection) }
}

const polygon = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [4, 0],
      [4, 4],
      [0, 0],
    ],
  ],
}
const text = 'POLYGON((0 0,4 0,4 4,0 0))'

function compiled(dataType: string, operator: OperatorName) {
  const query = queryOf({
    collection: 'articles',
    selection: [field('shape')],
    filter: compare('shape', operator, polygon),
  })
  const options = { schema: schemaWith(dataType), view: viewOf(), dialect: 'postgres', actor: someUser, clock: noon }
  const { statement, values } = prepare(query, options)
  return { condition: / where (.*?)(?: order by|$)/.exec(statement.text)?.[1], text: statement.text, values }
}

const typed = `st_geomfromtext($1::text, 3857)`
const open = `st_geomfromtext($1::text, 4326)`
const world = `st_geogfromtext($1::text)`

describe('a condition', () => {
  test.each<[string, OperatorName, string]>([
    ['geometry(Point,3857)', 'eq', `t0."shape" = ${typed}`],
    ['geometry(Point,3857)', 'neq', `not (t0."shape" = ${typed})`],
    ['geometry(Point,3857)', 'intersects', `st_intersects(t0."shape", ${typed})`],
    ['geometry(Point,3857)', 'nintersects', `not (st_intersects(t0."shape", ${typed}))`],
    ['geometry(Point,3857)', 'intersectsBox', `t0."shape" && ${typed}`],
    ['geometry(Point,3857)', 'nintersectsBox', `not (t0."shape" && ${typed})`],
    ['geometry', 'intersects', `st_intersects(st_setsrid(t0."shape", 4326), ${open})`],
    ['geometry(Point)', 'neq', `not (st_setsrid(t0."shape", 4326) = ${open})`],
    ['geography(Point,4326)', 'intersects', `st_intersects(t0."shape", ${world})`],
    ['geography', 'intersectsBox', `t0."shape" && ${world}`],
  ])('on %s: %s', (dataType, operator, condition) => {
    const { condition: found, values } = compiled(dataType, operator)
    expect(found).toBe(condition)
    expect(values[0]).toBe(text)
  })
})

test.each([
  ['geometry(Point,3857)', 'st_asgeojson(t0."shape", 17, 0)::json'],
  ['geography(Polygon,4326)', 'st_asgeojson(t0."shape", 17, 0)::json'],
  ['geometry(CircularString)', 'then st_curvetoline(t0."shape") else t0."shape" end, 17, 0)::json'],
  ['geometry', 'then st_curvetoline(t0."shape") else t0."shape" end, 17, 0)::json'],
])('%s is shown as GeoJSON without a loss of digits', (dataType, expression) => {
  expect(compiled(dataType, 'intersects').text).toContain(expression)
})

const plan: ColumnPlan = {
  name: 'at',
  type: 'geometry',
  geometry: newGeometryType('Point'),
  length: null,
  precision: null,
  scale: null,
  width: null,
  nullable: true,
  default: null,
  unique: false,
  indexed: true,
  primaryKey: false,
  autoIncrement: false,
  comment: null,
}

test('a column names its system of coordinates, and its index is one of boxes', () => {
  const { ddl } = postgres
  expect(ddl.addColumn('places', plan)).toEqual([
    'alter table "places" add column "at" geometry(Point, 4326)',
    'create index "places_at_index" on "places" using gist ("at")',
  ])
  expect(ddl.addIndex('places', plan, true)).toEqual([
    'alter table "places" add constraint "places_at_unique" unique ("at")',
  ])
  expect(ddl.alterType('places', { ...plan, geometry: newGeometryType(null, 'geometry(Geometry,3857)') })).toEqual([
    'alter table "places" alter column "at" drop default',
    'alter table "places" alter column "at" type geometry(Geometry, 3857) using "at"::geometry(Geometry, 3857)',
  ])
})

const errorOf = (code: string, file: string, message = 'parse error') =>
  Object.assign(new DatabaseError(message, 1, 'error'), { code, file })

test('a value that the extension refuses is an error of the client', () => {
  const failures = [{ kind: 'invalid-payload', reason: 'Expected a valid geometry' }]
  expect(toTandemError(errorOf('XX000', 'lwgeom_pg.c'))).toMatchObject({ failures })
  expect(toTandemError(errorOf('XX000', 'heapam.c'))).not.toBeInstanceOf(TandemError)
})

test.each([
  ['XX000', 'lwgeom_pg.c', 'parse error', 'The values or the default cannot be converted to this type'],
  ['22023', 'gserialized_typmod.c', 'no match', 'The values or the default cannot be converted to this type'],
  ['42704', 'x.c', 'type "geometry" does not exist', 'Geometry fields need the PostGIS extension of the database'],
  ['42704', 'x.c', 'type "geography" does not exist', 'Geometry fields need the PostGIS extension of the database'],
])('a change of a table that ends with %s in %s is refused (%s)', async (code, file, message, reason) => {
  const run = () => Promise.reject(toTandemError(errorOf(code, file, message)))
  const db = { dialect: 'postgres', run } as unknown as Database
  const work = runDdl(db, { collection: 'places', field: 'at' }, () => ['x'])
  await expect(work).rejects.toMatchObject({ failures: [{ kind: 'invalid-payload', reason: `"at": ${reason}` }] })
})
