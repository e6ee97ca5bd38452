/**
 * The shape of a query: everything that its SQL text depends on, and nothing else. It is computed for every request, so
 * the code is optimised for speed. Schema names cannot contain NUL and are terminated by it; names that clients choose
 * are written with their length.
 */
import type {
  Aggregation,
  AggregationEntry,
  Page,
  Query,
  Selected,
  SelectedConstant,
  SelectedObject,
  SelectedOne,
  Selection,
  Sort,
} from '../../domain/query/query.ts'
import { type Shape, walkCall, walkFilter, walkGuard, walkRelated } from './shape-filter.ts'

/** Number of rows from which on the form of the result depends on the column types (see read.ts). */
export const manyRows = 200

/**
 * Limits that are part of the SQL text, because the planner assumes a tenth of the rows for an unknown limit. The set is
 * small, so that clients cannot create many texts.
 */
export const pageSizes: ReadonlySet<number> = new Set([
  0, 1, 2, 3, 5, 10, 12, 15, 20, 24, 25, 30, 50, 100, 200, 250, 500, 1000,
])

/** Number of first pages whose offset is part of the SQL text, for the same reason. */
const textPages = 20

export function isTextPage({ limit, offset }: Page): boolean {
  if (limit === null) return offset === 0
  return pageSizes.has(limit) && (offset === 0 || (offset % limit === 0 && offset < limit * textPages))
}

/** The shape of a query. `context` identifies view and dialect. */
export function shapeOf(query: Query, context: string): Shape {
  const shape: Shape = { key: context, nodes: [] }
  walkQuery(shape, query)
  return shape
}

function walkQuery(shape: Shape, query: Query): void {
  shape.nodes.push(query)
  const { limit, offset } = query.page
  const size = limit === null ? '*' : pageSizes.has(limit) ? limit : limit >= manyRows ? '+' : '-'
  shape.key += `Q${query.collection}\0${size}.${offset === 0 ? '' : isTextPage(query.page) ? offset : 'o'}${query.archive.kind}`
  if (query.aggregation === null) walkSelection(shape, query.selection)
  else walkAggregation(shape, query.aggregation)
  walkFilter(shape, query.filter)
  if (query.search !== null) {
    shape.key += 'S'
    for (const { field, guard } of query.searchFields ?? []) {
      shape.key += `${field}\0`
      walkGuard(shape, guard)
    }
  }
  if (query.overlay !== undefined) shape.key += 'O'
  if (query.given !== undefined) shape.key += 'E'
  if (query.tag !== undefined) {
    shape.key += query.locked === true ? 'L' : 'T'
    walkSelection(shape, query.tag)
  }
  if (query.distinct !== undefined) shape.key += `D${query.distinct.join('\0')}\0\0`
  for (const sort of query.sort) walkSort(shape, sort)
  if (query.after !== undefined) shape.key += `>${query.after.map((each) => (each === null ? 0 : 1)).join('')}`
  for (const count of query.counts) shape.key += `C${count}`
  if (query.counts.length > 0 && query.rows !== undefined) walkFilter(shape, query.rows)
  shape.key += '.'
}

function walkSelection(shape: Shape, selection: Selection): void {
  for (const selected of selection) walkSelected(shape, selected)
  shape.key += ';'
}

function walkSelected(shape: Shape, selected: Selected): void {
  switch (selected.kind) {
    case 'wildcard':
      throw new Error('A wildcard is expanded by authorize')
    case 'row-key':
      shape.key += `\0K${selected.key.length}:${selected.key}`
      return walkGuard(shape, selected.guard)
    case 'cursor':
      shape.key += `\0P${selected.key.length}:${selected.key}`
      for (const sort of selected.sort) walkSort(shape, sort)
      shape.key += ';'
      return
    case 'constant':
    case 'object':
      return walkUnstored(shape, selected)
    default:
      return walkField(shape, selected)
  }
}

