/** Changes reach every listener once, in their order, and nobody pays while nobody listens. */
import { afterAll, expect, test } from 'vitest'
import type { Database } from '../../domain/ports/context.ts'
import type { FeedEvent } from '../../domain/ports/feed.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { pruneEvents } from '../../sql/statements/feed/events.ts'
import { unwatchTable, watchTable } from '../../sql/statements/feed/watch.ts'
import { silentLog } from '../../sql/testing/test-database.ts'
import { testOnPostgres } from '../../sql/testing/test-vendors.ts'
import { announce, receiveAnnouncements } from '../announcements.ts'
import { writeItems } from '../items/items.ts'
import { nested } from '../testing/test-changes.ts'
import { changesOf, openTestWorld, type TestWorld } from '../testing/test-context.ts'
import { cursorText, positionOfCursor } from './cursors.ts'
import { createFeed, type FeedSettings, type OpenFeed } from './feed.ts'

const usual: FeedSettings = { retention: 60_000, most: 1000 }

async function openFeed(settings = usual): Promise<OpenFeed> {
  const announcements = await receiveAnnouncements(world.db)
  return createFeed(world.db, { announcements, log: silentLog, settings })
}

const opened = await openTestWorld()
const world: TestWorld & { readonly db: Parameters<typeof receiveAnnouncements>[0] & Database } = {
  ...opened,
  db: opened.ctx.db as (typeof world)['db'],
}
const feed = await openFeed()
const ctx = { ...opened.ctx, feed }
afterAll(async () => {
  await feed.close()
  await world.close()
})

/** Collects the events of a feed. */
async function collect(from: OpenFeed) {
  const found: FeedEvent[] = []
  const { after, stop } = from.listen(await from.position(), async (events) => void found.push(...events))
  const until = (count: number) => expect.poll(() => found.length, { timeout: 5_000, interval: 5 }).toBe(count)
  return { found, after, stop, until }
}

const create = (...titles: readonly string[]) =>
  writeItems(ctx, { kind: 'create', collection: 'articles', items: titles.map((title) => changesOf({ title })) })
const brief = ({ action, collection, item, before, after }: FeedEvent) => [
  action,
  collection,
  item,
  ...[before, after].map((row) => (row === null ? null : (JSON.parse(row) as { title?: unknown }).title)),
]

test('nothing is written while nobody listens, and the statement is the one without listeners', async () => {
  world.statements.length = 0
  await create('unheard')
  expect(world.statements.filter(({ text }) => text.includes('platform_events'))).toEqual([])
  expect(await world.rowsOf('select 1 from platform_events')).toEqual([])
})

test('each kind of write is told with the row before and after it', async () => {
  const { found, stop, until } = await collect(feed)
  const [a, b] = (await create('one', 'two')) as [number, number]
  await writeItems(ctx, {
    kind: 'update',
    collection: 'articles',
    target: { kind: 'keys', keys: [a, b] },
    changes: changesOf({ title: 'same' }),
  })
  await writeItems(ctx, {
    kind: 'update-each',
    collection: 'articles',
    items: [
      { key: a, changes: changesOf({ title: 'x' }) },
      { key: b, changes: changesOf({ title: 'y' }) },
    ],
  })
  await writeItems(ctx, {
    kind: 'update',
    collection: 'articles',
    target: { kind: 'keys', keys: [a] },
    changes: nested({ title: 'z', author: { kind: 'one', key: null, changes: nested({ name: 'New' }) } }),
  })
  await writeItems(ctx, { kind: 'delete', collection: 'articles', target: { kind: 'keys', keys: [a, b] } })
  await until(10)
  stop()
  const [one, two] = [String(a), String(b)]
  const events = found.filter(({ collection }) => collection === 'articles').map(brief)
  // The rows of one statement have no order among each other.
  expect(events.toSorted((x, y) => (x[0] === y[0] && x[0] === 'delete' ? Number(x[2]) - Number(y[2]) : 0))).toEqual([
    ['create', 'articles', one, null, 'one'],
    ['create', 'articles', two, null, 'two'],
    ['update', 'articles', one, 'one', 'same'],
    ['update', 'articles', two, 'two', 'same'],
    ['update', 'articles', one, 'same', 'x'],
    ['update', 'articles', two, 'same', 'y'],
    ['update', 'articles', one, 'x', 'z'],
    ['delete', 'articles', one, 'z', null],
    ['delete', 'articles', two, 'y', null],
  ])
  expect(found.filter(({ collection }) => collection === 'authors').map(({ action }) => action)).toEqual(['create'])
  expect(found.map(({ position }) => position)).toEqual(found.map((_, at) => (found[0]?.position ?? 0) + at))
})

