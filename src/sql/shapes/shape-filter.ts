/** Writes the filters of a query into its shape. For the format see `shape.ts`. */
import { type Comparison, type Filter, isDynamic, type Value } from '../../domain/query/filter.ts'
import type { Call } from '../../domain/query/functions.ts'

/** `key` is equal for queries with equal SQL text. `nodes` contain the values, in walk order. */
export type Shape = { key: string; readonly nodes: object[] }

export function walkGuard(shape: Shape, guard: Filter | undefined): void {
  if (guard === undefined) return
  shape.key += '?'
  walkFilter(shape, guard)
}

export function walkRelated(shape: Shape, related: Filter | undefined): void {
  if (related === undefined) return
  shape.key += '~'
  walkFilter(shape, related)
}

/** `node`: has the path of `json`, which is a value. */
export function walkCall(shape: Shape, { function: name }: Call, node: object): void {
  shape.key += `F${name}`
  if (name === 'json') shape.nodes.push(node)
}

export function walkFilter(shape: Shape, filter: Filter): void {
  switch (filter.kind) {
    case 'all':
      shape.key += 'T'
      break
    case 'none':
      shape.key += 'N'
      break
    case 'and':
    case 'or':
      shape.key += filter.kind === 'and' ? '(&' : '(|'
      for (const each of filter.filters) walkFilter(shape, each)
      shape.key += ')'
      break
    case 'not':
      shape.key += '!'
      walkFilter(shape, filter.filter)
      break
    case 'related':
      shape.key += `R${filter.field}\0${filter.collection}\0${filter.quantifier}${filter.needsValues ? '!' : ''}`
      walkFilter(shape, filter.filter)
      break
    case 'compare':
      walkComparison(shape, filter)
      break
    default:
      filter satisfies never
  }
}

function walkComparison(shape: Shape, comparison: Comparison): void {
  const { operand, operator, values } = comparison
  shape.nodes.push(comparison)
  shape.key += `=${operand.field}\0${operator}`
  if (operand.kind === 'function') {
    shape.key += `F${operand.function}${operand.as ?? ''}`
    walkRelated(shape, operand.related)
  }
  if (operator === 'in' || operator === 'nin') walkList(shape, values)
  else for (const value of values) walkValue(shape, value)
  shape.key += ','
}

function walkValue(shape: Shape, value: Value): void {
  if (typeof value !== 'object' || value === null || !isDynamic(value)) {
    shape.key += 'v'
    return
  }
  switch (value.kind) {
    case 'numbered':
      shape.key += `#${value.collection}\0`
      break
    case 'current-user':
    case 'current-role':
      if (value.path.length === 0) shape.key += 'v'
      else shape.key += `$${value.kind}${value.path.map((name) => `${name.length}:${name}`).join('')}`
      break
    case 'current-roles':
    case 'current-policies':
      shape.key += `$${value.kind}`
      break
    case 'reached':
      shape.key += `^${value.collection}\0`
      for (const step of value.path) {
        shape.key += `/${step.field}\0${step.collection}\0`
        walkFilter(shape, step.guard)
      }
      break
    default:
      shape.key += 'v'
  }
}

/** All literal values of a list share one parameter. */
function walkList(shape: Shape, values: readonly Value[]): void {
  let isPlainNoted = values.length === 0
  if (isPlainNoted) shape.key += 'v'
  const noted = new Set<string>()
  for (const value of values) {
    if (typeof value !== 'object' || value === null || !isDynamic(value) || isKnown(value)) {
      if (!isPlainNoted) shape.key += 'v'
      isPlainNoted = true
    } else if (value.kind === 'numbered') {
      if (!noted.has(value.collection)) shape.key += `#${value.collection}\0`
      noted.add(value.collection)
    } else walkValue(shape, value)
  }
}

const isKnown = (value: Extract<Value, { kind: string }>): boolean =>
  value.kind !== 'numbered' && !('path' in value && Array.isArray(value.path) && value.path.length > 0)
