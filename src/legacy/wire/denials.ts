/** What a missing right is called: it depends on who asked. */
import type { Actor } from '../../domain/rights/actor.ts'
import { type Failure, TandemError } from '../../domain/rights/errors.ts'

/**
 * The error as this actor may see it. Without a token every missing right is "unauthorized". With one, a name that
 * does not exist is refused like one that may not be read, so that nothing can be guessed; administrators are told.
 */
export function toVisibleError(error: unknown, actor: Actor): unknown {
  if (!(error instanceof TandemError)) return error
  const [first, ...rest] = error.failures
  return new TandemError([toVisible(first, actor), ...rest.map((each) => toVisible(each, actor))], { cause: error })
}

function toVisible(failure: Failure, actor: Actor): Failure {
  const refusal = actor.kind === 'system' || actor.access.admin ? failure : toRefusal(failure)
  const isRight = refusal.kind === 'forbidden' && refusal.reason === undefined
  return isRight && actor.kind === 'public' ? { kind: 'unauthenticated' } : refusal
}

function toRefusal(failure: Failure): Failure {
  if (failure.kind === 'collection-not-found') {
    return { kind: 'forbidden', denied: { action: 'read', collection: failure.collection } }
  }
  if (failure.kind === 'field-not-found' && failure.within === 'filter') {
    const { collection, field, within } = failure
    return { kind: 'forbidden', denied: { action: 'read', collection, field, within } }
  }
  if (failure.kind === 'field-not-found' || failure.kind === 'not-relational') {
    const { collection, field } = failure
    return { kind: 'forbidden', denied: { action: 'read', collection, field } }
  }
  return failure
}
