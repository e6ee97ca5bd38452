/** Geometry in the plane of MariaDB: read, written, compared, and kept in history. */
import { afterAll, expect, test } from 'vitest'
import { perVendor } from '../src/sql/testing/test-vendors.ts'
import { openOwnDatabase } from './own-database.ts'

/** MySQL reads the latitude first in this reference system, as the system has it. */
const there = perVendor({ postgres: '', mariadb: 'POINT(8 9)', mysql: 'POINT(9 8)' })
/** A column that is limited to a reference system, which MariaDB only notes. */
const system = (srid: number): string =>
  perVendor({ postgres: '', mariadb: `ref_system_id = ${srid}`, mysql: `srid ${srid}` })
const own = await openOwnDatabase(`
    create table places (id serial primary key, name varchar(20), spot point, area geometry);
    create table shops (id serial primary key, spot point ${system(4326)}, flat point ${system(3857)}, any_shape geometry ${system(4326)});
    insert into places (name, spot, area) values
      ('here', st_geomfromtext('POINT(1 2)'), null), ('there', st_geomfromtext('${there}', 4326), null)`)
afterAll(() => own.close())

const spot = (...coordinates: readonly number[]) => ({ type: 'Point', coordinates })
const square = (from: number, to: number) => {
  const ring = [[from, from], [to, from], [to, to], [from, to], [from, from]] // biome-ignore format: one corner after another
  return { type: 'Polygon', coordinates: [ring] }
}
const namesOf = async (filter: object): Promise<unknown> =>
  (await own.ask(`GET /items/places?fields=name&sort=id&filter=${encodeURIComponent(JSON.stringify(filter))}`)).body

test('columns that are there are shown as GeoJSON, and compared', async () => {
  expect((await own.ask('GET /items/places?fields=name,spot,area')).body).toEqual({
    data: [
      { name: 'here', spot: spot(1, 2), area: null },
      { name: 'there', spot: spot(8, 9), area: null },
    ],
  })
  expect(await namesOf({ spot: { _intersects: square(0, 3) } })).toEqual({ data: [{ name: 'here' }] })
  expect(await namesOf({ spot: { _nintersects: square(0, 3) } })).toEqual({ data: [{ name: 'there' }] })
  expect(await namesOf({ spot: { _intersects_bbox: square(7, 10) } })).toEqual({ data: [{ name: 'there' }] })
})

test('values are written, and history has them', async () => {
  const body = { name: 'new', spot: spot(3.5, -4), area: square(0, 2) }
  const { body: made } = await own.ask('POST /items/places?fields=id,spot,area', { body })
  expect(made).toEqual({ data: { id: 3, spot: body.spot, area: body.area } })
  expect((await own.ask('PATCH /items/places/3?fields=spot', { body: { spot: spot(5, 6) } })).body).toEqual({
    data: { spot: spot(5, 6) },
  })
  const { body: revisions } = await own.ask('GET /revisions?filter[item][_eq]=3&sort=id&fields=delta')
  expect(revisions).toMatchObject({ data: [{ delta: { spot: body.spot } }, { delta: { spot: spot(5, 6) } }] })
  expect((await own.ask('PATCH /_/items/places/3?fields=spot', { body: { spot: null } })).body).toMatchObject({
    data: { spot: null },
  })
})

test('columns of a reference system are written, restored from history, and keep it when they change', async () => {
  const [first, second] = [spot(13.4, 52.5), spot(-70.25, -33.5)]
  const body = [{ spot: first, flat: spot(1_500_000, 6_890_000), any_shape: square(0, 2) }, { spot: second }]
  const fields = 'id,spot,flat,any_shape'
  const { body: made } = await own.ask(`POST /items/shops?fields=${fields}`, { body })
  expect(made).toEqual({
    data: [
      { id: 1, ...body[0] },
      { id: 2, spot: second, flat: null, any_shape: null },
    ],
  })
  const near = { spot: { _intersects: square(10, 60) } }
  expect((await own.ask(`GET /items/shops?fields=id&filter=${JSON.stringify(near)}`)).body).toEqual({
    data: [{ id: 1 }],
  })
  await own.ask('PATCH /items/shops/1', { body: { spot: second, any_shape: first } })
  const { body: entries } = await own.ask(
    'GET /revisions?filter[collection][_eq]=shops&filter[item][_eq]=1&fields=id&sort=id',
  )
  const [{ id: before }] = (entries as { data: [{ id: number }] }).data
  expect((await own.ask(`POST /utils/revert/${before}`)).status).toBe(204)
  expect((await own.ask(`GET /items/shops/1?fields=${fields}`)).body).toEqual({ data: { id: 1, ...body[0] } })
  const change = { schema: { is_nullable: false } }
  expect((await own.ask('PATCH /fields/shops/spot', { body: change })).status).toBe(200)
  expect((await own.ask('PATCH /_/items/shops/2?fields=spot', { body: { spot: first } })).body).toMatchObject({
    data: { spot: first },
  })
  expect((await own.ask('GET /items/shops?fields=id,spot&sort=id')).body).toEqual({
    data: [
      { id: 1, spot: first },
      { id: 2, spot: first },
    ],
  })
})

test('new fields are limited to their kind', async () => {
  const field = { field: 'way', type: 'geometry.LineString' }
  expect((await own.ask('POST /fields/places', { body: field })).body).toMatchObject({ data: { type: field.type } })
  expect((await own.ask('PATCH /items/places/1', { body: { way: spot(1, 2) } })).status).toBe(400)
  const way = { type: 'LineString', coordinates: [[0, 0], [1, 1]] } // biome-ignore format: one point after another
  expect((await own.ask('PATCH /items/places/1?fields=way', { body: { way } })).body).toEqual({ data: { way } })
})
