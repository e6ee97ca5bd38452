/** Failures of uploads have codes of their own in this generation. */
import type { Context } from '../../domain/ports/context.ts'
import { type Failure, TandemError, type UploadProblem } from '../../domain/rights/errors.ts'

/** Does the work as this generation stores contents, with a sum and never empty, and names its failures as clients know them. */
export async function uploading<T>(ctx: Context, work: (within: Context) => Promise<T>): Promise<T> {
  try {
    return await work({ ...ctx, files: { ...ctx.files, checksums: true, refusesEmpty: true } })
  } catch (error) {
    throw error instanceof TandemError
      ? new TandemError(translate(error.failures[0], error.cause), { cause: error })
      : error
  }
}

function translate(failure: Failure, cause: unknown): Failure {
  switch (failure.kind) {
    case 'content-too-large':
      return failed('too-large', `The file is too large. Allowed maximum size is ${failure.limit} bytes.`)
    case 'unavailable':
      if (failure.service === 'files') return failed(problemOf(cause), failure.reason)
      return { kind: 'invalid-payload', name: 'data', reason: 'Expected an address that can be fetched for "data"' }
    default:
      return failure
  }
}

/** What the system, or the server of a bucket, says of a place that takes nothing. */
function problemOf(cause: unknown): UploadProblem {
  const { code, name } = (cause ?? {}) as { readonly code?: unknown; readonly name?: unknown }
  if (name === 'NoSuchBucket' || noFolder.has(code)) return 'no-folder'
  return cause === undefined || typeof code === 'string' ? 'not-written' : 'unknown'
}

/** There is none, it cannot be made, or a file stands in its place. */
const noFolder: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'EEXIST'])

const failed = (problem: UploadProblem, reason: string): Failure => ({ kind: 'upload-failed', problem, reason })
