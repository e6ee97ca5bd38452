import { describe, expect, test } from 'vitest'
import {
  assertFits,
  geometryKindOf,
  geometryText,
  geometryType,
  geometryTypeText,
  newGeometryType,
  toGeometry,
  withKind,
} from './geometry.ts'

describe('the type of a column', () => {
  test.each([
    ['geometry', { name: 'geometry', shape: 'Geometry', dimensions: null, srid: null }],
    ['geometry(Point)', { name: 'geometry', shape: 'Point', dimensions: '', srid: null }],
    ['geometry(PointZ, 3857)', { name: 'geometry', shape: 'Point', dimensions: 'Z', srid: 3857 }],
    ['geometry(MultiPolygonZM, 4326)', { name: 'geometry', shape: 'MultiPolygon', dimensions: 'ZM', srid: 4326 }],
    ['geometry(Geometry, 4326)', { name: 'geometry', shape: 'Geometry', dimensions: '', srid: 4326 }],
    ['geography', { name: 'geography', shape: 'Geometry', dimensions: null, srid: null }],
    ['geography(Point, 4326)', { name: 'geography', shape: 'Point', dimensions: '', srid: 4326 }],
  ] as const)('%s is read and written', (text, type) => {
    expect(geometryType(text)).toEqual(type)
    expect(geometryTypeText(type)).toBe(text)
  })

  test.each([
    ['Point', null, 'geometry(Point, 4326)'],
    [null, null, 'geometry(Geometry, 4326)'],
    ['Point', 'geometry(Point,3857)', 'geometry(Point, 3857)'],
    ['Polygon', 'geography(PointZ,4326)', 'geography(PolygonZ, 4326)'],
    [null, 'geometry(CircularString,3857)', 'geometry(CircularString, 3857)'],
    [null, 'geometry', 'geometry'],
    ['Point', 'varchar(5)', 'geometry(Point, 4326)'],
    ['Point', 'geometry(Point,4326); drop table x', 'geometry(Point, 4326)'],
    ['Point', 'geometry(Point,9999999)', 'geometry(Point, 4326)'],
  ] as const)('a new column of kind %s that is to be like %s is %s', (kind, wanted, text) => {
    expect(geometryTypeText(newGeometryType(kind, wanted))).toBe(text)
  })

  test.each([
    ['geometry(Point, 3857)', 'Point', 'geometry(Point, 3857)'],
    ['geometry(PointZ, 3857)', 'Polygon', 'geometry(PolygonZ, 3857)'],
    ['geography(Point, 4326)', null, 'geography(Geometry, 4326)'],
    ['geometry(CircularString, 3857)', null, 'geometry(CircularString, 3857)'],
    ['geometry', 'Point', 'geometry(Point)'],
  ] as const)('%s of the kind %s becomes %s', (text, kind, after) => {
    expect(geometryTypeText(withKind(geometryType(text), kind))).toBe(after)
  })

  test('a kind is one of the closed list', () => {
    expect(geometryKindOf(geometryType('geometry(PointZ,4326)'))).toBe('Point')
    expect(geometryKindOf(geometryType('geometry(CircularString)'))).toBeNull()
    expect(geometryKindOf(geometryType('geometry'))).toBeNull()
  })
})

const refuse = (expected: string): never => {
  throw new Error(expected)
}
const ring = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 0],
]

test.each([
  [{ type: 'Point', coordinates: [1, -2.5] }, 'POINT(1 -2.5)'],
  ['{"type":"Point","coordinates":[1e-7,2]}', 'POINT(1e-7 2)'],
  [{ type: 'Point', coordinates: [1, 2, 3], bbox: [1] }, 'POINT(1 2 3)'],
  [{ type: 'LineString', coordinates: ring }, 'LINESTRING(0 0,4 0,4 4,0 0)'],
  [{ type: 'Polygon', coordinates: [ring, ring] }, 'POLYGON((0 0,4 0,4 4,0 0),(0 0,4 0,4 4,0 0))'],
  [{ type: 'MultiPoint', coordinates: ring.slice(2) }, 'MULTIPOINT(4 4,0 0)'],
  [{ type: 'MultiLineString', coordinates: [ring] }, 'MULTILINESTRING((0 0,4 0,4 4,0 0))'],
  [{ type: 'MultiPolygon', coordinates: [[ring]] }, 'MULTIPOLYGON(((0 0,4 0,4 4,0 0)))'],
  [
    {
      type: 'GeometryCollection',
      geometries: [
        { type: 'Point', coordinates: [1, 2] },
        { type: 'LineString', coordinates: ring.slice(2) },
      ],
    },
    'GEOMETRYCOLLECTION(POINT(1 2),LINESTRING(4 4,0 0))',
  ],
])('%j is %s', (raw, text) => {
  expect(geometryText(toGeometry(raw, '', refuse))).toBe(text)
})

const nested = (depth: number): unknown =>
  depth === 0 ? { type: 'Point', coordinates: [1, 2] } : { type: 'GeometryCollection', geometries: [nested(depth - 1)] }
const deepList = JSON.parse(`${'['.repeat(3000)}1,2${']'.repeat(3000)}`) as unknown
const positions = 'positions of two numbers, or of three each'

