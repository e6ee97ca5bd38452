/** The cost of a request is that of all its fields. */
import { assertRowsTogether } from '../../domain/conditions/query-cost.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Query } from '../../domain/query/query.ts'
import type { Admit } from '../../graphql/execute.ts'
import { visiblePlace } from '../wire/collections.ts'
import { toItemQuery, toListQuery } from './query.ts'

type Field = Parameters<Admit>[0][number]

/** Throws `invalid-query` if the fields ask for too many rows together. Each alone is checked when it is authorized. */
export function assertTogether(ctx: Context, fields: readonly Field[]): void {
  if (fields.length > 1) assertRowsTogether(ctx, () => fields.flatMap((field) => queryOf(ctx, field)))
}

/** A field that cannot be asked so says why itself. */
function queryOf(ctx: Context, { root, asked: selected }: Field): readonly Query[] {
  if (root.kind === 'named' || root.kind === 'groups') return []
  try {
    const scope = visiblePlace(ctx)
    if (root.kind === 'list') return [toListQuery(selected, root.collection, scope)]
    return [{ ...toItemQuery(selected, root.collection, scope), page: { limit: 1, offset: 0 } }]
  } catch {
    return []
  }
}
