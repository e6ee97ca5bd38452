/** How a denial is reported, depending on the caller. */
import { lacksOwner } from '../../authz/level-demands.ts'
import type { Context } from '../../domain/ports/context.ts'
import { type Failure, TandemError } from '../../domain/rights/errors.ts'

/**
 * The error as this actor may see it. Without a token, every missing permission is "unauthorized". With one, a missing
 * name is refused like an unreadable one, so that names cannot be guessed. Administrators get the real error.
 */
export function toVisibleError(error: unknown, scope: Scope): unknown {
  if (!(error instanceof TandemError)) return error
  const [first, ...rest] = error.failures
  const position = error.operation === null ? {} : { operation: error.operation }
  const visible = [toVisible(first, scope), ...rest.map((each) => toVisible(each, scope))] as const
  return new TandemError(visible, { cause: error, ...position })
}

type Scope = Pick<Context, 'actor' | 'schema'>

function toVisible(failure: Failure, scope: Scope): Failure {
  const { actor } = scope
  const refusal = actor.kind === 'system' || actor.access.admin ? failure : withoutOwner(toRefusal(failure), scope)
  const isRight = refusal.kind === 'forbidden' && refusal.reason === undefined
  return isRight && actor.kind === 'public' ? { kind: 'unauthenticated' } : refusal
}

function toRefusal(failure: Failure): Failure {
  if (failure.kind === 'collection-not-found') {
    return { kind: 'forbidden', denied: { action: 'read', collection: failure.collection } }
  }
  if (failure.kind === 'field-not-found') {
    const { collection, field, within } = failure
    const condition = within === undefined ? {} : { related: true as const }
    return { kind: 'forbidden', denied: { action: 'read', collection, field, ...condition } }
  }
  // The caller reads the field itself, so what stands in it is no secret; only the related rows are.
  if (failure.kind === 'not-relational' && failure.beyond === true) {
    const { collection, field } = failure
    return { kind: 'forbidden', denied: { action: 'read', collection, field, related: true } }
  }
  return failure
}

/** Tells a denial for which only an owner field is missing. */
function withoutOwner(failure: Failure, { actor, schema }: Scope): Failure {
  const denied = failure.kind === 'forbidden' ? failure.denied : undefined
  if (failure.kind !== 'forbidden' || denied === undefined || denied.field !== undefined) return failure
  const isUnowned = lacksOwner(actor, denied.action, schema.collections.get(denied.collection))
  return isUnowned ? { ...failure, denied: { ...denied, unowned: true } } : failure
}
