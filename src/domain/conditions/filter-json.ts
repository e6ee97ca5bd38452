/**
 * The JSON filter language, `{"author":{"name":{"_eq":"Ann"}}}`. One API generation accepts it from clients, and the
 * metadata tables store permission rules and field validation in it.
 */

import { and, type Filter, matchAll, type Operand, or } from '../query/filter.ts'
import { type FunctionName, functions } from '../query/functions.ts'
import { type JsonPath, jsonPathForm, readJsonPath } from '../query/json-path.ts'
import { invalidQuery, TandemError } from '../rights/errors.ts'
import { holdsValue } from '../schema/references.ts'
import { withStoredNames } from '../schema/renamed-values.ts'
import type { Collection, Field, Schema } from '../schema/schema.ts'
import type { View } from '../schema/view.ts'
import { isExact } from './exact-numbers.ts'
import { type ComparisonOptions, listOfValues, operatorSpellings, parseComparison } from './filter-values.ts'
import { compareWithKeys, isKeyOperator } from './key-filter.ts'
import { describe } from './literals.ts'

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
  const walk: Walk = { ...at, ...options, conditions: 0, related: 0 }
  return parseLevel(json, { collection: at.collection, path: options.name, depth: 1, nesting: 1 }, walk)
}

type Walk = FilterPlace & FilterOptions & { conditions: number; related: number }

/** One object of the filter: the collection that its keys belong to, and its path from the root. */
type Level = { readonly collection: string; readonly path: string; readonly depth: number; readonly nesting: number }

