/** The shared state of one nested write. */
import { hasRights } from '../../authz/grants.ts'
import type { Context, WriteContext } from '../../domain/ports/context.ts'
import type { Deferred, Journal, WriteLog } from '../../domain/ports/write-log.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Changes, Mutation } from '../../domain/query/mutation.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { withoutTarget } from '../../domain/schema/hidden-target.ts'
import type { Collection, FieldAddress } from '../../domain/schema/schema.ts'
import type { Draft, KeyedDraft } from '../rows/write-batch.ts'

/** One nested write. `level` counts the relations from the items of the request. */
export type Run = {
  readonly ctx: Context
  /** Creates items and their related items. Returns the keys in the order of the items. */
  readonly create: (collection: Collection, drafts: readonly Draft[], level: number) => Promise<readonly Key[]>
  /** The same, but resolves when the statements are sent. `whenKnown` gets the keys before the run ends. */
  readonly send: (collection: Collection, drafts: readonly Draft[], at: SendOptions) => Promise<void>
  /** Updates locked rows and their related items. */
  readonly update: (collection: Collection, drafts: readonly KeyedDraft[], level: number) => Promise<void>
  readonly remove: (collection: Collection, keys: readonly Key[]) => Promise<void>
  readonly log: RunLog
  /** The parent of each written row, in the order of the writes. */
  readonly links: RowLink[]
  /** Rejects too many levels and too many items. */
  readonly begin: (count: number, level: number) => void
  /** Counts rows towards the limit of one mutation. */
  readonly spend: (rows: number) => void
}

export type SendOptions = { readonly level: number; readonly whenKnown: (keys: readonly Key[]) => void }

/** The log of a nested write, which defers statements and history to the end of its transaction. */
export type RunLog = WriteLog & { readonly deferred: Deferred }

/** A row and the row for which it was written. */
export type RowLink = readonly [child: RowName, parent: RowName]

export type RowName = { readonly collection: string; readonly key: Key }

export function noteParent({ links }: Run, child: RowName, parent: RowName): void {
  links.push([child, parent])
}

/**
 * Writes the history of the run after all other writes. The revision of a row is a child of the revision of its parent
 * row.
 */
export async function writeHistory(ctx: WriteContext, journal: Journal, links: readonly RowLink[]): Promise<void> {
  const indexes = new Map<string, number[]>()
  for (const [index, { collection, key, revision }] of journal.entries()) {
    if (revision === null) continue
    const name = nameOf({ collection, key })
    const cached = indexes.get(name)
    if (cached === undefined) indexes.set(name, [index])
    else cached.push(index)
  }
  const parents = new Map<number, number>()
  const owners = new Map(links.map(([child, parent]) => [nameOf(child), nameOf(parent)]))
  for (const [child, parent] of links) {
    const index = indexes.get(nameOf(child))?.find((each) => !parents.has(each))
    // A junction row without own changes has no revision, so its parent is used.
    const above = (indexes.get(nameOf(parent)) ?? indexes.get(owners.get(nameOf(parent)) ?? ''))?.at(-1)
    if (index !== undefined && above !== undefined && index !== above) parents.set(index, above)
  }
  await ctx.rows.writeHistory(ctx, journal, parents)
}

const nameOf = ({ collection, key }: RowName): string => `${collection} ${key}`

/** Writes rows that the field `leading` refers to. A denial reveals only that field to an actor without any right there. */
export async function reachable<T>(
  { actor }: Pick<Context, 'actor'>,
  target: Collection,
  leading: FieldAddress,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw hasRights(actor, target) ? error : withoutTarget(error, target.name, leading)
  }
}

/** The target collection of a relation. Throws `unprocessable` for tables without a key. */
export function relatedCollection({ ctx }: Run, name: string): Collection {
  const collection = ctx.schema.collections.get(name)
  if (collection?.table == null) throw new Error(`No rows are related in ${name}`)
  if (collection.keyColumns.length === 0) {
    const reason = `The rows of "${name}" have no key and cannot be written as related items`
    throw new TandemError({ kind: 'unprocessable', reason })
  }
  return collection
}

export const holdsRelated = (changes: Changes): boolean => changes.values().some(({ kind }) => kind !== 'value')

/** Whether any item of the mutation contains related items. */
export function hasRelated(mutation: Mutation): boolean {
  switch (mutation.kind) {
    case 'create':
      return mutation.items.some(holdsRelated)
    case 'update':
    case 'write-singleton':
      return holdsRelated(mutation.changes)
    case 'update-each':
      return mutation.items.some(({ changes }) => holdsRelated(changes))
    case 'delete':
      return false
  }
}
