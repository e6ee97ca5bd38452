/** Limits of MariaDB: texts of one packet, the time of a statement, and moments without zones. */

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseFilter } from '../../domain/conditions/filter-json.ts'
import type { Context } from '../../domain/ports/context.ts'
import { jsonOf } from '../../domain/ports/row-store.ts'
import type { Selected } from '../../domain/query/query.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { dialectOf } from '../../sql/dialects/dialects.ts'
import { firstRow } from '../../sql/statements/answers.ts'
import { limitStatements } from '../../sql/statements/batch/transactions.ts'
import { readItems } from '../rows/read-items.ts'
import {
  changesOf,
  createTestContext,
  failuresOf,
  openTestWorld,
  queryOf,
  type TestWorld,
} from '../testing/test-context.ts'
import { writeItems } from './items.ts'
import { upsertItems } from './upsert-items.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openTestWorld()
})
afterAll(() => world.close())

const field = (name: string): Selected => ({ kind: 'field', key: name, field: name })
const comments: Selected = {
  kind: 'many',
  key: 'comments',
  field: 'comments',
  query: queryOf('comments', { selection: [field('body')], page: { limit: null, offset: 0 } }),
}

test('a list of related items that is longer than a packet is refused, and never empty', async () => {
  const { ctx } = world
  const { db } = ctx
  await db.run({ text: 'delete from comments', values: [] })
  const text = `insert into comments (article, body) select 1, repeat('x', floor(@@max_allowed_packet / 5)) from seq_1_to_4`
  await db.run({ text, values: [] })
  const selection = [field('id'), comments]
  const ask = (counts: readonly ('total' | 'filtered')[] = []) =>
    readItems(ctx, queryOf('articles', { selection, counts }))
  const rows = JSON.parse(jsonOf(await ask())) as readonly { id: number; comments: readonly unknown[] }[]
  expect(rows.find(({ id }) => id === 1)?.comments).toHaveLength(4)
  await db.run({ text: text.replace('seq_1_to_4', 'seq_1_to_2'), values: [] })
  const refused = [{ kind: 'unprocessable', reason: 'The request is too large for the database' }]
  expect(await failuresOf(ask())).toEqual(refused)
  expect(await failuresOf(ask(['filtered']))).toEqual(refused)
  const inner: Selected = {
    kind: 'many',
    key: 'articles',
    field: 'articles',
    query: queryOf('articles', { selection }),
  }
  expect(await failuresOf(readItems(ctx, queryOf('authors', { selection: [inner] })))).toEqual(refused)
})

test('the time of the statements of a transaction is limited, and that of later ones is the usual one', async () => {
  const { db } = world.ctx
  const slow = db.transaction(async (inner) => {
    await limitStatements(inner, 50)
    await inner.run({
      text: 'select count(*) from seq_1_to_100000 a join seq_1_to_100000 b where a.seq + b.seq = 3',
      values: [],
    })
  })
  expect(await failuresOf(slow)).toMatchObject([
    { kind: 'unavailable', reason: 'The database took too long to answer' },
  ])
  const sessions = await Promise.all(
    Array.from({ length: 8 }, () =>
      firstRow<{ readonly time: unknown }>(db, {
        text: 'select cast(@@max_statement_time as char) as time, sleep(0.02)',
        values: [],
      }),
    ),
  )
  expect(sessions.map((row) => Number(row?.time))).toEqual(sessions.map(() => 30))
})

test('moments with zones are those of UTC, and texts that look like moments stay as they are', async () => {
  const { db } = world.ctx
  const text = `select cast($1::timestamptz as char) as zoned, cast($2::timestamptz as char) as utc,
    cast($3::timestamptz as char) as moment, concat($4, '') as title`
  const moments = ['2026-03-01T01:30:00.25+02:00', '2026-03-01T01:30:00Z', new Date('2026-03-01T01:30:00.123Z')]
  const row = await firstRow(db, { text, values: [...moments, '2026-03-01T01:30:00Z'] })
  expect(row).toEqual({
    zoned: '2026-02-28 23:30:00.250000',
    utc: '2026-03-01 01:30:00.000000',
    moment: '2026-03-01 01:30:00.123000',
    title: '2026-03-01T01:30:00Z',
  })
})

const numbers = 4000
const descending = (name: string) => ({ kind: 'field', path: [], field: name, descending: true }) as const

