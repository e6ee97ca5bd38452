/** One authorized query as one statement. */
import { isDynamic } from '../domain/filter.ts'
import type { Query } from '../domain/query.ts'
import type { Collection } from '../domain/schema.ts'
import {
  type Build,
  bind,
  collectionOf,
  columnType,
  fieldOf,
  keyText,
  type Level,
  openLevel,
  tableText,
  whereText,
} from './build.ts'
import { type Mode, plainColumns, type RowForm, textsToElements } from './columns.ts'
import { compileGroups } from './compile-aggregate.ts'
import { compileFilter } from './compile-filter.ts'
import { compileArchive, compileConditions } from './compile-page.ts'
import { compileLevel, compileSelection } from './compile-selection.ts'
import type { Entry } from './dialect.ts'

export type CompiledText = { readonly text: string; readonly rows: RowForm }

/** The text of the statement; its parameters are the build's bindings. */
export function compileQuery(build: Build, query: Query, mode: Mode): CompiledText {
  if (mode !== 'each' && namesOneRow(query, collectionOf(build.schema, query.collection)))
    return compileRow(build, query)
  if (query.overlay !== undefined) throw new Error('Only a read of one row by its key has an overlay')
  const { entries, from } =
    query.aggregation === null
      ? compileLevel(build, { query, link: null, preferred: null })
      : compileGroups(build, query, query.aggregation, null)
  if (mode === 'json') {
    return { text: build.dialect.jsonStatement(entries, from, compileCounts(build, query)), rows: { kind: 'list' } }
  }
  const plain = mode === 'each' ? null : plainColumns(entries, build.dialect)
  if (plain !== null) return { text: build.dialect.columnStatement(plain, from), rows: { kind: 'objects' } }
  const texts = entries.map((entry, index) => ({ key: `c${index}`, sql: build.dialect.columnText(entry) }))
  return {
    text: build.dialect.columnStatement(texts, from),
    rows: { kind: 'texts', toElements: textsToElements(entries) },
  }
}

/** True for a read of the row with one key: it needs no order, no page and no list to gather. */
function namesOneRow(query: Query, { primaryKey, keyColumns }: Collection): boolean {
  const isPlain = query.aggregation === null && query.distinct === undefined && query.counts.length === 0
  if (!isPlain || keyColumns.length > 1 || query.page.offset > 0 || query.page.limit === 0) return false
  const conditions = query.filter.kind === 'and' ? query.filter.filters : [query.filter]
  return conditions.some(
    (each) =>
      each.kind === 'compare' &&
      each.operator === 'eq' &&
      each.operand.kind === 'field' &&
      each.operand.field === primaryKey &&
      !each.values.some((value) => isDynamic(value) && value.kind !== 'numbered'),
  )
}

function compileRow(build: Build, query: Query): CompiledText {
  const level = openLevel(build, query.collection)
  const entries = compileSelection(build, level, query.selection)
  const where = whereText(compileConditions(build, level, { query, link: null }))
  const rows = query.overlay === undefined ? tableText(build, level) : compileOverlay(build, level, query)
  const plain = plainColumns(entries, build.dialect)
  if (plain !== null && plain.length > 0)
    return { text: build.dialect.columnStatement(plain, `${rows}${where}`), rows: { kind: 'objects' } }
  return { text: build.dialect.jsonRowStatement(entries, `${rows}${where}`), rows: { kind: 'row' } }
}

/** The row of that key, under the level's alias, with the overlay's values where it has some. */
function compileOverlay(build: Build, level: Level, query: Query): string {
  const stored = openLevel(build, query.collection)
  const key = fieldOf(stored.collection, stored.collection.primaryKey)
  const { dialect } = build
  return dialect.overlaid({
    table: tableText(build, stored),
    stored: stored.alias,
    alias: level.alias,
    condition: `${keyText(build, stored)} = ${dialect.cast(
      bind(build, query, (node) => node.overlay?.key),
      columnType(key),
    )}`,
    row: bind(build, query, (node) => JSON.stringify(node.overlay?.row)),
  })
}

function compileCounts(build: Build, query: Query): readonly Entry[] {
  return [...new Set(query.counts)].map((key) => {
    const level = openLevel(build, query.collection)
    const conditions =
      key === 'filtered'
        ? compileConditions(build, level, { query, link: null })
        : [
            query.rows === undefined ? 'true' : compileFilter(build, level, query.rows),
            compileArchive(build, level, query),
          ]
    const sql = `(select count(*) from ${tableText(build, level)}${whereText(conditions)})`
    return { key, sql, json: 'json' }
  })
}
