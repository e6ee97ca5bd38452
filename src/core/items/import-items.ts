/** Imports items from a file in one transaction, with few rows in memory at a time. */

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { forbidden, permittedRows } from '../../authz/grants.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Changes, KeyedChanges } from '../../domain/query/mutation.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { FileFault } from '../../exchange/file-text.ts'
import { type ReadableFormat, type ReadRow, readableFormats } from '../../exchange/read-rows.ts'
import type { Received } from '../batch/received.ts'
import { runAsOne } from '../batch/together.ts'
import { comparableKey } from '../rows/keys.ts'
import { inOneAttempt, withTransaction } from '../rows/transaction.ts'
import { atPath } from '../rows/write-paths.ts'
import { assertFewRows, mostRows, openUnnamed, readAll, toFailure, within, writeTo } from './import-file.ts'
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

/** Told of the fate of each row, by its number from 1. */
type Observer = {
  readonly written: (row: number, action: WriteAction) => void
  /** Throws if one refused row ends the import. */
  readonly refused: (row: number, error: unknown) => void
}

type WriteAction = 'create' | 'update'

/** What an import did, or would do: numbers of rows, and the first ones with their fate. */
export type ImportReport = {
  readonly created: number
  readonly updated: number
  readonly refused: number
  readonly rows: readonly ReportedRow[]
}

export type ReportedRow =
  | { readonly row: number; readonly action: WriteAction }
  | { readonly row: number; readonly action: 'refuse'; readonly error: TandemError }

export type ReceivedItems = Received<ImportReport> & {
  /** Writes the rows, goes on after refused ones, and undoes all of it. */
  readonly try: (ctx: Context) => Promise<ImportReport>
}

/** Limit of written and of refused rows that a report names. */
const mostReported = 100

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
): Promise<ReceivedItems> {
  for (const action of ['create', 'update'] as const) {
    const { name } = target.collection
    if (permittedRows(ctx.actor, name, action) === null) throw forbidden(action, name)
  }
  const file = await openUnnamed()
  try {
    await pipeline(source.stream, within(ctx.server.maxImport), writeTo(file))
    if ((await file.stat()).size > mostRows * smallestRow) await assertFewRows(readAll(file), source.format)
  } catch (error) {
    await file.close()
    throw error
  }
  const work = (refuse: (error: unknown) => void) => async (inner: Context) => {
    const report = startReport(refuse)
    await writeRows(inner, readAll(file), source.format, { target, observer: report.observer })
    return report.finish()
  }
  return {
    write: (writer) =>
      withTransaction(
        writer,
        work((error) => {
          throw error
        }),
      ),
    try: (writer) =>
      runAsOne(
        { ...writer, limits: { ...writer.limits, batch: null } },
        { dryRun: true, what: 'import' },
        work(() => undefined),
      ),
    end: () => file.close(),
  }
}

/** `refuse` is given the error of each refused row. */
function startReport(refuse: (error: unknown) => void) {
  const counts = { create: 0, update: 0, refuse: 0 }
  const written: ReportedRow[] = []
  const refused: ReportedRow[] = []
  const observer: Observer = {
    written(row, action) {
      counts[action] += 1
      if (written.length < mostReported) written.push({ row, action })
    },
    refused(row, error) {
      if (!(error instanceof TandemError)) throw error
      refuse(error)
      counts.refuse += 1
      if (refused.length < mostReported) refused.push({ row, action: 'refuse', error })
    },
  }
  const finish = (): ImportReport => ({
    created: counts.create,
    updated: counts.update,
    refused: counts.refuse,
    rows: [...written, ...refused].toSorted((a, b) => a.row - b.row),
  })
  return { observer, finish }
}

type Row = { readonly changes: Changes; readonly number: number }

type Job = { readonly target: ImportTarget; readonly observer: Observer }

async function writeRows(ctx: Context, file: Readable, format: ReadableFormat, job: Job): Promise<void> {
  const inner: Context = { ...ctx, limits: { ...ctx.limits, batch: null } }
  const { target, observer } = job
  let batch: Row[] = []
  let number = 0
  try {
    for await (const row of readableFormats[format](file)) {
      number += 1
      try {
        batch.push({ changes: target.parse(row), number })
      } catch (error) {
        observer.refused(number, atPath(error, `rows.${number}`))
      }
      if (batch.length < batchSize) continue
      await writeBatch(inner, job, batch)
      batch = []
    }
  } catch (error) {
    if (!(error instanceof FileFault)) throw error
    if (error.row === 0) throw toFailure(error)
    // Nothing can be read after such a row.
    observer.refused(error.row, toFailure(error))
  } finally {
    file.destroy()
  }
  if (batch.length > 0) await writeBatch(inner, job, batch)
}

/** Writes a batch. If it fails, the rows are written one by one to find the invalid ones. */
async function writeBatch(ctx: Context, { target, observer }: Job, rows: readonly Row[]): Promise<void> {
  const write = async (some: readonly Row[]): Promise<void> => {
    const actions = await inOneAttempt(ctx, (inner) => writeTogether(inner, target, some))
    for (const [at, { number }] of some.entries()) observer.written(number, actions[at] as WriteAction)
  }
  try {
    await write(rows)
  } catch (error) {
    if (!(error instanceof TandemError)) throw error
    for (const row of rows)
      await write([row]).catch((cause: unknown) => observer.refused(row.number, atPath(cause, `rows.${row.number}`)))
  }
}

async function writeTogether(
  ctx: Context,
  target: ImportTarget,
  rows: readonly Row[],
): Promise<readonly WriteAction[]> {
  const { collection, write = writeItems } = target
  const { name } = collection
  const keys = rows.map(({ changes }) => keyOf(collection, changes))
  const present = await presentKeys(
    ctx,
    collection,
    keys.filter((key) => key !== null),
  )
  const creates: Changes[] = []
  const updates: KeyedChanges[] = []
  const actions = rows.map(({ changes }, at): WriteAction => {
    const key = keys[at] ?? null
    if (key === null || !present.has(comparableKey(collection, key))) {
      creates.push(changes)
      return 'create'
    }
    updates.push({ key, changes })
    return 'update'
  })
  if (creates.length > 0) await write(ctx, { kind: 'create', collection: name, items: creates })
  if (updates.length > 0) await write(ctx, { kind: 'update-each', collection: name, items: updates })
  return actions
}

function keyOf(collection: Collection, changes: Changes): Key | null {
  return keyOfValues(collection, (name) => {
    const change = changes.get(name)
    return change?.kind === 'value' ? change.value : null
  })
}
