/** Content versions as rows: found under the caller's rights, with what was saved in them. */
import { readGrant } from '../authz/grants.ts'
import type { Context } from '../domain/context.ts'
import { coreView } from '../domain/core-view.ts'
import { TandemError } from '../domain/errors.ts'
import { and } from '../domain/filter.ts'
import type { Key } from '../domain/mutation.ts'
import type { Query } from '../domain/query.ts'
import { rowsOf } from '../domain/rows-of.ts'
import type { Collection } from '../domain/schema.ts'
import { digestText } from '../tokens/opaque.ts'
import { hasRow } from './has-row.ts'
import { readItem } from './items.ts'
import { hasSingleKey, keyFilter, notFound, toKey } from './keys.ts'

/** Collection of the versions. */
export const versionsCollection = 'platform_versions'

/** Core field → value as it was submitted. */
export type Delta = { readonly [field: string]: unknown }

export type Version = {
  readonly id: string
  /** Of the item. */
  readonly collection: Collection
  readonly key: Key
  readonly delta: Delta
  /** Digest of the item that the version began with. */
  readonly hash: string | null
}

type VersionRow = {
  readonly id: string
  readonly collection: string
  readonly item: string
  readonly delta: Delta | null
  readonly hash: string | null
}

/** The version of that id, as far as the caller may read versions. Throws `item-not-found` for missing and invisible alike. */
export async function openVersion(ctx: Context, id: Key): Promise<Version> {
  const versions = ctx.schema.collections.get(versionsCollection)
  const { rows: visible } = readGrant(ctx.actor, ctx.schema, versionsCollection)
  if (versions === undefined || !(await hasRow(ctx, versions, and(keyFilter(versions, id), visible)))) {
    throw notFound(versionsCollection)
  }
  const { rows } = await ctx.db.run({ text: selectVersion, values: [String(id).toLowerCase()] })
  const row = rows[0] as VersionRow | undefined
  if (row === undefined) throw notFound(versionsCollection)
  const collection = versionedCollection(ctx, row.collection)
  return { id: row.id, collection, key: toKey(collection, row.item), delta: row.delta ?? {}, hash: row.hash }
}

const selectVersion = 'select id, collection, item, delta, hash from platform_versions where id::text = $1'

/** The version of the item that goes by that name; otherwise as `openVersion`. */
export async function findVersion(ctx: Context, collection: Collection, key: Key, name: string): Promise<Version> {
  const item = String(toKey(collection, key))
  const text = 'select id from platform_versions where collection = $1 and item = $2 and key = $3'
  const { rows } = await ctx.db.run({ text, values: [collection.name, item, name], name: 'version-by-key' })
  const [row] = rows as readonly { readonly id: string }[]
  if (row === undefined || !isVersioned(collection)) throw notFound(collection.name)
  return openVersion(ctx, row.id)
}

/** Whether items of the collection have versions. */
const isVersioned = (collection: Collection): boolean =>
  collection.meta?.['versioning'] === true &&
  !collection.system &&
  collection.table !== null &&
  hasSingleKey(collection)

/** The collection, or throws `unprocessable` where its items have no versions. */
export function versionedCollection({ schema }: Pick<Context, 'schema'>, name: string): Collection {
  const collection = schema.collections.get(name)
  if (collection !== undefined && isVersioned(collection)) return collection
  throw new TandemError({ kind: 'unprocessable', reason: `Versions are not enabled for collection "${name}"` })
}

/** Tells whether an item has changed. It covers all columns, so it is keyed: nobody can guess hidden ones with it. */
export async function digestItem(ctx: Context, collection: Collection, key: Key): Promise<string> {
  const own: Context = { ...ctx, actor: { kind: 'system' }, view: coreView(ctx.schema) }
  return digestText(await readItem(own, wholeItem(collection), key), ctx.security.secret)
}

/** Every field that has a column. */
export const wholeItem = (collection: Collection): Query =>
  rowsOf(collection.name, [{ kind: 'wildcard', aliases: false, except: [], nested: null }], { limit: 1 })
