/** Loads content versions under the caller's rights. */

import { readGrant } from '../../authz/grants.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import { and } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { type Delta, findVersionId, findVersionRow, saveDelta, type VersionRow } from '../../sql/statements/versions.ts'
import { hasRow } from '../rows/has-row.ts'
import { keyFilter, notFound, toKey } from '../rows/keys.ts'
import { isVersioned, versionedCollection, versionsCollection } from '../rows/versioned.ts'

export type { Delta } from '../../sql/statements/versions.ts'

export type Version = {
  readonly id: string
  readonly collection: Collection
  readonly key: Key
  readonly delta: Delta
  /** Digest of the item at the time when the version was created. */
  readonly hash: string | null
}

/** The version with that id, if the caller may read it. Throws `item-not-found` for missing and invisible versions. */
export async function openVersion(ctx: ReadContext, id: Key): Promise<Version> {
  const { collection: versions, rows: visible } = readGrant(ctx.actor, ctx.schema, versionsCollection)
  if (!(await hasRow(ctx, versions, and(keyFilter(versions, id), visible)))) throw notFound(versionsCollection)
  const row = await findVersionRow(ctx.db, String(id).toLowerCase())
  if (row === undefined) throw notFound(versionsCollection)
  const collection = versionedCollection(ctx, row.collection)
  return { id: row.id, collection, key: toKey(collection, row.item), delta: row.delta ?? {}, hash: row.hash }
}

export async function hasVersion(
  { db }: Pick<Context, 'db'>,
  collection: Collection,
  key: Key,
  name: string,
): Promise<boolean> {
  const item = String(toKey(collection, key))
  return (await findVersionId(db, { collection: collection.name, item, key: name })) !== undefined
}

/** The version of the item with that key; otherwise as `openVersion`. */
export async function findVersion(ctx: ReadContext, collection: Collection, key: Key, name: string): Promise<Version> {
  const item = String(toKey(collection, key))
  const id = await findVersionId(ctx.db, { collection: collection.name, item, key: name })
  if (id === undefined || !isVersioned(collection)) throw notFound(collection.name)
  return openVersion(ctx, id)
}

/** A version with its unpublished changes, for any caller; undefined if it does not exist. */
export const readVersionRow = ({ db }: Pick<Context, 'db'>, id: string): Promise<VersionRow | undefined> =>
  findVersionRow(db, id)

/** Puts these changes in place of the unpublished ones, as `user` and at `now`. */
export const replaceDelta = ({ db }: Pick<Context, 'db'>, version: Parameters<typeof saveDelta>[2]): Promise<unknown> =>
  saveDelta(db, 'replace', version)
