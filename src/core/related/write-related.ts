/**
 * Writes items with nested related items, at any depth: one transaction, and one statement per level, collection and
 * kind of write. The order: lock, to-one targets, look up and authorize (`prepareBatch`, `updateBatch`), rows, to-many
 * rows; when all levels are written, conditions on related rows and history.
 */
import type { Context } from '../../domain/ports/context.ts'
import type { Deferred, WriteLog } from '../../domain/ports/write-log.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Change } from '../../domain/query/mutation.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { hasSingleKey, toKey } from '../rows/keys.ts'
import { runChecks } from '../rows/row-checks.ts'
import { withTransaction } from '../rows/transaction.ts'
import {
  type Draft,
  deleteBatch,
  type KeyedDraft,
  prepareBatch,
  updateBatch,
  withoutOwnKey,
} from '../rows/write-batch.ts'
import { insertRows } from '../rows/write-items.ts'
import { deferAnswer, settleDeferred } from '../rows/write-log.ts'
import { noteParent, type Run, type RunLog, reachable, type SendOptions, writeHistory } from './write-run.ts'
import { writeToMany } from './write-to-many.ts'
import { type Resolved, writeToOne } from './write-to-one.ts'

type Logged<T> = { readonly drafts: readonly T[]; readonly log: WriteLog }

export function createRelated(
  ctx: Context,
  collection: Collection,
  { drafts, log }: Logged<Draft>,
): Promise<readonly Key[]> {
  return inRun(ctx, log, (run) => run.create(collection, drafts, 0))
}

export function updateRelated(
  ctx: Context,
  collection: Collection,
  { drafts, log }: Logged<KeyedDraft>,
): Promise<void> {
  return inRun(ctx, log, async (run) => {
    lock(run, collection, drafts)
    await run.update(collection, drafts, 0)
  })
}

/** Applies the same changes to all rows. To-one targets are written once, to-many rows for each row. */
export function updateAllRelated(
  ctx: Context,
  collection: Collection,
  { keys, log, ...draft }: Draft & { readonly keys: readonly Key[]; readonly log: WriteLog },
): Promise<void> {
  return inRun(ctx, log, async (run) => {
    if (keys.length === 0) return
    const drafts = keys.map((key) => ({ ...draft, key: toKey(collection, key) }))
    run.begin(keys.length, 0)
    lock(run, collection, drafts)
    const [resolved] = await writeToOne(run, collection, [draft], 0)
    if (resolved === undefined) return
    const each = drafts.map(({ key }, index) => ({
      ...resolved,
      ...(index === 0 ? {} : { targets: [], erase: [] }),
      key,
    }))
    await updateResolved(run, collection, each, 0)
  })
}

async function inRun<T>(ctx: Context, { written }: WriteLog, work: (run: Run) => Promise<T>): Promise<T> {
  return withTransaction(ctx, async (inner) => {
    const deferred: Deferred = { journal: [], answers: [], checks: [] }
    const run = openRun(inner, { written, deferred })
    const done = await settleDeferred(deferred, () => work(run))
    await runChecks(inner, deferred.checks)
    await writeHistory(inner, deferred.journal, run.links)
    return done
  })
}

function createBounds({ batch, depth }: Pick<Context['limits'], 'batch' | 'depth'>): Pick<Run, 'begin' | 'spend'> {
  let spent = 0
  const spend = (rows: number): void => {
    spent += rows
    if (batch === null || spent <= batch) return
    throw invalidPayload(null, `Expected at most ${batch} items, related ones included, but received more`)
  }
  const begin = (count: number, level: number): void => {
    if (level > depth) throw invalidPayload(null, `Expected at most ${depth} levels of related items`)
    // Related items are counted by the caller.
    if (level === 0) spend(count)
  }
  return { begin, spend }
}

