/**
 * The JSON filter language, `{"author":{"name":{"_eq":"Ann"}}}`. One API generation accepts it from clients, and the
 * metadata tables store permission rules and field validation in it.
 */

import { and, type Filter, matchAll, type Operand, or } from '../query/filter.ts'
import { type FunctionName, functions } from '../query/functions.ts'
import { type JsonPath, jsonPathForm, readJsonPath } from '../query/json-path.ts'
import { invalidQuery, TandemError } from '../rights/errors.ts'
import { assertShown } from '../schema/hidden-target.ts'
import { holdsValue } from '../schema/references.ts'
import type { Collection, Field, Schema } from '../schema/schema.ts'
import { findCollection, type View } from '../schema/view.ts'
import { isExact } from './exact-numbers.ts'
import { type ComparisonOptions, listOfValues, operatorSpellings, parseComparison } from './filter-values.ts'
import { compareWithKeys, isKeyOperator } from './key-filter.ts'
import { describe } from './literals.ts'
import { withStoredNames } from './renamed-values.ts'

/** The context of a filter. Names in the filter are those of `view`; without a view they are core names. */
export type FilterPlace = {
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
}

/** Limits of one filter. Each condition on related rows is a subquery. `nesting`: depth of objects. */
const bounds = { conditions: 1000, related: 100, nesting: 100 } as const

/**
 * Parses a filter. Throws `invalid-query`, or `field-not-found` for a field that does not exist, with the path in the filter.
 * @example parseFilter({ status: 'done' }, place, options) // the same as { status: { _eq: 'done' } }
 */
export function parseFilter(json: unknown, at: FilterPlace, options: FilterOptions): Filter {
  const state: ParseState = { ...at, ...options, conditions: 0, related: 0 }
  return parseLevel(json, { collection: at.collection, path: options.name, depth: 1, nesting: 1 }, state)
}

type ParseState = FilterPlace & FilterOptions & { conditions: number; related: number }

/** One object of the filter: the collection that its keys belong to, and its path from the root. */
type Level = { readonly collection: string; readonly path: string; readonly depth: number; readonly nesting: number }

function parseLevel(json: unknown, level: Level, state: ParseState): Filter {
  const entries = entriesOf(json, level)
  const parts = entries.map(([key, value]) => {
    const inner = { ...level, path: `${level.path}.${key}`, nesting: level.nesting + 1 }
    if (key === '_and' || key === '_or')
      return parseLogical(key, value, inner, (each, at) => parseLevel(each, at, state))
    return parseKey(key, value, inner, state)
  })
  return and(...parts)
}

function entriesOf(json: unknown, level: Level): readonly (readonly [string, unknown])[] {
  if (level.nesting > bounds.nesting) refuse(level.path, `Expected at most ${bounds.nesting} nested levels`)
  if (!isObject(json)) refuse(level.path, `Expected an object but received ${describe(json)}`)
  return Object.entries(json)
}

function parseLogical(
  key: '_and' | '_or',
  value: unknown,
  level: Level,
  parse: (each: unknown, at: Level) => Filter,
): Filter {
  const list = listOf(value)
  if (list === null) return refuse(level.path, `Expected a list of filters but received ${describe(value)}`)
  const filters = list.map((each, index) => parse(each, { ...level, path: `${level.path}.${index}` }))
  return key === '_and' ? and(...filters) : or(...filters)
}

/** Reads a list. Parsers of query strings turn long lists into objects with numeric keys. */
function listOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value
  if (!isObject(value)) return null
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key)) ? Object.values(value) : null
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isExact(value)

const functionText = /^([a-z]{1,10})\(([^()]*)\)$/i

function parseKey(key: string, value: unknown, level: Level, state: ParseState): Filter {
  const call = functionText.exec(key)
  if (call !== null) return parseFunction([call[1] as string, call[2] as string], value, level, state)
  const [name, scope] = splitScope(key)
  const field = fieldOf(level.collection, name, state)
  const relation = field.relation
  if (scope !== null && relation?.kind !== 'many-to-any')
    refuse(level.path, 'Expected a field without a collection scope')
  switch (relation?.kind) {
    case 'many-to-one':
      return parseToOne(value, { field, collection: relation.collection, level }, state)
    case 'one-to-many':
      return parseToMany(value, { field, collection: relation.collection, level }, state)
    case 'many-to-any': {
      if (scope === null) return parseColumn(value, field, level, state)
      const collection = scopedCollection(scope, relation.allowed, level, state)
      return parseScoped(value, { field, collection, level }, state)
    }
    default:
      return parseColumn(value, field, level, state)
  }
}

