/**
 * Content tags (strong ETags) of items. The database computes the tag from the item's own columns that the actor may
 * read. It does not depend on the requested fields, and changes only with values that the actor can see.
 */

import { authorizeQuery } from '../../authz/authorize.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import { jsonOf } from '../../domain/ports/row-store.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Query, Selection } from '../../domain/query/query.ts'
import { rowsOf } from '../../domain/query/rows-of.ts'
import type { Authorized } from '../../domain/rights/authorized.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { lockAccessFor } from '../guards/guards.ts'
import { keyFilter, notFound } from '../rows/keys.ts'
import { noteRead, readSingleton } from '../rows/read-items.ts'
import { withTransaction } from '../rows/transaction.ts'

/** `isWhole`: the response contains only columns of the tag. Absent for items without a tag. */
export type ContentTag = { readonly content: string; readonly isWhole: boolean }

export type TaggedItem = { readonly json: string; readonly tag?: ContentTag }

/** Reads an item and its tag in one statement. Throws `item-not-found` if it does not exist or is not visible. */
export async function readTaggedItem(ctx: ReadContext, query: Query, key: Key): Promise<TaggedItem> {
  const authorized = authorizeTagged(ctx, { ...query, page: { limit: 1, offset: 0 }, tag: ownColumns }, key)
  noteRead(ctx, query)
  const found = await ctx.rows.read(ctx, authorized)
  if (found.rowCount === 0) throw notFound(query.collection)
  const json = jsonOf(found).slice(1, -1)
  return found.tag === undefined
    ? { json }
    : { json, tag: { content: found.tag, isWhole: isWhole(ctx.schema, authorized) } }
}

/** The query with a content tag in its result, if it finds one item by a key and without counts. */
export const withTag = (query: Query): Query =>
  query.counts.length === 0 ? { ...query, page: { limit: 1, offset: 0 }, tag: ownColumns } : query

/** Reads the row of a singleton and its tag; without a row, the default values. */
export async function readTaggedSingleton(ctx: ReadContext, query: Query): Promise<TaggedItem> {
  const { json, tag } = await readSingleton(ctx, withTag({ ...query, counts: [] }))
  return tag === undefined ? { json } : { json, tag: { content: tag, isWhole: false } }
}

/** The item of an If-Match header (null: it does not exist), and its tags. */
export type Expected = { readonly collection: string; readonly key: Key | null; readonly tags: readonly string[] }

/**
 * Runs the work in one transaction if the item has one of the expected tags. The item is locked. Other errors of the work
 * take precedence. Throws `precondition-failed` and rolls back otherwise.
 */
export async function whileUnchanged<T>(
  ctx: Context,
  expected: Expected | null,
  work: (inner: Context) => Promise<T>,
): Promise<T> {
  if (expected === null) return work(ctx)
  return withTransaction(ctx, async (inner) => {
    const holds = await isUnchanged(inner, expected)
    const result = await work(inner)
    if (!holds) throw changed()
    return result
  })
}

/** Throws `precondition-failed` if the tag differs. The item stays locked until the transaction ends. */
export async function assertExpected(ctx: ReadContext, expected: Expected | null): Promise<void> {
  if (expected !== null && !(await isUnchanged(ctx, expected))) throw changed()
}

async function isUnchanged(ctx: ReadContext, { collection, key, tags }: Expected): Promise<boolean> {
  if (key === null) return false
  await lockAccessFor(ctx.db, collection)
  const wanted: Query = { ...rowsOf(collection, ownColumns), page: { limit: 1, offset: 0 } }
  try {
    const query = authorizeTagged(ctx, { ...wanted, tag: ownColumns, locked: true }, key)
    const { tag } = await ctx.rows.read(ctx, query)
    return tag !== undefined && tags.includes(tag)
  } catch (error) {
    // Without read access the caller cannot know the tag.
    if (error instanceof TandemError && error.failures.every(({ kind }) => kind === 'forbidden')) return false
    throw error
  }
}

const changed = (): TandemError => new TandemError({ kind: 'precondition-failed', condition: 'If-Match' })

function authorizeTagged(ctx: ReadContext, query: Query, key: Key): Authorized<Query> {
  const collection = ctx.schema.collections.get(query.collection)
  return collection?.table == null ? authorizeQuery(ctx, query) : authorizeQuery(ctx, query, keyFilter(collection, key))
}

const ownColumns: Selection = [{ kind: 'wildcard', aliases: false, except: [], nested: null }]

function isWhole({ collections }: Schema, { collection, selection }: Query): boolean {
  const fields = collections.get(collection)?.fields
  return selection.every(
    (selected) =>
      (selected.kind === 'field' || selected.kind === 'function') && fields?.get(selected.field)?.column != null,
  )
}
