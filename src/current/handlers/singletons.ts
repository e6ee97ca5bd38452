/** Reads of collections that have one item, whose path names no key. */

import { readVersionedItem } from '../../core/history/versions.ts'
import { singletonKey } from '../../core/items/items.ts'
import { notFound } from '../../core/rows/keys.ts'
import { readTaggedSingleton, type TaggedItem } from '../../core/rows/read-items.ts'
import { refuseQuery } from '../../domain/conditions/literals.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import type { Query } from '../../domain/query/query.ts'
import type { RowFormat } from '../../exchange/formats.ts'
import { jsonText } from '../../http/reply/reply.ts'
import type { OpenedCollection } from '../wire/collections.ts'
import { exportReply } from '../wire/export.ts'
import type { QueryInput } from '../wire/level.ts'
import { parseOneItem, readVersion } from '../wire/query.ts'
import { serializeItem } from '../wire/serialize.ts'

type Singleton = Pick<OpenedCollection, 'collection' | 'visible'>

export async function answerSingleton(ctx: Context, input: QueryInput, { collection, visible }: Singleton) {
  const { json, tag } = await readSingle(ctx, input, parseOneItem(input, collection.name, visible))
  return { ...jsonText(serializeItem(json)), tag }
}

/** The only row, or a file with it. */
export const readManyOfOne = (ctx: Context, input: QueryInput, opened: Singleton, format: RowFormat | null) =>
  format === null ? answerSingleton(ctx, input, opened) : exportSingleton(ctx, input, { ...opened, format })

function exportSingleton(
  ctx: ReadContext & Pick<Context, 'ids'>,
  input: QueryInput,
  { collection, visible, format }: Singleton & { readonly format: RowFormat },
) {
  const query = parseOneItem(input, collection.name, visible)
  if (readVersion(input, query.collection, ctx) !== null) refuseQuery('export', 'nothing beside "version"', format)
  return exportReply(ctx, { ...query, page: { limit: 1, offset: 0 } }, format)
}

async function readSingle(ctx: Context, input: QueryInput, query: Query): Promise<TaggedItem> {
  const version = readVersion(input, query.collection, ctx)
  if (version === null) return readTaggedSingleton(ctx, query)
  const key = await singletonKey(ctx, query.collection)
  if (key === null) throw notFound(query.collection)
  return { json: await readVersionedItem(ctx, query, key, version) }
}
