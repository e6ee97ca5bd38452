/** `tandem import version-8`: the MySQL database and the files of an installation. */
import { ConfigError } from '../../config/error.ts'
import { databaseAt, readSourceSettings, type SourceDatabase } from '../../config/projects/source-settings.ts'
import type { InstallationOptions } from '../../domain/ports/installation-import.ts'
import { openMySql } from '../../sql/sources/mysql/connection.ts'
import type { LocationOptions } from '../../storage/locations.ts'
import { print } from '../database.ts'
import { createRowProgress } from '../progress.ts'
import {
  assertConfigFile,
  configOf,
  filesNamed,
  importWith,
  openOriginals,
  planWith,
  printReport,
} from './installation.ts'

export type VersionEightOptions = {
  readonly from?: string
  readonly config?: string
  readonly files?: string
  readonly project: string
  readonly report?: string
  readonly plan: boolean
  readonly verify: boolean
  readonly foreignKeys: boolean
  readonly filesInPlace: boolean
  readonly overwrite: boolean
}

/** Prints the plan, or imports and prints the report. Returns the exit code. */
export async function importVersionEight(options: VersionEightOptions): Promise<number> {
  const { database, files } = await readSource(options)
  const config = await configOf(options.project)
  const source = await openMySql(database)
  const originals = files === null || options.filesInPlace ? null : await openOriginals(files)
  const progress = createRowProgress()
  const installationOptions: InstallationOptions = {
    source,
    files: originals?.locations.get('originals') ?? null,
    filesInPlace: options.filesInPlace,
    inPlace: false,
    foreignKeys: options.foreignKeys,
    overwrite: options.overwrite,
    onProgress: progress.tell,
  }
  try {
    if (options.plan) {
      for (const line of await planWith(config, (ctx, importer) => importer.plan(ctx, installationOptions))) print(line)
      return 0
    }
    const report = await importWith(config, 'tandem import version-8', (ctx, importer) =>
      importer[options.verify ? 'verify' : 'run'](ctx, installationOptions),
    )
    progress.end()
    return await printReport(report, options.report)
  } finally {
    progress.end()
    originals?.close()
    await source.close()
  }
}

type Source = { readonly database: SourceDatabase; readonly files: LocationOptions | null }

async function readSource({ from, config, files }: VersionEightOptions): Promise<Source> {
  if (config !== undefined) await assertConfigFile(config)
  const settings = config === undefined ? null : await readSourceSettings(config)
  const database = from === undefined ? settings?.database : databaseAt(from)
  if (database === undefined)
    throw new ConfigError('--from', 'mysql://user@host/name, or --config with api.php', 'nothing')
  if (database === null) throw new ConfigError('--from', 'mysql://user@host/name', 'something else')
  return { database, files: files === undefined ? (settings?.files ?? null) : await filesNamed(files) }
}
