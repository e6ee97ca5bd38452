import { afterAll, expect, test } from 'vitest'
import type { Database } from '../../domain/ports/context.ts'
import { createTestDatabase, silentLog } from '../../sql/testing/test-database.ts'
import { testOnPostgres } from '../../sql/testing/test-vendors.ts'
import { announce, receiveAnnouncements } from '../announcements.ts'
import { registerMetadata } from './introspect.ts'
import { createSchemaCache } from './schema.ts'

const world = await createTestDatabase({ sql: 'create table first (id serial primary key)' })
const db = world.db
/** The connection of another replica. The embedded database has one process and one connection. */
const other = world.openAgain === null ? db : await world.openAgain()
const announcements = await receiveAnnouncements(db)
afterAll(async () => {
  if (other !== db) await other.close()
  await world.close()
})

const options = () => ({ exclude: [], log: silentLog, announcements })
const run = (text: string) => db.run({ text, values: [] })
const heard = (topic: 'schema' | 'access') => {
  const message = Promise.withResolvers<void>()
  const stop = announcements.on(topic, () => message.resolve())
  return message.promise.finally(stop)
}

test('a schema under way is kept while a new one is loaded', async () => {
  const cache = await createSchemaCache(db, options())
  const before = cache.current()
  await run('create table second (id serial primary key)')
  expect(cache.current()).toBe(before)
  const after = await cache.refresh()
  expect(cache.current()).toBe(after)
  expect(before.collections.has('second')).toBe(false)
  expect(after.collections.has('second')).toBe(true)
  await cache.close()
})

test('a load that finds nothing new keeps the value', async () => {
  const cache = await createSchemaCache(db, options())
  const before = cache.current()
  expect(await cache.refresh()).toBe(before)
  await cache.close()
})

test('a change that comes while a load runs is in the load that follows', async () => {
  const cache = await createSchemaCache(db, options())
  const early = cache.refresh()
  await run('create table third (id serial primary key)')
  const late = await Promise.all([cache.refresh(), cache.refresh(), early])
  expect(late.slice(0, 2).map((schema) => schema.collections.has('third'))).toEqual([true, true])
  await cache.close()
})

test('a schema that one replica announces is loaded by the others', async () => {
  const here = await createSchemaCache(db, options())
  const there = await createSchemaCache(other, { ...options(), announcements: await receiveAnnouncements(other) })
  await run('create table fourth (id serial primary key)')
  await db.transaction((inner: Database) => there.announce(inner))
  await expect.poll(() => here.current().collections.has('fourth')).toBe(true)
  await there.refresh()
  expect(here.current().version).toBe(there.current().version)
  await Promise.all([here.close(), there.close()])
})

test('the replica that announces a change is not told of it', async () => {
  let loads = 0
  const counted: Database = {
    ...db,
    run: (statement) => {
      if (statement.text.includes('from platform_relations')) loads += 1
      return db.run(statement)
    },
  }
  const here = await createSchemaCache(counted, options())
  const first = loads
  const message = heard('schema')
  await db.transaction((inner: Database) => here.announce(inner))
  await message
  expect(loads).toBe(first)
  await announce(db, 'schema')
  await expect.poll(() => loads).toBe(2 * first)
  await here.close()
})

testOnPostgres('MariaDB has no NOTIFY')(
  'what other programs change is seen once they say so, without a word about what, or once it is introspected',
  async () => {
    const cache = await createSchemaCache(db, options())
    const columns = () => cache.current().collections.get('foreign_made')?.fields.keys().toArray()
    await run('create table foreign_made (id serial primary key); notify tandem')
    await expect.poll(columns).toEqual(['id'])
    const introspect = () => registerMetadata(db, (inner) => cache.load(inner))
    await introspect()
    await run('alter table foreign_made add column name text')
    expect((await introspect()).done).toEqual([])
    await expect.poll(columns).toEqual(['id', 'name'])
    await cache.close()
  },
)

test('an announcement in a transaction is made when it commits', async () => {
  const message = heard('access')
  await db.transaction((inner: Database) => announce(inner, 'access'))
  await message
})

test('a missed message is about everything', async () => {
  const listeners: ((payload: string | null) => void)[] = []
  const deliver = (payload: string | null): void => listeners.forEach((onMessage) => onMessage(payload))
  const topics: string[] = []
  const received = await receiveAnnouncements({
    run: () => Promise.resolve({ rows: [{ channel: 'own' }], count: 1 }),
    listen: async (channel, onMessage) => {
      if (channel === 'own') listeners.push(onMessage)
    },
  })
  received.on('schema', () => void topics.push('schema'))
  const stop = received.on('access', () => void topics.push('access'))
  deliver('{"topic":"access"}')
  deliver('{"topic":"schema"}')
  deliver(null)
  stop()
  deliver('{"topic":"access"}')
  expect(topics).toEqual(['access', 'schema', 'schema', 'access'])
})

test('a closed cache loads no more', async () => {
  const cache = await createSchemaCache(db, options())
  const before = cache.current()
  await cache.close()
  await run('create table fifth (id serial primary key)')
  expect(await cache.refresh()).toBe(before)
})
