/** Failures of uploads have codes of their own in this generation. */
import { type Failure, TandemError, type UploadProblem } from '../domain/errors.ts'

/** Does the work, and names its failures as clients know them. */
export async function uploading<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
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
