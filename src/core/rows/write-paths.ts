/** Where in a nested payload something is wrong: `comments.0.body`. */
import { type Failure, TandemError } from '../../domain/rights/errors.ts'

/** The path of a part of what is at `path`; the item itself has the empty path. */
export function pathTo(path: string, ...parts: readonly (string | number)[]): string {
  return [...(path === '' ? [] : [path]), ...parts].join('.')
}

/** What failed in the part at `path` says so. */
export function atPath(error: unknown, path: string): unknown {
  if (path === '' || !(error instanceof TandemError)) return error
  const [first, ...rest] = error.failures
  return new TandemError([moved(first, path), ...rest.map((failure) => moved(failure, path))], { cause: error.cause })
}

/** A refused right names its collection and field already. */
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
