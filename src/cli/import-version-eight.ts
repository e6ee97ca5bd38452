/** `tandem import version-8`: the MySQL database and the files of an installation. */
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadGenerations } from '../app.ts'
import { loadConfig, loadSecret } from '../config/config.ts'
import { openConfigured } from '../config/database.ts'
import { ConfigError } from '../config/error.ts'
import { readProjectFile, readProjectsFolder } from '../config/projects/project-files.ts'
import { readProject } from '../config/projects/read-project.ts'
import { databaseAt, filesAt, readSourceSettings, type SourceDatabase } from '../config/projects/source-settings.ts'
import type { Config } from '../config/sections.ts'
import type { Context } from '../domain/ports/context.ts'
import type {
  InstallationImport,
  InstallationOptions,
  InstallationReport,
} from '../domain/ports/installation-import.ts'
import { dataDirOf } from '../projects/project-sources.ts'
import { migrate } from '../sql/schema/migrate.ts'
import { openMySql } from '../sql/sources/mysql/connection.ts'
import { type LocationOptions, openLocations } from '../storage/locations.ts'
import { createContext } from './context.ts'
import { print, quietLog } from './database.ts'
import { createRowProgress } from './progress.ts'

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

/** Exit code of an import that did not take everything. */
const isIncomplete = 4

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
    foreignKeys: options.foreignKeys,
    overwrite: options.overwrite,
    onProgress: progress.tell,
  }
  try {
    return await withImporter(config, async (ctx, importer) => {
      if (options.plan) {
        for (const line of await importer.plan(ctx, installationOptions)) print(line)
        return 0
      }
      return await tell(
        await importer[options.verify ? 'verify' : 'run'](ctx, installationOptions),
        options,
        progress.end,
      )
    })
  } finally {
    progress.end()
    originals?.close()
    await source.close()
  }
}

async function tell(
  { json, lines, isComplete }: InstallationReport,
  { report }: VersionEightOptions,
  end: () => void,
): Promise<number> {
  end()
  for (const line of lines) print(line)
  if (report !== undefined) await writeFile(report, `${JSON.stringify(json, null, 2)}\n`, { mode: 0o600 })
  return isComplete ? 0 : isIncomplete
}

type Source = { readonly database: SourceDatabase; readonly files: LocationOptions | null }

/** The storage of the originals. Of a bucket, the folder above may be named too, as of local files. */
async function openOriginals(files: LocationOptions): ReturnType<typeof openLocations> {
  if (files.driver === 's3') {
    const root = [files.root, 'originals'].filter((part) => part !== '').join('/')
    const inner = await openLocations([['originals', { ...files, root }]])
    for await (const _first of inner.locations.get('originals')?.list('') ?? []) return inner
    inner.close()
  }
  return openLocations([['originals', files]])
}

async function readSource({ from, config, files }: VersionEightOptions): Promise<Source> {
  if (config !== undefined && !(await isThere(config, 'isFile')))
    throw new ConfigError('--config', 'a configuration file that is there, such as api.php', config)
  const settings = config === undefined ? null : await readSourceSettings(config)
  const database = from === undefined ? settings?.database : databaseAt(from)
  if (database === undefined)
    throw new ConfigError('--from', 'mysql://user@host/name, or --config with api.php', 'nothing')
  if (database === null) throw new ConfigError('--from', 'mysql://user@host/name', 'something else')
  if (files === undefined) return { database, files: settings?.files ?? null }
  const found = filesAt(files)
  if (found === null) throw new ConfigError('--files', 'a folder, or s3://bucket/folder', files)
  if (found.driver === 'local' && !(await isThere(found.root, 'isDirectory')))
    throw new ConfigError('--files', 'a folder that is there', files)
  return { database, files: found }
}

const isThere = (path: string, kind: 'isFile' | 'isDirectory'): Promise<boolean> =>
  stat(path).then(
    (found) => found[kind](),
    () => false,
  )

/** The settings of the environment, or those of a project in PROJECTS_DIR. */
async function configOf(key: string): Promise<Config> {
  const config = loadConfig()
  const { projects } = config
  if (projects === null) {
    if (key === '_') return config
    throw new ConfigError('--project', '_, or PROJECTS_DIR with the configuration of the project', JSON.stringify(key))
  }
  const file = (await readProjectsFolder(projects.folder)).files.find((each) => each.key === key)
  if (file === undefined && key === '_') return config
  if (file === undefined) throw new ConfigError('--project', `a project of ${projects.folder}`, JSON.stringify(key))
  const contents = await readProjectFile(file)
  return readProject(
    { key, contents, dataDir: dataDirOf(key, config.dataDir), base: join(projects.folder, '..') },
    projects,
  )
}

async function withImporter<T>(
  config: Config,
  work: (ctx: Context, importer: InstallationImport) => Promise<T>,
): Promise<T> {
  const generation = (await loadGenerations(config)).find(({ installationImport }) => installationImport !== undefined)
  if (generation?.installationImport === undefined) throw new Error('No generation takes installations over')
  const db = await openConfigured(config, quietLog)
  try {
    await migrate(db, quietLog)
    const storage = await openLocations(config.storage)
    try {
      const { secret } = loadSecret(config)
      const ctx = await createContext(db, config, { generation, command: 'tandem import version-8', storage, secret })
      return await work(ctx, generation.installationImport)
    } finally {
      storage.close()
    }
  } finally {
    await db.close()
  }
}
