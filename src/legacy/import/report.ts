/** The report of an import, for programs and for people. */

import type { Refused } from '../../core/imports/mirror-writes.ts'
import { textTable } from '../../domain/text-table.ts'
import type { ContentsReport, FoundContents } from './contents.ts'
import type { ReportedValue } from './value-report.ts'

export type TableReport = {
  readonly table: string
  /** The table here. */
  readonly here: string
  readonly source: number
  readonly taken: number
  readonly created: number
  readonly updated: number
  readonly deleted: number
  /** Rows of the source that are not here as they should be, and rows here that the source does not have. */
  readonly differing: number
  readonly refused: readonly Refused[]
  readonly checksums: { readonly source: string; readonly here: string }
}

export type KeyReport = {
  readonly table: string
  readonly column: string
  readonly target: string
  /** Null: the key was made. */
  readonly fault: string | null
}

export type ImportReport = {
  readonly source: string
  readonly seconds: number
  readonly tables: readonly TableReport[]
  readonly files: ContentsReport | null
  readonly foreignKeys: readonly KeyReport[]
  readonly values: readonly ReportedValue[]
  readonly notes: readonly string[]
}

/** Whether everything is here. */
export const isComplete = ({ tables, files }: ImportReport): boolean =>
  tables.every(({ differing, refused }) => differing === 0 && refused.length === 0) &&
  (files?.missing.length ?? 0) === 0

const most = 20

const some = <T>(all: readonly T[], show: (each: T) => string): string =>
  `${all.slice(0, most).map(show).join(', ')}${all.length > most ? `, and ${all.length - most} more` : ''}`

/** The line of a plan about contents; null: their folder is not named. */
export function describeFound(contents: FoundContents | null): string {
  if (contents === null) return 'Files: their contents are not looked for; --files names their folder'
  const { present, bytes, missing } = contents
  const lost = missing.length === 0 ? '' : `, by their numbers: ${some(missing, ({ number }) => number)}`
  return `Files: ${present} with contents (${bytes} bytes), ${missing.length} without${lost}`
}

export function linesOf(report: ImportReport): readonly string[] {
  const { tables, files, foreignKeys, values, notes } = report
  return [
    ...tableLines(tables),
    ...tables.flatMap(({ table, refused }) =>
      refused.slice(0, most).map(({ key, reason }) => `${table} ${key} was refused: ${reason}`),
    ),
    ...(files === null
      ? ['Files: their contents were not looked for; --files names their folder']
      : [
          `Files: ${files.copied} copied (${files.bytes} bytes), ${files.present} present, ${files.missing.length} missing`,
        ]),
    ...(files === null || files.missing.length === 0
      ? []
      : [`Files without contents, by their numbers: ${some(files.missing, ({ number }) => number)}`]),
    ...foreignKeys.map(({ table, column, target, fault }) =>
      fault === null
        ? `Foreign key ${table}.${column} → ${target}`
        : `No foreign key ${table}.${column} → ${target}: ${fault}`,
    ),
    ...values.map(
      ({ table, column, what, count, examples }) =>
        `${table}.${column}: ${count} × ${what}: ${some(examples.slice(0, 5), ({ key, value }) => `${key} ${JSON.stringify(value)}`)}`,
    ),
    ...notes,
    ...(isComplete(report) ? [] : [`Not everything is here: ${lacksOf(report)}`]),
  ]
}

/** What makes the report incomplete. */
const lacksOf = ({ tables, files }: ImportReport): string =>
  Object.entries({
    'rows that differ': tables.reduce(
      (sum, { differing, refused }) => sum + Math.max(0, differing - refused.length),
      0,
    ),
    'rows that were refused': tables.reduce((sum, { refused }) => sum + refused.length, 0),
    'files without contents': files?.missing.length ?? 0,
  })
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${what}: ${count}`)
    .join(', ')

function tableLines(tables: readonly TableReport[]): readonly string[] {
  const head = ['', 'source', 'here', 'created', 'updated', 'deleted', 'differing', 'refused', 'checksums']
  const rows = tables.map((each) => [
    each.table,
    ...[each.source, each.taken, each.created, each.updated, each.deleted, each.differing, each.refused.length].map(
      String,
    ),
    each.checksums.source === each.checksums.here ? 'equal' : 'different',
  ])
  return textTable([head, ...rows])
}
