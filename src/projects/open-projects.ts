import { basename } from 'node:path'
import { ConfigError } from '../config/error.ts'
import { readProjectsFolder } from '../config/projects/project-files.ts'
import type { Config } from '../config/sections.ts'
import type { OpenDatabase } from '../sql/database.ts'
import { manageProjects } from './manage-projects.ts'
import { openProject } from './open-project.ts'
import type { Dependencies } from './project.ts'
import { environmentEntry, type FileSource, fileEntry, type Watch, watchProjects } from './project-sources.ts'
import { createRegistry, type Registry } from './registry.ts'

export type ProjectsOfProcess = {
  readonly registry: Registry
  /** Opens the projects of the folder, and follows it from then on. `reserved`: paths that no project may have. */
  readonly start: (reserved: ReadonlySet<string>) => Promise<void>
  readonly close: (left: () => number) => Promise<void>
}

/**
 * Opens the default project. It must open if the environment configures it; a file may be put right later. `given`
 * replaces the configured database of the default project.
 */
export async function openProjects(
  config: Config,
  around: Dependencies,
  openDatabase?: OpenDatabase,
): Promise<ProjectsOfProcess> {
  const { projectKey: main } = config
  const registry = createRegistry(around.log, main)
  const opening = { ...around, ...(openDatabase === undefined ? {} : { openedDatabase: openDatabase }) }
  if (config.projects === null) {
    registry.add(environmentEntry(config, opening), await openProject(main, config, opening))
    return { registry, start: async (reserved) => assertFree(main, reserved), close: registry.close }
  }
  const busy = new Set<string>()
  const state = { reserved: new Set<string>() as ReadonlySet<string> }
  const source = { settings: config.projects, dataDir: config.dataDir, around }
  const projects = manageProjects({ busy, registry, reserved: () => state.reserved, source })
  const all: FileSource = { ...source, around: { ...around, projects } }
  const { files } = await readProjectsFolder(config.projects.folder)
  const file = files.find(({ key }) => key === main)
  const hidden = main === '_' ? undefined : files.find(({ key }) => key === '_')
  if (hidden !== undefined)
    around.log.warn({}, `${basename(hidden.path)} is not served: PROJECT_KEY makes "_" another name of "${main}"`)
  if (file !== undefined) {
    warnOfAdministrator(config, basename(file.path), around.log)
    registry.add(fileEntry(file, all))
  } else {
    const own = { ...opening, projects }
    registry.add(environmentEntry(config, own), await openProject(main, config, own))
  }
  let watch: Watch | null = null
  return {
    registry,
    async start(reserved) {
      assertFree(main, reserved)
      state.reserved = reserved
      watch = watchProjects({ source: all, registry, reserved, busy, log: around.log })
      await watch.look()
    },
    async close(left) {
      await watch?.close()
      await registry.close(left)
    },
  }
}

function assertFree(main: string, reserved: ReadonlySet<string>): void {
  if (reserved.has(main)) throw new ConfigError('PROJECT_KEY', 'a key that is no path of the server', main)
}

/** The settings of the server name the administrator of its own project only. */
function warnOfAdministrator({ admin }: Config, file: string, log: Dependencies['log']): void {
  const credentials = { ADMIN_TOKEN: admin?.token, ADMIN_PASSWORD: admin?.password }
  for (const [name, value] of Object.entries(credentials)) {
    if (value == null) continue
    const attribute = `"${name.slice('ADMIN_'.length).toLowerCase()}" of "admin"`
    log.warn({}, `${name} has no effect: the default project is that of ${file}, where ${attribute} takes its place`)
  }
}
