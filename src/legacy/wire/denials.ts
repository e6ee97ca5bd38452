/** How a denial is reported, depending on the caller. */
import type { Actor } from '../../domain/rights/actor.ts'
import { type Failure, TandemError } from '../../domain/rights/errors.ts'

/**
 * The error as this actor may see it. Without a token, every missing permission is "unauthorized". With one, a missing
 * name is refused like an unreadable one, so that names cannot be guessed. Administrators get the real error.
 */
export function toVisibleError(error: unknown, actor: Actor): unknown {
  if (!(error instanceof TandemError)) return error
  const [first, ...rest] = error.failures
  const place = error.operation === null ? {} : { operation: error.operation }
  const visible = [toVisible(first, actor), ...rest.map((each) => toVisible(each, actor))] as const
  return new TandemError(visible, { cause: error, ...place })
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
  if (failure.kind === 'field-not-found' || failure.kind === 'not-relational') {
    const { collection, field, within } = failure
    const condition = within === undefined ? {} : { within }
    return { kind: 'forbidden', denied: { action: 'read', collection, field, ...condition } }
  }
  return failure
}