function openRun(ctx: Context, log: RunLog): Run {
  const run: Run = {
    ctx,
    log,
    links: [],
    ...createBounds(ctx.limits),
    create: async (collection, drafts, level) => {
      let keys: readonly Key[] = []
      const whenKnown = (existing: readonly Key[]): void => void (keys = existing)
      await create(run, collection, drafts, { level, whenKnown, waits: true })
      return keys
    },
    send: (collection, drafts, at) => create(run, collection, drafts, { ...at, waits: false }),
    update: async (collection, drafts, level) => {
      if (drafts.length === 0) return
      const items = merged(drafts)
      run.begin(items.length, level)
      const resolved = await writeToOne(run, collection, items, level)
      const keyed = resolved.map((each, index) => ({ ...each, key: (items[index] as KeyedDraft).key }))
      await updateResolved(run, collection, keyed, level)
    },
    remove: async (collection, keys) => {
      if (keys.length === 0) return
      await deleteBatch(ctx, collection, { keys, log })
    },
  }
  return run
}

async function create(
  run: Run,
  collection: Collection,
  drafts: readonly Draft[],
  { level, whenKnown, waits }: SendOptions & { readonly waits: boolean },
): Promise<void> {
  if (drafts.length === 0) return whenKnown([])
  run.begin(drafts.length, level)
  const resolved = await writeToOne(run, collection, drafts, level)
  const insertion = await prepareBatch(run.ctx, collection, resolved)
  const answer = insertRows(run.ctx, insertion, run.log)
  deferAnswer(run.log.deferred, answer)
  const finish = async (): Promise<void> => {
    const keys = await answer
    const rows = resolved.map((draft, index) => ({ ...draft, key: keys[index] as Key, isNew: true }))
    await writeAround(run, collection, rows, level)
    whenKnown(keys)
  }
  if (waits || resolved.some(needsKey)) await finish()
  else deferAnswer(run.log.deferred, finish())
}

/** Whether further writes need the key of the row. */
const needsKey = ({ changes, erase }: Resolved): boolean =>
  erase.length > 0 || changes.values().some(({ kind }) => kind === 'replace' || kind === 'detail')

async function updateResolved(
  run: Run,
  collection: Collection,
  drafts: readonly (Resolved & { readonly key: Key })[],
  level: number,
): Promise<void> {
  const touches = drafts.some(({ changes }) => changes.values().some(({ kind }) => kind !== 'value'))
  // A junction row without own fields that is already linked is not updated.
  const isChanged = ({ changes, key }: KeyedDraft) => withoutOwnKey(collection, changes, key).size > 0
  const changed = hasSingleKey(collection) ? drafts : drafts.filter(isChanged)
  if (changed.length > 0) await updateBatch(run.ctx, collection, { drafts: changed, log: run.log, touches })
  await writeAround(
    run,
    collection,
    drafts.map((draft) => ({ ...draft, isNew: false })),
    level,
  )
}

type Written = Resolved & { readonly key: Key; readonly isNew: boolean }

/** Runs the writes that need the keys of the rows. */
async function writeAround(run: Run, collection: Collection, rows: readonly Written[], level: number): Promise<void> {
  for (const { key, targets } of rows) {
    for (const target of targets) noteParent(run, target, { collection: collection.name, key })
  }
  const erased = Map.groupBy(
    rows.flatMap(({ erase }) => erase),
    (each) => each.collection,
  )
  for (const [target, keys] of erased) {
    run.spend(keys.length)
    const leading = { collection: collection.name, field: keys[0]?.field ?? '' }
    const removed = keys.map(({ key }) => key)
    await reachable(run.ctx, target, leading, () => run.remove(target, removed))
  }
  await writeToMany(run, collection, rows, level)
}

function lock(run: Run, collection: Collection, drafts: readonly KeyedDraft[]): void {
  const keys = drafts.map(({ key }) => key)
  deferAnswer(run.log.deferred, run.ctx.rows.lock(run.ctx, collection, { keys, foreign: [], fields: [] }))
}

/** Merges changes of one key; for each field the last value wins. */
function merged(drafts: readonly KeyedDraft[]): readonly KeyedDraft[] {
  const byKey = new Map<Key, KeyedDraft>()
  for (const draft of drafts) {
    const cached = byKey.get(draft.key)
    const changes =
      cached === undefined ? draft.changes : new Map<string, Change>([...cached.changes, ...draft.changes])
    byKey.set(draft.key, { ...draft, changes })
  }
  return [...byKey.values()]
}
