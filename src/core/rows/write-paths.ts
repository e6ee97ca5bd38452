/** Paths in nested payloads, for example `comments.0.body`. */
import { type Failure, TandemError } from '../../domain/rights/errors.ts'

/** The path of a part of the value at `path`. The path of the item itself is empty. */
export function pathTo(path: string, ...parts: readonly (string | number)[]): string {
  return [...(path === '' ? [] : [path]), ...parts].join('.')
}

export function atPath(error: unknown, path: string): unknown {
  if (path === '' || !(error instanceof TandemError)) return error
  const [first, ...rest] = error.failures
  return new TandemError([moved(first, path), ...rest.map((failure) => moved(failure, path))], { cause: error.cause })
}

/** Errors of the work are at the path. */
export function inPath<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw atPath(error, path)
  }
}

/** A denial already names its collection and field. */
function moved(failure: Failure, path: string): Failure {
  switch (failure.kind) {
    case 'failed-validation':
      return { ...failure, field: pathTo(path, failure.field) }
    case 'invalid-payload':
      return { ...failure, name: failure.name === undefined ? path : pathTo(path, failure.name) }
    case 'value-too-long':
    case 'value-out-of-range':
    case 'invalid-foreign-key':
      return failure.field === null ? failure : { ...failure, field: pathTo(path, failure.field) }
    default:
      return failure
  }
}
