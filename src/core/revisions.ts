/** Revisions: earlier states of items. */
import type { Context } from '../domain/context.ts'
import { coreView } from '../domain/core-view.ts'
import type { Change, Key } from '../domain/mutation.ts'
import { ownFields, rowsOf } from '../domain/rows-of.ts'
import type { Field } from '../domain/schema.ts'
import { isFact } from './guards.ts'
import { readItem, writeItems } from './items.ts'
import { notFound } from './keys.ts'
import { isHashed } from './specials.ts'
import { restoreVersion } from './versions.ts'

const revisionsCollection = 'platform_revisions'

type Revision = { readonly collection: string; readonly item: string; readonly data: unknown }

/**
 * Writes the revision's data back into its item, or into the version of it that was saved then, under the caller's
 * right to read the revision and to update the item. Columns that are gone since, the key, and what only the server
 * sets, are left.
 */
export async function revertItem(ctx: Context, key: Key): Promise<void> {
  const { collection: name, item, data } = await readRevision(ctx, key)
  const collection = ctx.schema.collections.get(name)
  if (collection === undefined || typeof data !== 'object' || data === null) throw notFound(revisionsCollection)
  const changes = new Map<string, Change>()
  for (const [field, value] of Object.entries(data)) {
    if (!isRevertible(collection.fields.get(field)) || isFact(name, field)) continue
    changes.set(field, { kind: 'value', value: value as string })
  }
  const version = await versionOf(ctx, key)
  if (version !== null) return restoreVersion(ctx, version, changes)
  await writeItems(ctx, { kind: 'update', collection: name, target: { kind: 'keys', keys: [item] }, changes })
}

/** The version in which the state was saved; such a state is not to appear in the item before it is promoted. */
async function versionOf({ db }: Context, key: Key): Promise<Key | null> {
  const text = 'select version from platform_revisions where id::text = $1'
  const { rows } = await db.run({ text, values: [String(key)] })
  return (rows as readonly { readonly version: Key | null }[])[0]?.version ?? null
}

/** Columns of types that we cannot write are left alone, as in any write, and secrets also where there was none. */
const isRevertible = (field: Field | undefined): boolean =>
  field?.column != null &&
  !field.column.primaryKey &&
  !field.column.generated &&
  field.type !== 'unknown' &&
  !isSecret(field)

const isSecret = (field: Field): boolean => field.concealed || field.type === 'hash' || isHashed(field)

async function readRevision(ctx: Context, key: Key): Promise<Revision> {
  const own: Context = { ...ctx, view: coreView(ctx.schema) }
  const fields = ['collection', 'item', 'data'] as const
  const text = await readItem(own, rowsOf(revisionsCollection, ownFields(...fields), { limit: 1 }), key)
  return JSON.parse(text) as Revision
}
