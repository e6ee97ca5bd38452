/**
 * Whatever the rules, the query and the change: who asks is told exactly what reading before and after the change would
 * show. `FEED_CASES` is the number of scenes, each with four readers and up to three changes; `FEED_SEED` repeats a run,
 * which ends after `FEED_MINUTES`.
 */
import { array, assert, asyncProperty, integer, nat } from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import { and, type Filter, matchAll, or } from '../../domain/query/filter.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { readEvents, readFeed } from '../../sql/statements/feed/events.ts'
import { writeItems } from '../items/items.ts'
import { readItemRows } from '../rows/read-items.ts'
import { changesOf, is, openTestWorld, queryOf, testUser, userWith } from '../testing/test-context.ts'
import { playScene } from '../testing/test-scene.ts'
import { assignPositions } from './feed.ts'
import { judge } from './judge.ts'

const world = await openTestWorld()
afterAll(() => world.close())

type Choose = (below: number) => number
type Row = { readonly [field: string]: unknown }

const of = <T>(choose: Choose, list: readonly T[]): T => list[choose(list.length)] as T

const some = (field: string, collection: string, filter: Filter, quantifier: 'some' | 'none' = 'some'): Filter => ({
  kind: 'related',
  field,
  collection,
  quantifier,
  filter,
})

const compare = (
  field: string,
  operator: 'gt' | 'null' | 'eq' | 'contains',
  ...values: readonly (string | number)[]
): Filter => ({
  kind: 'compare',
  operand: { kind: 'field', field },
  operator,
  values,
})

const mine: Filter = {
  kind: 'compare',
  operand: { kind: 'field', field: 'user_created' },
  operator: 'eq',
  values: [{ kind: 'current-user', path: [] }],
}

function drawFilter(choose: Choose, depth = 2): Filter {
  const inner = () => drawFilter(choose, depth - 1)
  const kind = choose(depth === 0 ? 8 : 11)
  if (kind === 8) return and(inner(), inner())
  if (kind === 9) return or(inner(), inner())
  if (kind === 10) return { kind: 'not', filter: inner() }
  return of(choose, [
    matchAll,
    is('status', of(choose, ['draft', 'published', 'archived'])),
    compare('views', 'gt', choose(4)),
    compare('author', 'null'),
    compare('title', 'contains', of(choose, ['a', 'B'])),
    mine,
    some('author', 'authors', compare('age', 'gt', 30 + choose(20))),
    some('comments', 'comments', matchAll, of(choose, ['some', 'none'])),
  ])
}

const fields = ['id', 'title', 'status', 'views', 'author', 'comments', 'price', 'reads', 'embargo', 'options']

function drawActor(choose: Choose): Actor {
  if (choose(8) === 0) return userWith([], { admin: true })
  const rules = Array.from({ length: 1 + choose(2) }, () => ({
    filter: drawFilter(choose),
    fields: choose(2) === 0 ? ('*' as const) : ['id', ...fields.filter(() => choose(2) === 0)],
  }))
  const about = ['authors', 'comments'].map((collection) => ({
    collection,
    filter: choose(2) === 0 ? matchAll : compare('id', 'gt', choose(3)),
  }))
  return userWith([...rules, ...about], { fingerprint: `drawn ${choose(1_000_000)} ${JSON.stringify(rules)}` })
}

const randomQuery = (choose: Choose) =>
  queryOf('articles', {
    // Conditions on fields that rules hide are refused, so queries filter by the key only.
    filter: of(choose, [matchAll, compare('id', 'gt', choose(4))]),
    page: { limit: null, offset: 0 },
    archive: { kind: of(choose, ['all', 'live']) },
  })

function drawChanges(choose: Choose): Row {
  const all: Row = {
    title: of(choose, ['a', 'B', 'c "d"', 'é\n']),
    status: of(choose, ['draft', 'published', 'archived']),
    views: choose(5),
    author: of(choose, [null, 1, 2]),
    user_created: of(choose, [null, testUser]),
    reads: of(choose, [null, '9007199254740993']),
    price: of(choose, ['0.10000', null]),
    embargo: of(choose, [null, '2026-02-03T04:05:06']),
    options: of(choose, [null, { deep: [1, 'x'] }]),
  }
  return Object.fromEntries(Object.entries(all).filter(([name]) => name === 'title' || choose(2) === 0))
}

