/** Takes another server's database and files over, for the command line. */
import type { Context } from './context.ts'
import type { Storage } from './storage.ts'
import type { TableSource } from './table-source.ts'

export type InstallationOptions = {
  readonly source: TableSource
  /** The originals of the installation; null where the contents are in place, or do not come along. */
  readonly files: Storage | null
  readonly filesInPlace: boolean
  /** Whether the tables of the source are those of the database here: they stay as they are, and their rows are served. */
  readonly inPlace: boolean
  /** Whether relations become foreign keys. */
  readonly foreignKeys: boolean
  /** Whether changes since an earlier run may be overwritten. */
  readonly overwrite: boolean
  readonly onProgress: (table: string, done: number) => void
}

export type InstallationReport = {
  /** For programs. */
  readonly json: object
  /** For people. */
  readonly lines: readonly string[]
  /** Whether everything here equals the source. */
  readonly isComplete: boolean
}

/** The part of a context that a plan needs: the database may be without system tables. */
export type PlanContext = Pick<Context, 'db' | 'security' | 'storage'>

export type InstallationImport = {
  /** What an import would do; nothing is written. */
  readonly plan: (ctx: PlanContext, options: InstallationOptions) => Promise<readonly string[]>
  /** Can be repeated: it writes what differs. */
  readonly run: (ctx: Context, installationOptions: InstallationOptions) => Promise<InstallationReport>
  /** Compares only. */
  readonly verify: (ctx: Context, options: InstallationOptions) => Promise<InstallationReport>
}
