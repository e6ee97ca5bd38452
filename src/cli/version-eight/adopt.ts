/** `tandem adopt version-8`: an installation is served in its own database, beside the server of version 8. */
import { basename, dirname, resolve } from 'node:path'
import { loadConfig, readEnvironment } from '../../config/config.ts'
import { ConfigError } from '../../config/error.ts'
import { projectKeyOf } from '../../config/projects/project-files.ts'
import { databaseAt, readSourceSettings, type SourceDatabase } from '../../config/projects/source-settings.ts'
import type { Config } from '../../config/sections.ts'
import type { LocationOptions } from '../../storage/locations.ts'
import { assertConfigFile, configOf, filesNamed, runInstallation } from './installation.ts'

export type AdoptOptions = {
  readonly url?: string
  readonly config?: string
  readonly files?: string
  readonly report?: string
  readonly plan: boolean
  readonly overwrite: boolean
}

/** Prints the plan, or takes the system rows over and prints the report. Returns the exit code. */
export async function adoptVersionEight(options: AdoptOptions): Promise<number> {
  const { config, database } = await readPlace(options)
  if (config.database.kind !== 'mysql')
    throw new ConfigError('--config', 'the configuration of a MySQL or MariaDB database', config.database.kind)
  const files = options.files === undefined ? null : await filesNamed(options.files)
  const filesInPlace = files === null ? options.config !== undefined : isStorage(config, files)
  return runInstallation(config, {
    command: 'tandem adopt version-8',
    database,
    files: filesInPlace ? null : files,
    filesInPlace,
    key: null,
    inPlace: true,
    foreignKeys: false,
    overwrite: options.overwrite,
    plan: options.plan,
    verb: 'run',
    report: options.report,
  })
}

type AdoptTarget = { readonly config: Config; readonly database: SourceDatabase }

/** The settings with which the server will serve the database, and its address. */
async function readPlace({ url, config }: AdoptOptions): Promise<AdoptTarget> {
  if (config !== undefined) return readProjectPlace(config)
  const database = url === undefined ? undefined : databaseAt(url)
  if (database === undefined || url === undefined)
    throw new ConfigError('--url', 'mysql://user@host/name, or --config with api.php', 'nothing')
  if (database === null) throw new ConfigError('--url', 'mysql://user@host/name', 'something else')
  const settings = { ...readEnvironment(), DB_CLIENT: 'mysql', DB_CONNECTION_STRING: url }
  return { config: loadConfig(settings), database }
}

/** A configuration file is that of a project in its folder. */
async function readProjectPlace(path: string): Promise<AdoptTarget> {
  await assertConfigFile(path)
  const { database } = await readSourceSettings(path)
  const key = projectKeyOf(path)
  if (key === null)
    throw new ConfigError(
      '--config',
      'a file such as api.php, api.<key>.php or <key>.php',
      JSON.stringify(basename(path)),
    )
  const folder = dirname(resolve(path))
  const server = loadConfig({ ...readEnvironment(), PROJECTS_DIR: folder })
  return { config: await configOf(key, server), database }
}

/** Whether the files are where the server keeps its own. */
const isStorage = ({ storage }: Config, files: LocationOptions): boolean => {
  const [, first] = storage[0] ?? []
  return first?.driver === 'local' && files.driver === 'local' && resolve(first.root) === resolve(files.root)
}