type OfField = Exclude<Selected, { readonly kind: 'wildcard' | 'row-key' | 'cursor' | 'constant' | 'object' }>

function walkField(shape: Shape, selected: OfField): void {
  const { key, field } = selected
  shape.key += key === field ? `${field}\0` : `${field}\0${key.length}:${key}`
  if (selected.guard !== undefined) walkGuard(shape, selected.guard)
  switch (selected.kind) {
    case 'field':
      if (selected.related !== undefined) walkRelated(shape, selected.related)
      return
    case 'function':
      walkCall(shape, selected, selected)
      return walkRelated(shape, selected.related)
    case 'one':
      shape.key += '{'
      return walkRows(shape, selected)
    case 'many':
      shape.key += selected.asKeys === true ? '[=' : '['
      return walkQuery(shape, selected.query)
    case 'any':
      shape.key += '<'
      for (const option of selected.options) {
        shape.key += `${option.collection}\0${option.asKey === true ? '=' : ''}`
        walkRows(shape, option)
      }
      shape.key += '>'
      return
    default:
      selected satisfies never
  }
}

function walkRows(shape: Shape, { selection, filter }: Pick<SelectedOne, 'selection' | 'filter'>): void {
  walkSelection(shape, selection)
  shape.key += '}'
  walkFilter(shape, filter)
}

function walkUnstored(shape: Shape, selected: SelectedConstant | SelectedObject): void {
  const { key } = selected
  shape.key += `\0${key.length}:${key}`
  if (selected.kind === 'constant') {
    shape.key += `T${selected.text.length}:${selected.text}`
    return
  }
  shape.key += selected.orNull === true ? '(=' : '('
  walkSelection(shape, selected.selection)
  shape.key += ')'
}

function walkSort(shape: Shape, sort: Sort): void {
  shape.key += sort.descending ? '-' : '+'
  if (sort.nulls !== undefined) shape.key += sort.nulls
  if (sort.kind === 'random') {
    shape.key += '%'
    return
  }
  if (sort.kind === 'listed') {
    shape.nodes.push(sort)
    shape.key += '#'
    return
  }
  if (sort.kind === 'aggregate') {
    shape.key += `A${sort.aggregate}${sort.field === null ? '*' : `${sort.field}\0`}`
    return
  }
  for (const step of sort.path) {
    shape.key += `/${step.field}\0${step.collection}\0`
    walkGuard(shape, step.guard)
    if (step.filter !== undefined) walkRelated(shape, step.filter)
  }
  shape.key += `${sort.field}\0`
  if (sort.kind === 'function') {
    walkCall(shape, sort, sort)
    walkRelated(shape, sort.related)
  }
  walkGuard(shape, sort.guard)
}

function walkAggregation(shape: Shape, aggregation: Aggregation): void {
  for (const key of aggregation.group) {
    shape.key += `G${key.field}\0${key.key.length}:${key.key}`
    if (key.kind === 'function') {
      shape.key += `F${key.function}`
      walkRelated(shape, key.related)
    }
    walkGuard(shape, key.guard)
  }
  for (const value of aggregation.values) {
    shape.key += `A${value.aggregate}${value.field === null ? '*' : `${value.field}\0`}${value.key.length}:${value.key}`
    walkGuard(shape, value.guard)
  }
  if (aggregation.layout !== undefined) walkLayout(shape, aggregation.layout)
  shape.key += ';'
}

function walkLayout(shape: Shape, layout: readonly AggregationEntry[]): void {
  shape.key += 'L'
  for (const entry of layout) {
    shape.key += `${entry.kind.length}${entry.kind}${entry.key.length}:${entry.key}`
    if (entry.kind === 'object') walkLayout(shape, entry.entries)
    else if (entry.kind === 'constant') shape.key += `${entry.text.length}:${entry.text}`
    else shape.key += `${entry.kind === 'value' ? entry.value : entry.group}.`
  }
  shape.key += ';'
}
