/** Callers are told what they may see of changes, by the rights of now, at the cost of one statement per set of rules. */
import { afterAll, expect, test } from 'vitest'
import type { Context, Database, Statement } from '../../domain/ports/context.ts'
import type { Seen, Subscription } from '../../domain/ports/feed.ts'
import { equals } from '../../domain/query/filter.ts'
import type { Query } from '../../domain/query/query.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { silentLog } from '../../sql/testing/test-database.ts'
import { receiveAnnouncements } from '../announcements.ts'
import { writeItems } from '../items/items.ts'
import { adminUser, changesOf, failuresOf, is, openTestWorld, queryOf, userWith } from '../testing/test-context.ts'
import { createFeed } from './feed.ts'
import { createSubscriptions } from './subscriptions.ts'

const world = await openTestWorld()
const db = world.ctx.db as Database & Parameters<typeof receiveAnnouncements>[0]
const settings = { retention: 60_000, most: 1000 }
const feed = await createFeed(db, { announcements: await receiveAnnouncements(db), log: silentLog, settings })
const ctx = { ...world.ctx, feed }
const subscriptions = createSubscriptions(feed, { perCaller: 1_100 })
afterAll(async () => {
  await feed.close()
  await world.close()
})

const titles = (changes: Partial<Query> = {}) =>
  queryOf('articles', { selection: [{ kind: 'field', key: 'title', field: 'title' }], ...changes })

type ReceivedEvent = readonly [kind: string, key: unknown, row: unknown]

/** A subscriber that collects what it is told. The value of `actor` may change. */
async function subscribe(who: { actor: Actor }, query = titles(), more: Partial<Subscription<Context>> = {}) {
  const events: ReceivedEvent[] = []
  const ends: unknown[] = []
  const cursors: string[] = []
  const { cursor, stop } = await subscriptions.subscribe({
    query,
    caller: async () => ({ ...ctx, actor: who.actor }),
    onSeen: (seen: readonly Seen[], cursor) => {
      events.push(...seen.map(({ kind, key, json }) => [kind, key, json === null ? null : JSON.parse(json)] as const))
      cursors.push(cursor)
    },
    onEnd: (error) => ends.push(error),
    ...more,
  })
  return { events, ends, cursors, cursor, stop }
}

const create = async (values: { readonly [field: string]: unknown }) =>
  Number((await writeItems(ctx, { kind: 'create', collection: 'articles', items: [changesOf(values)] }))[0])
const update = (key: number, values: { readonly [field: string]: unknown }) =>
  writeItems(ctx, {
    kind: 'update',
    collection: 'articles',
    target: { kind: 'keys', keys: [key] },
    changes: changesOf(values),
  })
const remove = (key: number) =>
  writeItems(ctx, { kind: 'delete', collection: 'articles', target: { kind: 'keys', keys: [key] } })

/**
 * Waits until everybody has been told: somebody who sees everything is told of a last change, and of one after it, whose
 * turn comes when all have been told of the first.
 */
async function settled(): Promise<void> {
  const all = await subscribe({ actor: adminUser })
  for (let turn = 0; turn < 2; turn += 1) {
    const key = await create({ title: 'the last one', status: 'last' })
    await expect.poll(() => all.events.some(([, last]) => last === key), { interval: 5, timeout: 5_000 }).toBe(true)
  }
  all.stop()
}

const published = userWith([{ filter: is('status', 'published') }], { fingerprint: 'published' })

test('rows that enter or leave what one may see are created or deleted, and nothing else is told of the others', async () => {
  const [open, limited, asking] = [
    await subscribe({ actor: adminUser }),
    await subscribe({ actor: published }),
    await subscribe({ actor: adminUser }, titles({ filter: is('views', 7) })),
  ]
  const key = await create({ title: 'a', status: 'draft' })
  await update(key, { status: 'published' })
  await update(key, { title: 'b', views: 7 })
  await update(key, { status: 'draft' })
  await remove(key)
  await settled()
  for (const { stop } of [open, limited, asking]) stop()
  const last = expect.anything()
  expect(limited.events).toEqual([
    ['create', key, { title: 'a' }],
    ['update', key, { title: 'b' }],
    ['delete', key, null],
  ])
  expect(asking.events).toEqual([
    ['create', key, { title: 'b' }],
    ['update', key, { title: 'b' }],
    ['delete', key, null],
  ])
  expect(open.events).toEqual([
    ['create', key, { title: 'a' }],
    ['update', key, { title: 'a' }],
    ['update', key, { title: 'b' }],
    ['update', key, { title: 'b' }],
    ['delete', key, null],
    ['create', last, last],
    ['create', last, last],
  ])
})

test('changed rights count at once, and who is no caller any more is told why', async () => {
  const who = { actor: published }
  let isCaller = true
  const changing = await subscribe(who)
  const leaving = await subscribe(who, titles(), {
    caller: async () => {
      if (!isCaller) throw new TandemError({ kind: 'token-expired' })
      return { ...ctx, actor: who.actor }
    },
  })
  const key = await create({ title: 'secret', status: 'draft' })
  await settled()
  who.actor = userWith([{ filter: is('status', 'draft') }], { fingerprint: 'drafts' })
  isCaller = false
  await update(key, { title: 'shown' })
  await settled()
  expect(changing.events).toEqual([['update', key, { title: 'shown' }]])
  expect([leaving.events, leaving.ends]).toEqual([[], [new TandemError({ kind: 'token-expired' })]])

  who.actor = userWith([{ fields: ['id'] }], { fingerprint: 'no titles' })
  await update(key, { title: 'hidden' })
  await settled()
  expect(changing.events).toHaveLength(1)
  expect(changing.ends).toMatchObject([{ failures: [{ kind: 'forbidden' }] }])
})

