/**
 * Parses `fields` into a `Selection`: dots lead into relations, `*` selects all columns of a level, `-name` excludes
 * one.
 */

import { refuseQuery } from '../../domain/conditions/literals.ts'
import { groupByName, splitPath } from '../../domain/query/field-path.ts'
import { matchAll } from '../../domain/query/filter.ts'
import type { Selected, Selection } from '../../domain/query/query.ts'
import { rowsOf } from '../../domain/query/rows-of.ts'
import { inLanguages } from '../../domain/schema/languages.ts'
import { keyName } from '../../domain/schema/row-keys.ts'
import type { Field, FieldRelation } from '../../domain/schema/schema.ts'
import { defaultArchive } from './archive.ts'
import { isClosed, selectClosed } from './closed-relations.ts'
import { carriesParts, selectParts } from './link-parts.ts'
import { fieldNamed, keyOf, type NamedField, type ParseScope, relatedCollection, targetOf } from './parse-scope.ts'

/** The remaining parts of each word of `fields` at one level, split at dots. */
type Paths = readonly (readonly string[])[]

/** The languages of the translations to return; null for all. */
type Languages = readonly string[] | null

export type SelectionScope = ParseScope & { readonly languages: Languages }

type Many = Extract<FieldRelation, { kind: 'one-to-many' }>

/** Parses the selection; none is the same as `*`. */
export function parseSelection(
  words: readonly string[],
  languages: readonly string[],
  collection: string,
  scope: ParseScope,
): Selection {
  if (words.length === 0) return [{ kind: 'wildcard', aliases: false, except: [], nested: null }]
  const paths = words.map(toPath)
  const deepest = paths.find((path) => path.length > scope.limits.depth)
  if (deepest !== undefined) refuseQuery('fields', `at most ${scope.limits.depth} names in a path`, deepest.join('.'))
  const all = languages.length === 0 || languages.includes('*')
  return parseLevel(paths, collection, { ...scope, languages: all ? null : languages })
}

/** Stands before a name that is left out. A minus could be the beginning of a name (`\-name`). */
const removal = '\0'

/** In `-author.name` the minus applies to the last name. */
export function toPath(word: string): readonly string[] {
  const path = splitPath(word.startsWith('-') ? word.slice(1) : word)
  return word.startsWith('-') ? [...path.slice(0, -1), `${removal}${path.at(-1) ?? ''}`] : path
}

function parseLevel(paths: Paths, collection: string, scope: SelectionScope): Selection {
  // A minus alone removes nothing: clients that only want to count send it.
  const removed = paths.flatMap(([name = '', ...rest]) =>
    name.startsWith(removal) && name !== removal && rest.length === 0
      ? [fieldNamed(scope, collection, name.slice(1)).view.name]
      : [],
  )
  const wild = paths.flatMap(([name, ...rest]) => (name === '*' ? [rest] : []))
  const belowWild = wild.filter((rest) => rest.length > 0)
  const named = groupByName(paths.filter(([name = '']) => name !== '*' && !name.startsWith(removal)))
  const selected = [...named].flatMap(([name, rests]) =>
    removed.includes(name) ? [] : selectField(name, { rests, belowWild }, collection, scope),
  )
  if (wild.length === 0) return selected
  const whole = selected.filter((each) => !carriesParts(each))
  const except = removed.map((name) => fieldNamed(scope, collection, name).field.name)
  return [selectWildcard(belowWild, except, scope.languages), ...whole]
}

/** `*` selects columns; with something below it, relations are expanded, to-many ones too. */
function selectWildcard(below: Paths, except: readonly string[], languages: Languages): Selected {
  if (below.length === 0) return { kind: 'wildcard', aliases: false, except, nested: null }
  const nested = belowWildcard(below, languages)
  const wildcard = { kind: 'wildcard', aliases: true, except, nested, keysOfClosed: true } as const
  return languages === null ? wildcard : { ...wildcard, languages }
}

