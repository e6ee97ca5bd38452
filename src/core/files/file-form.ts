/** Parses a form with one file and its properties, in any order. */
import type { FileContext } from '../../domain/ports/context.ts'
import type { Incoming, Part } from '../../domain/ports/uploads.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import { TandemError, type UploadProblem } from '../../domain/rights/errors.ts'
import type { Received } from '../batch/received.ts'
import { abandon, keeperOf } from '../objects/stored-objects.ts'
import { type Destination, type StoredContents, storeContents } from './file-contents.ts'
import { assertCreatable } from './file-rights.ts'
import { receivedOf, type StoredDraft } from './file-rows.ts'

type FormValues = { readonly [name: string]: string }

/** Parsed form values: properties, the file name, and the size limit that the form sets. */
export type FormReading = (values: FormValues) => {
  readonly changes: Changes
  readonly filename: string | null
  readonly maxSize: number | null
}

/** Receives the file of the form. Values before the file part are validated before the file is read. */
export async function receiveForm(ctx: FileContext, parts: AsyncIterable<Part>, read: FormReading): Promise<Received> {
  let values: FormValues = {}
  let waiting: StoredDraft | null = null
  try {
    for await (const part of parts) {
      if (part.kind === 'value') {
        values = { ...values, [part.name]: part.value }
        continue
      }
      if (waiting !== null) throw failed('several', 'Only one file is allowed')
      const { changes, filename, maxSize } = read(values)
      const to = { storage: assertCreatable(ctx, changes), id: ctx.ids.uuid() }
      const name = filename ?? part.filename
      if (name === null) throw failed('missing', 'No file was uploaded')
      waiting = { id: to.id, changes, contents: await storeBounded(ctx, { ...part, filename: name }, { to, maxSize }) }
    }
    if (waiting === null) throw failed('missing', 'No file was uploaded')
    const { changes } = read(values)
    assertCreatable(ctx, changes)
    waiting = { ...waiting, changes }
  } catch (error) {
    if (waiting !== null) await abandon(keeperOf(ctx), [waiting.contents.address])
    throw error
  }
  return receivedOf(ctx, [waiting])
}

type Bounded = { readonly to: Destination; readonly maxSize: number | null }

/** Limits the size to that of the server and that of the form. */
async function storeBounded(ctx: FileContext, incoming: Incoming, { to, maxSize }: Bounded): Promise<StoredContents> {
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
