/** Revisions: earlier states of items. */
import type { Context } from '../domain/context.ts'
import { coreView } from '../domain/core-view.ts'
import { matchAll } from '../domain/filter.ts'
import type { Change, Key } from '../domain/mutation.ts'
import type { Field } from '../domain/schema.ts'
import { isOfRow } from './guard-files.ts'
import { readItem, writeItems } from './items.ts'
import { notFound } from './keys.ts'

const revisionsCollection = 'platform_revisions'

type Revision = { readonly collection: string; readonly item: string; readonly data: unknown }

/**
 * Writes the revision's data back into its item, under the caller's right to read the revision and to
 * update the item. Columns that are gone since, and the key, are left.
 */
export async function revertItem(ctx: Context, key: Key): Promise<void> {
  const { collection: name, item, data } = await readRevision(ctx, key)
  const collection = ctx.schema.collections.get(name)
  if (collection === undefined || typeof data !== 'object' || data === null) throw notFound(revisionsCollection)
  const changes = new Map<string, Change>()
  for (const [field, value] of Object.entries(data)) {
    if (!isRevertible(collection.fields.get(field)) || !isOfRow(name, field)) continue
    changes.set(field, { kind: 'value', value: value as string })
  }
  await writeItems(ctx, { kind: 'update', collection: name, target: { kind: 'keys', keys: [item] }, changes })
}

/** Columns of types that we cannot write are left alone, as in any write. */
const isRevertible = (field: Field | undefined): boolean =>
  field?.column != null && !field.column.primaryKey && !field.column.generated && field.type !== 'unknown'

async function readRevision(ctx: Context, key: Key): Promise<Revision> {
  const own: Context = { ...ctx, view: coreView(ctx.schema) }
  const fields = ['collection', 'item', 'data'] as const
  const text = await readItem(
    own,
    {
      collection: revisionsCollection,
      selection: fields.map((field) => ({ kind: 'field', key: field, field })),
      filter: matchAll,
      search: null,
      sort: [],
      page: { limit: 1, offset: 0 },
      aggregation: null,
      archive: { kind: 'all' },
      counts: [],
    },
    key,
  )
  return JSON.parse(text) as Revision
}
