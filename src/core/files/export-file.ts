/** Exports items into a file of the project, as a stream. */

import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Context } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import type { Query } from '../../domain/query/query.ts'
import type { RowFormat } from '../../exchange/formats.ts'
import type { Received } from '../batch/received.ts'
import { filesCollection } from '../guards/guard-files.ts'
import { openExport } from '../items/export-items.ts'
import { createItems } from '../items/items.ts'
import { assertCreatable } from './file-rights.ts'
import { receiveIncoming } from './files.ts'

/** The query, the format and the properties of the new file. */
export type FileExport = { readonly query: Query; readonly format: RowFormat; readonly filename: string }

/**
 * Stores the contents of the new file. Requires the rights to read the items and to create the file. What is returned
 * writes the file and a notification to the user.
 */
export async function receiveExport(
  ctx: Context,
  { query, format, filename }: FileExport,
  changes: Changes,
): Promise<Received> {
  assertCreatable(ctx, changes)
  const { type, produce } = openExport(ctx, query, format)
  const stream = new PassThrough({ highWaterMark: 262_144 })
  // The reader reports failures. Without a listener, an error before the stream is read would end the process.
  stream.on('error', () => {})
  const storing = receiveIncoming(ctx, { filename, type: type.replace(/;.*/, ''), stream }, { changes })
  const writing = produce((piece) => pass(stream, piece)).then(
    () => void stream.end(),
    (error: unknown) => void stream.destroy(error instanceof Error ? error : new Error(String(error))),
  )
  const [stored] = await Promise.all([storing, writing])
  return {
    ...stored,
    write: async (inner) => {
      const keys = await stored.write(inner)
      await tell(inner, { filename, collection: query.collection }, keys[0] as Key)
      return keys
    },
  }
}

/** Writes a chunk and waits until the stream accepts more. Rejects if the stream was destroyed. */
async function pass(stream: PassThrough, piece: string): Promise<void> {
  if (stream.destroyed) throw stream.errored ?? new Error('The file is no longer being written')
  if (stream.write(piece)) return
  const stop = new AbortController()
  const drained = new Promise<void>((resolve) => stream.once('drain', resolve))
  try {
    await Promise.race([drained, finished(stream, { readable: false, signal: stop.signal })])
  } finally {
    stop.abort()
  }
}

type Exported = { readonly filename: string; readonly collection: string }

async function tell(ctx: Context, { filename, collection }: Exported, file: Key): Promise<void> {
  const { actor } = ctx
  if (actor.kind !== 'user') return
  const values = {
    recipient: actor.user,
    sender: actor.user,
    subject: `Your export of ${collection} is ready`,
    message: filename,
    collection: filesCollection,
    item: String(file),
  }
  await createItems({ ...ctx, actor: { kind: 'system' } }, 'platform_notifications', [values])
}