test('a page in the order of an indexed column is the same in each place of nulls', async () => {
  const { ctx } = world
  await ctx.db.run({ text: 'delete from comments', values: [] })
  const text = `insert into comments (article, author, body) select 1, if(seq % 7 = 0, null, 1 + seq % 2), seq from seq_1_to_${numbers}`
  await ctx.db.run({ text, values: [] })
  const places: readonly ('first' | 'last' | undefined)[] = ['first', 'last', undefined]
  for (const nulls of places) {
    for (const isDescending of [true, false]) {
      const sort = [
        {
          kind: 'field',
          path: [],
          field: 'author',
          descending: isDescending,
          ...(nulls === undefined ? {} : { nulls }),
        },
      ] as const
      const read = async (limit: number | null, offset: number) =>
        JSON.parse(
          jsonOf(
            await readItems(
              ctx,
              queryOf('comments', { selection: [field('id'), field('author')], sort, page: { limit, offset } }),
            ),
          ),
        ) as readonly { id: number; author: number | null }[]
      const all = await read(null, 0)
      const isFirst = nulls === undefined ? isDescending : nulls === 'first'
      expect(all[0]?.author === null).toBe(isFirst)
      expect(all.at(-1)?.author === null).toBe(!isFirst)
      for (const offset of [0, 565, 3420, 3995]) expect(await read(10, offset)).toEqual(all.slice(offset, offset + 10))
    }
  }
})

test('neither a page in the order of an index nor a write of one row reads the table', async () => {
  const { ctx } = world
  await ctx.db.run({ text: 'analyze table comments', values: [] })
  const rowsRead = (work: (inner: typeof ctx) => Promise<unknown>): Promise<number> =>
    ctx.db.transaction(async (db) => {
      const readSoFar = async (): Promise<number> => {
        const text = `select cast(sum(variable_value) as signed) as rows_read from information_schema.session_status where variable_name in ('handler_read_next', 'handler_read_rnd_next', 'handler_read_prev')`
        const { rows } = await db.run({ text, values: [] })
        return (rows[0] as { rows_read: number }).rows_read
      }
      const before = await readSoFar()
      const ofMeasuring = (await readSoFar()) - before
      await work({ ...ctx, db })
      return (await readSoFar()) - before - 2 * ofMeasuring
    })
  const page = { limit: 5, offset: 0 }
  for (const sort of [[descending('author'), descending('id')], [descending('author')], [descending('id')]]) {
    const read = rowsRead((inner) => readItems(inner, queryOf('comments', { sort, page })))
    expect(await read, sort[0]?.field).toBeLessThan(numbers / 4)
  }
  const [key] = (await ctx.db.run({ text: 'select max(id) as id from comments', values: [] })).rows as { id: string }[]
  const changed = rowsRead((inner) =>
    writeItems(inner, {
      kind: 'update',
      collection: 'comments',
      target: { kind: 'keys', keys: [String(key?.id)] },
      changes: changesOf({ body: 'new' }),
    }),
  )
  expect(await changed).toBeLessThan(numbers / 4)
})

/** Adds tables to the world. */
async function withTables(...statements: readonly string[]): Promise<Context> {
  for (const text of statements) await world.ctx.db.run({ text, values: [] })
  return createTestContext(world.ctx.db, await world.loadSchema())
}

test('uuids in capitals are found in a column that folds case, by one and by several', async () => {
  const ctx = await withTables(
    'create table visits (id int primary key, guest char(36) collate utf8mb4_general_ci)',
    `insert into visits values (1, 'ABCDEF00-0000-4000-8000-000000000001'), (2, 'abcdef00-0000-4000-8000-000000000002'), (3, null)`,
  )
  const idsOf = async (json: object) => {
    const options = { name: 'filter', depth: 10, dynamicPaths: false }
    const filter = parseFilter(json, { schema: ctx.schema, collection: 'visits' }, options)
    const answer = await readItems(ctx, queryOf('visits', { selection: [field('id')], filter }))
    return (JSON.parse(jsonOf(answer)) as readonly { id: number }[]).map(({ id }) => id)
  }
  const [first, second] = ['abcdef00-0000-4000-8000-000000000001', 'ABCDEF00-0000-4000-8000-000000000002']
  expect(await idsOf({ guest: { _eq: first } })).toEqual([1])
  expect(await idsOf({ guest: { _in: [first, second] } })).toEqual([1, 2])
  expect(await idsOf({ guest: { _nin: [first] } })).toEqual([2])
})

