/** `fields`, `alias` and `deep` → `Selection`. */

import { refuseQuery } from '../../domain/conditions/literals.ts'
import { cursorName } from '../../domain/query/cursor.ts'
import { groupByName } from '../../domain/query/field-path.ts'
import { matchAll } from '../../domain/query/filter.ts'
import type { Query, Selected, SelectedAny, Selection } from '../../domain/query/query.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { assertShown } from '../../domain/schema/hidden-target.ts'
import { keyName } from '../../domain/schema/row-keys.ts'
import type { Field, FieldRelation } from '../../domain/schema/schema.ts'
import { assertNoCursor, withCursor, withSelectedCursor } from './cursor.ts'
import { assertOneItem, innerLevel, type ManyToAny, scopedCollections } from './deep.ts'
import { type Level, parseRows, readAliases, readFilter } from './level.ts'
import { readObject } from './lists.ts'
import { fieldNamed, type ParseScope, readCall, readScope, resultName, toCall } from './parse-scope.ts'

/** The remainders of paths after their first name; empty for a path that ends there. */
type RemainingPaths = readonly (readonly string[])[]

/** Parses one level, root or nested. */
export function parseLevel(level: Level, scope: ParseScope): Query {
  const rows = parseRows(level, scope)
  return rows.aggregation === null ? { ...rows, selection: parseSelection(level, scope) } : rows
}

/** Parses the fields of one level: wildcards first, so that named fields override them. */
export function parseSelection(level: Level, scope: ParseScope): Selection {
  const aliases = readAliases(level)
  const wild = level.paths.flatMap(([name, ...rest]) => (name === '*' ? [rest] : []))
  const below = wild.filter((rest) => rest.length > 0)
  const named = groupByName(level.paths.filter(([name]) => name !== '*'))
  if (wild.length > 0) addDeepNames(level, { named, aliases: below.length > 0 ? null : aliases }, scope)
  const wildcard = wild.length === 0 ? [] : [parseWildcard(below)]
  const selected = [...named].flatMap(([name, rests]) =>
    parseNamed({ level, name, field: aliases.get(name) ?? name, rests, below }, scope),
  )
  return [...wildcard, ...mergeAny(selected)]
}

/** Merges a many-to-any field that is named once per collection. */
function mergeAny(selection: Selection): Selection {
  const anys = Map.groupBy(
    selection.filter((each) => each.kind === 'any'),
    ({ key }) => key,
  )
  return selection.flatMap((each): Selection => {
    if (each.kind !== 'any') return [each]
    const [first, ...others] = anys.get(each.key) ?? []
    return each === first
      ? [{ ...each, options: others.reduce((all, { options }) => mergeOptions(all, options), each.options) }]
      : []
  })
}

function mergeOptions(before: SelectedAny['options'], more: SelectedAny['options']): SelectedAny['options'] {
  const merged = new Map(before.map((option) => [option.collection, option]))
  for (const option of more) {
    const same = merged.get(option.collection)
    if (same !== undefined && option.asKey === true) continue
    const isNew = same === undefined || same.asKey === true
    merged.set(option.collection, isNew ? option : { ...option, selection: [...same.selection, ...option.selection] })
  }
  return [...merged.values()]
}

type Names = {
  readonly named: Map<string, RemainingPaths>
  /** Names that a plain wildcard does not select. */
  readonly aliases: ReadonlyMap<string, string> | null
}

/** Adds relations that have parameters in `deep` but are selected only by a wildcard. */
function addDeepNames({ deep, collection }: Level, { named, aliases }: Names, scope: ParseScope): void {
  for (const key of Object.keys(deep)) {
    const [name] = readScope(key, collection, scope)
    if (!key.startsWith('_') && !named.has(name) && aliases?.has(name) !== true) named.set(name, [])
  }
}

/** `*` selects the fields of a level; `*.*` also those of each relation. */
function parseWildcard(below: RemainingPaths): Selected {
  return { kind: 'wildcard', aliases: true, except: [], nested: below.length === 0 ? null : parseBelow(below) }
}

/**
 * Parses paths below a wildcard: they apply to every related collection, and a collection without the name is no
 * error.
 */
function parseBelow(paths: RemainingPaths): Selection {
  const wild = paths.flatMap(([name, ...rest]) => (name === '*' ? [rest] : []))
  const named = paths.filter(([name]) => name !== '*')
  const long = named.find((path) => path.length > 1)
  if (long !== undefined) refuseQuery('fields', 'no path through a name behind a wildcard', `*.${long.join('.')}`)
  const fields = named.map(([name = '']): Selected => selectPlain(name))
  return wild.length === 0 ? fields : [parseWildcard(wild.filter((rest) => rest.length > 0)), ...fields]
}

function selectPlain(name: string): Selected {
  if (name === keyName) return { kind: 'row-key', key: name }
  const call = readCall(name)
  if (call === null) return { kind: 'field', key: name, field: name }
  const read = toCall(call, 'fields', (field) => field)
  return { kind: 'function', key: resultName(read, call[1]), ...read }
}

/** A name of a level with everything requested behind it; `below` comes from wildcards of the level. */
type NamedSelection = {
  readonly level: Level
  readonly name: string
  readonly field: string
  readonly rests: RemainingPaths
  readonly below: RemainingPaths
}

