/** The selection of one level: expands wildcards to the readable fields, and rejects named fields that are not readable. */

import { and, type Filter, matchAll } from '../domain/query/filter.ts'
import { pathOf } from '../domain/query/functions.ts'
import type {
  Archive,
  Selected,
  SelectedAny,
  SelectedConstant,
  SelectedCursor,
  SelectedField,
  SelectedFunction,
  SelectedObject,
  SelectedRowKey,
  Selection,
  Wildcard,
} from '../domain/query/query.ts'
import { liveRows } from '../domain/schema/archive.ts'
import { holdsValue } from '../domain/schema/references.ts'
import type { Field } from '../domain/schema/schema.ts'
import type { FieldView } from '../domain/schema/view.ts'
import { restrictLevel } from './authorize.ts'
import { expandNested } from './expand-nested.ts'
import {
  type AuthorizationState,
  findReadGrant,
  forbidden,
  guardOf,
  isPresentational,
  type ReadableField,
  type ReadGrant,
  readableField,
  refuse,
} from './grants.ts'
import { assertFunction, relatedRows, restrictFilter } from './restrict-filter.ts'
import { restrictKeys } from './restrict-order.ts'

/** Position of a selection. `lenient`: below a wildcard, where names that a collection lacks are skipped. */
export type SelectionOptions = { readonly depth: number; readonly archive: Archive; readonly lenient?: boolean }

/** The selection with every wildcard expanded. If two entries have the same key, the last one wins. */
export function expandSelection(
  state: AuthorizationState,
  grant: ReadGrant,
  selection: Selection,
  options: SelectionOptions,
): Selection {
  if (options.depth > state.limits.depth) refuse('fields', `Expected at most ${state.limits.depth} names in a path`)
  const [only] = selection
  if (selection.length === 1 && only?.kind === 'wildcard' && only.nested === null && only.except.length === 0) {
    return spend(state, plainFields(state, grant, only.aliases))
  }
  const expanded = new Map<string, Selected>()
  for (const selected of selection) {
    for (const each of expand(state, grant, selected, options)) expanded.set(each.key, each)
  }
  return [...expanded.values()]
}

type Expanded = Exclude<Selected, Wildcard>
export type NamedEntry = Exclude<Expanded, SelectedConstant | SelectedCursor | SelectedObject | SelectedRowKey>

function expand(
  state: AuthorizationState,
  grant: ReadGrant,
  selected: Selected,
  options: SelectionOptions,
): readonly Expanded[] {
  if (selected.kind === 'constant') return spend(state, [selected])
  if (selected.kind === 'row-key') {
    if (options.lenient && grant.collection.keyColumns.some((name) => !grant.fields.has(name))) return []
    const guard = keyGuard(grant)
    return spend(state, [{ kind: 'row-key', key: selected.key, ...(guard === null ? {} : { guard }) }])
  }
  if (selected.kind === 'cursor') {
    const sort = restrictKeys(state, grant, selected.sort)
    return spend(state, [{ kind: 'cursor', key: selected.key, sort }])
  }
  if (selected.kind === 'object') {
    const selection = expandSelection(state, grant, selected.selection, options)
    return spend(state, [{ ...selected, selection }])
  }
  if (selected.kind === 'wildcard') {
    const skipped = new Set(selected.except)
    if (selected.nested !== null) return expandNested(state, grant, selected.nested, { ...options, selected, skipped })
    return spend(
      state,
      plainFields(state, grant, selected.aliases).filter((each) => !skipped.has(each.field)),
    )
  }
  if (options.lenient && !isReachable(state, grant, selected)) return []
  return spend(state, [select(state, grant, selected, options)])
}

/** Where all columns of the key are readable; null for everywhere. */
function keyGuard(grant: ReadGrant): Filter | null {
  const guards = grant.collection.keyColumns.flatMap((name) => readableField(grant, name).guard ?? [])
  return guards.length === 0 ? null : and(...guards)
}

/** Counts selected nodes. Throws `invalid-query` if wildcards expand to too many. */
export function spend<T extends readonly unknown[]>(state: AuthorizationState, nodes: T): T {
  state.budget -= nodes.length
  if (state.budget < 0) refuse('fields', 'Expected fewer fields: the wildcards name too many')
  return nodes
}

/** Whether the name exists and is readable. Below a wildcard such a name is skipped instead of rejected. */
function isReachable(state: AuthorizationState, grant: ReadGrant, selected: NamedEntry): boolean {
  const readable = grant.fields.get(selected.field)
  if (readable === undefined || isPresentational(readable)) return false
  const { relation } = readable.field
  if (selected.kind === 'field') return toField(state, readable, selected.key) !== null
  if (selected.kind === 'function') {
    return relation?.kind !== 'one-to-many' || findReadGrant(state.actor, state.schema, relation.collection) !== null
  }
  const wanted = { one: 'many-to-one', many: 'one-to-many', any: 'many-to-any' } as const
  if (relation?.kind !== wanted[selected.kind]) return false
  return relation.kind === 'many-to-any' || findReadGrant(state.actor, state.schema, relation.collection) !== null
}

