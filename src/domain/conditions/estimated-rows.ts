/** Estimates how many rows conditions leave, from the measured sizes of tables. */
import type { Filter } from '../query/filter.ts'
import type { Query } from '../query/query.ts'
import type { Field, Schema, Sizes } from '../schema/schema.ts'

export type SizeFacts = { readonly schema: Schema; readonly sizes: ReturnType<Sizes['latest']> }

/** Null while no sizes are known. */
export function sizeFacts(schema: Schema): SizeFacts | null {
  const sizes = schema.sizes?.latest()
  return sizes === undefined || sizes.size === 0 ? null : { schema, sizes }
}

/** Rows of a view or table whose size is not known. */
export const usualRows = 1000

/** Part of the rows that a condition leaves where nothing is known about it. */
const usualPart = 0.1

export const fieldOf = ({ schema }: SizeFacts, collection: string, name: string): Field | undefined =>
  schema.collections.get(collection)?.fields.get(name)

/** Estimated rows that match the query, whatever its page is. */
export function rowsOf(facts: SizeFacts, { collection, filter, search }: Query): number {
  const rows = facts.sizes.get(collection)?.rows ?? usualRows
  return Math.max(1, rows * partOf(facts, collection, filter) * (search === null ? 1 : usualPart))
}

/** Estimated part of the rows that match. */
export function partOf(facts: SizeFacts, collection: string, filter: Filter): number {
  switch (filter.kind) {
    case 'all':
    case 'not':
      return 1
    case 'none':
      return 0
    case 'and':
      return filter.filters.reduce((part, each) => part * partOf(facts, collection, each), 1)
    case 'or':
      return Math.min(
        1,
        filter.filters.reduce((part, each) => part + partOf(facts, collection, each), 0),
      )
    case 'compare': {
      const { operand, operator, values } = filter
      if (operator === 'nnull' || operator === 'neq' || operator === 'nempty') return 1
      if (operator !== 'eq' && operator !== 'in') return usualPart
      return Math.min(1, values.length / distinctOf(facts, { collection, name: operand.field }))
    }
    case 'related':
      return filter.quantifier === 'none' ? 1 : usualPart
    default:
      return filter satisfies never
  }
}

type Named = { readonly collection: string; readonly name: string }

/** Estimated number of different values of a field. */
export function distinctOf({ schema, sizes }: SizeFacts, { collection, name }: Named): number {
  const size = sizes.get(collection)
  const rows = Math.max(1, size?.rows ?? usualRows)
  const column = schema.collections.get(collection)?.fields.get(name)?.column
  if (column?.primaryKey === true || column?.unique === true) return rows
  return Math.max(1, size?.columns.get(name)?.distinct ?? 1 / usualPart)
}