const keysOf = ({ events }: { readonly events: readonly ReceivedEvent[] }) =>
  events.slice(0, 4).map(([kind, key]) => [kind, key])

test('of a row whose key one may not read, changes have no key', async () => {
  const hidden = await subscribe({ actor: userWith([{ fields: ['title'] }], { fingerprint: 'no key' }) })
  const open = await subscribe({ actor: userWith([{ fields: ['id', 'title'] }], { fingerprint: 'key' }) })
  const some = userWith([{ fields: ['title'] }, { fields: ['id'], filter: is('status', 'published') }])
  const partly = await subscribe({ actor: some })
  const key = await create({ title: 'a', status: 'draft' })
  await update(key, { status: 'published' })
  await update(key, { status: 'draft' })
  await remove(key)
  await settled()
  for (const { stop } of [hidden, open, partly]) stop()
  const kinds = ['create', 'update', 'update', 'delete']
  expect(keysOf(hidden)).toEqual(kinds.map((kind) => [kind, null]))
  expect(keysOf(open)).toEqual(kinds.map((kind) => [kind, key]))
  // The second and third change show the published row, before or after.
  expect(keysOf(partly)).toEqual(kinds.map((kind, at) => [kind, at === 1 || at === 2 ? key : null]))
})

test('subscriptions without read rights and those with groups are refused before any event', async () => {
  const nobody = { actor: userWith([], { fingerprint: 'none' }) }
  expect(await failuresOf(subscribe(nobody))).toMatchObject([{ kind: 'forbidden' }])
  const groups = { values: [], group: [{ kind: 'field', key: 'status', field: 'status' }] } as const
  const grouping = subscribe({ actor: adminUser }, titles({ aggregation: groups }))
  expect(await failuresOf(grouping)).toMatchObject([{ kind: 'invalid-query', name: 'aggregate' }])
})

/** Each vendor reads given rows in words of its own. */
const judged = ({ text }: Statement): boolean => /^select .*(json_populate_record\(null|"position ")/s.test(text)

test('a thousand subscribers of five sets of rules cost five statements for a change', async () => {
  const sets = Array.from({ length: 5 }, (_, n) =>
    userWith([{ filter: is('views', n) }], { fingerprint: `views ${n}` }),
  )
  const all = await Promise.all(Array.from({ length: 1_000 }, (_, n) => subscribe({ actor: sets[n % 5] as Actor })))
  world.statements.length = 0
  const key = await create({ title: 'x', views: 3 })
  await expect.poll(() => all.every(({ cursors }) => cursors.length > 0), { interval: 5 }).toBe(true)
  for (const { stop } of all) stop()
  expect(world.statements.filter(judged)).toHaveLength(5)
  expect(all.flatMap(({ events }, n) => (events.length > 0 ? [n % 5] : [])).every((set) => set === 3)).toBe(true)
  expect(all.filter(({ events }) => events.length === 1 && events[0]?.[1] === key)).toHaveLength(200)
})

test('one caller has a bounded number of subscriptions', async () => {
  const few = createSubscriptions(feed, { perCaller: 1 })
  const one = { query: titles(), caller: async () => ({ ...ctx, actor: published }), onSeen: () => {}, onEnd: () => {} }
  const { stop } = await few.subscribe(one)
  expect(await failuresOf(few.subscribe(one))).toMatchObject([{ kind: 'requests-exceeded', limit: 1 }])
  stop()
  await expect(few.subscribe(one)).resolves.toMatchObject({ cursor: expect.stringMatching(/^\d+-/) })
  few.close()
})

test('equal rules about the own user are judged for each user', async () => {
  const own = userWith([
    {
      filter: equals('user_created', { kind: 'current-user', path: [] }),
    },
  ])
  const other = { ...own, user: '99999999-9999-4999-8999-000000000000' } as Actor
  const [mine, theirs] = [await subscribe({ actor: own }), await subscribe({ actor: other })]
  const key = await create({ title: 'own' })
  await settled()
  for (const { stop } of [mine, theirs]) stop()
  expect([mine.events[0], theirs.events]).toEqual([['create', key, { title: 'own' }], []])
})

test('a returning subscriber gets the missed events, or a gap if they are deleted', async () => {
  const first = await subscribe({ actor: published })
  const key = await create({ title: '1', status: 'published' })
  await settled()
  first.stop()
  const cursor = first.cursors.at(0) ?? ''
  const [position] = cursor.split('-')
  await update(key, { title: '2' })
  await remove(key)
  const again = await subscribe({ actor: published }, titles(), { from: cursor })
  await settled()
  again.stop()
  expect(again.events).toEqual([
    ['update', key, { title: '2' }],
    ['delete', key, null],
  ])
  const gaps: string[] = []
  for (const from of ['10000000', `${position}-mmq4g4lk`, String(position)]) {
    const late = await subscribe({ actor: published }, titles(), { from, onGap: () => gaps.push(from) })
    late.stop()
    expect(gaps.at(-1)).toBe(from)
  }
})
