/** Geometry: parses column types, validates GeoJSON and converts it to well-known text. */
import { isRecord } from '../is-record.ts'
import { parseOr } from '../parse-or.ts'

/** Geometry types that a field can be limited to. */
export const geometryKinds = [
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
] as const

export type GeometryKind = (typeof geometryKinds)[number]

/** `shape` is `Geometry` if any type is allowed. `dimensions` and `srid` are null if the column type does not name them. */
export type GeometryType = {
  readonly name: 'geometry' | 'geography'
  readonly shape: string
  readonly dimensions: '' | 'Z' | 'M' | 'ZM' | null
  readonly srid: number | null
}

/** SRID of GeoJSON (WGS 84), and of columns that name none. */
export const worldSrid = 4326

const typeText = /^(geometry|geography)(?:\(([a-z]+?)(ZM|Z|M)?(?:,\s*(\d{1,6}))?\))?$/i

/**
 * Parses a column type in the form in which the database reports it.
 * @example geometryType('geometry(PointZ,3857)') // { name: 'geometry', shape: 'Point', dimensions: 'Z', srid: 3857 }
 */
export function geometryType(dataType: string): GeometryType {
  const [, name, shape, dimensions = '', srid] = typeText.exec(dataType) ?? []
  return {
    name: name === 'geography' ? 'geography' : 'geometry',
    shape: shape ?? 'Geometry',
    dimensions: shape === undefined ? null : (dimensions as '' | 'Z' | 'M' | 'ZM'),
    srid: srid === undefined ? null : Number(srid),
  }
}

/** Formats a geometry type as a column type. */
export function geometryTypeText({ name, shape, dimensions, srid }: GeometryType): string {
  if (shape === 'Geometry' && dimensions === null && srid === null) return name
  return `${name}(${shape}${dimensions ?? ''}${srid === null ? '' : `, ${srid}`})`
}

/** The type of a new column. `wanted`, if it is a geometry type, supplies dimensions and SRID. */
export function newGeometryType(kind: GeometryKind | null, wanted: string | null = null): GeometryType {
  const type = geometryType(wanted !== null && typeText.test(wanted) ? wanted : `geometry(Geometry,${worldSrid})`)
  return withKind(type, kind)
}

/** The type limited to `kind`, or to none for null. Dimensions and SRID are unchanged. */
export const withKind = (type: GeometryType, kind: GeometryKind | null): GeometryType =>
  geometryKindOf(type) === kind ? type : { ...type, shape: kind ?? 'Geometry' }

/** The kind that a type is limited to; null if it is limited to none, or to one that Tandem does not support. */
export const geometryKindOf = ({ shape }: GeometryType): GeometryKind | null =>
  geometryKinds.find((kind) => kind === shape) ?? null

export type Geometry =
  | { readonly type: GeometryKind; readonly coordinates: Coordinates }
  | { readonly type: 'GeometryCollection'; readonly geometries: readonly Geometry[] }

type Coordinates = readonly (number | Coordinates)[]

/** Throws the caller's error with what was expected. */
type Refuse = (expected: string) => never

/** `size`: numbers per position, equal in the whole geometry. `limits`: largest absolute coordinates. */
type CoordinateRules = { readonly refuse: Refuse; readonly size: number; readonly limits: readonly [number, number] }

/** Limit of coordinates in projected systems: indexes and calculations lose precision beyond it. Geographic systems are limited to degrees. */
const widest = 1e15

/** Parses `raw`, a GeoJSON object or its text, as a value for a column of this type. */
export function toGeometry(raw: unknown, dataType: string, refuse: Refuse): Geometry {
  const value = typeof raw === 'string' ? parseOr(raw, null) : raw
  if (!isRecord(value)) return refuse('a GeoJSON object')
  const type = geometryType(dataType)
  const srid = type.srid ?? worldSrid
  const { crs = null } = value
  if (crs !== null && sridOf(crs) !== srid) return refuse(`a GeoJSON geometry in EPSG:${srid}`)
  const limits: CoordinateRules['limits'] = type.name === 'geography' ? [180, 90] : [widest, widest]
  return checked(value, { refuse, size: sizeOf(value), limits })
}

