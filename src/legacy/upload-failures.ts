/** Failures of uploads have codes of their own in this generation. */
import type { Context } from '../domain/context.ts'
import { type Failure, TandemError, type UploadProblem } from '../domain/errors.ts'

/** Does the work as this generation stores contents, with a sum and never empty, and names its failures as clients know them. */
export async function uploading<T>(ctx: Context, work: (within: Context) => Promise<T>): Promise<T> {
  try {
    return await work({ ...ctx, files: { ...ctx.files, checksums: true, refusesEmpty: true } })
  } catch (error) {
    throw error instanceof TandemError ? new TandemError(translate(error.failures[0]), { cause: error }) : error
  }
}

function translate(failure: Failure): Failure {
  switch (failure.kind) {
    case 'content-too-large':
      return failed('too-large', `The file is too large. Allowed maximum size is ${failure.limit} bytes.`)
    case 'unavailable':
      if (failure.service === 'files') return failed('not-written', failure.reason)
      return { kind: 'invalid-payload', name: 'data', reason: 'Expected an address that can be fetched for "data"' }
    case 'invalid-payload':
      return failure.name === 'file' && failure.reason.includes('ended early')
        ? failed('incomplete', 'The file was only partially uploaded')
        : failure
    default:
      return failure
  }
}

const failed = (problem: UploadProblem, reason: string): Failure => ({ kind: 'upload-failed', problem, reason })
