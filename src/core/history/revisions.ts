/** Reverts items to earlier states. */
import type { Context } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Change } from '../../domain/query/mutation.ts'
import { ownFields, rowsOf } from '../../domain/query/rows-of.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { coreView } from '../../domain/schema/core-view.ts'
import type { Collection, Field } from '../../domain/schema/schema.ts'
import { type Delta, findRevisionVersion } from '../../sql/statements/versions.ts'
import { isFact } from '../guards/server-fields.ts'
import { writeItems } from '../items/items.ts'
import { isHashed } from '../rows/hashed-values.ts'
import { notFound, systemCollection, toKey } from '../rows/keys.ts'
import { readItemRow } from '../rows/read-items.ts'
import { restoreVersion } from './versions.ts'

const revisionsCollection = 'platform_revisions'

type Revision = { readonly collection: string; readonly item: string; readonly data: unknown }

/**
 * Writes the data of a revision back into its item, or into the content version that it belongs to. The caller needs the
 * right to read the revision and to update the item. Removed columns, keys and columns set by the server are skipped.
 */
export async function revertItem(ctx: Context, key: Key): Promise<void> {
  const { collection: name, item, data } = await readRevision(ctx, key)
  const collection = ctx.schema.collections.get(name)
  if (collection === undefined) throw notFound(revisionsCollection)
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw new TandemError({ kind: 'revision-without-state', revision: String(key) })
  // Changes that were saved in a version must not appear in the item before the version is promoted.
  const version = await findRevisionVersion(ctx.db, toKey(systemCollection(ctx, revisionsCollection), key))
  if (version !== null) return restoreVersion(ctx, version, data as Delta)
  const changes = toChanges(collection, data)
  await writeItems(ctx, { kind: 'update', collection: name, target: { kind: 'keys', keys: [item] }, changes })
}

/** Creates the deleted item of a revision again, with its key. The caller needs the right to read the revision and to create. */
export async function recreateItem(ctx: Context, key: Key): Promise<void> {
  const { collection: name, data } = await readRevision(ctx, key)
  const collection = ctx.schema.collections.get(name)
  if (collection === undefined) throw notFound(revisionsCollection)
  const own = data as { readonly [field: string]: unknown }
  const items = collection.keyColumns.map((field): [string, Change] => [
    field,
    { kind: 'value', value: own[field] as string },
  ])
  await writeItems(ctx, {
    kind: 'create',
    collection: name,
    items: [new Map([...toChanges(collection, own), ...items])],
  })
}

/** The values of a revision without keys, secrets, columns that are gone and columns that only the server sets. */
function toChanges(collection: Collection, data: object): ReadonlyMap<string, Change> {
  const changes = new Map<string, Change>()
  for (const [field, value] of Object.entries(data)) {
    if (!isRevertible(collection.fields.get(field)) || isFact(collection.name, field)) continue
    changes.set(field, { kind: 'value', value: value as string })
  }
  return changes
}

/** Skips columns that the database computes, and secrets, also if they were empty. */
const isRevertible = (field: Field | undefined): boolean =>
  field?.column != null && !field.column.primaryKey && !field.column.generated && !isSecret(field)

const isSecret = (field: Field): boolean => field.concealed || field.type === 'hash' || isHashed(field)

async function readRevision(ctx: Context, key: Key): Promise<Revision> {
  const own: Context = { ...ctx, view: coreView(ctx.schema) }
  const fields = ['collection', 'item', 'data'] as const
  return (await readItemRow(own, rowsOf(revisionsCollection, ownFields(...fields), { limit: 1 }), key)) as Revision
}
