import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import type { Database } from '../../domain/ports/context.ts'
import { parseSchedule, type Schedule } from '../../domain/ports/schedule.ts'
import { openTestWorld } from '../testing/test-context.ts'
import { deleteHistoryBySchedule, type Retention, removeOldHistory } from './retention.ts'

const world = await openTestWorld()
afterAll(() => world.close())

const now = new Date('2026-06-01T00:00:00Z')
const day = 86_400_000
const retention: Retention = {
  schedule: parseSchedule('0 0 * * *') as Schedule,
  batch: 2,
  activity: 90 * day,
  revisions: 30 * day,
}

/** One activity entry per month with a revision, an old comment and an old login. */
beforeEach(() =>
  world.rowsOf(`
    truncate platform_activity, platform_revisions restart identity cascade;
    insert into platform_activity (action, "timestamp", collection, item)
      select 'update', '2026-06-01T00:00:00Z'::timestamptz - n * interval '1 month', 'articles', n::text from generate_series(1, 7) n;
    insert into platform_revisions (activity, collection, item) select id, collection, item from platform_activity;
    insert into platform_activity (action, "timestamp", collection, item, comment)
      values ('comment', '2020-01-01', 'articles', '1', 'a'), ('login', '2020-01-01', 'platform_users', 'x', null)`),
)

const left = async () => [
  await world.rowsOf('select action, item from platform_activity order by id'),
  await world.rowsOf('select item from platform_revisions order by id'),
]
const updates = (...items: readonly string[]) => items.map((item) => ({ action: 'update', item }))

test('history older than its maximum age is deleted in batches', async () => {
  expect(await removeOldHistory(world.ctx.db, retention, now)).toEqual({ activity: 6, revisions: 7 })
  expect(await left()).toEqual([[...updates('1', '2'), { action: 'comment', item: '1' }], []])
})

test('activity stays while one of its revisions does', async () => {
  const removed = await removeOldHistory(world.ctx.db, { ...retention, revisions: 200 * day }, now)
  expect(removed).toEqual({ activity: 2, revisions: 1 })
  const [, revisions] = await left()
  expect(revisions).toHaveLength(6)
})

test('history of exactly the maximum age stays, and a millisecond older it is deleted', async () => {
  await world.rowsOf(`truncate platform_activity, platform_revisions restart identity cascade;
    insert into platform_activity (action, "timestamp", collection, item) values
      ('update', '2026-05-02T00:00:00Z', 'articles', '30 days'),
      ('update', '2026-05-01T23:59:59.999Z', 'articles', '30 days and a millisecond'),
      ('update', '2026-03-03T00:00:00Z', 'articles', '90 days'),
      ('update', '2026-03-02T23:59:59.999Z', 'articles', '90 days and a millisecond');
    insert into platform_revisions (activity, collection, item) select id, collection, item from platform_activity`)
  expect(await removeOldHistory(world.ctx.db, retention, now)).toEqual({ activity: 1, revisions: 3 })
  expect(await left()).toEqual([updates('30 days', '30 days and a millisecond', '90 days'), [{ item: '30 days' }]])
})

test('entries that stay are read once, also where many are of the same moment', async () => {
  await world.rowsOf(`truncate platform_activity, platform_revisions restart identity cascade;
    insert into platform_activity (action, "timestamp", collection, item)
      select case when n % 3 = 0 then 'update' else 'comment' end, '2020-01-01T00:00:00.123456Z'::timestamptz, 'articles', n::text
      from generate_series(1, 12) n`)
  const deleted: unknown[] = []
  const counted = (inner: Database): Database => ({
    ...inner,
    run: (statement) => {
      if (statement.text.startsWith('delete')) deleted.push(...(statement.values[0] as unknown[]))
      return inner.run(statement)
    },
  })
  const { db: own } = world.ctx
  const db: Database = { ...own, transaction: (task) => own.transaction((inner) => task(counted(inner))) }
  expect(await removeOldHistory(db, { ...retention, revisions: null }, now)).toEqual({ activity: 4, revisions: 0 })
  expect(deleted).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
})

test('history without a maximum age stays', async () => {
  const unlimited = { ...retention, activity: null, revisions: null }
  expect(await removeOldHistory(world.ctx.db, unlimited, now)).toEqual({ activity: 0, revisions: 0 })
})

test('the deletion runs on schedule, and not twice at once', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let time = new Date('2026-05-31T23:59:00Z')
  const done = Promise.withResolvers<object>()
  const log = { ...world.ctx.log, info: (detail: object) => done.resolve(detail) }
  const stop = deleteHistoryBySchedule(world.ctx.db, retention, { clock: () => time, log })
  try {
    vi.advanceTimersByTime(60_000)
    const [before] = await left()
    expect(before).toHaveLength(9)
    time = now
    vi.advanceTimersByTime(60_000)
    vi.advanceTimersByTime(60_000)
    expect(await done.promise).toEqual({ activity: 6, revisions: 7 })
  } finally {
    await stop()
    vi.useRealTimers()
  }
})
