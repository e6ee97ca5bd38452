/** Collections that a caller has no right in: errors name the field that leads to one, and nothing beyond. */
import { type Failure, TandemError } from '../rights/errors.ts'
import type { FieldAddress } from './schema.ts'
import type { View } from './view.ts'

/** Throws `not-relational` for a field that leads to a collection that is not in the view of the caller. */
export function assertShown(view: Pick<View, 'byCore'>, target: string, leading: FieldAddress): void {
  if (!view.byCore.has(target)) throw new TandemError({ kind: 'not-relational', ...leading })
}

/** The error with failures about the hidden collection turned into denials of the field that leads to it. */
export function withoutTarget(error: unknown, target: string, leading: FieldAddress): unknown {
  if (!(error instanceof TandemError)) return error
  const [first, ...rest] = error.failures
  const shown = [toShown(first, target, leading), ...rest.map((each) => toShown(each, target, leading))] as const
  return new TandemError(shown, { cause: error })
}

function toShown(failure: Failure, target: string, leading: FieldAddress): Failure {
  switch (failure.kind) {
    case 'forbidden': {
      const { denied } = failure
      return denied?.collection === target ? { ...failure, denied: { action: denied.action, ...leading } } : failure
    }
    case 'field-not-found':
    case 'not-relational':
    case 'not-scalar':
      if (failure.collection !== target) return failure
      return { kind: 'forbidden', denied: { action: 'update', ...leading } }
    default:
      return failure
  }
}
