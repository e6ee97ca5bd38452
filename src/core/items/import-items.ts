/** Imports items from a file in one transaction, with few rows in memory at a time. */
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { forbidden, isUnlimited, rulesFor } from '../../authz/grants.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Changes, KeyedChanges } from '../../domain/query/mutation.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { FileFault } from '../../exchange/file-text.ts'
import { type ReadableFormat, type ReadRow, readableFormats } from '../../exchange/read-rows.ts'
import type { Received } from '../batch/received.ts'
import { comparableKey } from '../rows/keys.ts'
import { inOneAttempt, withTransaction } from '../rows/transaction.ts'
import { atPath } from '../rows/write-paths.ts'
import { writeItems } from './items.ts'
import { keyOfValues, presentKeys } from './present-keys.ts'

/** A file that is being received. */
export type ImportSource = { readonly stream: Readable; readonly format: ReadableFormat }

/** The target collection, the parser of a row, and the function that writes rows (by default `writeItems`). */
export type ImportTarget = {
  readonly collection: Collection
  readonly parse: (row: ReadRow) => Changes
  readonly write?: typeof writeItems
}

/** Limit of rows per file. */
const mostRows = 2_000_000

/** Bytes of the shortest row. */
const smallestRow = 1

/** Number of rows per write. */
const batchSize = 500

/**
 * Receives a file of rows. Those with new keys are created and others updated, in one transaction. The file is received
 * completely, so that the transaction does not wait for a slow client.
 */
export async function receiveItems(
  ctx: Pick<Context, 'actor' | 'server'>,
  source: ImportSource,
  target: ImportTarget,
): Promise<Received> {
  for (const action of ['create', 'update'] as const) {
    const { name } = target.collection
    if (!isUnlimited(ctx.actor) && rulesFor(ctx.actor, name, action).length === 0) throw forbidden(action, name)
  }
  const file = await openUnnamed()
  try {
    await pipeline(source.stream, within(ctx.server.maxImport), writeTo(file))
    if ((await file.stat()).size > mostRows * smallestRow) await assertFewRows(readAll(file), source.format)
  } catch (error) {
    await file.close()
    throw error
  }
  return {
    async write(writer) {
      await withTransaction(writer, (inner) => writeRows(inner, readAll(file), source.format, target))
      return []
    },
    end: () => file.close(),
  }
}

/** A temporary file without a name: it disappears when the process ends. */
async function openUnnamed(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'tandem-import-'))
  try {
    return await open(join(folder, 'rows'), 'wx+', 0o600)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Writes to the open file. A stream of the file itself would keep it open until pending writes finish. */
const writeTo = (file: FileHandle): Writable =>
  new Writable({
    write: (bytes: Buffer, _encoding, done) => void file.writeFile(bytes).then(() => done(), done),
  })

/** Reads the file from the beginning without closing it. */
function readAll(file: FileHandle): Readable {
  async function* pieces(): AsyncGenerator<Buffer, void> {
    for (let position = 0; ; ) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(pieceSize), 0, pieceSize, position)
      if (bytesRead === 0) return
      position += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  }
  return Readable.from(pieces(), { objectMode: false })
}

const pieceSize = 65_536

/** A pass-through stream that fails after too many bytes. */
const within = (limit: number) =>
  async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
    let size = 0
    for await (const chunk of source) {
      size += chunk.length
      if (size > limit) throw new TandemError({ kind: 'content-too-large', limit })
      yield chunk
    }
  }

/** Counts the rows of a long file before any is written. */
async function assertFewRows(file: Readable, format: ReadableFormat): Promise<void> {
  let number = 0
  try {
    for await (const _row of readableFormats[format](file)) {
      number += 1
      if (number > mostRows) throw new FileFault(0, `Expected at most ${mostRows} rows but received more`)
    }
  } catch (error) {
    throw error instanceof FileFault ? toFailure(error) : error
  } finally {
    file.destroy()
  }
}

type Row = { readonly changes: Changes; readonly number: number }

async function writeRows(ctx: Context, file: Readable, format: ReadableFormat, target: ImportTarget): Promise<void> {
  const inner: Context = { ...ctx, limits: { ...ctx.limits, batch: null } }
  let batch: Row[] = []
  let number = 0
  try {
    for await (const row of readableFormats[format](file)) {
      number += 1
      batch.push({ changes: located(number, () => target.parse(row)), number })
      if (batch.length < batchSize) continue
      await writeBatch(inner, target, batch)
      batch = []
    }
    if (batch.length > 0) await writeBatch(inner, target, batch)
  } catch (error) {
    throw error instanceof FileFault ? toFailure(error) : error
  } finally {
    file.destroy()
  }
}

function toFailure(fault: FileFault): TandemError {
  const name = fault.row === 0 ? 'file' : `rows.${fault.row}`
  return invalidPayload(name, fault.message, fault.cause)
}

function located<T>(number: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw atPath(error, `rows.${number}`)
  }
}

/** Writes a batch. If it fails, the rows are written one by one to find the invalid one. */
async function writeBatch(ctx: Context, target: ImportTarget, rows: readonly Row[]): Promise<void> {
  try {
    await inOneAttempt(ctx, (inner) => writeTogether(inner, target, rows))
  } catch (error) {
    if (!(error instanceof TandemError)) throw error
    for (const row of rows) {
      try {
        await inOneAttempt(ctx, (inner) => writeTogether(inner, target, [row]))
      } catch (cause) {
        throw atPath(cause, `rows.${row.number}`)
      }
    }
  }
}

async function writeTogether(ctx: Context, target: ImportTarget, rows: readonly Row[]): Promise<void> {
  const { collection, write = writeItems } = target
  const { name } = collection
  const keys = rows.map(({ changes }) => keyOf(collection, changes)).filter((key) => key !== null)
  const present = await presentKeys(ctx, collection, keys)
  const creates: Changes[] = []
  const updates: KeyedChanges[] = []
  for (const { changes } of rows) {
    const key = keyOf(collection, changes)
    if (key !== null && present.has(comparableKey(collection, key))) updates.push({ key, changes })
    else creates.push(changes)
  }
  if (creates.length > 0) await write(ctx, { kind: 'create', collection: name, items: creates })
  if (updates.length > 0) await write(ctx, { kind: 'update-each', collection: name, items: updates })
}

function keyOf(collection: Collection, changes: Changes): Key | null {
  return keyOfValues(collection, (name) => {
    const change = changes.get(name)
    return change?.kind === 'value' ? change.value : null
  })
}
