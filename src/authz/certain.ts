/**
 * The part of a filter that can be decided for a row that is gone. Rows that referred to it may be gone with it, so a
 * condition on them is not known any more, and what is not known makes no row visible.
 */
import { type Filter, isDynamic, matchAll, matchNone } from '../domain/query/filter.ts'
import type { Collection, Schema } from '../domain/schema/schema.ts'

/** Matches only rows that match `filter` whatever the rows are that refer to them. */
export const certainly = (schema: Schema, collection: string, filter: Filter): Filter =>
  decide(schema, { collection, unknown: matchNone }, filter)

/** `unknown`: what takes the place of a condition that is not known: it never makes the whole filter match. */
type UnknownSide = { readonly collection: string; readonly unknown: Filter }

function decide(schema: Schema, side: UnknownSide, filter: Filter): Filter {
  switch (filter.kind) {
    case 'all':
    case 'none':
      return filter
    case 'and':
    case 'or':
      return { ...filter, filters: filter.filters.map((each) => decide(schema, side, each)) }
    case 'not':
      return { kind: 'not', filter: decide(schema, opposite(side), filter.filter) }
    case 'compare':
      return isKnown(schema.collections.get(side.collection), filter) ? filter : side.unknown
    case 'related': {
      if (filter.by !== undefined || isToMany(schema.collections.get(side.collection), filter.field))
        return side.unknown
      const inner = filter.quantifier === 'none' ? opposite(side) : side
      return { ...filter, filter: decide(schema, { ...inner, collection: filter.collection }, filter.filter) }
    }
    default:
      return filter satisfies never
  }
}

const opposite = (side: UnknownSide): UnknownSide => ({
  ...side,
  unknown: side.unknown.kind === 'none' ? matchAll : matchNone,
})

/** Whether a comparison depends on other rows: by a function of a list, or by keys that a path of the actor reaches. */
function isKnown(
  collection: Collection | undefined,
  { operand, values }: Extract<Filter, { kind: 'compare' }>,
): boolean {
  if (operand.kind === 'function' && isToMany(collection, operand.field)) return false
  return !values.some((value) => isDynamic(value) && value.kind === 'reached')
}

const isToMany = (collection: Collection | undefined, field: string): boolean =>
  collection?.fields.get(field)?.relation?.kind === 'one-to-many'
