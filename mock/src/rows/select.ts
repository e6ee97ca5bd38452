/** The rows of a query as JSON values. */
import { toCursor, toCursorSort } from '../../../src/domain/query/cursor.ts'
import type { Query, Selected, SelectedAny, Selection } from '../../../src/domain/query/query.ts'
import { keyOfRow } from '../../../src/domain/schema/row-keys.ts'
import type { Field } from '../../../src/domain/schema/schema.ts'
import { computed, groupsOf } from './aggregate.ts'
import type { Env } from './env.ts'
import { callOf, isTrue, jsonOf, matches } from './filter.ts'
import { fieldOf, type Level, relatedRows, valueOf } from './links.ts'
import { pageOf } from './page.ts'
import { show } from './shown.ts'
import { sorted, textsOf } from './sort.ts'

/** The rows of a level among those given: its groups, or its page with the selection. */
export function rowsOf(env: Env, levels: readonly Level[], query: Query, preferred: string | null): readonly object[] {
  if (query.aggregation !== null) return groupsOf(env, levels, query, query.aggregation)
  return pageOf(env, levels, query, preferred).map((level) => selected(env, level, query.selection))
}

/** A row under the keys of the selection. If two have the same key, the last one is used. */
export function selected(env: Env, level: Level, selection: Selection): object {
  const byKey = new Map<string, Selected>()
  for (const each of selection) {
    if (each.kind === 'wildcard') throw new Error('Expected a selection without wildcards')
    byKey.set(each.key, each)
  }
  return Object.fromEntries([...byKey].map(([key, each]) => [key, valueFor(env, level, each)]))
}

function valueFor(env: Env, level: Level, entry: Selected): unknown {
  if (entry.kind === 'wildcard') return null
  if (entry.kind === 'constant') return entry.text
  if (entry.kind === 'object') {
    const values = selected(env, level, entry.selection)
    return entry.orNull === true && Object.values(values)[0] == null ? null : values
  }
  if (entry.kind === 'cursor') {
    const sort = entry.sort.flatMap((each) => toCursorSort(each) ?? [])
    return toCursor(sort, textsOf(env, level, sort))
  }
  if (entry.guard !== undefined && !isTrue(matches(env, level, entry.guard))) return null
  if (entry.kind === 'row-key') return rowKey(env, level)
  const field = fieldOf(level.collection, entry.field)
  switch (entry.kind) {
    case 'field':
      return shownField(env, level, field, entry)
    case 'function': {
      if (entry.function === 'json') return jsonOf(level, entry)
      const result = callOf(env, level, entry)
      return computed(env, result === null ? null : String(result))
    }
    case 'one': {
      if (field.relation?.kind !== 'many-to-one') throw new Error(`Field ${field.name} is not a many-to-one`)
      const [row] = readable(env, relatedRows(env, level, field, field.relation.collection), entry.filter)
      return row === undefined ? null : selected(env, row, entry.selection)
    }
    case 'many': {
      if (field.relation?.kind !== 'one-to-many') throw new Error(`Field ${field.name} is not a one-to-many`)
      const related = relatedRows(env, level, field, entry.query.collection)
      const rows = rowsOf(env, related, entry.query, field.relation.sortField)
      return entry.asKeys === true ? rows.flatMap((row) => Object.values(row) as unknown[]) : rows
    }
    case 'any':
      return anyOf(env, level, field, entry)
    default:
      return entry satisfies never
  }
}

const readable = (env: Env, levels: readonly Level[], filter: Query['filter']): readonly Level[] =>
  levels.filter((level) => isTrue(matches(env, level, filter)))

/** The key of the row as one value; null where rows have none. */
function rowKey(env: Env, { collection, row }: Level): unknown {
  if (collection.keyColumns.length === 0) return null
  if (collection.keyColumns.length > 1) return keyOfRow(collection, row)
  return show(env, collection.name, fieldOf(collection, collection.primaryKey), row[collection.primaryKey] ?? null)
}

/** The value of a column, or the keys of the related rows. */
function shownField(env: Env, level: Level, field: Field, { related }: Extract<Selected, { kind: 'field' }>): unknown {
  if (field.column !== null) return show(env, level.collection.name, field, valueOf(level, field.name))
  if (field.relation?.kind !== 'one-to-many') return null
  const all = relatedRows(env, level, field, field.relation.collection)
  if (env.schema.collections.get(field.relation.collection)?.keyColumns.length === 0) return null
  const seen = related === undefined ? all : readable(env, all, related)
  return sorted(env, seen, [], field.relation.sortField).map((each) => rowKey(env, each))
}

function anyOf(env: Env, level: Level, field: Field, { options }: SelectedAny): unknown {
  if (field.relation?.kind !== 'many-to-any') throw new Error(`Field ${field.name} is not a many-to-any`)
  const target = valueOf(level, field.relation.collectionField)
  const option = options.find(({ collection }) => collection === target)
  if (option === undefined) return null
  const [row] = readable(env, relatedRows(env, level, field, option.collection), option.filter)
  if (row === undefined) return null
  return option.asKey === true ? rowKey(env, row) : selected(env, row, option.selection)
}
