/** The project's own tables → tables here, and the values of their rows. */

import type {
  Mirror,
  MirrorRow,
  PlannedKey,
  PlannedTable,
  SourceRule,
  SourceTable,
  SourceValues,
  TableSource,
} from '../../../domain/ports/table-source.ts'
import { at, collectionIn, type Installation, placeOf } from '../installation.ts'
import { filled } from '../records.ts'
import type { ValueReport } from '../value-report.ts'
import { needsExamination, type PlannedValues, planColumn } from './columns.ts'
import { convertValue, isNoDate, looksTwiceEncoded, type Numbers, toComparable, type ValueKind } from './values.ts'

export type OwnTable = {
  readonly source: SourceTable
  readonly here: PlannedTable
  readonly columns: readonly PlannedValues[]
  readonly mirror: Mirror
  readonly notes: readonly string[]
}

/** Looks at the values of each table once, where its types depend on them. */
export async function planTables(source: TableSource, installation: Installation): Promise<readonly OwnTable[]> {
  const planned: OwnTable[] = []
  for (const table of installation.own) {
    const names = table.columns.filter(needsExamination).map(({ name }) => name)
    const examined = await source.examine(table, names)
    const columns = table.columns.map((column) => {
      const key = placeOf(table.name, column.name)
      const declared = installation.types.get(key) ?? null
      const identity = installation.identities.get(key) ?? null
      const isKey = table.primaryKey.includes(column.name)
      return planColumn(column, { declared, identity, examined: examined.get(column.name), isKey })
    })
    planned.push(toOwnTable(table, columns))
  }
  return planned
}

function toOwnTable(source: SourceTable, columns: readonly PlannedValues[]): OwnTable {
  const { name, comment, primaryKey, indexes, rules } = source
  const isIndexable = (column: string) => !['json', 'bytea'].includes(typeOf(columns, column))
  const remarks = columns.flatMap(({ column, remarks }) => remarks.map((remark) => `${name}.${column.name} ${remark}`))
  const left = indexes.filter((index) => !index.columns.every(isIndexable))
  return {
    source,
    columns,
    here: {
      name,
      comment,
      primaryKey,
      indexes: indexes.filter((index) => !left.includes(index)),
      columns: columns.map(({ column }) => column),
    },
    mirror: {
      table: name,
      key: primaryKey,
      // Numbers there are uuids here.
      unordered: primaryKey.some((key) => typeOf(columns, key) === 'uuid'),
      columns: columns.map(({ column }) => ({ name: column.name, type: column.type })),
    },
    notes: [
      ...remarks,
      ...rules.map((rule) => `The ${rule.kind} ${rule.name} of ${name} is left out: ${reasons[rule.kind]}`),
      ...left.map(
        (index) => `The index ${index.name} of ${name} is left out: ${index.columns.join(', ')} cannot have one here`,
      ),
      ...(primaryKey.length === 0 && !source.isView
        ? [
            `The table ${name} has no key: its rows can be read and added, not changed; where one differs, all are written again`,
          ]
        : []),
    ],
  }
}

const reasons: { readonly [Kind in SourceRule['kind']]: string } = {
  trigger: 'triggers are written for one database',
  check: 'its condition is written for one database',
  default: 'it is computed there',
  index: 'it is one of words, places, expressions or first letters',
}

const typeOf = (columns: readonly PlannedValues[], name: string): string =>
  columns.find(({ column }) => column.name === name)?.column.type ?? ''

/** The rows of a table as they should be here. */
export async function* convertRows(
  source: TableSource,
  table: OwnTable,
  { numbers, told: report }: { readonly numbers: Numbers; readonly told: ValueReport },
): AsyncGenerator<readonly MirrorRow[]> {
  report.forget(table.source.name)
  const names = table.source.columns.map(({ name }) => name)
  const keys = table.source.primaryKey.map((name) => names.indexOf(name))
  const convert = (row: SourceValues): MirrorRow =>
    row.map((value, at) => {
      const own = table.columns[at]
      if (value === null || own === undefined) return null
      const { value: converted, loss: what } = convertValue(own.values, value, numbers)
      const note = what ?? (own.values.kind === 'text' && looksTwiceEncoded(value) ? twice : null)
      // A key stays what it was, and its row is refused.
      if (converted === null && keys.includes(at)) return value
      if (note !== null) {
        const key = keys.length === 0 ? beginningOf(row) : keys.map((each) => row[each] ?? '').join(',')
        report.add({ table: table.source.name, column: own.column.name, key }, value, note)
      }
      return converted
    })
  for await (const page of source.rows(table.source, names, table.source.primaryKey)) yield page.map(convert)
}