function select(
  state: AuthorizationState,
  grant: ReadGrant,
  selected: NamedEntry,
  options: SelectionOptions,
): NamedEntry {
  const readable = readableField(grant, selected.field)
  const { key, field } = selected
  const { relation } = readable.field
  const refused = () => forbidden('read', grant.collection.name, field)
  switch (selected.kind) {
    case 'field': {
      const selectedField = toField(state, readable, key)
      if (selectedField === null) throw refused()
      return selectedField
    }
    case 'function':
      return selectFunction(state, grant, readable, selected)
    case 'one': {
      if (relation?.kind !== 'many-to-one') throw refused()
      const target = relatedRows(state, grant, readable.field, relation.collection)
      return { kind: 'one', key, field, ...inside(state, target, selected, options), ...guardOf(readable) }
    }
    case 'many': {
      if (relation?.kind !== 'one-to-many' || relation.collection !== selected.query.collection) throw refused()
      relatedRows(state, grant, readable.field, relation.collection)
      const query = restrictLevel(state, selected.query, options.depth + 1)
      return { ...selected, key, field, query, ...guardOf(readable) }
    }
    case 'any':
      return selectAny(state, grant, selected, options)
  }
}

/** Selects a column, or the related keys of a one-to-many. Null if those keys are not readable. */
function toField(state: AuthorizationState, readable: ReadableField, key: string): SelectedField | null {
  const { field } = readable
  if (holdsValue(field)) return { kind: 'field', key, field: field.name, ...guardOf(readable) }
  const related = keysOf(state, field)
  return related === null ? null : { kind: 'field', key, field: field.name, ...guardOf(readable), related }
}

/** Filter on the related rows whose keys are readable; null if they are not readable. */
function keysOf(state: AuthorizationState, { relation }: Field): Filter | null {
  if (relation?.kind !== 'one-to-many') return null
  const target = findReadGrant(state.actor, state.schema, relation.collection)
  if (target === null || !target.fields.has(target.collection.primaryKey)) return null
  if (target.collection.keyColumns.some((name) => !target.fields.has(name))) return null
  return and(target.rows, keyGuard(target) ?? matchAll)
}

function selectFunction(
  state: AuthorizationState,
  grant: ReadGrant,
  readable: ReadableField,
  selected: SelectedFunction,
): SelectedFunction {
  const { key, function: called } = selected
  const { field } = readable
  const { relation } = field
  assertFunction(field, called, 'fields')
  const related =
    relation?.kind === 'one-to-many' ? { related: relatedRows(state, grant, field, relation.collection).rows } : {}
  return {
    kind: 'function',
    key,
    function: called,
    field: field.name,
    ...pathOf(selected),
    ...guardOf(readable),
    ...related,
  }
}

function selectAny(
  state: AuthorizationState,
  grant: ReadGrant,
  selected: SelectedAny,
  position: SelectionOptions,
): SelectedAny {
  const readable = readableField(grant, selected.field)
  const { key, field } = selected
  const options = selected.options.flatMap((option) => {
    const { collection, asKey } = option
    const lenient = position.lenient || asKey === true
    if (lenient && findReadGrant(state.actor, state.schema, collection) === null) return []
    const target = relatedRows(state, grant, readable.field, collection)
    const shown = { ...option, ...inside(state, target, option, { ...position, lenient }) }
    return asKey === true && shown.selection.length === 0 ? [] : [shown]
  })
  return { kind: 'any', key, field, options, ...guardOf(readable) }
}

/** The selection of related rows, and the condition on them. */
export type Inside = { readonly selection: Selection; readonly filter: Filter }
type ExpansionScope = Inside & { readonly archive?: Archive }

/** The default filter on archived rows needs no right to read the archive field: it does not reveal the field's values. */
function inside(
  state: AuthorizationState,
  target: ReadGrant,
  scope: ExpansionScope,
  options: SelectionOptions,
): Inside {
  const deeper = { ...options, depth: options.depth + 1 }
  const live = scope.archive?.kind === 'live' ? liveRows(target.collection) : matchAll
  return {
    selection: expandSelection(state, target, scope.selection, deeper),
    filter: and(target.rows, live, restrictFilter(state, target, scope.filter, deeper.depth)),
  }
}

/** The fields of a plain `*`, by their names in the view. */
function plainFields(state: AuthorizationState, grant: ReadGrant, aliases: boolean): readonly SelectedField[] {
  return fieldsInView(state, grant).flatMap(({ name, readable }) => {
    if (readable.field.column === null && !aliases) return []
    return toField(state, readable, name) ?? []
  })
}

type NamedField = { readonly name: string; readonly readable: ReadableField }

export function fieldsInView(state: AuthorizationState, grant: ReadGrant): readonly NamedField[] {
  const visibleFields: NamedField[] = []
  const fields: Iterable<FieldView> = state.view.byCore.get(grant.collection.name)?.fields.values() ?? []
  for (const { name, field, unlisted } of fields) {
    if (unlisted === true) continue
    const readable = grant.fields.get(field)
    if (readable !== undefined && !isPresentational(readable)) visibleFields.push({ name, readable })
  }
  return visibleFields
}
