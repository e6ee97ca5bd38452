/** The parts that all levels of a JSON filter have: names, AND and OR, operators, and bounds. */

import { and, type Filter, type Operand, or } from '../query/filter.ts'
import { TandemError } from '../rights/errors.ts'
import type { Collection, Field, Schema } from '../schema/schema.ts'
import type { View } from '../schema/view.ts'
import { isJsonObject } from './exact-numbers.ts'
import { type ComparisonOptions, parseComparison, refuse } from './filter-values.ts'
import { describe } from './literals.ts'
import { withStoredNames } from './renamed-values.ts'

/** The context of a filter. Names in the filter are those of `view`; without a view they are core names. */
export type FilterScope = {
  readonly schema: Schema
  readonly view?: View | undefined
  /** Core name of the root collection. */
  readonly collection: string
}

export type FilterOptions = {
  /** Name of the filter in error messages, e.g. `filter` or `deep.tags._filter`. */
  readonly name: string
  /** Limit of names in a path: `author.name` has two. */
  readonly depth: number
  /** Whether dynamic values may have a path, such as `$CURRENT_USER.department`. */
  readonly dynamicPaths: boolean
  /** The filter validates payloads: `_regex` and `_submitted` are available, and concealed fields may be compared. */
  readonly validation?: boolean
  /** The filter grants rights: where the actor lacks a value of \`_none\`, nothing matches. */
  readonly grants?: boolean
}

/** Limits of one filter. Each condition on related rows is a subquery. `nesting`: depth of objects. */
export const bounds = { conditions: 1000, related: 100, nesting: 100 } as const

export type ParseState = FilterScope & FilterOptions & { conditions: number; related: number }

/** One object of the filter: the collection that its keys belong to, and its path from the root. */
export type Level = {
  readonly collection: string
  readonly path: string
  readonly depth: number
  readonly nesting: number
}

/** The entries of an object, each with its level. */
export function entriesOf(json: unknown, level: Level): readonly (readonly [string, unknown, Level])[] {
  if (level.nesting > bounds.nesting) refuse(level.path, `Expected at most ${bounds.nesting} nested levels`)
  if (!isJsonObject(json)) refuse(level.path, `Expected an object but received ${describe(json)}`)
  return Object.entries(json).map(([key, value]) => [
    key,
    value,
    { ...level, path: `${level.path}.${key}`, nesting: level.nesting + 1 },
  ])
}

type Parse = (each: unknown, at: Level) => Filter

/** Parses an object of conditions, joined by AND. `whole`: parses the objects in its `_and` and `_or`. */
export function parseEntries(json: unknown, level: Level, { whole, entry }: { whole: Parse; entry: Visit }): Filter {
  const parts = entriesOf(json, level).map(([key, raw, inner]) =>
    isLogical(key) ? parseLogical(key, raw, inner, whole) : entry(key, raw, inner),
  )
  return and(...parts)
}

export const isLogical = (key: string): key is '_and' | '_or' => key === '_and' || key === '_or'

export function parseLogical(key: '_and' | '_or', value: unknown, level: Level, parse: Parse): Filter {
  const list = listOf(value)
  if (list === null) return refuse(level.path, `Expected a list of filters but received ${describe(value)}`)
  const filters = list.map((each, index) => parse(each, { ...level, path: `${level.path}.${index}` }))
  return key === '_and' ? and(...filters) : or(...filters)
}

/** Reads a list. Parsers of query strings turn long lists into objects with numeric keys. */
function listOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value
  if (!isJsonObject(value)) return null
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key)) ? Object.values(value) : null
}

export function fieldOf(collection: string, name: string, state: ParseState): Field {
  const core = state.view === undefined ? name : state.view.byCore.get(collection)?.fields.get(name)?.field
  const field = core === undefined ? undefined : collectionOf(collection, state).fields.get(core)
  if (field === undefined) throw new TandemError({ kind: 'field-not-found', collection, field: name })
  return field
}

export function collectionOf(name: string, state: ParseState): Collection {
  const collection = state.schema.collections.get(name)
  if (collection === undefined) throw new TandemError({ kind: 'collection-not-found', collection: name })
  return collection
}

type Visit = (operator: string, raw: unknown, at: Level) => Filter

/** Parses the object below a column: operators, joined by AND. A bare value means `_eq`. */
export function parseOperators(value: unknown, level: Level, visit: Visit): Filter {
  if (!isJsonObject(value)) return visit('_eq', value, level)
  return parseEntries(value, level, { whole: (each, at) => parseOperators(each, at, visit), entry: visit })
}

export function compareField(operator: string, raw: unknown, { field, level }: FieldAt, state: ParseState): Filter {
  const operand: Operand = { kind: 'field', field: field.name }
  const { type, column, concealed } = field
  const codec = state.view?.byCore.get(level.collection)?.byCore.get(field.name)?.codec
  const value = withStoredNames(raw, codec)
  return compare(operator, value, { operand, type, column, concealed, path: level.path }, state)
}

export type FieldAt = { readonly field: Field; readonly level: Level }

type Compared = Omit<ComparisonOptions, 'dynamicPaths' | 'validation' | 'schema'>

export function compare(operator: string, raw: unknown, compared: Compared, state: ParseState): Filter {
  countConditions(1, compared.path, state)
  const { dynamicPaths, validation = false, schema } = state
  return parseComparison(operator, raw, { ...compared, dynamicPaths, validation, schema })
}

export function countConditions(count: number, path: string, state: ParseState): void {
  state.conditions += count
  if (state.conditions > bounds.conditions) refuse(path, `Expected at most ${bounds.conditions} conditions`)
}

export function hasField(collection: string, name: string, state: ParseState): boolean {
  if (state.view !== undefined) return state.view.byCore.get(collection)?.fields.has(name) ?? false
  return state.schema.collections.get(collection)?.fields.has(name) ?? false
}
