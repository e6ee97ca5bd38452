/** Converts `c_aggregated` to a `Query` whose groups have the requested form. */
import { type AggregateName, aggregates } from '../../domain/query/functions.ts'
import type { AggregateValue, Aggregation, AggregationEntry, GroupKey, Query } from '../../domain/query/query.ts'
import type { SelectedField } from '../../graphql/selected-field.ts'
import { parseGroup } from '../wire/aggregation.ts'
import { rootNames as names } from '../wire/level.ts'
import { readWords } from '../wire/lists.ts'
import { fieldNamed, type ParseScope } from '../wire/parse-scope.ts'
import { parseSort } from '../wire/sort.ts'
import { frameOf } from './query.ts'

export function toGroupsQuery(selected: SelectedField, collection: string, scope: ParseScope): Query {
  const { groupBy, sort, ...args } = selected.args
  const words = [...new Set(readWords(groupBy, 'groupBy'))]
  const group = words.map((word) => parseGroup(word, { collection, names, scope }))
  const values: AggregateValue[] = []
  const layout = selected.fields.map((each) => toEntry(each, { collection, scope, group, values }))
  // Grouping needs at least one value, so a count is added.
  if (values.length === 0) values.push({ aggregate: 'countAll', field: null, key: '*' })
  const aggregation: Aggregation = { values, group, layout }
  const order = { collection, name: 'sort', depth: 1, scope }
  return {
    ...frameOf(args, { collection, depth: 1, path: '', scope }),
    sort: parseSort(readWords(sort, 'sort'), aggregation, order),
    aggregation,
  }
}

type GroupOptions = {
  readonly collection: string
  readonly scope: ParseScope
  readonly group: readonly GroupKey[]
  /** Receives the requested values. */
  readonly values: AggregateValue[]
}

function toEntry({ key, name, parent, fields }: SelectedField, grouping: GroupOptions): AggregationEntry {
  if (name === '__typename') return { kind: 'constant', key, text: parent }
  if (name === 'group') {
    return {
      kind: 'object',
      key,
      entries: grouping.group.map((each, group) => ({ kind: 'group', key: each.key, group })),
    }
  }
  if (!Object.hasOwn(aggregates, name)) throw new Error(`The GraphQL spec has an unknown aggregate ${name}`)
  const aggregate = name as AggregateName
  if (fields.length === 0) return toValue(key, { aggregate, field: null, key: '*' }, grouping)
  const entries = fields.map((each): AggregationEntry => {
    if (each.name === '__typename') return { kind: 'constant', key: each.key, text: each.parent }
    const field = each.name === '_all' ? null : fieldNamed(grouping.scope, grouping.collection, each.name).name
    return toValue(each.key, { aggregate, field, key: field ?? '*' }, grouping)
  })
  return { kind: 'object', key, entries }
}

function toValue(key: string, value: AggregateValue, { values }: GroupOptions): AggregationEntry {
  values.push(value)
  return { kind: 'value', key, value: values.length - 1 }
}
