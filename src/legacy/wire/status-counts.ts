/** `status_count`: number of rows by status, including deleted and unused statuses. */
import { visibleView } from '../../authz/grants.ts'
import { readItemRows } from '../../core/rows/read-items.ts'
import type { ReadContext } from '../../domain/ports/context.ts'
import type { Query } from '../../domain/query/query.ts'
import { rowsOf } from '../../domain/query/rows-of.ts'
import { systemForms } from '../model/system-forms.ts'
import { statusOf } from './archive.ts'

/** Counts rows by status, ignoring filters; null without a status field that the actor may read. */
export async function readStatusCounts(
  ctx: ReadContext,
  name: string,
): Promise<{ readonly [status: string]: number } | null> {
  const collection = ctx.schema.collections.get(name)
  const status = statusOf(collection)
  const isReadable =
    visibleView(ctx)
      .byCore.get(name)
      ?.byCore.has(status?.name ?? '') === true
  if (status === null || !isReadable) return null
  const field = status.name
  const rows = (await readItemRows(ctx, countByStatus(name, field))) as readonly Counted[]
  const options = status.meta?.['options'] ?? systemForms.get(name)?.get(field)?.options
  const counts = new Map(declaredStatuses(options).map((status) => [status, 0]))
  for (const row of rows) {
    if (row[field] !== null) counts.set(String(row[field]), Number(row['count']))
  }
  return Object.fromEntries(counts)
}

type Counted = { readonly [key: string]: string | number | null }

const countByStatus = (collection: string, field: string): Query => ({
  ...rowsOf(collection, []),
  aggregation: {
    values: [{ aggregate: 'count', field: null, key: 'count' }],
    group: [{ kind: 'field', key: field, field }],
  },
})

/** The statuses in the field's options: a mapping by value, or a list of choices. */
function declaredStatuses(options: unknown): readonly string[] {
  if (typeof options !== 'object' || options === null) return []
  if ('status_mapping' in options && typeof options.status_mapping === 'object' && options.status_mapping !== null) {
    return Object.keys(options.status_mapping)
  }
  if (!('choices' in options) || !Array.isArray(options.choices)) return []
  return (options.choices as readonly unknown[]).flatMap((choice) =>
    typeof choice === 'object' && choice !== null && 'value' in choice && typeof choice.value === 'string'
      ? [choice.value]
      : [],
  )
}
