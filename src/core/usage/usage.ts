/** Counts which client uses which operations and fields, in memory, and adds the counts to the database in batches. */

import { LRUCache } from 'lru-cache'
import type { Database, Log } from '../../domain/ports/context.ts'
import { mutationPaths, queryPaths } from '../../domain/query/field-paths.ts'
import type { RequestUsage, UsageCount, UsedAs } from '../../domain/query/usage.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { addUsage, deleteUsage, otherUse } from '../../sql/statements/operation/usage.ts'
import { repeatEvery } from '../recurring.ts'
import { clientName, type Sender } from './client-name.ts'

/** The client of a request, and its operation. */
export type UsedOperation = Sender & {
  readonly generation: string
  readonly operation: string
}

export type Usage = {
  /** Counts a call; the result counts the fields that it uses. */
  readonly begin: (used: UsedOperation) => RequestUsage
  /** Adds what was counted to the database. */
  readonly flush: () => Promise<void>
  /** Adds the rest and stops. */
  readonly close: () => Promise<void>
}

/**
 * Operations of clients in memory, lists of paths per operation, cached answers whose paths are stored, and rows per
 * batch and in the database. What goes beyond is added up in one row.
 */
export const usageLimits = { operations: 2000, lists: 500, answers: 1000, batch: 10_000, rows: 50_000 } as const

type Options = {
  readonly log: Log
  readonly clock: () => Date
  /** Milliseconds after which uses are forgotten; null = never. */
  readonly retention: number | null
  readonly interval?: number
}

/** A list of paths is counted as a whole, and taken apart when it is written. */
type Counted = {
  readonly of: Pick<UsageCount, 'client' | 'generation' | 'operation'>
  readonly first: number
  last: number
  calls: number
  readonly lists: Map<string, { readonly access: UsedAs; readonly paths: readonly string[]; calls: number }>
}

export function createUsage(db: Pick<Database, 'run'>, options: Options): Usage {
  const { log, clock, retention, interval = 10_000 } = options
  const answers = new LRUCache<string, readonly (readonly string[])[]>({ max: usageLimits.answers })
  let counted = new Map<string, Counted>()
  let before: readonly UsageCount[] = []
  const flush = async (): Promise<void> => {
    if (counted.size === 0 && before.length === 0) return
    const batch = withinBatch([...before, ...[...counted.values()].flatMap(toCounts)])
    counted = new Map()
    before = []
    try {
      await addUsage(db, batch, usageLimits.rows)
    } catch (error) {
      // What the database refuses once, it would refuse with everything after it.
      if (isRefusal(error)) return log.error({ err: error }, 'The use of operations could not be counted')
      log.warn({ err: error }, 'The use of operations could not be counted; it is added later')
      before = batch
    }
  }
  const forget = createForgetting(db, { log, clock, retention })
  const flushes = repeatEvery(interval, () => flush().then(forget))
  return {
    begin(used) {
      const entry = entryFor(counted, used, clock().getTime())
      const read: (readonly string[])[] = []
      const add = (access: UsedAs, paths: readonly string[]): void => {
        if (access === 'read') read.push(paths)
        addList(entry, access, paths)
      }
      return {
        read: (query) => add('read', queryPaths(query)),
        write: (mutation) => add(accessOf[mutation.kind], mutationPaths(mutation)),
        made: (key) => void answers.set(key, read),
        onKey: (key) => answers.get(key)?.forEach((paths) => add('read', paths)),
      }
    },
    flush: flushes.run,
    async close() {
      await flushes.close()
      await flush()
    },
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof TandemError && error.failures.every(({ kind }) => kind !== 'unavailable')

const forgetInterval = 3_600_000

/** Deletes old uses, once an hour. */
function createForgetting(db: Pick<Database, 'run'>, { log, clock, retention }: Options) {
  let forgotten = 0
  return async (): Promise<void> => {
    const now = clock().getTime()
    if (retention === null || now - forgotten < forgetInterval) return
    forgotten = now
    await deleteUsage(db, new Date(now - retention)).catch((error: unknown) =>
      log.warn({ err: error }, 'Old uses of operations could not be deleted'),
    )
  }
}

const accessOf = {
  create: 'create',
  update: 'update',
  'update-each': 'update',
  'write-singleton': 'update',
  delete: 'delete',
} as const

const names = new Map<string, string>()

/** User agents repeat, too. */
function nameOf(sender: Sender): string {
  const identity = `${sender.client ?? ''}\n${sender.key ?? ''}\n${sender.userAgent ?? ''}`
  let name = names.get(identity)
  if (name === undefined) {
    name = clientName(sender)
    if (names.size >= mostNames) names.clear()
    if (identity.length < longestName) names.set(identity, name)
  }
  return name
}

const mostNames = 1000
const longestName = 500

function entryFor(counted: Map<string, Counted>, used: UsedOperation, now: number): Counted {
  const { generation, operation } = used
  const client = nameOf(used)
  const key = `${client}\n${generation}\n${operation}`
  const isKnown = counted.has(key) || counted.size < usageLimits.operations
  const [place, of] = isKnown ? [key, { client, generation, operation }] : ['', otherUse]
  let entry = counted.get(place)
  if (entry === undefined) counted.set(place, (entry = { of, first: now, last: now, calls: 0, lists: new Map() }))
  entry.calls += 1
  entry.last = now
  return entry
}

function addList({ of, lists }: Counted, access: UsedAs, paths: readonly string[]): void {
  if (of === otherUse) return
  const key = `${access} ${paths.join('\n')}`
  const present = lists.get(key)
  if (present !== undefined) present.calls += 1
  else if (lists.size < usageLimits.lists) lists.set(key, { access, paths, calls: 1 })
  else {
    const [collection = ''] = paths
    const rest = lists.get(`${access} `) ?? { access, paths: [collection, `${collection}.*`], calls: 0 }
    rest.calls += 1
    lists.set(`${access} `, rest)
  }
}

function toCounts({ of, first, last, calls, lists }: Counted): readonly UsageCount[] {
  const times = { first: new Date(first).toISOString(), last: new Date(last).toISOString() }
  const paths = new Map<string, UsageCount>()
  for (const list of lists.values()) {
    for (const path of list.paths) {
      const key = `${list.access} ${path}`
      const sum = (paths.get(key)?.calls ?? 0) + list.calls
      paths.set(key, { ...of, ...times, access: list.access, path, calls: sum })
    }
  }
  return [{ ...of, ...times, access: 'call', path: '', calls }, ...paths.values()]
}

/** Calls come first; what is too much, or longer than the column, is added up. */
function withinBatch(counts: readonly UsageCount[]): readonly UsageCount[] {
  const sorted = counts.toSorted((a, b) => Number(b.path === '') - Number(a.path === ''))
  const added = new Map<string, UsageCount>()
  for (const count of sorted) {
    const fits = added.size < usageLimits.batch && count.path.length <= longestPath
    const own = fits ? count : { ...count, ...otherUse }
    const key = JSON.stringify([own.client, own.generation, own.operation, own.access, own.path])
    const present = added.get(key)
    added.set(key, present === undefined ? own : sum(present, own))
  }
  return [...added.values()]
}

const longestPath = 255

const sum = (present: UsageCount, own: UsageCount): UsageCount => ({
  ...own,
  calls: present.calls + own.calls,
  first: present.first < own.first ? present.first : own.first,
  last: present.last > own.last ? present.last : own.last,
})
