/** Another project whose model, rows and files are imported, and the reports of an import. */
import type { Readable } from 'node:stream'
import type { Context } from './context.ts'

/** A row as the other project shows it: JSON values by field. */
export type SourceRow = { readonly [field: string]: unknown }

/** Which rows are read, and which of their fields; null = all fields. `key`: the field they are ordered by. */
export type SourceOptions = {
  /** Name there, such as `directus_roles` or `articles`. */
  readonly collection: string
  readonly fields: readonly string[] | null
  readonly key: string | null
  /** A filter in the syntax of the current API. Sources without queries show all rows. */
  readonly filter?: object
}

export type ImportSource = {
  /** What people call it: an address or a folder. */
  readonly name: string
  /** The data model, as a snapshot of the platform. */
  readonly snapshot: () => Promise<{ readonly [key: string]: unknown }>
  /** All rows, in pages. Throws `SourceRefusal` if the project does not show the collection. */
  readonly rows: (options: SourceOptions) => AsyncIterable<readonly SourceRow[]>
  /** Number of rows; null if the project does not show the collection. */
  readonly count: (collection: string, filter?: object) => Promise<number | null>
  /** Contents of a file; null if there are none. */
  readonly contents: (file: SourceRow) => Promise<Readable | null>
  /** Facts about users that only the project's database has; null without access to that database. */
  readonly secrets: (() => Promise<readonly UserSecrets[]>) | null
  /** Hashes of the passwords of shares, by the id in lower case; null without access to that database. */
  readonly sharePasswords: (() => Promise<ReadonlyMap<string, string>>) | null
}

/** Secrets of a user: a password as a hash, the others as plain texts. */
export type UserSecrets = {
  readonly id: string
  readonly password: string | null
  readonly token: string | null
  readonly tfa_secret: string | null
}

/** The project answered without the requested data. */
export class SourceRefusal extends Error {
  override readonly name = 'SourceRefusal'
  /** Versions of the platform do not all have the same collections. */
  readonly isAbsent: boolean

  constructor(message: string, { isAbsent = false }: { readonly isAbsent?: boolean } = {}) {
    super(message)
    this.isAbsent = isAbsent
  }
}

export type ImportedTable = {
  readonly collection: string
  /** Rows that the source has. */
  readonly source: number
  /** Those of them that are here at the end. */
  readonly here: number
  readonly created: number
  readonly updated: number
}

export type ImportReport = {
  readonly tables: readonly ImportedTable[]
  /** What was skipped or changed, and why. */
  readonly notes: readonly string[]
  /** Whether everything was imported, apart from what is never imported. */
  readonly isWhole: boolean
}

/** What an import would do, as lines for people. */
export type ImportPlan = { readonly lines: readonly string[] }

export type ImportOptions = {
  /** Whether rows that are here already, and differ, are overwritten. */
  readonly update: boolean
  readonly onProgress: (collection: string, done: number) => void
}

/** Imports other projects, for the command line. */
export type ProjectImport = {
  readonly plan: (ctx: Context, source: ImportSource) => Promise<ImportPlan>
  /** Can be repeated: rows are identified by their keys. After an interruption a further run imports the rest. */
  readonly run: (ctx: Context, source: ImportSource, options: ImportOptions) => Promise<ImportReport>
}
