/** Filters in the JSON filter language, as `parseFilter` reads them with core names. */
import type { Comparison, Filter, RelatedFilter } from '../query/filter.ts'
import type { Schema } from '../schema/schema.ts'
import { operandText, operatorText, valueJson } from './filter-text.ts'

export type JsonFilter = { [name: string]: unknown }

/**
 * Null for a filter that the language cannot say.
 * @example writeFilter(equals('status', 'done'), { schema, collection: 'articles' }) // { status: { _eq: 'done' } }
 */
export function writeFilter(filter: Filter, at: Scope): JsonFilter | null {
  switch (filter.kind) {
    case 'all':
      return {}
    case 'none':
      return { _or: [] }
    case 'and':
    case 'or': {
      const parts = filter.filters.map((each) => writeFilter(each, at))
      return parts.includes(null) ? null : { [`_${filter.kind}`]: parts }
    }
    case 'not':
      return null
    case 'compare':
      return { [operandText(filter.operand)]: { [operatorText(filter)]: valuesOf(filter) } }
    case 'related':
      return writeRelated(filter, at)
    default:
      return filter satisfies never
  }
}

type Scope = { readonly schema: Schema; readonly collection: string }

function valuesOf({ operator, values }: Comparison): unknown {
  const list = values.map(valueJson)
  if (operator === 'in' || operator === 'nin') return list
  return list.length === 0 ? true : list.length === 1 ? list[0] : list
}

function writeRelated({ field, collection, quantifier, filter }: RelatedFilter, at: Scope): JsonFilter | null {
  const isAny = filter.kind === 'all'
  const inner = isAny
    ? { [quantifier === 'some' ? '_nnull' : '_null']: true }
    : writeFilter(filter, { ...at, collection })
  const kind = at.schema.collections.get(at.collection)?.fields.get(field)?.relation?.kind
  if (inner === null) return null
  if (kind === 'one-to-many') return { [field]: isAny ? inner : { [`_${quantifier}`]: inner } }
  if (quantifier === 'none') return null
  return { [kind === 'many-to-any' ? `${field}:${collection}` : field]: inner }
}
