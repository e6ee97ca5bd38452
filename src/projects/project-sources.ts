/** Where projects come from: the environment, and the files of a folder. */
import { dirname, join } from 'node:path'
import { ConfigError } from '../config/error.ts'
import { ProjectError } from '../config/projects/error.ts'
import {
  isProjectKey,
  type ProjectFile,
  readProjectFile,
  readProjectsFolder,
} from '../config/projects/project-files.ts'
import { readProject } from '../config/projects/read-project.ts'
import type { Config, ProjectsSettings } from '../config/sections.ts'
import { repeatEvery } from '../core/recurring.ts'
import type { Log } from '../domain/ports/context.ts'
import { TandemError } from '../domain/rights/errors.ts'
import type { OpenDatabase } from '../sql/database.ts'
import { openProject } from './open-project.ts'
import type { Dependencies } from './project.ts'
import { type Entry, type Registry, retryAfter, unavailable } from './registry.ts'

export const environmentEntry = (
  config: Config,
  around: Dependencies & { readonly openedDatabase?: OpenDatabase },
): Entry => ({
  key: config.projectKey,
  file: null,
  isHidden: false,
  open: () => openProject(config.projectKey, config, around),
  toFault: toFault(config.projectKey),
})

export type FileSource = {
  readonly settings: ProjectsSettings
  /** Data directory of the server. */
  readonly dataDir: string
  readonly around: Dependencies
}

/** The project of a file. It is read each time the project is opened. */
export function fileEntry(file: ProjectFile, { settings, dataDir, around }: FileSource): Entry {
  const { key, kind, isPrivate } = file
  return {
    key,
    file: kind,
    isHidden: isPrivate || (key !== '_' && key.startsWith('_')),
    async open() {
      const contents = await readProjectFile(file).catch((error: unknown) => {
        throw new ProjectError('the file', 'a configuration', error instanceof Error ? error.message : 'an error')
      })
      return openProject(key, readProject({ key, contents, ...foldersOf(file, settings, dataDir) }, settings), around)
    },
    toFault: toFault(key),
  }
}

/** Folder of the project's own data. */
export const dataDirOf = (key: string, dataDir: string): string =>
  key === '_' ? dataDir : join(dataDir, 'projects', key)

/** That folder, and the one that paths of the file are relative to: version 8 keeps its files in the installation. */
export function foldersOf(
  { key, kind }: Pick<ProjectFile, 'key' | 'kind'>,
  { folder }: Pick<ProjectsSettings, 'folder'>,
  dataDir: string,
): { readonly dataDir: string; readonly base: string } {
  const own = dataDirOf(key, dataDir)
  return { dataDir: own, base: kind === 'php' ? dirname(folder) : own }
}

/** Callers learn what kind of problem there is; the log has the rest. */
const toFault =
  (key: string) =>
  (error: unknown): TandemError => {
    const reason = `The project "${key}" is not configured properly`
    if (error instanceof ProjectError)
      return new TandemError({ kind: 'project-fault', problem: error.problem, reason }, { cause: error })
    if (error instanceof ConfigError)
      return new TandemError({ kind: 'project-fault', problem: 'settings', reason }, { cause: error })
    const unreached = `The database of the project "${key}" cannot be reached`
    if (isUnreachable(error))
      return new TandemError(
        { kind: 'project-fault', problem: 'connection', reason: unreached, retryAfter },
        { cause: error },
      )
    return unavailable(`The project "${key}" cannot be opened`, error)
  }

/** Whether the database of the project could not be reached, or refused the connection. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof TandemError &&
  error.failures.some((failure) => failure.kind === 'unavailable' && failure.service === 'database')

/** Milliseconds between two looks at the folder. */
const pause = 2_000

export type Watching = {
  readonly source: FileSource
  readonly registry: Registry
  /** First path segments that are taken. */
  readonly reserved: ReadonlySet<string>
  /** Keys that a request creates or deletes at present. */
  readonly busy: ReadonlySet<string>
  readonly log: Log
}

export type Watch = { readonly look: () => Promise<void>; readonly close: () => Promise<void> }

/** Follows the folder: files that were added or removed, and flags of maintenance. */
export function watchProjects({ source, registry, reserved, busy, log }: Watching): Watch {
  const names = new Set<string>()
  const warn = (key: string, message: string): void => {
    if (!names.has(key)) log.warn({ project: key }, message)
    names.add(key)
  }
  const work = async (): Promise<void> => {
    const { files, resting, ignored } = await readProjectsFolder(source.settings.folder)
    for (const name of ignored) warn(name, 'A configuration file is ignored: its key needs lower case')
    registry.rest(resting)
    const present = new Set(files.map(({ key }) => key))
    for (const { key, file } of registry.entries()) {
      if (file === null || present.has(key) || busy.has(key)) continue
      const project = await registry.take(key)
      await project?.close(() => pause)
    }
    for (const file of files) {
      if (registry.has(file.key) || busy.has(file.key)) continue
      if (reserved.has(file.key)) warn(file.key, 'A project is not served: its key is a path of the server')
      else registry.add(fileEntry(file, source))
    }
    await registry.openAll()
  }
  const { run: look, close } = repeatEvery(pause, () =>
    work().catch((error: unknown) => log.error({ err: error }, 'The folder of projects cannot be read')),
  )
  return { look, close }
}

/** The key in the form that files have. Throws for one that cannot be in the name of a file. */
export function toProjectKey(text: string): string {
  const key = text.toLowerCase()
  if (isProjectKey(key)) return key
  const reason = `Expected letters, digits, "_" and "-" for "project" but received ${JSON.stringify(text.slice(0, 80))}`
  throw new TandemError({ kind: 'project-fault', problem: 'file', reason })
}
