/** Maps upload errors to the codes of this generation. */
import type { Received } from '../../core/batch/received.ts'
import { leftOut } from '../../core/rows/write-items.ts'
import type { Context } from '../../domain/ports/context.ts'
import { type Failure, TandemError, type UploadProblem } from '../../domain/rights/errors.ts'

/** Runs an upload with this generation's rules (checksum, no empty files) and translates its errors. */
export async function uploading<T>(ctx: Context, work: (within: Context) => Promise<T>): Promise<T> {
  try {
    return await work({ ...ctx, files: { ...ctx.files, checksums: true, refusesEmpty: true } })
  } catch (error) {
    throw error instanceof TandemError
      ? new TandemError(translate(error.failures[0], error.cause), { cause: error })
      : error
  }
}

/** The same for what is received first and written afterwards. */
export async function receiving(ctx: Context, work: (within: Context) => Promise<Received>): Promise<Received> {
  const received = await uploading(ctx, work)
  return { ...received, write: (writer) => uploading(writer, received.write) }
}

function translate(failure: Failure, cause: unknown): Failure {
  switch (failure.kind) {
    case 'content-too-large':
      return failed('too-large', `The file is too large. Allowed maximum size is ${failure.limit} bytes.`)
    case 'unprocessable':
      return isStopped(failure, cause) ? failed('stopped', failure.reason) : failure
    case 'unavailable':
      if (failure.service === 'files') return failed(problemOf(cause), failure.reason)
      return { kind: 'invalid-payload', name: 'data', reason: `${unfetched}. ${failure.reason}` }
    default:
      return failure
  }
}

const unfetched = 'Expected an address that can be fetched for "data"'

/** Whether a trigger or rule of the database refused the row of the file, or dropped it. */
const isStopped = ({ reason }: { readonly reason: string }, cause: unknown): boolean =>
  reason === leftOut || typeof (cause as { readonly code?: unknown } | undefined)?.code === 'string'

/** Classifies the error of a file system or bucket that refuses a write. */
function problemOf(cause: unknown): UploadProblem {
  const { code, name } = (cause ?? {}) as { readonly code?: unknown; readonly name?: unknown }
  if (name === 'NoSuchBucket' || noFolder.has(code)) return 'no-folder'
  return cause === undefined || typeof code === 'string' ? 'not-written' : 'unknown'
}

/** Error codes for a folder that is missing, cannot be created, or is a file. */
const noFolder: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'EEXIST'])

const failed = (problem: UploadProblem, reason: string): Failure => ({ kind: 'upload-failed', problem, reason })
