/**
 * Lists of related rows whose foreign key has no index. A subquery of its own would pass over the whole table once for
 * each row around it. Here the rows of all of them are read at once, by a scan in the `with` clause of the statement, and
 * each list is read from that scan. A scan may have rows that no list needs.
 */
import type { Query, Selected, Selection } from '../../domain/query/query.ts'
import { leadsToList } from '../../domain/schema/references.ts'
import type { FieldRelation } from '../../domain/schema/schema.ts'
import { quoteName } from '../dialects/quoting.ts'
import { type Build, fieldOf, type Level, openLevel, type RowsOfAll, tableText } from './build.ts'
import { linkSides } from './compile-link.ts'

type ToMany = Extract<FieldRelation, { kind: 'one-to-many' }>
type ToOne = Extract<FieldRelation, { kind: 'many-to-one' }>

/** Opens the level of the rows that are related to the rows of `outer`. */
export function openRelated(build: Build, outer: Level, relation: ToMany | ToOne): Level {
  const inner = openLevel(build, relation.collection)
  const { all } = outer
  if (all === undefined) return inner
  const relatedToAll = (): RowsOfAll => rowsRelatedTo(build, all(), relation)
  if (relation.kind === 'many-to-one' || leadsToList(build.schema, relation)) return { ...inner, all: relatedToAll }
  const { level, from } = relatedToAll()
  return { ...inner, ...openScan(build, level, (columns) => `select ${columns} from ${from}`) }
}

/** Adds a scan to the statement, and opens its rows. `read`: the query of the rows, with their columns. */
export function openScan(
  build: Build,
  { collection, alias }: Level,
  read: (columns: string) => string,
): Required<Pick<Level, 'columns' | 'scan' | 'all'>> {
  const name = `s${build.scans.length}`
  const columns = new Set<string>()
  const list = () => [...columns].map((column) => `${alias}.${quoteName(column)}`).join(', ')
  build.scans.push({ name, text: () => read(columns.size === 0 ? '1' : list()) })
  const level = { ...openLevel(build, collection.name), columns }
  return { columns, scan: name, all: () => ({ level, from: `${name} ${level.alias}` }) }
}

function rowsRelatedTo(build: Build, all: RowsOfAll, relation: ToMany | ToOne): RowsOfAll {
  const level = openLevel(build, relation.collection)
  const sides = linkSides(build, all.level, level, relation)
  const inner = sides.map(([side]) => side).join(', ')
  const outer = sides.map(([, side]) => side).join(', ')
  const keys = sides.length === 1 ? inner : `(${inner})`
  return { level, from: `${tableText(build, level)} where ${keys} in (select ${outer} from ${all.from})` }
}

/** The statement with its scans. */
export function withScans({ scans, dialect: { scan } }: Build, text: string): string {
  if (scan === undefined || scans.length === 0) return text
  return `with ${scans.map((each) => scan(each.name, each.text())).join(', ')} ${text}`
}

/** Whether several rows of the query, or of its lists, have lists that are scans. `rows`: whether it has several rows. */
export const needsScans = ({ schema, dialect }: Build, query: Query, rows: 'one' | 'several'): boolean =>
  dialect.scan !== undefined &&
  query.overlay === undefined &&
  query.locked !== true &&
  hasScans({ schema }, query, rows === 'several')

const hasScans = (build: Pick<Build, 'schema'>, { collection, selection }: Selects, isMany: boolean): boolean =>
  selection.some((selected) => isOrHasScan(build, collection, { selected, isMany }))

type Selects = { readonly collection: string; readonly selection: Selection }

function isOrHasScan(
  build: Pick<Build, 'schema'>,
  collection: string,
  { selected, isMany }: { readonly selected: Selected; readonly isMany: boolean },
): boolean {
  if (selected.kind === 'object') return hasScans(build, { collection, selection: selected.selection }, isMany)
  // Rows of a many-to-any belong to several tables: their lists are read one by one.
  if (!('field' in selected) || selected.kind === 'any') return false
  const from = build.schema.collections.get(collection)
  const relation = from === undefined ? null : fieldOf(from, selected.field).relation
  if (relation?.kind === 'many-to-one' && selected.kind === 'one')
    return hasScans(build, { collection: relation.collection, selection: selected.selection }, isMany)
  if (relation?.kind !== 'one-to-many') return false
  if (isMany && !leadsToList(build.schema, relation)) return true
  return selected.kind === 'many' && hasScans(build, selected.query, true)
}