test('rows whose keys are bytes are written through a relation, and found again by their keys', async () => {
  const ctx = await withTables(
    'create table devices (id binary(16) primary key, name text)',
    'create table signals (id int auto_increment primary key, device binary(16) references devices (id), word text)',
  )
  const id = Buffer.from('00ff10ab000000000000000000000001', 'hex').toString('base64')
  const signal = (name: string) =>
    new Map([
      ...changesOf({ word: name }),
      ['device', { kind: 'one', key: id, changes: changesOf({ id, name }) }] as const,
    ])
  const [first] = await writeItems(ctx, { kind: 'create', collection: 'signals', items: [signal('a')] })
  await upsertItems(ctx, {
    collection: ctx.schema.collections.get('devices') as Collection,
    items: [changesOf({ id, name: 'b' })],
    fields: ['id'],
  })
  const read = async (collection: string) =>
    JSON.parse(jsonOf(await readItems(ctx, queryOf(collection)))) as readonly object[]
  expect(await read('devices')).toEqual([{ id, name: 'b' }])
  expect(await read('signals')).toEqual([{ id: Number(first), device: id, word: 'a' }])
  await writeItems(ctx, { kind: 'create', collection: 'signals', items: [signal('c')] })
  expect(await read('devices')).toEqual([{ id, name: 'c' }])
})

test('rows whose keys are bits, years or numbers filled up with zeros are written by their numbers', async () => {
  const ctx = await withTables(
    'create table masks (k bit(8) primary key, v int)',
    'create table vintages (k year primary key, v int)',
    'create table slips (k int(6) zerofill primary key, v int)',
    'insert into masks values (1, 1), (255, 1)',
    'insert into vintages values (0, 1), (1999, 1)',
    'insert into slips values (7, 1), (42, 1)',
  )
  const keys = { masks: ['255', 77], vintages: ['0', 2024], slips: ['7', 9] } as const
  for (const [collection, [key, next]] of Object.entries(keys)) {
    const target = { kind: 'keys', keys: [key] } as const
    await writeItems(ctx, { kind: 'update', collection, target, changes: changesOf({ v: 5 }) })
    const made = await writeItems(ctx, { kind: 'create', collection, items: [changesOf({ k: next, v: 6 })] })
    expect(made.map(String)).toEqual([String(next)])
    const rows = JSON.parse(jsonOf(await readItems(ctx, queryOf(collection)))) as readonly { k: number; v: number }[]
    expect(rows.filter(({ v }) => v > 1).toSorted((left, right) => left.v - right.v)).toEqual([
      { k: Number(key), v: 5 },
      { k: next, v: 6 },
    ])
  }
})

test('after the last key of a column there is no automatic one, and the answer says so', async () => {
  const { db } = world.ctx
  await db.run({ text: 'create table ends (id tinyint auto_increment primary key, name varchar(9))', values: [] })
  await db.run({ text: `insert into ends values (127, 'brought')`, values: [] })
  const next = db.run({ text: `insert into ends (name) values ('next')`, values: [] })
  expect(await failuresOf(next)).toEqual([
    { kind: 'unprocessable', reason: 'No automatic key is left: the last one is taken' },
  ])
})

test('floats have as many digits as their values, and a view whose table is gone is refused', async () => {
  const ctx = await withTables(
    'create table weights (id int primary key, f float, d double)',
    'insert into weights values (1, 16777216, 0.1), (2, 1234.567, 1e300), (3, 0.33333334, 2), (4, 0, 0), (5, -1e-38, 3), (6, null, null)',
    'create table scales (id int primary key)',
    'create view scales_seen as select id from scales',
  )
  const selection = [field('id'), field('f'), field('d')]
  const rows = JSON.parse(jsonOf(await readItems(ctx, queryOf('weights', { selection })))) as readonly { f: number }[]
  const floats = rows.map(({ f }) => (f === null ? null : Math.fround(f)))
  expect(floats).toEqual([16777216, Math.fround(1234.567), Math.fround(0.33333334), 0, Math.fround(-1e-38), null])
  expect(rows.slice(0, 2)).toEqual([
    { id: 1, f: 16777216, d: 0.1 },
    { id: 2, f: 1234.567, d: 1e300 },
  ])
  await ctx.db.run({ text: 'drop table scales', values: [] })
  expect(await failuresOf(readItems(ctx, queryOf('scales_seen', { selection: [field('id')] })))).toEqual([
    { kind: 'unprocessable', reason: 'What the view is made of is missing in the database' },
  ])
})