function splitScope(key: string): readonly [string, string | null] {
  const colon = key.indexOf(':')
  return colon === -1 ? [key, null] : [key.slice(0, colon), key.slice(colon + 1)]
}

function fieldOf(collection: string, name: string, state: ParseState): Field {
  const core = state.view === undefined ? name : state.view.byCore.get(collection)?.fields.get(name)?.field
  const field = core === undefined ? undefined : collectionOf(collection, state).fields.get(core)
  if (field === undefined) throw new TandemError({ kind: 'field-not-found', collection, field: name })
  return field
}

function collectionOf(name: string, state: ParseState): Collection {
  const collection = state.schema.collections.get(name)
  if (collection === undefined) throw new TandemError({ kind: 'collection-not-found', collection: name })
  return collection
}

function scopedCollection(scope: string, allowed: readonly string[], level: Level, state: ParseState): string {
  const core = state.view === undefined ? scope : findCollection(state.view, scope)?.collection
  if (core !== undefined && allowed.includes(core)) return core
  return refuse(level.path, `Expected one of the field's collections but received ${describe(scope)}`)
}

/** Parses `year(published)` or `count(comments)`, whose results are compared as integers, or `json(settings, a.b)`. */
function parseFunction(
  [name, input]: readonly [string, string],
  value: unknown,
  level: Level,
  state: ParseState,
): Filter {
  const [argument = '', ...path] = name === 'json' ? input.split(',').map((each) => each.trim()) : [input]
  const field = fieldOf(level.collection, argument, state)
  const types: readonly string[] | undefined = Object.hasOwn(functions, name)
    ? functions[name as FunctionName]
    : undefined
  if (types === undefined) return refuse(level.path, `Expected a function of fields but received ${describe(name)}`)
  const countable = field.type !== 'alias' || field.relation?.kind === 'one-to-many'
  if (!types.includes(field.type) || !countable || field.concealed) {
    return refuse(level.path, `Function "${name}" does not apply to a field of type ${field.type}`)
  }
  if (name === 'json') return parseAtPath(path.join(','), value, { field, level }, state)
  const operand: Operand = { kind: 'function', function: name as FunctionName, field: field.name }
  return parseOperators(value, level, (operator, raw, at) =>
    compare(operator, raw, { operand, type: 'integer', column: null, concealed: false, path: at.path }, state),
  )
}

function parseColumn(value: unknown, field: Field, level: Level, state: ParseState): Filter {
  if (!holdsValue(field)) return refuse(level.path, 'Expected a field that holds values')
  return parseOperators(value, level, (operator, raw, at) =>
    operator === '_json'
      ? parsePaths(raw, { field, level: at }, state)
      : compareField(operator, raw, { field, level: at }, state),
  )
}

/** Parses the object below `_json`: conditions by the paths of values. */
function parsePaths(value: unknown, { field, level }: FieldAt, state: ParseState): Filter {
  if (field.type !== 'json' || field.concealed) {
    return refuse(level.path, `Operator "_json" does not apply to a field of type ${field.type}`)
  }
  const parts = entriesOf(value, level).map(([key, raw]) => {
    const inner = { ...level, path: `${level.path}.${key}`, nesting: level.nesting + 1 }
    if (key !== '_and' && key !== '_or') return parseAtPath(key, raw, { field, level: inner }, state)
    return parseLogical(key, raw, inner, (each, at) => parsePaths(each, { field, level: at }, state))
  })
  return and(...parts)
}

function parseAtPath(text: string, value: unknown, { field, level }: FieldAt, state: ParseState): Filter {
  const jsonPath = readJsonPath(text)
  if (jsonPath === null) return refuse(level.path, `Expected ${jsonPathForm} but received ${describe(text)}`)
  return parseOperators(value, level, (operator, raw, at) =>
    compareInside(operator, raw, { field, level: at, jsonPath }, state),
  )
}

/** Numbers are compared with numbers, whatever else the rows hold; all other values by their texts. */
function compareInside(
  operator: string,
  raw: unknown,
  { field, level, jsonPath }: FieldAt & { readonly jsonPath: JsonPath },
  state: ParseState,
): Filter {
  const values = Array.isArray(raw) ? (raw as readonly unknown[]) : [raw]
  const isNumber = values.length > 0 && values.every((each) => typeof each === 'number')
  const form = isNumber ? ({ type: 'decimal', as: 'number' } as const) : ({ type: 'unknown', as: 'text' } as const)
  const isFlag = /^_n?(null|empty)$/.test(operator)
  const input = isFlag || isNumber ? raw : Array.isArray(raw) ? values.map(wordOf) : wordOf(raw)
  const operand: Operand = { kind: 'function', function: 'json', field: field.name, jsonPath, as: form.as }
  const { type } = form
  return compare(operator, input, { operand, type, column: null, concealed: false, path: level.path }, state)
}

