/** Checks versions that clients write directly: their items, and their keys. */
import { findReadGrant, isUnlimited, permittedRows } from '../../authz/grants.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Written } from '../../domain/ports/write-log.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Change } from '../../domain/query/mutation.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { beginVersion, findVersionItems, type VersionItem } from '../../sql/statements/versions.ts'
import { isVisible } from '../rows/has-row.ts'
import { notFound, toKey } from '../rows/keys.ts'
import type { ChangedItem } from '../rows/touched-collections.ts'
import { digestItem, versionedCollection, versionsCollection } from '../rows/versioned.ts'
import { assertItemStays } from './server-fields.ts'

/** Does the work. Throws `unprocessable` for a key that a version of the item already has. */
export async function withUniqueVersionKeys<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof TandemError)) throw error
    const [{ kind, ...failure }] = error.failures
    const isTaken = kind === 'not-unique' && 'collection' in failure && failure.collection === versionsCollection
    if (!isTaken) throw error
    const reason = 'The item has a version of this key already'
    throw new TandemError({ kind: 'unprocessable', reason }, { cause: error })
  }
}

/** Checks written versions. Throws `invalid-payload`, `unprocessable` for collections without versions, and `item-not-found`. */
export async function assertVersions(ctx: Context, written: Written): Promise<void> {
  if (written.kind === 'delete') return
  assertItemStays(written)
  if (written.kind !== 'insert') return
  for (const version of await findVersionItems(ctx.db, written.keys)) await begin(ctx, version)
}

/**
 * Throws `item-not-found` for new versions of items that the caller may not read. It comes before the write, in which the
 * database would tell that a hidden item has a version of the same key.
 */
export async function assertItemsVisible(ctx: Context, items: readonly ChangedItem[]): Promise<void> {
  if (permittedRows(ctx.actor, versionsCollection, 'create') === null || isUnlimited(ctx.actor)) return
  for (const { changes } of items) {
    const [name, item] = [textOf(changes.get('collection')), textOf(changes.get('item'))]
    if (name === null || item === null) continue
    const { collection, key } = itemOf(ctx, name, item)
    if (!(await isVisible(ctx, collection, key))) throw notFound(name)
  }
}

const textOf = (change: Change | undefined): string | null =>
  change?.kind === 'value' && typeof change.value === 'string' ? change.value : null

function itemOf(ctx: Context, name: string, item: string): { readonly collection: Collection; readonly key: Key } {
  // A collection that the caller may not read stays hidden: neither its existence nor its versions are revealed.
  if (findReadGrant(ctx.actor, ctx.schema, name) === null && !isUnlimited(ctx.actor)) throw notFound(name)
  const collection = versionedCollection(ctx, name)
  return { collection, key: toKey(collection, item) }
}

/** Stores the item of a new version, and the hash of the item at this time. */
async function begin(ctx: Context, { id, collection: name, item }: VersionItem): Promise<void> {
  const { collection, key } = itemOf(ctx, name, item)
  // A concurrent deletion of the item waits, and then deletes the version too.
  await ctx.rows.lock(ctx, collection, { keys: [key], foreign: [], fields: [] })
  if (!(await isVisible(ctx, collection, key))) throw notFound(name)
  const hash = await digestItem(ctx, collection, key)
  await withUniqueVersionKeys(beginVersion(ctx.db, { id, item: String(key), hash }))
}
