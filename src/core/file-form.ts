/** A form with one file and its properties around it, in whatever order they come. */
import type { Context } from '../domain/context.ts'
import { TandemError, type UploadProblem } from '../domain/errors.ts'
import type { Changes, Key } from '../domain/mutation.ts'
import type { Incoming, Part } from '../domain/upload.ts'
import { type Destination, type StoredContents, storeContents } from './file-contents.ts'
import { assertCreatable } from './file-rights.ts'
import { createStored, type Waiting } from './files.ts'
import { abandon, keeperOf } from './stored-objects.ts'

type Said = { readonly [name: string]: string }

/** What the values of the form mean: properties, the name of the file if it is not that of its part, and its bytes at most. */
export type FormReading = (said: Said) => {
  readonly changes: Changes
  readonly filename: string | null
  readonly maxSize: number | null
}

/** Creates the file of the form. What is known of it before its contents is checked before they are read. */
export async function createFromForm(
  ctx: Context,
  parts: AsyncIterable<Part>,
  read: FormReading,
): Promise<readonly Key[]> {
  let said: Said = {}
  let waiting: Waiting | null = null
  try {
    for await (const part of parts) {
      if (part.kind === 'value') {
        said = { ...said, [part.name]: part.value }
        continue
      }
      if (waiting !== null) throw failed('several', 'Batch upload is not allowed: expected one file but received more')
      const { changes, filename, maxSize } = read(said)
      const to = { storage: assertCreatable(ctx, changes), id: ctx.ids.uuid() }
      const name = filename ?? part.filename
      if (name === null) throw failed('missing', 'No file was uploaded')
      waiting = { id: to.id, changes, contents: await storeBounded(ctx, { ...part, filename: name }, { to, maxSize }) }
    }
    if (waiting === null) throw failed('missing', 'No file was uploaded')
    const { changes } = read(said)
    assertCreatable(ctx, changes)
    waiting = { ...waiting, changes }
  } catch (error) {
    if (waiting !== null) await abandon(keeperOf(ctx), [waiting.contents.place])
    throw error
  }
  return createStored(ctx, [waiting])
}

type Bounded = { readonly to: Destination; readonly maxSize: number | null }

/** Within what the server takes, and what the client says that it does. */
async function storeBounded(ctx: Context, incoming: Incoming, { to, maxSize }: Bounded): Promise<StoredContents> {
  const most = ctx.files.maxSize ?? Number.POSITIVE_INFINITY
  if (maxSize === null || maxSize >= most) return storeContents(ctx, incoming, to)
  try {
    return await storeContents({ ...ctx, files: { ...ctx.files, maxSize } }, incoming, to)
  } catch (error) {
    if (!(error instanceof TandemError) || error.failures[0].kind !== 'content-too-large') throw error
    throw failed('beyond-form', `The file is larger than the ${maxSize} bytes that the form allows`)
  }
}

const failed = (problem: UploadProblem, reason: string): TandemError =>
  new TandemError({ kind: 'upload-failed', problem, reason })