function parseLevel(json: unknown, level: Level, walk: Walk): Filter {
  const entries = entriesOf(json, level)
  const parts = entries.map(([key, value]) => {
    const inner = { ...level, path: `${level.path}.${key}`, nesting: level.nesting + 1 }
    if (key === '_and' || key === '_or')
      return parseLogical(key, value, inner, (each, at) => parseLevel(each, at, walk))
    return parseKey(key, value, inner, walk)
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

function parseKey(key: string, value: unknown, level: Level, walk: Walk): Filter {
  const call = functionText.exec(key)
  if (call !== null) return parseFunction([call[1] as string, call[2] as string], value, level, walk)
  const [name, scope] = splitScope(key)
  const field = fieldOf(level.collection, name, walk)
  const relation = field.relation
  if (scope !== null && relation?.kind !== 'many-to-any')
    refuse(level.path, 'Expected a field without a collection scope')
  switch (relation?.kind) {
    case 'many-to-one':
      return parseToOne(value, { field, collection: relation.collection, level }, walk)
    case 'one-to-many':
      return parseToMany(value, { field, collection: relation.collection, level }, walk)
    case 'many-to-any': {
      if (scope === null) return parseColumn(value, field, level, walk)
      const collection = scopedCollection(scope, relation.allowed, level, walk)
      return parseScoped(value, { field, collection, level }, walk)
    }
    default:
      return parseColumn(value, field, level, walk)
  }
}

function splitScope(key: string): readonly [string, string | null] {
  const colon = key.indexOf(':')
  return colon === -1 ? [key, null] : [key.slice(0, colon), key.slice(colon + 1)]
}

function fieldOf(collection: string, name: string, walk: Walk): Field {
  const core = walk.view === undefined ? name : walk.view.byCore.get(collection)?.fields.get(name)?.field
  const field = core === undefined ? undefined : collectionOf(collection, walk).fields.get(core)
  if (field === undefined) throw new TandemError({ kind: 'field-not-found', collection, field: name })
  return field
}

function collectionOf(name: string, walk: Walk): Collection {
  const collection = walk.schema.collections.get(name)
  if (collection === undefined) throw new TandemError({ kind: 'collection-not-found', collection: name })
  return collection
}

function scopedCollection(scope: string, allowed: readonly string[], level: Level, walk: Walk): string {
  const core = walk.view === undefined ? scope : walk.view.collections.get(scope)?.collection
  if (core !== undefined && allowed.includes(core)) return core
  return refuse(level.path, `Expected one of the field's collections but received ${describe(scope)}`)
}

/** Parses `year(published)` or `count(comments)`, whose results are compared as integers, or `json(settings, a.b)`. */
function parseFunction([name, given]: readonly [string, string], value: unknown, level: Level, walk: Walk): Filter {
  const [argument = '', ...path] = name === 'json' ? given.split(',').map((each) => each.trim()) : [given]
  const field = fieldOf(level.collection, argument, walk)
  const types: readonly string[] | undefined = Object.hasOwn(functions, name)
    ? functions[name as FunctionName]
    : undefined
  if (types === undefined) return refuse(level.path, `Expected a function of fields but received ${describe(name)}`)
  const countable = field.type !== 'alias' || field.relation?.kind === 'one-to-many'
  if (!types.includes(field.type) || !countable || field.concealed) {
    return refuse(level.path, `Function "${name}" does not apply to a field of type ${field.type}`)
  }
  if (name === 'json') return parseAtPath(path.join(','), value, { field, level }, walk)
  const operand: Operand = { kind: 'function', function: name as FunctionName, field: field.name }
  return parseOperators(value, level, (operator, raw, at) =>
    compare(operator, raw, { operand, type: 'integer', column: null, concealed: false, path: at.path }, walk),
  )
}

function parseColumn(value: unknown, field: Field, level: Level, walk: Walk): Filter {
  if (!holdsValue(field)) return refuse(level.path, 'Expected a field that holds values')
  return parseOperators(value, level, (operator, raw, at) =>
    operator === '_json'
      ? parsePaths(raw, { field, level: at }, walk)
      : compareField(operator, raw, { field, level: at }, walk),
  )
}

/** Parses the object below `_json`: conditions by the paths of values. */
function parsePaths(value: unknown, { field, level }: FieldAt, walk: Walk): Filter {
  if (field.type !== 'json' || field.concealed) {
    return refuse(level.path, `Operator "_json" does not apply to a field of type ${field.type}`)
  }
  const parts = entriesOf(value, level).map(([key, raw]) => {
    const inner = { ...level, path: `${level.path}.${key}`, nesting: level.nesting + 1 }
    if (key !== '_and' && key !== '_or') return parseAtPath(key, raw, { field, level: inner }, walk)
    return parseLogical(key, raw, inner, (each, at) => parsePaths(each, { field, level: at }, walk))
  })
  return and(...parts)
}

function parseAtPath(text: string, value: unknown, { field, level }: FieldAt, walk: Walk): Filter {
  const jsonPath = readJsonPath(text)
  if (jsonPath === null) return refuse(level.path, `Expected ${jsonPathForm} but received ${describe(text)}`)
  return parseOperators(value, level, (operator, raw, at) =>
    compareInside(operator, raw, { field, level: at, jsonPath }, walk),
  )
}

/** Numbers are compared with numbers, whatever else the rows hold; all other values by their texts. */
function compareInside(
  operator: string,
  raw: unknown,
  { field, level, jsonPath }: FieldAt & { readonly jsonPath: JsonPath },
  walk: Walk,
): Filter {
  const values = Array.isArray(raw) ? (raw as readonly unknown[]) : [raw]
  const isNumber = values.length > 0 && values.every((each) => typeof each === 'number')
  const told = isNumber ? ({ type: 'decimal', as: 'number' } as const) : ({ type: 'unknown', as: 'text' } as const)
  const isFlag = /^_n?(null|empty)$/.test(operator)
  const given = isFlag || isNumber ? raw : Array.isArray(raw) ? values.map(wordOf) : wordOf(raw)
  const operand: Operand = { kind: 'function', function: 'json', field: field.name, jsonPath, as: told.as }
  const { type } = told
  return compare(operator, given, { operand, type, column: null, concealed: false, path: level.path }, walk)
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

function compareField(operator: string, raw: unknown, { field, level }: FieldAt, walk: Walk): Filter {
  const operand: Operand = { kind: 'field', field: field.name }
  const { type, column, concealed } = field
  const codec = walk.view?.byCore.get(level.collection)?.byCore.get(field.name)?.codec
  const value = withStoredNames(raw, codec)
  return compare(operator, value, { operand, type, column, concealed, path: level.path }, walk)
}

type FieldAt = { readonly field: Field; readonly level: Level }

type Compared = Omit<ComparisonOptions, 'dynamicPaths' | 'validation' | 'schema'>

function compare(operator: string, raw: unknown, compared: Compared, walk: Walk): Filter {
  countConditions(1, compared.path, walk)
  const { dynamicPaths, validation = false, schema } = walk
  return parseComparison(operator, raw, { ...compared, dynamicPaths, validation, schema })
}

function countConditions(count: number, path: string, walk: Walk): void {
  walk.conditions += count
  if (walk.conditions > bounds.conditions) refuse(path, `Expected at most ${bounds.conditions} conditions`)
}

/** A relational field, its related collection, and the filter level that names the field. */
type Hop = { readonly field: Field; readonly collection: string; readonly level: Level }

/** Parses the object below a many-to-one: operators apply to the stored key, other names to the related row. */
function parseToOne(value: unknown, hop: Hop, walk: Walk): Filter {
  const { field, level } = hop
  if (!isObject(value)) return compareField('_eq', value, hop, walk)
  const related: [string, unknown][] = []
  const parts: Filter[] = []
  for (const [key, raw] of entriesOf(value, level)) {
    const inner = { ...level, path: `${level.path}.${key}`, nesting: level.nesting + 1 }
    if (key === '_and' || key === '_or') {
      parts.push(parseLogical(key, raw, inner, (each, at) => parseToOne(each, { ...hop, level: at }, walk)))
    } else if (key.startsWith('_') && !hasField(hop.collection, key, walk)) {
      parts.push(compareField(key, raw, { field, level: inner }, walk))
    } else related.push([key, raw])
  }
  if (related.length > 0) parts.push(relatedRows(Object.fromEntries(related), hop, 'some', walk))
  return and(...parts)
}

function hasField(collection: string, name: string, walk: Walk): boolean {
  if (walk.view !== undefined) return walk.view.byCore.get(collection)?.fields.has(name) ?? false
  return walk.schema.collections.get(collection)?.fields.has(name) ?? false
}

function relatedRows(value: unknown, hop: Hop, quantifier: 'some' | 'none', walk: Walk): Filter {
  const { field, collection, level } = hop
  countRelated(level, walk)
  return {
    kind: 'related',
    field: field.name,
    collection,
    quantifier,
    filter: parseLevel(value, deeper(hop, walk), walk),
  }
}

function countRelated({ path }: Level, walk: Walk): void {
  walk.related += 1
  if (walk.related > bounds.related) refuse(path, `Expected at most ${bounds.related} conditions on related items`)
}

/** The level of the related rows, one step deeper. */
function deeper({ collection, level }: Hop, walk: Walk): Level {
  if (level.depth >= walk.depth) refuse(level.path, `Expected at most ${walk.depth} names in a path`)
  return { ...level, collection, depth: level.depth + 1 }
}

/**
 * Parses the object below a to-many field. Names without quantifier must all match one related row; operators apply to
 * the key of that row. `_some` and `_none` are explicit quantifiers; `_null` means that there is no related row.
 */
function parseToMany(value: unknown, hop: Hop, walk: Walk): Filter {
  const { field, collection, level } = hop
  const some = (filter: Filter): Filter => {
    countRelated(level, walk)
    return { kind: 'related', field: field.name, collection, quantifier: 'some', filter }
  }
  if (!isObject(value)) return some(compareKey('_eq', value, hop, walk))
  const parts: Filter[] = []
  const rest: [string, unknown][] = []
  for (const [key, raw] of entriesOf(value, level)) {
    const inner = { ...level, path: `${level.path}.${key}`, nesting: level.nesting + 1 }
    if (key === '_some' || key === '_none') {
      parts.push(relatedRows(raw, { ...hop, level: inner }, key === '_some' ? 'some' : 'none', walk))
    } else if (key === '_null' || key === '_nnull') parts.push(hasRows(key, raw, { ...hop, level: inner }, walk))
    else rest.push([key, raw])
  }
  if (rest.length > 0) parts.push(some(relatedLevel(Object.fromEntries(rest), hop, walk)))
  return and(...parts)
}

/** Parses `_null` and `_nnull` of a to-many field: whether related rows exist. */
function hasRows(key: '_null' | '_nnull', raw: unknown, hop: Hop, walk: Walk): Filter {
  const { field, collection } = hop
  const asked = compareKey(key, raw, hop, walk)
  const quantifier = asked.kind === 'compare' && asked.operator === 'null' ? 'none' : 'some'
  return { kind: 'related', field: field.name, collection, quantifier, filter: matchAll }
}

/** The object inside a quantifier: operators apply to the related key, other names to the related fields. */
function relatedLevel(value: unknown, hop: Hop, walk: Walk): Filter {
  const { collection, level } = hop
  const parts = entriesOf(value, level).map(([key, raw]) => {
    const inner = { ...level, path: `${level.path}.${key}`, nesting: level.nesting + 1 }
    if (key === '_and' || key === '_or') {
      return parseLogical(key, raw, inner, (each, at) => relatedLevel(each, { ...hop, level: at }, walk))
    }
    if (key.startsWith('_') && !hasField(collection, key, walk))
      return compareKey(key, raw, { ...hop, level: inner }, walk)
    return parseKey(key, raw, { ...deeper(hop, walk), path: inner.path, nesting: inner.nesting }, walk)
  })
  return and(...parts)
}

function compareKey(operator: string, raw: unknown, hop: Hop, walk: Walk): Filter {
  const target = collectionOf(hop.collection, walk)
  const key = target.fields.get(target.primaryKey)
  if (key === undefined || target.keyColumns.length === 0)
    throw new TandemError({ kind: 'field-not-found', collection: target.name, field: target.primaryKey })
  const isAboutKey = operator !== '_null' && operator !== '_nnull'
  if (target.keyColumns.length > 1 && isAboutKey)
    return compareWholeKey(operator, raw, { target, level: hop.level }, walk)
  return compareField(operator, raw, { field: key, level: hop.level }, walk)
}

function compareWholeKey(
  spelling: string,
  raw: unknown,
  { target, level }: { readonly target: Collection; readonly level: Level },
  walk: Walk,
): Filter {
  const operator = operatorSpellings.get(spelling)
  if (!isKeyOperator(operator)) {
    return refuse(level.path, `Operator "${spelling}" does not apply to a key of several columns`)
  }
  const keys = operator === 'eq' || operator === 'neq' ? [raw] : listOfValues(raw, level.path)
  countConditions(keys.length, level.path, walk)
  return compareWithKeys(target, { operator, keys }, (expected) =>
    refuse(level.path, `Expected ${expected} but received ${describe(raw)}`),
  )
}

/** Parses `item:headings`: the related row is of that collection and matches the condition. */
function parseScoped(value: unknown, hop: Hop, walk: Walk): Filter {
  const { field, collection } = hop
  countRelated(hop.level, walk)
  const filter = isObject(value) ? relatedLevel(value, hop, walk) : compareKey('_eq', value, hop, walk)
  return { kind: 'related', field: field.name, collection, quantifier: 'some', filter }
}

function refuse(name: string, reason: string): never {
  throw invalidQuery(name, reason)
}