async function change(ctx: Context, choose: Choose, keys: readonly number[]): Promise<void> {
  const target = { kind: 'keys', keys: keys.filter(() => choose(2) === 0) } as const
  const collection = 'articles'
  switch (choose(keys.length === 0 ? 1 : 4)) {
    case 0:
      await writeItems(ctx, {
        kind: 'create',
        collection,
        items: [changesOf(drawChanges(choose)), changesOf(drawChanges(choose))],
      })
      return
    case 1:
      await writeItems(ctx, { kind: 'delete', collection, target })
      return
    case 2:
      await writeItems(ctx, { kind: 'update', collection, target, changes: changesOf(drawChanges(choose)) })
      return
    default:
      await writeItems(ctx, {
        kind: 'update-each',
        collection,
        items: target.keys.map((key) => ({ key, changes: changesOf(drawChanges(choose)) })),
      })
  }
}

/** A change that the database refuses is none. */
async function tried(ctx: Context, work: (inner: Context) => Promise<void>): Promise<void> {
  try {
    await ctx.db.transaction((db) => work({ ...ctx, db }))
  } catch (error) {
    if (!(error instanceof TandemError)) throw error
  }
}

const byKey = (rows: readonly Row[]) => new Map(rows.map((row) => [String(row['id']), row]))

/** What reading before and after shows of the rows that were written. */
function expected(before: ReadonlyMap<string, Row>, after: ReadonlyMap<string, Row>, items: readonly string[]) {
  return items.flatMap((item) => {
    const [old, now] = [before.get(item), after.get(item)]
    if (old === undefined && now === undefined) return []
    return [[now === undefined ? 'delete' : old === undefined ? 'create' : 'update', item, now ?? null]]
  })
}

const cases = Number(process.env['FEED_CASES'] ?? 40)
const seed = Number(process.env['FEED_SEED'] ?? Date.now() % 1_000_000)
const minutes = Number(process.env['FEED_MINUTES'] ?? 600)

test(
  `events are what reading shows, with the seed ${seed}`,
  async () => {
    let judgements = 0
    const property = asyncProperty(
      array(nat(), { minLength: 300, maxLength: 400, size: 'max' }),
      integer({ min: 1, max: 3 }),
      (numbers, changes) =>
        playScene(world, async ({ ctx: scene }) => {
          let at = 0
          const choose: Choose = (below) => (numbers[at++ % numbers.length] ?? 0) % below
          const ctx: Context = { ...scene, feed: { records: () => true } }
          const readers = Array.from({ length: 4 }, () => ({ actor: drawActor(choose), query: randomQuery(choose) }))
          const read = (actor: Actor, query: ReturnType<typeof queryOf>) => readItemRows({ ...ctx, actor }, query)
          for (let count = 0; count < changes; count += 1) {
            const { last } = await readFeed(ctx.db)
            const rows = await read(scene.actor, queryOf('articles', { page: { limit: null, offset: 0 } }))
            const before = await Promise.all(readers.map(({ actor, query }) => read(actor, query)))
            const keys = rows.map(({ id }) => Number(id))
            await tried(ctx, (inner) => change(inner, choose, keys))
            await assignPositions(ctx.db)
            const events = await readEvents(ctx.db, { after: last, limit: 100 })
            const items = events.map(({ item }) => item)
            for (const [index, { actor, query }] of readers.entries()) {
              const after = await read(actor, query)
              judgements += 1
              const seen = await judge({ ...ctx, actor }, query, events)
              const judged = seen.map(({ kind, key, json }) => [
                kind,
                String(key),
                json === null ? null : JSON.parse(json),
              ])
              const shown = expected(byKey(before[index] ?? []), byKey(after), items)
              const isUncertain = JSON.stringify(actor).includes('"field":"comments"')
              const keys = judged.map(([, key]) => key)
              expect(judged).toEqual(
                isUncertain ? shown.filter(([kind, key]) => kind !== 'delete' || keys.includes(key as string)) : shown,
              )
            }
          }
        }),
    )
    const interruptAfterTimeLimit = minutes * 60_000
    await assert(property, { numRuns: cases, seed, endOnFailure: true, interruptAfterTimeLimit })
    console.info(`${judgements} changes judged for a reader, seed ${seed}`)
  },
  60_000 + cases * 1000,
)
