/** The paths of the fields that a query or a mutation names, such as `articles.author.name`. */
import type { Filter } from './filter.ts'
import { type Changes, changesOf, type Mutation, type RelatedChange } from './mutation.ts'
import type { Aggregation, Query, Selection, Sort } from './query.ts'

/** Paths of one query or mutation; further ones count as `<collection>.*`. */
export const mostPaths = 300

/**
 * Fields that are selected, compared, sorted or grouped by; `*` means all fields. The path of a many-to-any names the
 * collection after its field: `pages.block:texts.body`. The first path is the collection.
 * @example queryPaths({ collection: 'notes', … }) // ['notes', 'notes.title', 'notes.author.name']
 */
export function queryPaths(query: Query): readonly string[] {
  const paths = createPaths(query.collection)
  addQuery(paths, query, query.collection)
  return paths.all()
}

/** Fields that are written, also those of related rows. */
export function mutationPaths(mutation: Mutation): readonly string[] {
  const { collection } = mutation
  const paths = createPaths(collection)
  for (const changes of changesOf(mutation)) addChanges(paths, changes, collection)
  return paths.all()
}

type Paths = { readonly add: (path: string) => void; readonly all: () => readonly string[] }

function createPaths(collection: string): Paths {
  const collections = new Set([collection])
  return {
    add: (path) => void collections.add(collections.size < mostPaths ? path : `${collection}.*`),
    all: () => [...collections],
  }
}

function addQuery(paths: Paths, query: Query, prefix: string): void {
  if (query.aggregation === null) addSelection(paths, query.selection, prefix)
  else addAggregation(paths, query.aggregation, prefix)
  addFilter(paths, query.filter, prefix)
  for (const sort of query.sort) addSort(paths, sort, prefix)
  for (const field of query.distinct ?? []) paths.add(`${prefix}.${field}`)
}

function addSelection(paths: Paths, selection: Selection, prefix: string): void {
  for (const selected of selection) {
    switch (selected.kind) {
      case 'wildcard':
        paths.add(`${prefix}.*`)
        if (selected.nested !== null) paths.add(`${prefix}.*.*`)
        break
      case 'field':
      case 'function':
        paths.add(`${prefix}.${selected.field}`)
        break
      case 'one':
        paths.add(`${prefix}.${selected.field}`)
        addSelection(paths, selected.selection, `${prefix}.${selected.field}`)
        addFilter(paths, selected.filter, `${prefix}.${selected.field}`)
        break
      case 'many':
        paths.add(`${prefix}.${selected.field}`)
        addQuery(paths, selected.query, `${prefix}.${selected.field}`)
        break
      case 'any':
        paths.add(`${prefix}.${selected.field}`)
        for (const option of selected.options) {
          addSelection(paths, option.selection, `${prefix}.${selected.field}:${option.collection}`)
          addFilter(paths, option.filter, `${prefix}.${selected.field}:${option.collection}`)
        }
        break
      case 'object':
        addSelection(paths, selected.selection, prefix)
        break
      case 'constant':
      case 'row-key':
      case 'cursor':
        break
      default:
        selected satisfies never
    }
  }
}

function addAggregation(paths: Paths, { values, group }: Aggregation, prefix: string): void {
  for (const { field } of values) if (field !== null) paths.add(`${prefix}.${field}`)
  for (const { field } of group) paths.add(`${prefix}.${field}`)
}

function addFilter(paths: Paths, filter: Filter, prefix: string): void {
  switch (filter.kind) {
    case 'all':
    case 'none':
      break
    case 'and':
    case 'or':
      for (const each of filter.filters) addFilter(paths, each, prefix)
      break
    case 'not':
      addFilter(paths, filter.filter, prefix)
      break
    case 'compare':
      paths.add(`${prefix}.${filter.operand.field}`)
      break
    case 'related':
      paths.add(`${prefix}.${filter.field}`)
      addFilter(paths, filter.filter, `${prefix}.${filter.field}`)
      break
    default:
      filter satisfies never
  }
}

function addSort(paths: Paths, sort: Sort, prefix: string): void {
  if (sort.kind === 'random' || sort.kind === 'listed' || sort.field === null) return
  if (sort.kind === 'aggregate') return paths.add(`${prefix}.${sort.field}`)
  let path = prefix
  for (const { field } of sort.path) {
    path = `${path}.${field}`
    paths.add(path)
  }
  paths.add(`${path}.${sort.field}`)
}

function addChanges(paths: Paths, changes: Changes, prefix: string): void {
  for (const [field, change] of changes) {
    const path = `${prefix}.${field}`
    paths.add(path)
    if (change.kind === 'one') addChanges(paths, change.changes, path)
    if (change.kind === 'replace') for (const item of change.items) addRelated(paths, item, path)
    if (change.kind !== 'detail') continue
    for (const item of change.create) addChanges(paths, item, path)
    for (const item of [...change.update, ...(change.upsert ?? [])]) addChanges(paths, item.changes, path)
  }
}

function addRelated(paths: Paths, item: RelatedChange, path: string): void {
  if (item.kind === 'write') addChanges(paths, item.changes, path)
}
