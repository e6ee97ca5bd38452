/** Opens the projects of the process. */
import { readProjectsFolder } from '../config/projects/project-files.ts'
import type { Config } from '../config/sections.ts'
import type { OpenDatabase } from '../sql/database.ts'
import { manageProjects } from './manage-projects.ts'
import { type Dependencies, openProject } from './open-project.ts'
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
  const registry = createRegistry(around.log)
  const opening = { ...around, ...(openDatabase === undefined ? {} : { given: openDatabase }) }
  if (config.projects === null) {
    registry.add(environmentEntry(config, opening), await openProject('_', config, opening))
    return { registry, start: () => Promise.resolve(), close: registry.close }
  }
  const busy = new Set<string>()
  const taken = { reserved: new Set<string>() as ReadonlySet<string> }
  const source = { settings: config.projects, dataDir: config.dataDir, around }
  const projects = manageProjects({ busy, registry, reserved: () => taken.reserved, source })
  const all: FileSource = { ...source, around: { ...around, projects } }
  const { files } = await readProjectsFolder(config.projects.folder)
  const file = files.find(({ key }) => key === '_')
  if (file !== undefined) registry.add(fileEntry(file, all))
  else {
    const own = { ...opening, projects }
    registry.add(environmentEntry(config, own), await openProject('_', config, own))
  }
  let watch: Watch | null = null
  return {
    registry,
    async start(reserved) {
      taken.reserved = reserved
      watch = watchProjects({ source: all, registry, reserved, busy, log: around.log })
      await watch.look()
    },
    async close(left) {
      await watch?.close()
      await registry.close(left)
    },
  }
}