/** Names a row without a key. */
const beginningOf = (row: SourceValues): string => JSON.stringify(row).slice(0, 200)

const twice = 'looks like UTF-8 that was stored under the label latin1; it is left as it is'

/** Why a row cannot be here: a part of its key becomes null by a rule. */
export function refusalIn({ mirror, columns }: OwnTable): (row: MirrorRow) => string | null {
  const parts = mirror.key.map((name) => mirror.columns.findIndex((column) => column.name === name))
  return (row) => {
    for (const at of parts) {
      const [{ values, column } = { values: null, column: null }, value] = [columns[at], row[at]]
      if (values === null || column === null || value == null) continue
      if (isDate(values) && isNoDate(value)) return `"${column.name}" is no date of the calendar`
      if (values.kind === 'identity' && !isUuid(value)) return `"${column.name}" names a row that is not there`
    }
    return null
  }
}

const isDate = ({ kind }: ValueKind): boolean => kind === 'date' || kind === 'moment'

/** Numbers of the source have no dashes. */
const isUuid = (value: string): boolean => value.length === 36 && value.includes('-')

/** Of stored values, for comparisons. */
export const comparableIn =
  ({ columns }: OwnTable) =>
  (at: number, text: string): string => {
    const kind = columns[at]?.values
    return kind === undefined ? text : toComparable(kind, text)
  }

/** Foreign keys that the source has, and those that its relations could have. */
export function keysOf(
  tables: readonly OwnTable[],
  installation: Installation,
  { ofRelations }: { readonly ofRelations: boolean },
): readonly PlannedKey[] {
  const here = new Map(tables.map((table) => [table.source.name, table]))
  const isOwn = (name: string) => here.has(name)
  const real = tables.flatMap(({ source }) =>
    source.foreignKeys
      .filter((key) => isOwn(key.table))
      .map(({ name: _name, table: target, ...key }) => ({ ...key, table: source.name, target })),
  )
  if (!ofRelations) return real
  const related = installation.relations.flatMap((row) => relationKey(row, here, installation))
  const implied = [...installation.identities].flatMap(([key, target]) => {
    const [table = '', column = ''] = key.split('\0')
    const own = here.get(table)
    if (own === undefined || !own.columns.some((each) => each.column.name === column)) return []
    // No part of a key becomes null.
    const onDelete = own.source.primaryKey.includes(column) ? 'NO ACTION' : 'SET NULL'
    return [keyTo(table, column, { target, key: 'id', onDelete })]
  })
  const seen = new Set<string>()
  return [...real, ...related, ...implied].filter(({ table, columns }) => {
    const key = `${table}.${columns.join()}`
    return !seen.has(key) && seen.add(key)
  })
}

type KeyTarget = { readonly target: string; readonly key: string; readonly onDelete: string }

const keyTo = (table: string, column: string, { target, key, onDelete }: KeyTarget): PlannedKey => ({
  table,
  columns: [column],
  target,
  keys: [key],
  onDelete,
  onUpdate: 'NO ACTION',
})

function relationKey(
  row: { readonly [name: string]: string | null },
  here: ReadonlyMap<string, OwnTable>,
  installation: Installation,
): readonly PlannedKey[] {
  const [many, field] = [at(row, 'collection_many'), at(row, 'field_many')]
  const column = here.get(many)?.columns.find((each) => each.column.name === field)?.column
  const target = here.get(collectionIn(installation, filled(row, 'collection_one')) ?? '')
  const [key, ...more] = target?.source.primaryKey ?? []
  if (column === undefined || target === undefined || key === undefined || more.length > 0) return []
  return [keyTo(many, field, { target: target.source.name, key, onDelete: column.nullable ? 'SET NULL' : 'NO ACTION' })]
}