test('history and answers are the same with listeners', async () => {
  const before = await world.rowsOf('select count(*)::int as count from platform_revisions')
  const [key] = await create('with history')
  await writeItems(ctx, {
    kind: 'update',
    collection: 'articles',
    target: { kind: 'keys', keys: [key ?? 0] },
    changes: changesOf({ title: 'b' }),
  })
  const revisions = await world.rowsOf(
    `select data ->> 'title' as title from platform_revisions where item = '${key}' order by id`,
  )
  expect(revisions).toEqual([{ title: 'with history' }, { title: 'b' }])
  expect(await world.rowsOf('select count(*)::int - 2 as count from platform_revisions')).toEqual(before)
})

test('rolled back and failed writes cause no events', async () => {
  const { found, stop, until } = await collect(feed)
  const undone = ctx.db.transaction(async (db) => {
    await writeItems(
      { ...ctx, db },
      { kind: 'create', collection: 'articles', items: [changesOf({ title: 'undone' })] },
    )
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await create('done')
  await until(1)
  stop()
  expect(found.map(brief)[0]?.at(-1)).toBe('done')
})

test('of secrets only that there is one is kept', async () => {
  const { found, stop, until } = await collect(feed)
  const email = 'secret@example.com'
  await writeItems(ctx, {
    kind: 'create',
    collection: 'platform_users',
    items: [changesOf({ email, password: 'hush-hush-1' })],
  })
  await until(1)
  stop()
  const row = JSON.parse(found[0]?.after ?? '') as { readonly [name: string]: unknown }
  expect([row['email'], row['password'], row['token'], row['auth_data']]).toEqual([email, '***', null, undefined])
})

test('a returning listener continues at its position', async () => {
  const first = await collect(feed)
  await create('a')
  await first.until(1)
  first.stop()
  await create('b', 'c')
  const { last, floor } = await feed.position()
  const missed: FeedEvent[] = []
  for await (const events of feed.replay({ after: first.found[0]?.position ?? 0, upTo: last })) missed.push(...events)
  expect(missed.map((event) => brief(event).at(-1))).toEqual(['b', 'c'])
  expect([floor, missed.at(-1)?.position]).toEqual([1, last])
})

test('a place is known until later changes are deleted, and no more once the database was restored', async () => {
  const { found, stop, until } = await collect(feed)
  await create('kept', 'lost')
  await until(2)
  stop()
  const [kept = '', lost = ''] = found.map(({ position, at }) => cursorText(position, at))
  const positionsNow = async () => {
    const place = await feed.position()
    return Promise.all([kept, lost].map((text) => positionOfCursor(feed, place, text)))
  }
  expect(await positionsNow()).toEqual(found.map(({ position }) => position))
  await ctx.db.transaction((db) => pruneEvents(db, { age: 60_000, most: 1, batch: 1000 }))
  expect(await positionsNow()).toEqual(found.map(({ position }) => position))
  await world.rowsOf('update platform_feed set last = floor')
  await world.rowsOf('delete from platform_events')
  await new Promise((resolve) => setTimeout(resolve, 2))
  await create('after the restore')
  expect(await positionsNow()).toEqual([found[0]?.position, null])
  await ctx.db.transaction((db) => pruneEvents(db, { age: 60_000, most: 0, batch: 1000 }))
  expect(await positionsNow()).toEqual([null, null])
})

test('two replicas get the same events with the same places, also those of a transaction that commits late', async () => {
  const other = await openFeed()
  const [mine, theirs] = [await collect(feed), await collect(other)]
  const isServer = ctx.db.dialect !== 'pglite'
  await ctx.db.transaction(async (db) => {
    await writeItems({ ...ctx, db }, { kind: 'create', collection: 'articles', items: [changesOf({ title: 'late' })] })
    // The embedded database has one connection, which the transaction holds.
    if (!isServer) return
    await Promise.all(['early 1', 'early 2'].map((title) => create(title)))
    await mine.until(2)
  })
  if (!isServer) await create('early 1', 'early 2')
  const keys = await create('last')
  await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      writeItems(ctx, {
        kind: 'update',
        collection: 'articles',
        target: { kind: 'keys', keys },
        changes: changesOf({ views: n }),
      }),
    ),
  )
  await mine.until(14)
  await theirs.until(14)
  mine.stop()
  theirs.stop()
  await other.close()
  expect(theirs.found).toEqual(mine.found)
  const titles = mine.found.slice(0, 3).map((event) => brief(event).at(-1))
  expect(new Set(titles)).toEqual(new Set(['early 1', 'early 2', 'late']))
  if (isServer) expect(titles.at(-1)).toBe('late')
  const views = mine.found
    .slice(4)
    .map(({ before, after }) => [before, after].map((row) => (JSON.parse(row ?? '') as { views: number }).views))
  expect(views.slice(1).map(([before]) => before)).toEqual(views.slice(0, -1).map(([, after]) => after))
})