test('half a million keys fit into a temporary table in memory', async () => {
  const found = await world.ctx.db.transaction(async (db) => {
    await db.run({ text: 'flush status', values: [] })
    const keys = 'select distinct seq * 2 from seq_1_to_500000'
    const { rows } = await db.run({ text: `select count(*) as count from (${keys}) t`, values: [] })
    const onDisk = `select variable_value as tables from information_schema.session_status
      where variable_name = 'CREATED_TMP_DISK_TABLES'`
    return [...rows, await firstRow(db, { text: onDisk, values: [] })]
  })
  expect(found).toEqual([{ count: 500_000 }, { tables: '0' }])
})

test('tables whose names differ by case alone are two', async () => {
  const { ctx } = world
  const { db } = ctx
  for (const text of ['create table twins (id int primary key)', 'create table Twins (id int primary key, name text)'])
    await db.run({ text, values: [] })
  const { columns } = await dialectOf(ctx.db).readCatalog(ctx.db)
  const found = columns.filter(({ table }) => /^twins$/i.test(table)).map(({ table, name }) => `${table}.${name}`)
  expect(found.toSorted()).toEqual(['Twins.id', 'Twins.name', 'twins.id'])
  await db.run({ text: 'drop table twins', values: [] })
  await db.run({ text: 'drop table Twins', values: [] })
})

test('a key of another table that a trigger writes is not named', async () => {
  const { db } = world.ctx
  for (const text of [
    'create table hidden (word varchar(9), unique key hidden_word (word))',
    'create table shown (id int primary key)',
    `create trigger shown_too after insert on shown for each row insert into hidden values ('same')`,
    'insert into shown values (1)',
  ])
    await db.run({ text, values: [] })
  expect(await failuresOf(db.run({ text: 'insert into shown values (2)', values: [] }))).toEqual([
    { kind: 'not-unique', collection: null, field: null },
  ])
})

test('a small number that its field calls an integer is no truth value', async () => {
  const { db } = world.ctx
  for (const text of [
    'create table counted (id int primary key, many tinyint(1) not null default 1, done tinyint(1))',
    `insert into platform_fields (collection, field, type) values ('counted', 'many', 'integer')`,
    'insert into counted values (1, 3, 1)',
  ])
    await db.run({ text, values: [] })
  const ctx = createTestContext(db, await world.loadSchema())
  const item = changesOf({ id: 2, many: 5, done: false })
  await writeItems(ctx, { kind: 'create', collection: 'counted', items: [item, changesOf({ id: 3 })] })
  await writeItems(ctx, {
    kind: 'update',
    collection: 'counted',
    target: { kind: 'keys', keys: ['1'] },
    changes: changesOf({ many: 7 }),
  })
  expect(JSON.parse(jsonOf(await readItems(ctx, queryOf('counted'))))).toEqual([
    { id: 1, many: 7, done: true },
    { id: 2, many: 5, done: false },
    { id: 3, many: 1, done: null },
  ])
})

test('a single write that a deadlock has ended is done again, with one entry of history', async () => {
  const { db } = world.ctx
  for (const text of [
    'create table owners (id int primary key, seen int)',
    'create table seats (id int primary key, owner int, foreign key (owner) references owners (id))',
    'insert into owners values (1, 0), (2, 0), (3, 0)',
    'insert into seats values (1, 1)',
  ])
    await db.run({ text, values: [] })
  const ctx = createTestContext(db, await world.loadSchema())
  const target = { kind: 'keys', keys: [1] } as const
  let written: Promise<unknown> | undefined
  await db.transaction(async (inner) => {
    await inner.run({ text: 'update owners set seen = 1', values: [] })
    // It locks the seat, and waits for its new owner.
    written = writeItems(ctx, { kind: 'update', collection: 'seats', target, changes: changesOf({ owner: 2 }) })
    await sleep(500)
    await inner.run({ text: 'update seats set owner = 3', values: [] })
  })
  await written
  expect(JSON.parse(jsonOf(await readItems(ctx, queryOf('seats'))))).toEqual([{ id: 1, owner: 2 }])
  const text = `select item from platform_revisions where collection = 'seats'`
  expect((await db.run({ text, values: [], rows: 'array' })).rows).toEqual([['1']])
})