const wordOf = (raw: unknown): unknown => (typeof raw === 'boolean' || typeof raw === 'number' ? String(raw) : raw)

type Visit = (operator: string, raw: unknown, at: Level) => Filter

/** Parses the object below a column: operators, joined by AND. A bare value means `_eq`. */
function parseOperators(value: unknown, level: Level, visit: Visit): Filter {
  if (!isObject(value)) return visit('_eq', value, level)
  const parts = entriesOf(value, level).map(([key, raw]) => {
    const inner = { ...level, path: `${level.path}.${key}`, nesting: level.nesting + 1 }
    if (key === '_and' || key === '_or') {
      return parseLogical(key, raw, inner, (each, at) => parseOperators(each, at, visit))
    }
    return visit(key, raw, inner)
  })
  return and(...parts)
}

function compareField(operator: string, raw: unknown, { field, level }: FieldAt, state: ParseState): Filter {
  const operand: Operand = { kind: 'field', field: field.name }
  const { type, column, concealed } = field
  const codec = state.view?.byCore.get(level.collection)?.byCore.get(field.name)?.codec
  const value = withStoredNames(raw, codec)
  return compare(operator, value, { operand, type, column, concealed, path: level.path }, state)
}

type FieldAt = { readonly field: Field; readonly level: Level }

type Compared = Omit<ComparisonOptions, 'dynamicPaths' | 'validation' | 'schema'>

function compare(operator: string, raw: unknown, compared: Compared, state: ParseState): Filter {
  countConditions(1, compared.path, state)
  const { dynamicPaths, validation = false, schema } = state
  return parseComparison(operator, raw, { ...compared, dynamicPaths, validation, schema })
}

function countConditions(count: number, path: string, state: ParseState): void {
  state.conditions += count
  if (state.conditions > bounds.conditions) refuse(path, `Expected at most ${bounds.conditions} conditions`)
}

/** A relational field, its related collection, and the filter level that names the field. */
type Hop = { readonly field: Field; readonly collection: string; readonly level: Level }

/** Parses the object below a many-to-one: operators apply to the stored key, other names to the related row. */
function parseToOne(value: unknown, hop: Hop, state: ParseState): Filter {
  const { field, level } = hop
  if (!isObject(value)) return compareField('_eq', value, hop, state)
  const related: [string, unknown][] = []
  const parts: Filter[] = []
  for (const [key, raw] of entriesOf(value, level)) {
    const inner = { ...level, path: `${level.path}.${key}`, nesting: level.nesting + 1 }
    if (key === '_and' || key === '_or') {
      parts.push(parseLogical(key, raw, inner, (each, at) => parseToOne(each, { ...hop, level: at }, state)))
    } else if (key.startsWith('_') && !hasField(hop.collection, key, state)) {
      parts.push(compareField(key, raw, { field, level: inner }, state))
    } else related.push([key, raw])
  }
  if (related.length > 0) parts.push(relatedRows(Object.fromEntries(related), hop, 'some', state))
  return and(...parts)
}

function hasField(collection: string, name: string, state: ParseState): boolean {
  if (state.view !== undefined) return state.view.byCore.get(collection)?.fields.has(name) ?? false
  return state.schema.collections.get(collection)?.fields.has(name) ?? false
}

function relatedRows(value: unknown, hop: Hop, quantifier: 'some' | 'none', state: ParseState): Filter {
  const { field, collection, level } = hop
  countRelated(level, state)
  assertTarget(hop, state)
  return {
    kind: 'related',
    field: field.name,
    collection,
    quantifier,
    filter: parseLevel(value, deeper(hop, state), state),
  }
}

function assertTarget({ field, collection, level }: Hop, { view }: ParseState): void {
  if (view !== undefined) assertShown(view, collection, { collection: level.collection, field: field.name })
}

function countRelated({ path }: Level, state: ParseState): void {
  state.related += 1
  if (state.related > bounds.related) refuse(path, `Expected at most ${bounds.related} conditions on related items`)
}

/** The level of the related rows, one step deeper. */
function deeper({ collection, level }: Hop, state: ParseState): Level {
  if (level.depth >= state.depth) refuse(level.path, `Expected at most ${state.depth} names in a path`)
  return { ...level, collection, depth: level.depth + 1 }
}

