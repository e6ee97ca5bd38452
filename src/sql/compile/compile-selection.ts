/** Compiles a selection into expressions under their response names. Each relation is a scalar subquery. */
import type { Query, Selected, SelectedAny, SelectedMany, SelectedOne, Selection } from '../../domain/query/query.ts'
import type { Field } from '../../domain/schema/schema.ts'
import { type Build, fieldOf, type Level, openLevel, tableText, whereText } from '../conditions/build.ts'
import { compileFilter } from '../conditions/compile-filter.ts'
import { compileFunction, compileJson } from '../conditions/compile-function.ts'
import { anyKeyLinkText, anyScopeText, linkSides, linkText } from '../conditions/compile-link.ts'
import { openRelated } from '../conditions/scans.ts'
import type { Entry, Expression } from '../dialects/dialect.ts'
import { quoteText } from '../dialects/quoting.ts'
import { compileGroups, compileLinkedGroups } from './compile-aggregate.ts'
import { compileCursor } from './compile-cursor.ts'
import { compileLinked, compilePage, type Link, linkedOf } from './compile-page.ts'
import { compileField, compileRowKey, computed, constant, guardedExpression } from './compile-value.ts'

/** The entries in order of first occurrence. If two have the same key, the last one is used. */
export function compileSelection(build: Build, level: Level, selection: Selection): readonly Entry[] {
  const byKey = new Map<string, Expanded>()
  for (const selected of selection) {
    if (selected.kind === 'wildcard') throw new Error('Expected a selection without wildcards')
    byKey.set(selected.key, selected)
  }
  return [...byKey].map(([key, selected]) => ({ key, ...compileSelected(build, level, selected) }))
}

/** Authorize has expanded wildcards. */
type Expanded = Exclude<Selected, { readonly kind: 'wildcard' }>

function compileSelected(build: Build, level: Level, selected: Expanded): Expression {
  if (selected.kind === 'constant') return constant(selected.text)
  if (selected.kind === 'object') {
    const entries = compileSelection(build, level, selected.selection)
    const row = build.dialect.jsonRow(entries, null)
    const [first] = entries
    const isBare = selected.orNull !== true || first === undefined
    return { sql: isBare ? row : `case when ${first.sql} is not null then ${row} end`, json: 'json' }
  }
  if (selected.kind === 'row-key') return guardedExpression(build, level, selected.guard, compileRowKey(build, level))
  if (selected.kind === 'cursor') return compileCursor(build, level, selected.sort)
  return guardedExpression(build, level, selected.guard, compileUnguarded(build, level, selected))
}

type Stored = Exclude<Expanded, { readonly kind: 'constant' | 'cursor' | 'object' | 'row-key' }>

function compileUnguarded(build: Build, level: Level, selected: Stored): Expression {
  const field = fieldOf(level.collection, selected.field)
  switch (selected.kind) {
    case 'field':
      return compileField(build, level, field, selected.related)
    case 'function':
      if (selected.function === 'json') {
        const sql = compileJson(build, { level, field: selected.field, form: 'json' }, [selected, (node) => node])
        return { sql, json: 'json' }
      }
      return computed(build, compileFunction(build, level, selected))
    case 'one':
      return compileOne(build, level, field, selected)
    case 'many':
      return compileMany(build, level, field, selected)
    case 'any':
      return compileAny(build, level, field, selected)
    default:
      return selected satisfies never
  }
}

function compileOne(build: Build, level: Level, field: Field, selected: SelectedOne): Expression {
  if (field.relation?.kind !== 'many-to-one') throw new Error(`Field ${field.name} is not a many-to-one`)
  const inner = openRelated(build, level, field.relation)
  const entries = compileSelection(build, inner, selected.selection)
  const link = linkText(build, level, inner, field.relation)
  const where = whereText([link, compileFilter(build, inner, selected.filter)])
  return { sql: build.dialect.jsonRow(entries, `${tableText(build, inner)}${where}`), json: 'json' }
}

function compileMany(build: Build, level: Level, field: Field, selected: SelectedMany): Expression {
  const { relation } = field
  if (relation?.kind !== 'one-to-many') throw new Error(`Field ${field.name} is not a one-to-many`)
  const link: Link = {
    open: () => openRelated(build, level, relation),
    text: (inner) => linkText(build, level, inner, relation),
    sides: (inner) => linkSides(build, level, inner, relation),
  }
  const rows = { query: selected.query, link, preferred: relation.sortField }
  const sql = selected.asKeys === true ? compileKeys(build, rows) : compileRows(build, rows)
  return { sql, json: 'json' }
}

type Rows = { readonly query: Query; readonly link: Link; readonly preferred: string | null }

function compileRows(build: Build, rows: Rows): string {
  const { query, link } = rows
  const { aggregation } = query
  if (aggregation !== null) {
    const { rows: linkedRows, total } = build.dialect.linked ?? {}
    if (linkedRows !== undefined && total !== undefined)
      return compileLinkedGroups(build, { rows: linkedRows, total }, { query, aggregation, link })
    const groups = compileGroups(build, query, aggregation, link)
    return build.dialect.jsonRows(groups.entries, groups.from)
  }
  const linked = linkedOf(build, query.page)
  if (linked !== undefined) {
    const inner = link.open()
    const entries = compileSelection(build, inner, query.selection)
    return linked.rows(entries, compileLinked(build, inner, rows))
  }
  const inner = link.open()
  const columns = new Set<string>()
  const entries = compileSelection(build, { ...inner, columns }, query.selection)
  return build.dialect.jsonRows(entries, compilePage(build, inner, rows, columns))
}

/** The keys of the rows alone. */
function compileKeys(build: Build, rows: Rows): string {
  const linked = linkedOf(build, rows.query.page)
  const inner = rows.link.open()
  if (linked !== undefined) return linked.column(compileRowKey(build, inner), compileLinked(build, inner, rows))
  const columns = new Set<string>()
  const shown = compileRowKey(build, { ...inner, columns })
  return build.dialect.jsonColumn(shown, compilePage(build, inner, rows, columns))
}

function compileAny(build: Build, level: Level, field: Field, selected: SelectedAny): Expression {
  if (selected.options.length === 0) return { sql: 'null', json: 'value' }
  const scope = anyScopeText(build, level, field)
  const cases = selected.options.map((option) => {
    const inner = openLevel(build, option.collection)
    const entries = compileSelection(build, inner, option.selection)
    const link = anyKeyLinkText(build, level, inner, field)
    const where = whereText([link, compileFilter(build, inner, option.filter)])
    const from = `${tableText(build, inner)}${where}`
    const [first] = entries
    const isKey = option.asKey === true && first !== undefined
    const shown = isKey ? build.dialect.jsonValue(first, from) : build.dialect.jsonRow(entries, from)
    return `when ${quoteText(option.collection)} then ${shown}`
  })
  return { sql: `case ${scope} ${cases.join(' ')} end`, json: 'json' }
}
