/** What the commands share that take installations of version 8 over: their files, the project here, and the report. */
import { stat, writeFile } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import { loadGenerations } from '../../app.ts'
import { loadConfig, loadSecret } from '../../config/config.ts'
import { openConfigured } from '../../config/database.ts'
import { ConfigError } from '../../config/error.ts'
import { readProjectFile, readProjectsFolder } from '../../config/projects/project-files.ts'
import { readProject } from '../../config/projects/read-project.ts'
import { filesAt, type SourceDatabase } from '../../config/projects/source-settings.ts'
import type { Config } from '../../config/sections.ts'
import { findTables } from '../../core/imports/tables-here.ts'
import type { Database } from '../../domain/ports/context.ts'
import type {
  InstallationImport,
  InstallationOptions,
  InstallationReport,
} from '../../domain/ports/installation-import.ts'
import { foldersOf } from '../../projects/project-sources.ts'
import { migrate } from '../../sql/schema/migrate.ts'
import { openMySql } from '../../sql/sources/mysql/connection.ts'
import { type LocationOptions, openLocations } from '../../storage/locations.ts'
import { createContext } from '../context.ts'
import { print, quietLog } from '../database.ts'
import { createRowProgress } from '../progress.ts'

/** Exit code of a command that did not take everything. */
const isIncomplete = 4

/** Prints the report, and writes it to the file. Returns the exit code. */
async function printReport({ json, lines, isComplete }: InstallationReport, file: string | undefined): Promise<number> {
  for (const line of lines) print(line)
  if (file !== undefined) await writeFile(file, `${JSON.stringify(json, null, 2)}\n`, { mode: 0o600 })
  return isComplete ? 0 : isIncomplete
}

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

/** The place that `--files` names. */
export async function filesNamed(files: string): Promise<LocationOptions> {
  const contents = filesAt(files)
  if (contents === null) throw new ConfigError('--files', 'a folder, or s3://bucket/folder', files)
  if (contents.driver === 'local' && !(await isThere(contents.root, 'isDirectory')))
    throw new ConfigError('--files', 'a folder that is there', files)
  return contents
}

export async function assertConfigFile(path: string): Promise<void> {
  if (await isThere(path, 'isFile')) return
  throw new ConfigError('--config', 'a configuration file that is there, such as api.php', path)
}

const isThere = (path: string, kind: 'isFile' | 'isDirectory'): Promise<boolean> =>
  stat(path).then(
    (options) => options[kind](),
    () => false,
  )

/** The settings of the environment, or those of a project in PROJECTS_DIR. */
export async function configOf(key: string, config: Config = loadConfig()): Promise<Config> {
  const { projects, projectKey: main } = config
  const wanted = key === '_' ? main : key
  if (projects === null) {
    if (wanted === main) return config
    throw new ConfigError('--project', '_, or PROJECTS_DIR with the configuration of the project', JSON.stringify(key))
  }
  const file = (await readProjectsFolder(projects.folder)).files.find((each) => each.key === wanted)
  if (file === undefined && wanted === main) return config
  if (file === undefined) throw new ConfigError('--project', `a project of ${projects.folder}`, JSON.stringify(key))
  const contents = await readProjectFile(file)
  return readProject({ key: wanted, contents, ...foldersOf(file, projects, config.dataDir) }, projects)
}

type Command = Omit<InstallationOptions, 'source' | 'files' | 'onProgress'> & {
  /** What history tells of the client. */
  readonly command: string
  readonly database: SourceDatabase
  /** Key of the project there; null: not known, or it has its own key here. */
  readonly key: string | null
  /** Where the originals are read from; null: they do not come along, or are in place. */
  readonly files: LocationOptions | null
  readonly plan: boolean
  readonly verb: 'run' | 'verify'
  /** A file for the report. */
  readonly report: string | undefined
}