test.each<[unknown, string]>([
  ['POINT(1 2)', 'a GeoJSON object'],
  ['"x"', 'a GeoJSON object'],
  [[1, 2], 'a GeoJSON object'],
  [5, 'a GeoJSON object'],
  [{}, 'a GeoJSON geometry'],
  [{ type: 'Circle', coordinates: [1, 2] }, 'a GeoJSON geometry'],
  [{ type: 'toString', coordinates: [1, 2] }, 'a GeoJSON geometry'],
  [{ type: 'Feature', geometry: null }, 'a GeoJSON geometry'],
  [{ kind: 'now', milliseconds: 0, months: 0 }, 'a GeoJSON geometry'],
  [{ type: 'Point' }, positions],
  [{ type: 'Point', coordinates: [] }, positions],
  [{ type: 'Point', coordinates: [1] }, positions],
  [{ type: 'Point', coordinates: [1, 2, 3, 4] }, positions],
  [{ type: 'Point', coordinates: [[1, 2]] }, positions],
  [{ type: 'Polygon', coordinates: deepList }, 'at least 4 positions in a ring'],
  [{ type: 'Point', coordinates: [1, '2'] }, 'numbers within ±1000000000000000'],
  [{ type: 'Point', coordinates: [1, Number.NaN] }, 'numbers within ±1000000000000000'],
  [{ type: 'Point', coordinates: [1, -Infinity] }, 'numbers within ±1000000000000000'],
  [{ type: 'Point', coordinates: [1e308, 0] }, 'numbers within ±1000000000000000'],
  [{ type: 'LineString', coordinates: [] }, 'at least 2 positions in a line'],
  [{ type: 'LineString', coordinates: [[1, 1]] }, 'at least 2 positions in a line'],
  [
    {
      type: 'LineString',
      coordinates: [
        [1, 1],
        [1, 2, 3],
      ],
    },
    positions,
  ],
  [{ type: 'MultiPoint', coordinates: [] }, 'at least 1 position'],
  [{ type: 'Polygon', coordinates: [] }, 'at least 1 ring in a polygon'],
  [{ type: 'Polygon', coordinates: [ring.slice(0, 3)] }, 'at least 4 positions in a ring'],
  [{ type: 'Polygon', coordinates: [[...ring, [1, 1]]] }, 'rings that end where they began'],
  [{ type: 'GeometryCollection' }, 'at least one geometry in a collection'],
  [{ type: 'GeometryCollection', geometries: [] }, 'at least one geometry in a collection'],
  [{ type: 'GeometryCollection', geometries: [null] }, 'no collection within a collection'],
  [nested(1000), 'no collection within a collection'],
])('%# is refused', (raw, expected) => {
  expect(() => toGeometry(raw, 'geometry', refuse)).toThrow(new Error(expected))
})

test('on the globe there are degrees', () => {
  const point = { type: 'Point', coordinates: [181, 0] }
  expect(() => toGeometry(point, 'geography(Point,4326)', refuse)).toThrow('degrees within ±180 and ±90')
  expect(toGeometry(point, 'geometry(Point,4326)', refuse)).toEqual(point)
})

const named = (name: unknown) => ({ type: 'Point', coordinates: [1, 2], crs: { type: 'name', properties: { name } } })

describe('a system of coordinates that is named', () => {
  test.each([
    ['EPSG:3857', 'geometry(Point,3857)'],
    ['urn:ogc:def:crs:EPSG::3857', 'geometry(Point,3857)'],
    ['urn:ogc:def:crs:OGC:1.3:CRS84', 'geometry(Point,4326)'],
    ['EPSG:4326', 'geometry'],
  ])('%s is taken by %s', (name, dataType) => {
    expect(toGeometry(named(name), dataType, refuse)).toEqual({ type: 'Point', coordinates: [1, 2] })
  })

  test.each(['EPSG:4326', 'EPSG:', '3857', 3857, null])('%s is refused by a column of another', (name) => {
    expect(() => toGeometry(named(name), 'geometry(Point,3857)', refuse)).toThrow('a GeoJSON geometry in EPSG:3857')
  })
})

test.each([
  [[1, 2], 'geometry(Point,4326)', null],
  [[1, 2], 'geometry', null],
  [[1, 2, 3], 'geometry', null],
  [[1, 2, 3], 'geometry(PointZ)', null],
  [[1, 2], 'geometry(Geometry,4326)', null],
  [[1, 2, 3], 'geometry(Point,4326)', 'a GeoJSON geometry with 2 numbers per position'],
  [[1, 2], 'geometry(PointZ)', 'a GeoJSON geometry with 3 numbers per position'],
  [[1, 2], 'geometry(Polygon,4326)', 'a GeoJSON Polygon'],
  [[1, 2], 'geometry(PointM)', 'null (GeoJSON has no measures)'],
])('a point of %j in %s: %s', (coordinates, dataType, expected) => {
  const hold = () => assertFits({ type: 'Point', coordinates }, dataType, refuse)
  if (expected === null) expect(hold).not.toThrow()
  else expect(hold).toThrow(new Error(expected))
})