test('concurrent transactions leave no gap, and each row has its changes in order', async () => {
  const other = await openFeed()
  const [mine, theirs] = [await collect(feed), await collect(other)]
  const keys = await create('a', 'b', 'c')
  await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      ctx.db.transaction(async (db) => {
        const inner = { ...ctx, db }
        if (n % 3 === 0)
          await writeItems(inner, { kind: 'create', collection: 'articles', items: [changesOf({ title: `new ${n}` })] })
        const target = { kind: 'keys', keys: [keys[n % 3] as number] } as const
        await writeItems(inner, { kind: 'update', collection: 'articles', target, changes: changesOf({ views: n }) })
        // Transactions commit in another order than that of their events.
        await new Promise((resolve) => setTimeout(resolve, (n * 7) % 20))
      }),
    ),
  )
  await mine.until(43)
  await theirs.until(43)
  mine.stop()
  theirs.stop()
  await other.close()
  expect(theirs.found).toEqual(mine.found)
  expect(mine.found.map(({ position }) => position)).toEqual(mine.found.map((_, at) => mine.after + at + 1))
  for (const key of keys) {
    const changes = mine.found.filter(({ item, action }) => item === String(key) && action === 'update')
    const views = changes.map(({ before, after }) =>
      [before, after].map((row) => (JSON.parse(row ?? '') as { views: number }).views),
    )
    expect(views).toHaveLength(10)
    expect(views.slice(1).map(([before]) => before)).toEqual(views.slice(0, -1).map(([, after]) => after))
  }
})

test('a watched table tells what other programs and the database change, and each own change once', async () => {
  const schema = await world.loadSchema()
  const articles = schema.collections.get('articles') as Collection
  await watchTable(ctx.db, articles)
  await announce(ctx.db, 'feed')
  await expect.poll(() => feed.records('articles'), { interval: 5, timeout: 5_000 }).toBe(false)
  const { found, stop, until } = await collect(feed)
  const [own] = await create('own')
  await world.rowsOf(`insert into articles (id, title) values (9001, 'foreign')`)
  await world.rowsOf(`update articles set title = 'changed' where id = 9001`)
  await world.rowsOf('update articles set id = 9002 where id = 9001')
  await world.rowsOf('delete from articles where id = 9002')
  await until(6)
  stop()
  expect(found.map(brief)).toEqual([
    ['create', 'articles', String(own), null, 'own'],
    ['create', 'articles', '9001', null, 'foreign'],
    ['update', 'articles', '9001', 'foreign', 'changed'],
    ['delete', 'articles', '9001', 'changed', null],
    ['create', 'articles', '9002', null, 'changed'],
    ['delete', 'articles', '9002', 'changed', null],
  ])
  await unwatchTable(ctx.db, articles)
  await announce(ctx.db, 'feed')
  await expect.poll(() => feed.records('articles'), { interval: 5, timeout: 5_000 }).toBe(true)
  await world.rowsOf(`insert into articles (title) values ('not told')`)
  const { last } = await feed.position()
  expect(last).toBe(found.at(-1)?.position)
})

testOnPostgres('MariaDB calls no trigger for it')(
  'of a watched table that is emptied, all rows are told as deleted',
  async () => {
    const articles = (await world.loadSchema()).collections.get('articles') as Collection
    await watchTable(ctx.db, articles)
    const { found, stop, until } = await collect(feed)
    await world.rowsOf(`insert into articles (title) values ('50% "off"')`)
    const rows = (await world.rowsOf('select id::text as id, title from articles')) as readonly {
      readonly id: string
      readonly title: string
    }[]
    await world.rowsOf('truncate articles cascade')
    await until(rows.length + 1)
    stop()
    const deleted = found.filter(({ action }) => action === 'delete').map(brief)
    expect(new Set(deleted)).toEqual(new Set(rows.map(({ id, title }) => ['delete', 'articles', id, title, null])))
    await unwatchTable(ctx.db, articles)
    await world.rowsOf('truncate articles cascade')
  },
)
