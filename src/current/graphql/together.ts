/** What the fields of a request are together: their cost, and whether they can be one transaction. */

import { filesCollection } from '../../core/guards/guard-files.ts'
import { assertRowsTogether } from '../../domain/conditions/query-cost.ts'
import type { QueryContext } from '../../domain/ports/context.ts'
import type { Query } from '../../domain/query/query.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import type { Admit } from '../../graphql/execute.ts'
import type { Root } from '../../graphql/schema-types.ts'
import { visiblePlace } from '../wire/collections.ts'
import { toItemQuery, toListQuery } from './query.ts'

type Field = Parameters<Admit>[0][number]

/** Throws `invalid-query` if the fields ask for too many rows together. Each alone is checked when it is authorized. */
export function assertTogether(ctx: QueryContext, fields: readonly Field[]): void {
  if (fields.length > 1) assertRowsTogether(ctx, () => fields.flatMap((field) => queryOf(ctx, field)))
}

/** Fields of Mutation with a name of their own that a transaction can undo. */
const undoable: ReadonlySet<string> = new Set([
  'update_users_me',
  'create_comment',
  'update_comment',
  'delete_comment',
  'versions_save',
  'versions_promote',
  'utils_sort',
  'utils_revert',
  'activity_revert',
])

/** Throws `invalid-payload` for a field that cannot be in a transaction with others, such as a login or an upload. */
export function assertPart(root: Root, name: string): void {
  const isPart =
    root.kind === 'named' ? undoable.has(name) : root.collection !== filesCollection || root.kind.startsWith('delete')
  if (isPart) return
  throw invalidPayload(name, `Expected fields that a transaction can undo but received "${name}"`)
}

/** A field that cannot be asked so says why itself. */
function queryOf(ctx: QueryContext, { root, asked: selected }: Field): readonly Query[] {
  if (root.kind === 'named' || root.kind === 'groups') return []
  try {
    const scope = visiblePlace(ctx)
    if (root.kind === 'list') return [toListQuery(selected, root.collection, scope)]
    return [{ ...toItemQuery(selected, root.collection, scope), page: { limit: 1, offset: 0 } }]
  } catch {
    return []
  }
}
