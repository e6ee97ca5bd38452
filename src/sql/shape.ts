/**
 * The shape of a query: all that its SQL text depends on, and nothing else. Walked for every request,
 * so it is written for speed. Names out of the schema cannot hold NUL, which therefore ends them;
 * names that a client chooses are written with their length.
 */
import type { Aggregation, Query, Selection, Sort } from '../domain/query.ts'
import { type Shape, walkFilter, walkGuard, walkRelated } from './shape-filter.ts'
import { numberOf } from './shape-numbers.ts'

/** From this many rows on, how the rows come back depends on what is in them (see read.ts). */
export const manyRows = 200

/**
 * Limits that are part of the text: a plan made for a limit that is not known is made for a tenth of the rows.
 * They are few, so that a client cannot make many texts.
 */
export const pageSizes: ReadonlySet<number> = new Set([
  0, 1, 2, 3, 5, 10, 12, 15, 20, 24, 25, 30, 50, 100, 200, 250, 500, 1000,
])

/** The shape of a query; `view` and `dialect` name what else the text depends on. */
export function shapeOf(query: Query, context: string): Shape {
  const shape: Shape = { key: context, nodes: [] }
  walkQuery(shape, query)
  return shape
}

function walkQuery(shape: Shape, query: Query): void {
  shape.nodes.push(query)
  const { limit, offset } = query.page
  const size = limit === null ? '*' : pageSizes.has(limit) ? limit : limit >= manyRows ? '+' : '-'
  shape.key += `Q${query.collection}\0${size}.${offset === 0 ? '' : 'o'}${query.archive.kind}`
  if (query.aggregation === null) walkKept(shape, query.selection)
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
  if (query.distinct !== undefined) shape.key += `D${query.distinct.join('\0')}\0\0`
  for (const sort of query.sort) walkSort(shape, sort)
  for (const count of query.counts) shape.key += `C${count}`
  if (query.counts.length > 0 && query.rows !== undefined) walkFilter(shape, query.rows)
  shape.key += '.'
}

type Kept = { readonly number: number; readonly nodes: readonly object[] }

/** Authorize hands out the same selection for the same words, and walking one is most of the work. */
const keptShapes = new WeakMap<Selection, Kept>()

function walkKept(shape: Shape, selection: Selection): void {
  let kept = keptShapes.get(selection)
  if (kept === undefined) {
    const own: Shape = { key: '', nodes: [] }
    walkSelection(own, selection)
    kept = { number: numberOf(own.key), nodes: own.nodes }
    keptShapes.set(selection, kept)
  }
  shape.key += `${kept.number}\0`
  for (const node of kept.nodes) shape.nodes.push(node)
}

function walkSelection(shape: Shape, selection: Selection): void {
  for (const selected of selection) {
    if (selected.kind === 'wildcard') throw new Error('A wildcard is expanded by authorize')
    const { key, field } = selected
    shape.key += key === field ? `${field}\0` : `${field}\0${key.length}:${key}`
    if (selected.guard !== undefined) walkGuard(shape, selected.guard)
    switch (selected.kind) {
      case 'field':
        if (selected.related !== undefined) walkRelated(shape, selected.related)
        break
      case 'function':
        shape.key += `F${selected.function}`
        walkRelated(shape, selected.related)
        break
      case 'one':
        shape.key += '{'
        walkSelection(shape, selected.selection)
        shape.key += '}'
        walkFilter(shape, selected.filter)
        break
      case 'many':
        shape.key += '['
        walkQuery(shape, selected.query)
        break
      case 'any':
        shape.key += '<'
        for (const option of selected.options) {
          shape.key += `${option.collection}\0`
          walkSelection(shape, option.selection)
          shape.key += '}'
          walkFilter(shape, option.filter)
        }
        shape.key += '>'
        break
      default:
        selected satisfies never
    }
  }
  shape.key += ';'
}

function walkSort(shape: Shape, sort: Sort): void {
  shape.key += sort.descending ? '-' : '+'
  if (sort.nulls !== undefined) shape.key += sort.nulls
  if (sort.kind === 'random') {
    shape.key += '%'
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
    shape.key += `F${sort.function}`
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
  shape.key += ';'
}