/**
 * Parses the object below a to-many field. Names without quantifier must all match one related row; operators apply to
 * the key of that row. `_some` and `_none` are explicit quantifiers; `_null` means that there is no related row.
 */
function parseToMany(value: unknown, hop: Hop, state: ParseState): Filter {
  const { field, collection, level } = hop
  assertTarget(hop, state)
  const some = (filter: Filter): Filter => {
    countRelated(level, state)
    return { kind: 'related', field: field.name, collection, quantifier: 'some', filter }
  }
  if (!isObject(value)) return some(compareKey('_eq', value, hop, state))
  const parts: Filter[] = []
  const rest: [string, unknown][] = []
  for (const [key, raw] of entriesOf(value, level)) {
    const inner = { ...level, path: `${level.path}.${key}`, nesting: level.nesting + 1 }
    if (key === '_some' || key === '_none') {
      parts.push(relatedRows(raw, { ...hop, level: inner }, key === '_some' ? 'some' : 'none', state))
    } else if (key === '_null' || key === '_nnull') parts.push(hasRows(key, raw, { ...hop, level: inner }, state))
    else rest.push([key, raw])
  }
  if (rest.length > 0) parts.push(some(relatedLevel(Object.fromEntries(rest), hop, state)))
  return and(...parts)
}

/** Parses `_null` and `_nnull` of a to-many field: whether related rows exist. */
function hasRows(key: '_null' | '_nnull', raw: unknown, hop: Hop, state: ParseState): Filter {
  const { field, collection } = hop
  const wanted = compareKey(key, raw, hop, state)
  const quantifier = wanted.kind === 'compare' && wanted.operator === 'null' ? 'none' : 'some'
  return { kind: 'related', field: field.name, collection, quantifier, filter: matchAll }
}

/** The object inside a quantifier: operators apply to the related key, other names to the related fields. */
function relatedLevel(value: unknown, hop: Hop, state: ParseState): Filter {
  const { collection, level } = hop
  const parts = entriesOf(value, level).map(([key, raw]) => {
    const inner = { ...level, path: `${level.path}.${key}`, nesting: level.nesting + 1 }
    if (key === '_and' || key === '_or') {
      return parseLogical(key, raw, inner, (each, at) => relatedLevel(each, { ...hop, level: at }, state))
    }
    if (key.startsWith('_') && !hasField(collection, key, state))
      return compareKey(key, raw, { ...hop, level: inner }, state)
    return parseKey(key, raw, { ...deeper(hop, state), path: inner.path, nesting: inner.nesting }, state)
  })
  return and(...parts)
}

function compareKey(operator: string, raw: unknown, hop: Hop, state: ParseState): Filter {
  const target = collectionOf(hop.collection, state)
  const key = target.fields.get(target.primaryKey)
  if (key === undefined || target.keyColumns.length === 0)
    throw new TandemError({ kind: 'field-not-found', collection: target.name, field: target.primaryKey })
  const isAboutKey = operator !== '_null' && operator !== '_nnull'
  if (target.keyColumns.length > 1 && isAboutKey)
    return compareWholeKey(operator, raw, { target, level: hop.level }, state)
  return compareField(operator, raw, { field: key, level: hop.level }, state)
}

function compareWholeKey(
  spelling: string,
  raw: unknown,
  { target, level }: { readonly target: Collection; readonly level: Level },
  state: ParseState,
): Filter {
  const operator = operatorSpellings.get(spelling)
  if (!isKeyOperator(operator)) {
    return refuse(level.path, `Operator "${spelling}" does not apply to a key of several columns`)
  }
  const keys = operator === 'eq' || operator === 'neq' ? [raw] : listOfValues(raw, level.path)
  countConditions(keys.length, level.path, state)
  return compareWithKeys(target, { operator, keys }, (expected) =>
    refuse(level.path, `Expected ${expected} but received ${describe(raw)}`),
  )
}

/** Parses `item:headings`: the related row is of that collection and matches the condition. */
function parseScoped(value: unknown, hop: Hop, state: ParseState): Filter {
  const { field, collection } = hop
  countRelated(hop.level, state)
  const filter = isObject(value) ? relatedLevel(value, hop, state) : compareKey('_eq', value, hop, state)
  return { kind: 'related', field: field.name, collection, quantifier: 'some', filter }
}

function refuse(name: string, reason: string): never {
  throw invalidQuery(name, reason)
}