function parseNamed(selection: NamedSelection, parseScope: ParseScope): Selection {
  const { level, name, rests } = selection
  const { collection } = level
  const call = readCall(selection.field)
  if (call !== null) {
    if (rests.some((rest) => rest.length > 0)) refuseQuery('fields', 'no path behind a function', name)
    const read = toCall(call, 'fields', (field) => fieldNamed(parseScope, collection, field).name)
    return [{ kind: 'function', key: name === selection.field ? resultName(read, call[1]) : name, ...read }]
  }
  if (selection.field === keyName && rests.every((rest) => rest.length === 0)) return [{ kind: 'row-key', key: name }]
  if (selection.field === cursorName && rests.every((rest) => rest.length === 0)) {
    return [{ kind: 'cursor', key: name, sort: [] }]
  }
  const [fieldName, scope] = readScope(selection.field, collection, parseScope)
  const field = fieldNamed(parseScope, collection, fieldName)
  const paths = rests.filter((rest) => rest.length > 0)
  const { relation } = field
  if (paths.length === 0 && selection.below.length === 0) {
    if (scope !== null) refuseQuery('fields', `a field behind "${name}"`, name)
    if (relation?.kind === 'one-to-many' && Object.hasOwn(level.deep, name)) {
      const params = readObject(level.deep[name], `${level.deepName}.${name}`)
      const asked = { ...selection, relation, target: field, scope }
      // Groups of the related rows need no fields of them.
      if ('_aggregate' in params || '_groupBy' in params) return expandRelation({ ...asked, paths: [] }, parseScope)
      if (Object.keys(params).some((key) => key.startsWith('_'))) return expandKeys(asked, parseScope)
    }
    return rests.length === 0 ? [] : [{ kind: 'field', key: name, field: field.name }]
  }
  if (relation === null) {
    if (paths.length > 0) throw new TandemError({ kind: 'not-relational', collection, field: fieldName })
    return rests.length === 0 ? [] : [{ kind: 'field', key: name, field: field.name }]
  }
  const all = [...paths, ...selection.below]
  return expandRelation({ ...selection, relation, target: field, scope, paths: all }, parseScope)
}

type Expanded = NamedSelection & {
  readonly relation: FieldRelation
  readonly target: Field
  readonly scope: string | null
  readonly paths: RemainingPaths
}

function expandRelation(expanded: Expanded, parseScope: ParseScope): Selection {
  const { level, name, relation, target, scope, paths } = expanded
  if (relation.kind === 'many-to-any') return expandAny(expanded, relation, parseScope)
  if (scope !== null) refuseQuery('fields', 'a field without a collection scope', expanded.name)
  assertShown(parseScope.view, relation.collection, { collection: level.collection, field: target.name })
  const inner = innerLevel(level, name, { collection: relation.collection, paths }, parseScope)
  if (relation.kind === 'one-to-many') {
    const list = { shown: inner.names.shown, sortField: relation.sortField }
    const query = withSelectedCursor(parseLevel(inner, parseScope), parseScope, list)
    const after = withCursor(query, inner.params['_cursor'], parseScope, list)
    return [{ kind: 'many', key: name, field: target.name, query: after }]
  }
  assertOneItem(inner)
  const selection = parseSelection(inner, parseScope)
  assertNoCursor(selection)
  return [{ kind: 'one', key: name, field: target.name, selection, filter: readFilter(inner, parseScope) }]
}

/** The keys of those related rows that `deep` asks for. */
const expandKeys = (asked: Omit<Expanded, 'paths'>, scope: ParseScope): Selection =>
  expandRelation({ ...asked, paths: [[keyName]] }, scope).map((each) =>
    each.kind === 'many' ? { ...each, asKeys: true } : each,
  )

/** `item:headings.title` selects from one collection, `item.title` from each that has the field. */
function expandAny(expanded: Expanded, relation: ManyToAny, parseScope: ParseScope): Selection {
  const { level, name, target, scope, paths } = expanded
  const key = readScope(name, level.collection, parseScope)[0]
  const collections = scopedCollections('fields', scope, relation, parseScope)
  const options = collections.flatMap((collection) => {
    const own = scope === null ? paths.filter(([first = '']) => hasName(collection, first, parseScope)) : paths
    if (own.length === 0) return []
    const deepName = scope === null ? `${name}:${parseScope.view.byCore.get(collection)?.name}` : name
    const inner = innerLevel(level, deepName, { collection, paths: own }, parseScope)
    assertOneItem(inner)
    const selection = parseSelection(inner, parseScope)
    assertNoCursor(selection)
    return [{ collection, selection, filter: readFilter(inner, parseScope) }]
  })
  // Items of collections that no scope names are shown by their keys.
  const others = scope === null ? [] : relation.allowed.filter((each) => !collections.includes(each)).map(asKeys)
  return [{ kind: 'any', key, field: target.name, options: [...options, ...others] }]
}

const asKeys = (collection: string): SelectedAny['options'][number] => ({
  collection,
  selection: [{ kind: 'row-key', key: keyName }],
  filter: matchAll,
  asKey: true,
})

function hasName(collection: string, word: string, scope: ParseScope): boolean {
  const fields = scope.view.byCore.get(collection)?.fields
  const name = readCall(word)?.[1] ?? readScope(word, collection, scope)[0]
  return fields !== undefined && (word === '*' || fields.has(name))
}
