/** Parses `sort`: `-` sorts descending, dots lead through relations, functions and aggregates are allowed. */

import { refuseQuery } from '../../domain/conditions/literals.ts'
import { splitPath } from '../../domain/query/field-path.ts'
import { type AggregateName, aggregates } from '../../domain/query/functions.ts'
import type { Aggregation, Sort, SortStep } from '../../domain/query/query.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { assertShown } from '../../domain/schema/hidden-target.ts'
import { collectionNamed, fieldNamed, type ParseScope, readCall, readScope, toCall } from './parse-scope.ts'

type SortOptions = {
  readonly collection: string
  readonly name: string
  readonly depth: number
  /** Names that `alias` gives to fields or functions. */
  readonly aliases?: ReadonlyMap<string, string>
  readonly scope: ParseScope
}

const mostKeys = 50

/** Without `sort`, groups are ordered by their first key, everything else by the collection's own order. */
export function parseSort(words: readonly string[], aggregation: Aggregation | null, at: SortOptions): readonly Sort[] {
  if (words.length > mostKeys) refuseQuery(at.name, `at most ${mostKeys} fields`, words.length)
  if (words.length === 0) return aggregation === null ? [] : firstGroup(aggregation)
  return words.map((word) => {
    const descending = word.startsWith('-')
    const named = descending ? word.slice(1) : word
    const path = splitPath(at.aliases?.get(named) ?? named)
    return toAggregate(path, descending, aggregation, at) ?? toOperand(path, descending, at)
  })
}

function firstGroup({ group }: Aggregation): readonly Sort[] {
  const [first] = group
  if (first === undefined) return []
  if (first.kind === 'field') return [{ descending: false, kind: 'field', path: [], field: first.field }]
  return [{ descending: false, kind: 'function', path: [], function: first.function, field: first.field }]
}

/** Sorts by an aggregate: `count`, `sum.price`. */
function toAggregate(
  [name = '', argument, ...rest]: readonly string[],
  descending: boolean,
  aggregation: Aggregation | null,
  at: SortOptions,
): Sort | null {
  if (aggregation === null || rest.length > 0 || !Object.hasOwn(aggregates, name)) return null
  const aggregate = name as AggregateName
  const own = aggregation.values.filter((value) => value.aggregate === aggregate)
  if (own.length === 0) return null
  if (argument === undefined) return { descending, kind: 'aggregate', aggregate, field: own[0]?.field ?? null }
  const field = argument === '*' ? null : fieldNamed(at.scope, at.collection, argument).name
  return { descending, kind: 'aggregate', aggregate, field }
}

function toOperand(names: readonly string[], descending: boolean, at: SortOptions): Sort {
  const { scope, name, depth } = at
  if (names.length + depth - 1 > scope.limits.depth)
    refuseQuery(name, `at most ${scope.limits.depth} names in a path`, names.join('.'))
  const path: SortStep[] = []
  let { collection } = at
  for (const word of names.slice(0, -1)) {
    const step = toStep(word, collection, at)
    path.push(step)
    collection = step.collection
  }
  const last = names.at(-1) ?? ''
  const call = readCall(last)
  if (call === null) return { descending, kind: 'field', path, field: fieldNamed(scope, collection, last).name }
  const read = toCall(call, name, (field) => fieldNamed(scope, collection, field).name)
  return { descending, kind: 'function', path, ...read }
}

function toStep(word: string, collection: string, { scope: parseScope, name }: SortOptions): SortStep {
  const [fieldName, scope] = readScope(word, collection, parseScope)
  const field = fieldNamed(parseScope, collection, fieldName)
  const { relation } = field
  if (relation === null) throw new TandemError({ kind: 'not-relational', collection, field: fieldName })
  if (relation.kind !== 'many-to-any') {
    if (scope !== null) refuseQuery(name, `a field without a collection scope`, word)
    assertShown(parseScope.view, relation.collection, { collection, field: fieldName })
    return { field: field.name, collection: relation.collection }
  }
  if (scope === null) return refuseQuery(name, `a collection for "${fieldName}", as in "${fieldName}:collection"`, word)
  const target = collectionNamed(parseScope.view, scope)
  if (!relation.allowed.includes(target)) refuseQuery(name, `one of the collections of "${fieldName}"`, scope)
  return { field: field.name, collection: target }
}
