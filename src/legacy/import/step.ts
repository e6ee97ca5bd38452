/** A step of an import: one table here, with the rows that it should have, in the order of their keys. */

import type { MirrorOptions } from '../../core/imports/mirror-rows.ts'
import type { Mirror, MirrorRow, SourceTable, TableSource } from '../../domain/ports/table-source.ts'
import type { IdentityCollection } from '../../domain/schema/identity.ts'
import type { Installation } from './installation.ts'
import { readRecords, type SourceRecord } from './records.ts'
import type { ExternalId } from './rows/accounts.ts'
import { type Draft, type Tell, toRow } from './rows/drafts.ts'
import type { OwnTable } from './rows/tables.ts'
import type { ValueReport } from './value-report.ts'

/** One table here, with the rows that it should have. */
export type Step = {
  /** The table of the source, for people. */
  readonly name: string
  readonly mirror: Mirror
  readonly rows: () => AsyncIterable<readonly MirrorRow[]>
  readonly options?: MirrorOptions
  /** Where the rows are a part of what another step has brought. */
  readonly silent?: true
}

export type ImportState = {
  readonly source: TableSource
  readonly installation: Installation
  readonly tables: readonly OwnTable[]
  readonly tell: Tell
  readonly valueReport: ValueReport
  readonly hashToken: (token: string) => string
  readonly externalId: ExternalId
  /** Name of the storage location that has the contents of files. */
  readonly location: string
  readonly settingsRow: number
  /** Highest numbers that earlier runs have brought; rows beyond them were made here. */
  readonly highest: (table: string) => number
  /** The uuids of the rows of a table, by number. */
  readonly numbersOf: (collection: IdentityCollection) => Promise<ReadonlyMap<string, string>>
  readonly take: (step: Step) => Promise<void>
  readonly link: (parents: readonly { id: string; collection: string; item: string }[]) => Promise<void>
}

export const tableOf = ({ installation }: ImportState, name: string): SourceTable | undefined =>
  installation.tables.get(name)

async function* inPages(rows: readonly MirrorRow[]): AsyncGenerator<readonly MirrorRow[]> {
  for (let from = 0; from < rows.length; from += 1000) yield rows.slice(from, from + 1000)
}

/** Sorted as the database sorts them. */
export const listed = (mirror: Mirror, drafts: readonly Draft[]) => (): AsyncIterable<readonly MirrorRow[]> => {
  const names = mirror.key
  const order = (left: Draft, right: Draft): number => {
    for (const name of names) {
      const [one, other] = [left[name] ?? '', right[name] ?? '']
      if (one === other) continue
      const isNumber = mirror.columns.find((column) => column.name === name)?.type === 'integer'
      return isNumber ? Number(one) - Number(other) : Buffer.compare(Buffer.from(one), Buffer.from(other))
    }
    return 0
  }
  return inPages(drafts.toSorted(order).map((draft) => toRow(mirror, draft)))
}

/** Rows of a table of the source, one by one, by number. */
export const streamed = (
  state: ImportState,
  mirror: Mirror,
  name: string,
  draft: (row: SourceRecord) => Draft | null,
) =>
  async function* rows(): AsyncGenerator<readonly MirrorRow[]> {
    for await (const page of readRecords(state.source, tableOf(state, name), ['id'])) {
      yield page.flatMap((row) => {
        const drafted = draft(row)
        return drafted === null ? [] : [toRow(mirror, drafted)]
      })
    }
  }

/** Rows with numbers beyond those that were brought are of this project. */
export const withinBrought = (state: ImportState, table: string): MirrorOptions => ({
  isOurs: ([number]) => Number(number) <= state.highest(table),
})
