/** One change of the data model: DDL and metadata in one transaction, one change at a time, then known to everybody. */
import { isUnlimited } from '../../authz/grants.ts'
import type { Context } from '../../domain/ports/context.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import type { Collection, Field, Schema } from '../../domain/schema/schema.ts'
import { lockSchema } from '../../sql/schema/ddl.ts'
import { announce } from '../announcements.ts'
import { inOneAttempt } from '../rows/transaction.ts'

/** What came of a change, and the schema after it. */
export type Changed<T> = { readonly result: T; readonly schema: Schema }

/**
 * Runs `work` under a context whose schema nobody else can change meanwhile. All of it happens or
 * nothing. The next request here sees it, other replicas as soon as they hear of it.
 */
export async function changeSchema<T>(ctx: Context, work: (inner: Context) => Promise<T>): Promise<Changed<T>> {
  assertAdministrator(ctx)
  const result = await inOneAttempt(ctx, async (inner) => {
    const { db } = inner
    await lockSchema(db)
    const done = await work({ ...inner, schema: await ctx.schemas.load(db) })
    await announce(db, 'schema')
    return done
  })
  const schema = await ctx.schemas.refresh()
  // Grants may have gone with what they were about.
  await ctx.forgetActors()
  return { result, schema }
}

/** The same change, seen after what it has done so far. */
export async function afterwards(inner: Context): Promise<Context> {
  return { ...inner, schema: await inner.schemas.load(inner.db) }
}

/** Only who may do everything may change what there is. */
export function assertAdministrator(ctx: Context): void {
  if (!isUnlimited(ctx.actor)) throw new TandemError({ kind: 'forbidden' })
}

/** A collection that may be changed: neither missing nor one of the system's. */
export function changeableCollection(schema: Schema, name: string): Collection {
  const collection = schema.collections.get(name)
  if (collection === undefined || collection.system) {
    throw new TandemError({ kind: 'collection-not-found', collection: name })
  }
  return collection
}

/** What the model, rights and history are kept in has the columns that the program knows and no others. */
const closed: ReadonlySet<string> = new Set([
  'platform_collections',
  'platform_fields',
  'platform_relations',
  'platform_policies',
  'platform_access',
  'platform_permissions',
  'platform_role_levels',
  'platform_sessions',
  'platform_activity',
  'platform_revisions',
  'platform_versions',
  'platform_shares',
])

/** A collection that may get further fields and relations: users, roles and files among them. */
export function extensibleCollection(schema: Schema, name: string): Collection {
  const collection = schema.collections.get(name)
  if (collection === undefined || closed.has(name)) {
    throw new TandemError({ kind: 'collection-not-found', collection: name })
  }
  return collection
}

/** A field that may be changed: of a system collection only one that was added to it. */
export function changeableField(schema: Schema, collection: string, name: string): Field {
  const owner = schema.collections.get(collection)
  const field = owner?.fields.get(name)
  if (owner === undefined || field === undefined || (owner.system && !isAdded(field))) {
    throw new TandemError({ kind: 'field-not-found', collection, field: name })
  }
  return field
}

/**
 * Whoever adds a column to a system collection leaves a row about it; the system's own have none of their
 * own. Its own aliases all have one.
 */
export const isAdded = ({ meta, column }: Field): boolean => (meta === null ? column === null : meta['system'] !== true)

/** Throws `invalid-payload` that names the part. */
export function refusePart(name: string, reason: string): never {
  throw invalidPayload(name, reason)
}
