/**
 * Errors of the database without the names that the caller may not read: a refused deletion would tell which collections
 * refer to the row, and by which constraints.
 */
import { isUnlimited, namedFields } from '../../authz/grants.ts'
import type { Context } from '../../domain/ports/context.ts'
import { type Failure, TandemError } from '../../domain/rights/errors.ts'
import { isBrokenCheck, keyOfRefusal, type Refusal, refusalOf } from '../../sql/errors/refusals.ts'

type NameScope = Pick<Context, 'actor' | 'schema'>

/** The error as the caller may know it; other errors than those of the database are unchanged. */
export function withoutHiddenNames(ctx: NameScope, error: unknown): unknown {
  const refusal = refusalOf(error)
  if (isUnlimited(ctx.actor) || refusal === null || refusal.raised || !(error instanceof TandemError)) return error
  const [first, ...rest] = error.failures
  const toShown = (failure: Failure): Failure => hide(ctx, failure, refusal)
  return new TandemError([toShown(first), ...rest.map(toShown)], { cause: error.cause })
}

function hide(ctx: NameScope, failure: Failure, refusal: Refusal): Failure {
  switch (failure.kind) {
    case 'not-unique':
    case 'invalid-foreign-key': {
      const { constraint: _constraint, value: _value, ...rest } = failure
      if (!isKnown(ctx, failure.collection)) return { ...rest, collection: null, field: null }
      const columns = [...(keyOfRefusal(refusal)?.columns ?? []), ...referringColumns(ctx, refusal)]
      if (columns.every((name) => isNamed(ctx, failure.collection, name))) return failure
      return { ...rest, field: isNamed(ctx, failure.collection, failure.field) ? failure.field : null }
    }
    case 'not-null':
    case 'contains-null-values':
    case 'value-too-long':
    case 'value-out-of-range':
      return isNamed(ctx, failure.collection, failure.field) ? failure : { ...failure, collection: null, field: null }
    case 'invalid-payload':
      return isBrokenCheck(refusal) && !isOpenCheck(ctx, refusal) ? hiddenCheck : failure
    default:
      return failure
  }
}

/** The columns of a foreign key; where it keeps a row that it refers to, the error has the columns of that row. */
const referringColumns = ({ schema }: NameScope, { table, constraint }: Refusal): readonly string[] =>
  schema.relations
    .filter((each) => constraint !== null && each.manyCollection === table && each.constraint?.name === constraint)
    .flatMap(({ manyField, manyColumns }) => manyColumns ?? [manyField])

const hiddenCheck: Failure = { kind: 'invalid-payload', reason: 'A value breaks a condition of the database' }

/** Whether the caller may read or write some field of the collection, so that its name is no secret. */
function isKnown({ actor, schema }: NameScope, name: string | null): boolean {
  if (actor.kind === 'system') return true
  return name !== null && schema.collections.has(name) && actor.access.rules.some((rule) => rule.collection === name)
}

/** Whether the caller may read or write the field. */
function isNamed(ctx: NameScope, collection: string | null, field: string | null): boolean {
  const existing = collection === null ? undefined : ctx.schema.collections.get(collection)
  return (
    existing !== undefined && field !== null && isKnown(ctx, collection) && namedFields(ctx.actor, existing).has(field)
  )
}

/** Whether the condition is one of fields that the caller may read or write. A domain has no table. */
function isOpenCheck(ctx: NameScope, { table, constraint }: Refusal): boolean {
  if (table === null) return true
  const fields = ctx.schema.collections.get(table)?.fields.values().toArray() ?? []
  const checked = fields.filter(({ column }) => constraint !== null && column?.checks?.includes(constraint) === true)
  return isKnown(ctx, table) && checked.every(({ name }) => isNamed(ctx, table, name))
}
