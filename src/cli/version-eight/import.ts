/** `tandem import version-8`: the MySQL database and the files of an installation. */
import { ConfigError } from '../../config/error.ts'
import { projectKeyOf } from '../../config/projects/project-files.ts'
import { databaseAt, readSourceSettings, type SourceDatabase } from '../../config/projects/source-settings.ts'
import type { LocationOptions } from '../../storage/locations.ts'
import { assertConfigFile, configOf, filesNamed, runInstallation } from './installation.ts'

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
  return runInstallation(await configOf(options.project), {
    command: 'tandem import version-8',
    database,
    files: options.filesInPlace ? null : files,
    filesInPlace: options.filesInPlace,
    key: options.config === undefined || options.project !== '_' ? null : projectKeyOf(options.config),
    inPlace: false,
    foreignKeys: options.foreignKeys,
    overwrite: options.overwrite,
    plan: options.plan,
    verb: options.verify ? 'verify' : 'run',
    report: options.report,
  })
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
