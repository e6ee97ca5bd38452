/** Content versions: which collections have them, and the hash of an item. */

import type { Context } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Query } from '../../domain/query/query.ts'
import { rowsOf } from '../../domain/query/rows-of.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { coreView } from '../../domain/schema/core-view.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { shortDigest } from '../../tokens/opaque.ts'
import { ownColumns, readItem } from './read-items.ts'

export const versionsCollection = 'platform_versions'

export const isVersioned = (collection: Collection): boolean =>
  collection.meta?.['versioning'] === true &&
  !collection.system &&
  collection.table !== null &&
  collection.keyColumns.length > 0

/** The collection. Throws `unprocessable` if its items have no versions. */
export function versionedCollection({ schema }: Pick<Context, 'schema'>, name: string): Collection {
  const collection = schema.collections.get(name)
  if (collection !== undefined && isVersioned(collection)) return collection
  throw new TandemError({ kind: 'unprocessable', reason: `Versions are not enabled for collection "${name}"` })
}

/**
 * A hash that shows whether an item has changed. It covers all columns and is keyed, so that hidden values cannot be
 * guessed from it.
 */
export async function digestItem(ctx: Context, collection: Collection, key: Key): Promise<string> {
  const own: Context = { ...ctx, actor: { kind: 'system' }, view: coreView(ctx.schema) }
  return shortDigest(await readItem(own, wholeItem(collection), key), ctx.security.secret)
}

/** A selection of all fields with a column. */
export const wholeItem = (collection: Collection): Query => rowsOf(collection.name, ownColumns, { limit: 1 })
