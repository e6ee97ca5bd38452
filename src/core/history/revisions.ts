/** Reverts items to earlier states. */
import type { Context } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Change } from '../../domain/query/mutation.ts'
import { ownFields, rowsOf } from '../../domain/query/rows-of.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { coreView } from '../../domain/schema/core-view.ts'
import type { Field } from '../../domain/schema/schema.ts'
import { type Delta, findRevisionVersion } from '../../sql/statements/versions.ts'
import { isFact } from '../guards/guards.ts'
import { writeItems } from '../items/items.ts'
import { isHashed } from '../rows/hashed-values.ts'
import { notFound } from '../rows/keys.ts'
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
  const version = await findRevisionVersion(ctx.db, String(key))
  if (version !== null) return restoreVersion(ctx, version, data as Delta)
  const changes = new Map<string, Change>()
  for (const [field, value] of Object.entries(data)) {
    if (!isRevertible(collection.fields.get(field)) || isFact(name, field)) continue
    changes.set(field, { kind: 'value', value: value as string })
  }
  await writeItems(ctx, { kind: 'update', collection: name, target: { kind: 'keys', keys: [item] }, changes })
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
