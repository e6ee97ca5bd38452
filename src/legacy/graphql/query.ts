/** The selection of one collection in GraphQL → the reads for it. */
import { refuseQuery } from '../../domain/conditions/literals.ts'
import { and, type Filter, matchAll, or } from '../../domain/query/filter.ts'
import type { Selected, Selection } from '../../domain/query/query.ts'
import type { SelectedField } from '../../graphql/selected-field.ts'
import { parseArchive } from '../wire/archive.ts'
import { parseFieldCondition } from '../wire/conditions.ts'
import { toText, toWords } from '../wire/lists.ts'
import { fieldNamed, keyOf, type ParseScope, relatedCollection } from '../wire/parse-scope.ts'
import { filterByKeys, parseQuery, type Read } from '../wire/query.ts'
import { type SelectionScope, selectRelated } from '../wire/selection.ts'

/** One list of items: what is asked of each, and the read. */
export type ListRead = { readonly selected: SelectedField | null; readonly read: Read }

/** A read for each `data` that is asked for, and one for `meta` alone; the first of them counts. */
export function toReads(
  selected: SelectedField,
  collection: string,
  scope: ParseScope,
): readonly [ListRead, ...ListRead[]] {
  const [first, ...others] = selected.fields.filter(({ name }) => name === 'data')
  const facts = selected.fields.flatMap(({ name, fields }) => (name === 'meta' ? fields : []))
  const meta = facts.map(({ name }) => name).filter((name) => !name.startsWith('__'))
  const read = (each: SelectedField | null, words: readonly string[]): ListRead => ({
    selected: each,
    read: toRead({ args: selected.args, data: each, meta: words }, collection, scope),
  })
  return [read(first ?? null, meta), ...others.map((each) => read(each, []))]
}

type ListRequest = {
  readonly args: SelectedField['args']
  readonly data: SelectedField | null
  readonly meta: readonly string[]
}

function toRead({ args, data, meta }: ListRequest, collection: string, scope: ParseScope): Read {
  const { id, limit, offset, lang, filter } = args
  const frame = parseQuery({ limit: limit ?? undefined, offset: offset ?? undefined, meta }, collection, scope)
  const languages = toWords(lang, 'lang')
  const selectionScope: SelectionScope = {
    ...scope,
    languages: languages.length === 0 || languages.includes('*') ? null : languages,
  }
  const selection =
    data === null ? [keySelection(collection, scope)] : toSelection(data.fields, collection, selectionScope)
  const byKey = id == null ? matchAll : filterByKeys([toText(id)], collection, scope)
  return {
    ...frame,
    query: {
      ...frame.query,
      selection,
      filter: and(byKey, toFilter(filter, collection, scope)),
      archive: parseArchive([], collection, selection, scope),
    },
  }
}

/** Rows have to be read to be counted. */
function keySelection(collection: string, scope: ParseScope): Selected {
  const isKeyed = scope.schema.collections.get(collection)?.keyColumns.length === 1
  if (!isKeyed) return { kind: 'constant', key: 'row', text: collection }
  return { kind: 'field', key: 'key', field: keyOf(scope, collection).field.name }
}

const toSelection = (wanted: readonly SelectedField[], collection: string, scope: SelectionScope): Selection =>
  wanted.map((each) => toSelected(each, collection, scope))

function toSelected({ key, name, parent, fields }: SelectedField, collection: string, scope: SelectionScope): Selected {
  if (name === '__typename') return { kind: 'constant', key, text: parent }
  const { field } = fieldNamed(scope, collection, name)
  const related = relatedCollection(scope, field)
  if (related === null || fields.length === 0) return { kind: 'field', key, field: field.name }
  return selectRelated({ key, field, related, selection: toSelection(fields, related, scope) }, scope)
}

/** Conditions in one filter, as in the query string. */
const mostConditions = 1000

type Bounded = { readonly scope: ParseScope; readonly collection: string; conditions: number }

/** Reads the argument; GraphQL has checked names and types. */
const toFilter = (raw: unknown, collection: string, scope: ParseScope): Filter =>
  parse(raw, { scope, collection, conditions: 0 })

function parse(raw: unknown, bounded: Bounded): Filter {
  if (typeof raw !== 'object' || raw === null) return and()
  const filters = Object.entries(raw).flatMap(([name, value]): readonly Filter[] => {
    if (name === 'and' || name === 'or') {
      const list = Array.isArray(value) ? value.map((each) => parse(each, bounded)) : []
      return list.length === 0 ? [] : [name === 'and' ? and(...list) : or(...list)]
    }
    bounded.conditions += 1
    if (bounded.conditions > mostConditions) {
      refuseQuery('filter', `at most ${mostConditions} conditions`, bounded.conditions)
    }
    return parseCondition(name, value, bounded) ?? []
  })
  return and(...filters)
}

/** Words that take no operand elsewhere, and their opposites. */
const opposites: { readonly [word: string]: string } = {
  null: 'nnull',
  nnull: 'null',
  empty: 'nempty',
  nempty: 'empty',
}

/** `<field>_<operator>`: operators have no underscore. An operand of null is ignored. */
function parseCondition(name: string, value: unknown, { scope, collection }: Bounded): readonly Filter[] | null {
  if (value === null) return null
  const at = name.lastIndexOf('_')
  const operator = name.slice(at + 1)
  const word = value === false ? (opposites[operator] ?? operator) : operator
  const named = fieldNamed(scope, collection, name.slice(0, at))
  // A null in a list equals nothing.
  const raw = Array.isArray(value) && !operator.endsWith('between') ? value.filter((each) => each !== null) : value
  const filter = parseFieldCondition(named, { word, raw, name: `filter.${name}` }, collection, scope)
  return filter === null ? null : [filter]
}
