/** `meta=estimated_count`: by the statistics of the database, but never of rows that the caller may not read. */

import { createCurrentClient } from '@tandem/sdk'
import { afterAll, expect, test } from 'vitest'
import { isOnMariaDb } from '../src/sql/testing/test-vendors.ts'
import { openOwnDatabase } from './own-database.ts'

const sql = `
create table digits (n int primary key);
create table kinds (id int primary key, title text);
create table events (id serial primary key, kind int references kinds (id), note int);
insert into platform_collections (collection) values ('digits'), ('kinds'), ('events');
insert into platform_fields (collection, field, special) values ('events', 'kind', 'm2o');
insert into platform_relations (many_collection, many_field, one_collection) values ('events', 'kind', 'kinds')`
const own = await openOwnDatabase(sql)
await own.rows(`alter table events ${isOnMariaDb ? 'stats_auto_recalc=0' : 'set (autovacuum_enabled = false)'}`)
await own.rows('insert into digits values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)')
await own.rows(`insert into kinds select n, 'a kind' from digits`)
const tables = 'digits a cross join digits b cross join digits c cross join digits d cross join digits e'
await own.rows(`insert into events (kind, note) select a.n, b.n from ${tables}`)
await own.rows('analyze events')
// The statistics do not know of it, so that an estimate is not the exact count.
await own.rows('delete from events where note = 9')
afterAll(() => own.close())

async function metaOf(query: string, token?: string): Promise<unknown> {
  const { status, body } = await own.ask(`GET /items/${query}`, token === undefined ? {} : { token })
  expect([status, status === 200 ? null : body]).toEqual([200, null])
  return (body as { readonly meta?: unknown }).meta
}

const estimate = async (query: string, token?: string): Promise<number> =>
  ((await metaOf(`${query}meta=estimated_count`, token)) as { readonly estimated_count: number }).estimated_count

/** MariaDB keeps its number of rows up to date, so that there an estimate may be exact. */
const isAbout = (found: number, counted: number): boolean =>
  (isOnMariaDb || found !== counted) && found > counted * 0.5 && found < counted * 1.5

test('a long list is estimated, with a filter, a search or other counts', async () => {
  expect(await estimate('events?limit=1&')).toSatisfy((found: number) => isAbout(found, 90_000))
  expect(await estimate('events?limit=1&filter[note][_lt]=5&')).toSatisfy((found: number) => found > 20_000)
  expect(await metaOf('events?limit=1&meta=estimated_count,filter_count,total_count&filter[note][_lt]=8')).toEqual({
    total_count: 90_000,
    filter_count: 80_000,
    estimated_count: expect.toSatisfy((found: number) => found > 20_000),
  })
})

test('a short list is counted', async () => {
  expect(await estimate('digits?limit=1&')).toBe(10)
  expect(await estimate('digits?limit=1&filter[n][_lt]=4&search=3&')).toBe(1)
  expect(await metaOf('digits?limit=1&meta=*')).toEqual({ total_count: 10, filter_count: 10 })
})

test('what the caller may not read is in no estimate', async () => {
  const all = { collection: 'events', action: 'read' }
  const kinds = { collection: 'kinds', action: 'read' }
  const whole = await own.addUser([{ ...all, fields: '*' }])
  expect(await estimate('events?limit=1&', whole)).toSatisfy((found: number) => isAbout(found, 90_000))

  const some = await own.addUser([{ ...all, fields: '*', permissions: { kind: { _eq: 3 } } }])
  expect(await estimate('events?limit=1&', some)).toBe(9000)
  expect(await estimate('events?limit=1&filter[note][_lt]=5&', some)).toBe(5000)

  const notes = { ...all, fields: 'note', permissions: { kind: { _eq: 3 } } }
  const guarded = await own.addUser([{ ...all, fields: 'id,kind' }, notes])
  expect(await estimate('events?limit=1&', guarded)).toSatisfy((found: number) => isAbout(found, 90_000))
  expect(await estimate('events?limit=1&filter[note][_lt]=5&', guarded)).toBe(5000)
  expect(await estimate('events?limit=1&search=5&', guarded)).toSatisfy((found: number) => found > 1000)

  const related = await own.addUser([
    { ...all, fields: '*' },
    { ...kinds, fields: '*', permissions: { id: { _lt: 2 } } },
  ])
  expect(await estimate('events?limit=1&filter[kind][title][_eq]=a%20kind&', related)).toBe(18_000)
})

test('other names are refused, and the client has both kinds of counts', async () => {
  expect((await own.ask('GET /items/events?meta=guessed_count')).body).toMatchObject({
    errors: [{ message: expect.stringContaining('estimated_count') }],
  })
  const client = createCurrentClient<{ events: { id: number; kind: number; note: number }[] }>({
    url: own.url,
    token: own.adminToken,
  })
  const estimated = await client.items('events').readPage({ limit: 1 }, { counts: 'estimated' })
  expect(estimated.meta.estimated_count).toSatisfy((found: number) => isAbout(found, 90_000))
  expect((await client.items('events').readPage({ limit: 1 })).meta.filter_count).toBe(90_000)
})