/** Throws if a column of this type cannot store the geometry. */
export function assertFits(geometry: Geometry, dataType: string, refuse: Refuse): void {
  const { shape, dimensions } = geometryType(dataType)
  if (dimensions === 'M' || dimensions === 'ZM') refuse('null (GeoJSON has no measures)')
  if (shape !== 'Geometry' && shape !== geometry.type) refuse(`a GeoJSON ${shape}`)
  const size = dimensions === null ? null : 2 + dimensions.length
  if (size !== null && size !== sizeOf(geometry)) refuse(`a GeoJSON geometry with ${size} numbers per position`)
}

/** The geometry as well-known text (WKT). All databases read WKT; not all read GeoJSON. */
export function geometryText(geometry: Geometry): string {
  if (geometry.type === 'GeometryCollection')
    return `GEOMETRYCOLLECTION(${geometry.geometries.map(geometryText).join(',')})`
  const { type, coordinates } = geometry
  return `${type.toUpperCase()}${type === 'Point' ? `(${listText(coordinates)})` : listText(coordinates)}`
}

const listText = (list: Coordinates): string =>
  typeof list[0] === 'number' ? list.join(' ') : `(${(list as readonly Coordinates[]).map(listText).join(',')})`

type Members = { readonly [name: string]: unknown }

/** The SRID that a `crs` member names; null if the member is not valid. */
function sridOf(crs: unknown): number | null {
  const name = isRecord(crs) && isRecord(crs['properties']) ? crs['properties']['name'] : null
  if (typeof name !== 'string') return null
  if (name.endsWith('CRS84')) return worldSrid
  const code = /EPSG:(?:[\d.]*:)?(\d{1,6})$/.exec(name)?.[1]
  return code === undefined ? null : Number(code)
}

/** The number of coordinates of the first position. All other positions must have the same number. */
function sizeOf({ coordinates, geometries }: Members): number {
  let list = Array.isArray(geometries) && isRecord(geometries[0]) ? geometries[0]['coordinates'] : coordinates
  while (Array.isArray(list) && Array.isArray(list[0])) [list] = list as readonly unknown[]
  return Array.isArray(list) ? list.length : 0
}

/** Validates a geometry. Nested geometry collections are rejected, because databases cannot write them as GeoJSON. */
function checked({ type, coordinates, geometries }: Members, space: CoordinateRules): Geometry {
  if (type === 'GeometryCollection') {
    if (!Array.isArray(geometries) || geometries.length === 0)
      return space.refuse('at least one geometry in a collection')
    const members = (geometries as readonly unknown[]).map((each) =>
      isRecord(each) && each['type'] !== type
        ? checked(each, space)
        : space.refuse('no collection within a collection'),
    )
    return { type, geometries: members }
  }
  const kind = geometryKinds.find((each) => each === type)
  if (kind === undefined) return space.refuse('a GeoJSON geometry')
  checks[kind](coordinates, space)
  return { type: kind, coordinates: coordinates as Coordinates }
}

type Check = (value: unknown, space: CoordinateRules) => void

const position: Check = (value, { refuse, size, limits: [x, y] }) => {
  const list: readonly unknown[] = Array.isArray(value) ? value : []
  if (list.length !== size || size < 2 || size > 3) refuse('positions of two numbers, or of three each')
  const limits = [x, y, widest]
  const fits = list.every((each, index) => typeof each === 'number' && Math.abs(each) <= (limits[index] as number))
  if (!fits) refuse(x === widest ? `numbers within ±${widest}` : `degrees within ±${x} and ±${y}`)
}

const many =
  (least: number, what: string, each: Check): Check =>
  (value, space) => {
    if (!Array.isArray(value) || value.length < least) return space.refuse(`at least ${least} ${what}`)
    for (const one of value as readonly unknown[]) each(one, space)
  }

const line = many(2, 'positions in a line', position)

const ringOfPositions = many(4, 'positions in a ring', position)

const ring: Check = (value, space) => {
  ringOfPositions(value, space)
  const [first, last] = [(value as Coordinates).at(0), (value as Coordinates).at(-1)]
  if (String(first) !== String(last)) space.refuse('rings that end where they began')
}

const polygon = many(1, 'ring in a polygon', ring)

const checks: { readonly [Kind in GeometryKind]: Check } = {
  Point: position,
  LineString: line,
  Polygon: polygon,
  MultiPoint: many(1, 'position', position),
  MultiLineString: many(1, 'line', line),
  MultiPolygon: many(1, 'polygon', polygon),
}