/** As above for any related collection; one without the field is no error. */
function belowWildcard(paths: Paths, languages: Languages): Selection {
  const deep = paths.find(([name, ...rest]) => name !== '*' && rest.length > 0)
  if (deep !== undefined) refuseQuery('fields', 'no path through a name below "*"', `*.${deep.join('.')}`)
  const except = paths.flatMap(([name = '']) => (name.startsWith(removal) ? [name.slice(1)] : []))
  const wild = paths.flatMap(([name, ...rest]) => (name === '*' ? [rest] : []))
  const names = paths.flatMap(([name = '']) => (name === '*' || name.startsWith(removal) ? [] : [name]))
  const fields = names.map((name): Selected => ({ kind: 'field', key: name, field: name }))
  return wild.length === 0
    ? fields
    : [
        selectWildcard(
          wild.filter((rest) => rest.length > 0),
          except,
          languages,
        ),
        ...fields,
      ]
}

/** The selection below a named field, by its own names and by wildcards. */
type NamedPaths = { readonly rests: Paths; readonly belowWild: Paths }

/** Selects a named field: its value, or its related rows. */
function selectField(
  name: string,
  { rests, belowWild }: NamedPaths,
  collection: string,
  scope: SelectionScope,
): Selection {
  if (name === keyName && rests.every((rest) => rest.length === 0)) return [{ kind: 'row-key', key: name }]
  const named = fieldNamed(scope, collection, name)
  const { field } = named
  const inner = rests.filter((rest) => rest.length > 0)
  const related = relatedCollection(scope, field)
  if (named.view.codec.kind === 'file-facts') {
    return [{ kind: 'field', key: name, field: field.name }, ...selectParts(rests)]
  }
  // Clients put `.*` behind every field; without a relation it says nothing.
  const isWild = field.relation === null && inner.every((rest) => rest.every((part) => part === '*'))
  if (isClosed(scope, field) && (inner.length > 0 || field.relation?.kind === 'one-to-many'))
    return selectClosed(named, scope)
  if (inner.length > 0 && !isWild) targetOf(scope, collection, named)
  if (inner.length === 0 && belowWild.length > 0 && related !== null) return []
  if (field.relation?.kind === 'one-to-many') {
    return related === null ? [] : [selectMany(named, field.relation, [...inner, ...belowWild], scope)]
  }
  if (inner.length === 0 || related === null) return [{ kind: 'field', key: name, field: field.name }]
  const selection = parseLevel([...inner, ...belowWild], related, scope)
  return [selectRelated({ key: name, field, related, selection }, scope)]
}

/** Selects related rows that are not soft-deleted, in their collection's order; without dots only their keys. */
function selectMany({ field, view }: NamedField, relation: Many, paths: Paths, scope: SelectionScope): Selected {
  const { collection } = relation
  const selection = paths.length > 0 ? parseLevel(paths, collection, scope) : keySelection(scope, collection)
  return selectRelated({ key: view.name, field, related: collection, selection }, scope)
}

/** A relational field, the collection that it leads to, and what is selected of that. */
type RelatedRows = {
  readonly key: string
  readonly field: Field
  readonly related: string
  readonly selection: Selection
}

/** The related row, or rows, that are not soft-deleted. */
export function selectRelated({ key, field, related, selection }: RelatedRows, scope: SelectionScope): Selected {
  const { relation } = field
  if (relation?.kind !== 'one-to-many') {
    const one = { kind: 'one', key, field: field.name, selection, filter: matchAll } as const
    const hasStatuses = scope.schema.collections.get(related)?.archive !== null
    return hasStatuses ? { ...one, archive: { kind: 'live' } } : one
  }
  const filter = inLanguages(scope, field, scope.languages)
  const query = rowsOf(related, selection, { filter, limit: scope.limits.queryMax })
  return {
    kind: 'many',
    key,
    field: field.name,
    query: { ...query, archive: defaultArchive(related, selection, scope) },
  }
}

/** The field of the key, or all fields of a key of several columns. */
function keySelection(scope: SelectionScope, collection: string): Selection {
  const { keyColumns = [] } = scope.schema.collections.get(collection) ?? {}
  const key = keyOf(scope, collection)
  const named = keyColumns.length > 1 ? keyColumns.map((name) => fieldNamed(scope, collection, name)) : [key]
  return named.map(({ field, view }) => ({ kind: 'field', key: view.name, field: field.name }))
}
