/** `aggregate` and `groupBy` → `Aggregation`. */
import { refuseQuery } from '../../domain/conditions/literals.ts'
import { unescaped } from '../../domain/query/field-path.ts'
import { type AggregateName, aggregates } from '../../domain/query/functions.ts'
import type { AggregateValue, Aggregation, GroupKey } from '../../domain/query/query.ts'
import { type ParameterNames, readNames, readObject } from './lists.ts'
import { fieldNamed, type ParseScope, readCall, resultName, toCall } from './parse-scope.ts'

export type AggregationOptions = {
  readonly collection: string
  readonly names: ParameterNames
  readonly scope: ParseScope
}

/** Maximum number of values and of groups in one aggregation. */
const widest = 100

/** Null if neither parameter is given. Groups without values return the distinct ones. */
export function parseAggregation(
  raw: { readonly aggregate: unknown; readonly groupBy: unknown },
  at: AggregationOptions,
): Aggregation | null {
  const values = Object.entries(readObject(raw.aggregate, at.names.shown('aggregate'))).flatMap(([name, words]) =>
    parseValues(name, words, at),
  )
  const group = [...new Set(readNames(raw.groupBy, at.names.shown('groupBy')))].map((word) =>
    parseGroup(unescaped(word), at),
  )
  if (values.length + group.length > widest)
    refuseQuery(at.names.shown('aggregate'), `at most ${widest} values`, values.length)
  return values.length + group.length === 0 ? null : { values, group }
}

function parseValues(
  name: string,
  raw: unknown,
  { collection, names, scope }: AggregationOptions,
): readonly AggregateValue[] {
  const shown = names.shown('aggregate')
  if (!Object.hasOwn(aggregates, name)) refuseQuery(shown, `one of ${Object.keys(aggregates).join(', ')}`, name)
  const aggregate = name as AggregateName
  const words = [...new Set(readNames(raw, `${shown}.${name}`))]
  if (words.length === 0) refuseQuery(`${shown}.${name}`, 'a field or *', raw)
  if (words.includes('*')) {
    if (words.length > 1) refuseQuery(`${shown}.${name}`, '* alone', words.join(','))
    return [{ aggregate, field: null, key: '*' }]
  }
  return words.map(unescaped).map((word) => ({ aggregate, field: fieldNamed(scope, collection, word).name, key: word }))
}

/** A field to group by, or a function of one: `year(day)`. */
export function parseGroup(word: string, { collection, names, scope }: AggregationOptions): GroupKey {
  const call = readCall(word)
  if (call === null) return { kind: 'field', key: word, field: fieldNamed(scope, collection, word).name }
  const parameter = names.shown('groupBy')
  const read = toCall(call, parameter, (field) => fieldNamed(scope, collection, field).name)
  if (read.function === 'json') refuseQuery(parameter, 'a function of numbers', word)
  return { kind: 'function', key: resultName(read, call[1]), ...read }
}
