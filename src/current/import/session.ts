/** State that all steps of an import share. */
import type { Context } from '../../domain/ports/context.ts'
import type { ImportOptions, ImportSource } from '../../domain/ports/import-source.ts'
import type { Reporting } from './import-report.ts'

export type Session = {
  readonly ctx: Context
  readonly source: ImportSource
  readonly options: ImportOptions
  readonly reporting: Reporting
  /** Users that are here under another id: id there → id here. */
  readonly sameUsers: Map<string, string>
  /** Keys of rows that were not taken, by collection. References to them are left out. */
  readonly gone: Map<string, Set<string>>
}

/** A key or another plain value as text. */
export const wordOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** Marks a row as not imported, and reports the error. */
export function markFailed({ reporting, gone }: Session, collection: string, key: unknown, error: unknown): void {
  gone.set(collection, (gone.get(collection) ?? new Set()).add(wordOf(key)))
  reporting.lose(collection, key, error)
}