/**
 * Most of what an import makes is gone at once. By itself the collector lets that grow to several times of what is in use
 * before it looks; an import that looks earlier needs half the memory, and a tenth more time. Where the heap is sized by
 * options of Node, they stand.
 */
function collectEarly(): void {
  if (process.execArgv.some((word) => /semi-space|old-space/.test(word))) return
  for (const flag of ['--semi-space-growth-factor=1', '--heap-growing-percent=50']) setFlagsFromString(flag)
}

/** Prints the plan, and leaves the database as it is, or does the work and prints the report. Returns the exit code. */
export async function runInstallation(
  config: Config,
  { command, database, key, files, plan, verb, report, ...options }: Command,
): Promise<number> {
  collectEarly()
  const source = await openMySql(database)
  const originals = files === null ? null : await openOriginals(files)
  const progress = createRowProgress()
  const own = originals?.locations.get('originals') ?? null
  const installationOptions: InstallationOptions = { ...options, source, files: own, onProgress: progress.tell }
  try {
    return await withDatabase(config, async ({ db, importer, storage, secret, generation }) => {
      if (!options.inPlace) await assertOther(db)
      if (plan) {
        const ctx = { db, storage, security: { ...config.security, secret } }
        for (const line of [...moveHints(config, key), ...(await importer.plan(ctx, installationOptions))]) print(line)
        return 0
      }
      await migrate(db, quietLog)
      const ctx = await createContext(db, config, { generation, command, storage, secret })
      const done = await importer[verb](ctx, installationOptions)
      progress.end()
      return printReport({ ...done, lines: [...(verb === 'run' ? moveHints(config, key) : []), ...done.lines] }, report)
    })
  } finally {
    progress.end()
    originals?.close()
    await source.close()
  }
}

/**
 * What clients lose by the settings here. Version 8 showed each file to everybody, let pages of any origin call it, and
 * had the key of its project in addresses.
 */
function moveHints({ assets, http, projectKey }: Config, key: string | null): readonly string[] {
  const [hash, names] = [
    assets.openByHash ? '' : 'ASSETS_PRIVATE_HASH=open ',
    assets.openByName ? '' : 'ASSETS_FILE_NAMES=open ',
  ]
  const files = `Files: version 8 showed them to everybody, here callers see what they may read. ${hash}${names}opens them.`
  const pages =
    'Browsers: version 8 let pages of any origin call it, here CORS_ENABLED=true and CORS_ORIGIN say which may.'
  const paths = `Addresses: version 8 has them below /${key}/, as PROJECT_KEY=${key} does here.`
  return [
    ...(key === null || key === projectKey ? [] : [paths]),
    ...(hash + names === '' ? [] : [files]),
    ...(http.cors === null ? [pages] : []),
  ]
}

/** An installation is only read: its own database is no target. */
async function assertOther(db: Database): Promise<void> {
  if (!(await findTables(db)).has('directus_collections')) return
  const expected =
    'another database than that of an installation of version 8, which "tandem adopt version-8" serves in place'
  throw new ConfigError('DB_DATABASE', expected, 'one with directus_collections')
}

type Open = {
  readonly db: Awaited<ReturnType<typeof openConfigured>>
  readonly storage: Awaited<ReturnType<typeof openLocations>>
  readonly secret: string
  readonly importer: InstallationImport
  readonly generation: Awaited<ReturnType<typeof loadGenerations>>[number]
}

async function withDatabase<T>(config: Config, work: (open: Open) => Promise<T>): Promise<T> {
  const generation = (await loadGenerations(config)).find(({ installationImport }) => installationImport !== undefined)
  if (generation?.installationImport === undefined) throw new Error('No generation takes installations over')
  const db = await openConfigured(config, quietLog)
  try {
    const storage = await openLocations(config.storage)
    try {
      const { secret } = loadSecret(config)
      return await work({ db, storage, secret, generation, importer: generation.installationImport })
    } finally {
      storage.close()
    }
  } finally {
    await db.close()
  }
}
