/**
 * The JSON filter language, `{"author":{"name":{"_eq":"Ann"}}}`. One API generation accepts it from clients, and the
 * metadata tables store permission rules and field validation in it.
 */

import { and, type Filter, matchAll, type Operand } from '../query/filter.ts'
import { type FunctionName, functions } from '../query/functions.ts'
import { TandemError } from '../rights/errors.ts'
import { assertShown } from '../schema/hidden-target.ts'
import { holdsValue } from '../schema/references.ts'
import type { Collection, Field } from '../schema/schema.ts'
import { findCollection } from '../schema/view.ts'
import { isJsonObject } from './exact-numbers.ts'
import {
  bounds,
  collectionOf,
  compare,
  compareField,
  countConditions,
  entriesOf,
  type FilterOptions,
  type FilterScope,
  fieldOf,
  hasField,
  isLogical,
  type Level,
  type ParseState,
  parseEntries,
  parseLogical,
  parseOperators,
} from './filter-level.ts'
import { parseAtPath, parsePaths } from './filter-paths.ts'
import { listOfValues, operatorSpellings, refuse } from './filter-values.ts'
import { readFollowed } from './follow.ts'
import { compareWithKeys, isKeyOperator } from './key-filter.ts'
import { describe } from './literals.ts'

/**
 * Parses a filter. Throws `invalid-query`, or `field-not-found` for a field that does not exist, with the path in the filter.
 * @example parseFilter({ status: 'done' }, place, options) // the same as { status: { _eq: 'done' } }
 */
export function parseFilter(json: unknown, at: FilterScope, options: FilterOptions): Filter {
  const state: ParseState = { ...at, ...options, conditions: 0, related: 0 }
  return parseLevel(json, { collection: at.collection, path: options.name, depth: 1, nesting: 1 }, state)
}

function parseLevel(json: unknown, level: Level, state: ParseState): Filter {
  return parseEntries(json, level, {
    whole: (each, at) => parseLevel(each, at, state),
    entry: (key, value, inner) => parseKey(key, value, inner, state),
  })
}

const functionText = /^([a-z]{1,10})\(([^()]*)\)$/i

function parseKey(key: string, value: unknown, level: Level, state: ParseState): Filter {
  const followed = readFollowed(key, level, state)
  if (followed !== null) return parseToMany(value, { ...followed, level }, state)
  const call = functionText.exec(key)
  if (call !== null) return parseFunction([call[1] as string, call[2] as string], value, level, state)
  const [name, scope] = hasField(level.collection, key, state) ? [key, null] : splitScope(key)
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

/** A relational field, its related collection, and the filter level that names the field. */
type RelationStep = {
  readonly field: Field
  readonly collection: string
  readonly level: Level
  /** Set where `field` is one of the related collection. */
  readonly by?: string
}

/** Parses the object below a many-to-one: operators apply to the stored key, other names to the related row. */
function parseToOne(value: unknown, hop: RelationStep, state: ParseState): Filter {
  const { field, level } = hop
  if (!isJsonObject(value)) return compareField('_eq', value, hop, state)
  const related: [string, unknown][] = []
  const parts: Filter[] = []
  for (const [key, raw, inner] of entriesOf(value, level)) {
    if (isLogical(key)) {
      parts.push(parseLogical(key, raw, inner, (each, at) => parseToOne(each, { ...hop, level: at }, state)))
    } else if (key.startsWith('_') && !hasField(hop.collection, key, state)) {
      parts.push(compareField(key, raw, { field, level: inner }, state))
    } else related.push([key, raw])
  }
  if (related.length > 0) parts.push(relatedRows(Object.fromEntries(related), hop, 'some', state))
  return and(...parts)
}

const relatedBy = ({ field, collection, by }: RelationStep) =>
  ({ kind: 'related', field: field.name, collection, ...(by === undefined ? {} : { by }) }) as const

function relatedRows(value: unknown, hop: RelationStep, quantifier: 'some' | 'none', state: ParseState): Filter {
  countRelated(hop.level, state)
  assertTarget(hop, state)
  return {
    ...relatedBy(hop),
    quantifier,
    ...(quantifier === 'none' && state.grants === true ? { needsValues: true } : {}),
    filter: parseLevel(value, deeper(hop, state), state),
  }
}

function assertTarget({ field, collection, level }: RelationStep, { view }: ParseState): void {
  if (view !== undefined) assertShown(view, collection, { collection: level.collection, field: field.name })
}

function countRelated({ path }: Level, state: ParseState): void {
  state.related += 1
  if (state.related > bounds.related) refuse(path, `Expected at most ${bounds.related} conditions on related items`)
}

/** The level of the related rows, one step deeper. */
function deeper({ collection, level }: RelationStep, state: ParseState): Level {
  if (level.depth >= state.depth) refuse(level.path, `Expected at most ${state.depth} names in a path`)
  return { ...level, collection, depth: level.depth + 1 }
}

/**
 * Parses the object below a to-many field. Names without quantifier must all match one related row; operators apply to
 * the key of that row. `_some` and `_none` are explicit quantifiers; `_null` means that there is no related row.
 */
function parseToMany(value: unknown, hop: RelationStep, state: ParseState): Filter {
  const { level } = hop
  assertTarget(hop, state)
  const some = (filter: Filter): Filter => {
    countRelated(level, state)
    return { ...relatedBy(hop), quantifier: 'some', filter }
  }
  if (!isJsonObject(value)) return some(compareKey('_eq', value, hop, state))
  const parts: Filter[] = []
  const rest: [string, unknown][] = []
  for (const [key, raw, inner] of entriesOf(value, level)) {
    if (key === '_some' || key === '_none') {
      parts.push(relatedRows(raw, { ...hop, level: inner }, key === '_some' ? 'some' : 'none', state))
    } else if (key === '_null' || key === '_nnull') parts.push(hasRows(key, raw, { ...hop, level: inner }, state))
    else rest.push([key, raw])
  }
  if (rest.length > 0) parts.push(some(relatedLevel(Object.fromEntries(rest), hop, state)))
  return and(...parts)
}

/** Parses `_null` and `_nnull` of a to-many field: whether related rows exist. */
function hasRows(key: '_null' | '_nnull', raw: unknown, hop: RelationStep, state: ParseState): Filter {
  const wanted = compareKey(key, raw, hop, state)
  const quantifier = wanted.kind === 'compare' && wanted.operator === 'null' ? 'none' : 'some'
  return { ...relatedBy(hop), quantifier, filter: matchAll }
}

/** The object inside a quantifier: operators apply to the related key, other names to the related fields. */
function relatedLevel(value: unknown, hop: RelationStep, state: ParseState): Filter {
  const { collection, level } = hop
  return parseEntries(value, level, {
    whole: (each, at) => relatedLevel(each, { ...hop, level: at }, state),
    entry: (key, raw, inner) =>
      key.startsWith('_') && !hasField(collection, key, state)
        ? compareKey(key, raw, { ...hop, level: inner }, state)
        : parseKey(key, raw, { ...deeper(hop, state), path: inner.path, nesting: inner.nesting }, state),
  })
}

function compareKey(operator: string, raw: unknown, hop: RelationStep, state: ParseState): Filter {
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
function parseScoped(value: unknown, hop: RelationStep, state: ParseState): Filter {
  const { field, collection } = hop
  countRelated(hop.level, state)
  const filter = isJsonObject(value) ? relatedLevel(value, hop, state) : compareKey('_eq', value, hop, state)
  return { kind: 'related', field: field.name, collection, quantifier: 'some', filter }
}
