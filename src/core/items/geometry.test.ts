import { afterAll, expect, test } from 'vitest'
import { jsonOf } from '../../domain/ports/row-store.ts'
import type { OperatorName } from '../../domain/query/operators.ts'
import type { Query } from '../../domain/query/query.ts'
import { coreView } from '../../domain/schema/core-view.ts'
import { compare } from '../../sql/testing/test-query.ts'
import { planColumn } from '../model/field-plan.ts'
import { readItems, readSingleton } from '../rows/read-items.ts'
import { changesOf, failuresOf, openTestWorld, queryOf } from '../testing/test-context.ts'
import { writeItems } from './items.ts'

/** A substitute for PostGIS: points as text, and the functions that statements call. */
const extension = `
  create type geometry;
  create function geometry_in(cstring) returns geometry language internal immutable strict as 'textin';
  create function geometry_out(geometry) returns cstring language internal immutable strict as 'textout';
  create type geometry (input = geometry_in, output = geometry_out, like = text);
  create cast (geometry as text) without function;
  create cast (text as geometry) without function;
  create function is_same(geometry, geometry) returns boolean language sql immutable
    as $$ select $1::text = $2::text $$;
  create operator = (leftarg = geometry, rightarg = geometry, function = is_same);
  create operator && (leftarg = geometry, rightarg = geometry, function = is_same);
  create function st_intersects(geometry, geometry) returns boolean language sql immutable
    as $$ select $1::text = $2::text $$;
  create function st_geomfromtext(text, integer) returns geometry language sql immutable
    as $$ select ('SRID=' || $2 || ';' || $1)::geometry $$;
  create function st_setsrid(geometry, integer) returns geometry language sql immutable
    as $$ select regexp_replace($1::text, '^SRID=[0-9]+', 'SRID=' || $2)::geometry $$;
  create function geometrytype(geometry) returns text language sql immutable as $$ select 'POINT' $$;
  create function st_curvetoline(geometry) returns geometry language sql immutable as $$ select $1 $$;
  create function st_asgeojson(geometry, integer, integer) returns text language sql immutable as $$
    select '{"type":"Point","coordinates":[' || replace(substring($1::text from '\\((.*)\\)'), ' ', ',') || ']}' $$;
  alter table platform_users add column home geometry;
  update platform_users set home = 'SRID=4326;POINT(1 2)';
  create table lonely (id serial primary key, name text default 'Moor', shape geometry default 'POINT(1 2)');
  create table spots (id serial primary key, shape geometry);
  insert into spots (shape) values ('SRID=3857;POINT(5 6)'), (null);`

const one = { type: 'Point', coordinates: [1, 2] }

const world = await openTestWorld()
await world.ctx.db.run({ text: extension, values: [] })
const schema = await world.loadSchema()
const ctx = { ...world.ctx, schema, view: coreView(schema) }
await writeItems(ctx, { kind: 'create', collection: 'spots', items: [changesOf({ shape: one })] })
afterAll(() => world.close())

const read = async (changes: Partial<Query>) =>
  JSON.parse(jsonOf(await readItems(ctx, queryOf('spots', changes)))) as readonly { readonly id: number }[]

test('a geometry is stored with its SRID, and history has it as GeoJSON', async () => {
  expect(await world.rowsOf('select shape::text from spots where id = 3')).toEqual([{ shape: 'SRID=4326;POINT(1 2)' }])
  expect(await world.rowsOf(`select data, delta from platform_revisions where collection = 'spots'`)).toEqual([
    { data: { id: 3, shape: one }, delta: { shape: one } },
  ])
})

test.each<[OperatorName, readonly number[]]>([
  ['eq', [3]],
  ['neq', [1]],
  ['intersects', [3]],
  ['nintersects', [1]],
  ['intersectsBox', [3]],
  ['nintersectsBox', [1]],
])('%s finds %j', async (operator, ids) => {
  const rows = await read({ filter: compare('shape', operator, one) })
  expect(rows.map(({ id }) => id)).toEqual(ids)
})

test('a geometry of the user is compared as it is', async () => {
  const filter = compare('shape', 'intersects', { kind: 'current-user', path: ['home'] })
  expect((await read({ filter })).map(({ id }) => id)).toEqual([3])
})

test('null is a value like any other, and what is no geometry is refused with the name of the field', async () => {
  expect(await read({ filter: compare('shape', 'null') })).toEqual([{ id: 2, shape: null }])
  const items = [changesOf({ shape: one }), changesOf({ shape: { type: 'Point', coordinates: [] } })]
  const work = writeItems(ctx, { kind: 'create', collection: 'spots', items })
  expect(await failuresOf(work)).toMatchObject([{ kind: 'failed-validation', field: expect.stringMatching(/shape$/) }])
  expect(await world.rowsOf('select count(*)::int as n from spots')).toEqual([{ n: 3 }])
})

test('a singleton without a row does not show the text of a default', async () => {
  expect(JSON.parse((await readSingleton(ctx, queryOf('lonely'))).json)).toEqual({ id: null, name: 'Moor' })
})

test.each([
  [{ type: 'Point', coordinates: [1, 2] }, 'SRID=4326;POINT(1 2)'],
  ['0101000020E6100000000000000000F03F0000000000000040', '0101000020E6100000000000000000F03F0000000000000040'],
])('a default may be %j', (defaultValue, text) => {
  const { default: planned } = planColumn(
    { name: 'spot', column: { defaultValue } },
    { kind: 'column', type: 'geometry', geometry: 'Point' },
  )
  expect(planned).toEqual({ kind: 'constant', text })
})

test.each(['0101zz', 'POINT(1 2)', { type: 'LineString', coordinates: [one.coordinates, [3, 4]] }])(
  'a default may not be %j',
  (defaultValue) => {
    const kind = { kind: 'column', type: 'geometry', geometry: 'Point' } as const
    expect(() => planColumn({ name: 'spot', column: { defaultValue } }, kind)).toThrow('failed-validation')
  },
)
