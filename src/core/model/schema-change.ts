/**
 * Changes of the data model: DDL and metadata in one transaction, one change at a time. Afterwards all replicas are
 * notified.
 */
import { isUnlimited } from '../../authz/grants.ts'
import type { Context, Effect } from '../../domain/ports/context.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { isAdded } from '../../domain/schema/added-fields.ts'
import type { Collection, Field, Schema } from '../../domain/schema/schema.ts'
import { dialectOf } from '../../sql/dialects/dialects.ts'
import { lockSchema } from '../../sql/schema/ddl.ts'
import { readWatched } from '../../sql/statements/feed/events.ts'
import { unwatchTable, watchTable } from '../../sql/statements/feed/watch.ts'
import { afterCommit, inOneAttempt, withTransaction } from '../rows/transaction.ts'

export type Changed<T> = { readonly result: T; readonly schema: Schema }

/**
 * Runs `work` in one transaction with a schema that nobody else can change meanwhile. The next request of this process
 * uses the new schema; other replicas do after the notification. Inside of a transaction the result is that of the
 * transaction, and the new schema is used after its commit. After a conflict `work` is repeated where all of it was
 * undone.
 */
export async function changeSchema<T>(ctx: Context, work: (inner: Context) => Promise<T>): Promise<Changed<T>> {
  assertAdministrator(ctx)
  const inTransaction = dialectOf(ctx.db).transactionalDdl ? withTransaction : inOneAttempt
  const result = await inTransaction(ctx, async (inner) => {
    const { db } = inner
    await lockSchema(db)
    const [before, names] = [await ctx.schemas.load(db), await readWatched(db)]
    const done = await work({ ...inner, schema: before })
    await renewWatches(inner, { names, before })
    await ctx.schemas.announce(db)
    return done
  })
  if (ctx.effects === undefined) return { result, schema: await useChanged(ctx) }
  await afterCommit(ctx, refreshSchema)
  return { result, schema: await ctx.schemas.load(ctx.db) }
}

/** Grants may have been deleted with their collection. */
async function useChanged(ctx: Pick<Context, 'forgetActors' | 'schemas'>): Promise<Schema> {
  const schema = await ctx.schemas.refresh()
  await ctx.forgetActors()
  return schema
}

const refreshSchema: Effect = async (ctx) => void (await useChanged(ctx))

/** The context of the same change, with the schema as changed so far. */
export async function afterwards<Inner extends Pick<Context, 'db' | 'schemas'>>(
  inner: Inner,
): Promise<Inner & Pick<Context, 'schema'>> {
  return { ...inner, schema: await inner.schemas.load(inner.db) }
}

/** Throws `forbidden` unless the actor is an administrator. */
export function assertAdministrator(ctx: Pick<Context, 'actor'>): void {
  if (!isUnlimited(ctx.actor)) throw new TandemError({ kind: 'forbidden' })
}

/** A collection that can be changed. Throws for missing and for system collections. */
export function changeableCollection(schema: Schema, name: string): Collection {
  const collection = schema.collections.get(name)
  if (collection === undefined || collection.system) {
    throw new TandemError({ kind: 'collection-not-found', collection: name })
  }
  return collection
}

/** Collections of the model, of rights and of history, which cannot be extended. */
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
  'platform_webhooks',
])

/** Whether fields and relations cannot be added to this system collection. */
export const isClosed = (name: string): boolean => closed.has(name)

/** A collection that can get further fields and relations, for example users, roles and files. */
export function extensibleCollection(schema: Schema, name: string): Collection {
  const collection = schema.collections.get(name)
  if (collection === undefined || closed.has(name)) {
    throw new TandemError({ kind: 'collection-not-found', collection: name })
  }
  return collection
}

/** A field that can be changed; in a system collection only fields that were added. */
export function changeableField(schema: Schema, collection: string, name: string): Field {
  const owner = schema.collections.get(collection)
  const field = owner?.fields.get(name)
  if (owner === undefined || field === undefined || (owner.system && !isAdded(field))) {
    throw new TandemError({ kind: 'field-not-found', collection, field: name })
  }
  return field
}

/** Throws `invalid-payload` with the name of the part. */
export function refusePart(name: string, reason: string): never {
  throw invalidPayload(name, reason)
}

/** Renews the triggers of tables that were watched before a change of the schema, and removes those of dropped tables. */
export async function renewWatches(
  { db, schemas }: Pick<Context, 'db' | 'schemas'>,
  { names, before }: { readonly names: readonly string[]; readonly before: Schema },
): Promise<void> {
  if (names.length === 0) return
  const after = await schemas.load(db)
  for (const name of new Set([...names, ...(await readWatched(db))])) {
    const [former, present] = [before.collections.get(name), after.collections.get(name)]
    if (present === former) continue
    if (present !== undefined) await watchTable(db, present)
    else if (former !== undefined) await unwatchTable(db, former)
  }
}
