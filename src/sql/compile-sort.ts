/** Order of the rows of a level. The primary key is the last key, so that pages never overlap. */
import type { Sort, SortStep } from '../domain/query.ts'
import {
  type Build,
  columnText,
  columnType,
  fieldOf,
  integerType,
  keyText,
  type Level,
  openLevel,
  tableText,
  textType,
  whereText,
} from './build.ts'
import { compileFilter } from './compile-filter.ts'
import { compileFunction } from './compile-function.ts'
import { anyLinkText, linkText } from './compile-link.ts'
import { numberText } from './compile-number.ts'
import { codecOf, guarded } from './compile-value.ts'
import type { ColumnType } from './dialect.ts'

/** `text` begins with ` order by`; `keys` are its parts; `joins` belong after the level's table. */
export type Order = { readonly text: string; readonly keys: readonly string[]; readonly joins: string }

type Operand = Extract<Sort, { kind: 'field' | 'function' }>

/** `preferred` is the field that orders the rows when the query does not say; then the collection's own; then the key. */
export function compileOrder(build: Build, level: Level, sort: readonly Sort[], preferred: string | null): Order {
  const joins: string[] = []
  const keys: string[] = []
  let isTotal = false
  for (const each of sort.length > 0 ? sort : defaultSort(level, preferred)) {
    if (each.kind === 'aggregate') throw new Error('Rows that are not grouped have no aggregates')
    const key = each.kind === 'random' ? build.dialect.random : compileKey(build, level, { sort: each, joins, at: 0 })
    keys.push(build.dialect.orderBy(key, each.descending, each.nulls))
    isTotal ||= isPrimaryKey(level, each)
  }
  if (!isTotal) keys.push(...level.collection.keyColumns.map((name) => ownText(build, level, name)))
  return { text: ` order by ${keys.join(', ')}`, keys, joins: joins.join('') }
}

function defaultSort(level: Level, preferred: string | null): readonly Sort[] {
  const name = preferred ?? level.collection.sortField
  const field = name === null ? undefined : level.collection.fields.get(name)
  return field === undefined || field.column === null
    ? []
    : [{ kind: 'field', path: [], field: field.name, descending: false }]
}

const isPrimaryKey = (level: Level, sort: Sort): boolean =>
  sort.kind === 'field' &&
  sort.path.length === 0 &&
  sort.guard === undefined &&
  sort.field === level.collection.primaryKey

type Walk = { readonly sort: Operand; readonly joins: string[]; readonly at: number }

/** To-one hops are joined to the level; from the first to-many hop on, the least value per parent counts. */
function compileKey(build: Build, level: Level, walk: Walk): string {
  const step = walk.sort.path[walk.at]
  if (step === undefined) return guarded(build, level, walk.sort.guard, operandText(build, level, walk.sort))
  const field = fieldOf(level.collection, step.field)
  const { relation } = field
  if (relation === null) throw new Error(`Field ${level.collection.name}.${field.name} is no relation`)
  const inner = openLevel(build, step.collection)
  const link =
    relation.kind === 'many-to-any' ? anyLinkText(build, level, inner, field) : linkText(build, level, inner, relation)
  const conditions = [link, ...stepConditions(build, level, inner, step)]
  if (relation.kind !== 'one-to-many') {
    walk.joins.push(
      ` left join ${tableText(build, inner)} on ${conditions.filter((each) => each !== 'true').join(' and ')}`,
    )
    return compileKey(build, inner, { ...walk, at: walk.at + 1 })
  }
  const joins: string[] = []
  const key = compileKey(build, inner, { ...walk, joins, at: walk.at + 1 })
  const leaf = leafType(build, walk.sort)
  return `(select ${build.dialect.aggregates.min(key, leaf)} from ${tableText(build, inner)}${joins.join('')}${whereText(conditions)})`
}

function stepConditions(build: Build, level: Level, inner: Level, step: SortStep): readonly string[] {
  const conditions: string[] = []
  if (step.guard !== undefined) conditions.push(compileFilter(build, level, step.guard))
  if (step.filter !== undefined) conditions.push(compileFilter(build, inner, step.filter))
  return conditions
}

/** What the least value is taken of: numbers for functions, text where only the text can be ordered. */
function leafType(build: Build, sort: Operand): ColumnType {
  const collection = build.schema.collections.get(sort.path.at(-1)?.collection ?? '')
  const field = collection?.fields.get(sort.field)
  if (sort.kind === 'function' || field === undefined) return integerType
  return field.type === 'json' ? textType : columnType(field)
}

function operandText(build: Build, level: Level, sort: Operand): string {
  return sort.kind === 'function' ? compileFunction(build, level, sort) : ownText(build, level, sort.field)
}

/** A column as it is ordered; a key that is shown as a number is ordered by it. */
function ownText(build: Build, level: Level, name: string): string {
  const field = fieldOf(level.collection, name)
  if (name === level.collection.primaryKey) {
    const codec = codecOf(build.view, level.collection.name, field)
    if (codec.kind !== 'number-of') return keyText(build, level)
    return numberText(build, { sql: keyText(build, level), level, field }, codec.collection)
  }
  return build.dialect.comparable(columnText(build, level, field), columnType(field))
}
