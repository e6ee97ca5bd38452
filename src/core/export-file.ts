/** Items as a file of the project: written while they are read, like an answer to a client. */
import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Context } from '../domain/context.ts'
import type { Changes, Key } from '../domain/mutation.ts'
import type { Query } from '../domain/query.ts'
import type { RowFormat } from '../exchange/formats.ts'
import { openExport } from './export-items.ts'
import { assertCreatable } from './file-rights.ts'
import { createFromIncoming } from './files.ts'
import { filesCollection } from './guard-files.ts'
import { writeItems } from './items.ts'

/** What to write of a collection, under which name. */
export type FileExport = { readonly query: Query; readonly format: RowFormat; readonly filename: string }

/** Takes the rights to read the items and to create the file; who asked for it is told when it is there. */
export async function exportToFile(
  ctx: Context,
  { query, format, filename }: FileExport,
  changes: Changes,
): Promise<void> {
  assertCreatable(ctx, changes)
  const { type, produce } = openExport(ctx, query, format)
  const stream = new PassThrough({ highWaterMark: 262_144 })
  // Whoever reads it hears of a failure too; without this, nobody reading it would end the process.
  stream.on('error', () => {})
  const storing = createFromIncoming(ctx, { filename, type: type.replace(/;.*/, ''), stream }, { changes })
  const writing = produce((piece) => pass(stream, piece)).then(
    () => void stream.end(),
    (error: unknown) => void stream.destroy(error instanceof Error ? error : new Error(String(error))),
  )
  const [stored] = await Promise.all([storing, writing])
  await tell(ctx, { filename, collection: query.collection }, stored[0] as Key)
}

/** Resolves when more may be written; rejects when nobody takes it any more. */
async function pass(stream: PassThrough, piece: string): Promise<void> {
  if (stream.destroyed) throw stream.errored ?? new Error('The file is not written any more')
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
  const item: Changes = new Map(Object.entries(values).map(([name, value]) => [name, { kind: 'value', value }]))
  await writeItems(
    { ...ctx, actor: { kind: 'system' } },
    { kind: 'create', collection: 'platform_notifications', items: [item] },
  )
}
