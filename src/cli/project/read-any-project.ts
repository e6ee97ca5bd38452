/** Reads a folder of files of this program, or of another tool, which is recognised by its files. */
import type { ConfigurationModel, FileKind, ProjectDocument } from '../../domain/ports/configuration.ts'
import { readForeign } from './foreign-folder.ts'
import { convertForeign } from './foreign-project.ts'
import { type ReadProject, readProject } from './project-folder.ts'
import type { Variables } from './project-secrets.ts'

/** `note`: what a reader of the output should know; null = nothing. */
export type AnyProject = ReadProject & { readonly note: string | null }

/** Throws an error that names the file or the entry, what was expected and what came. */
export async function readAnyProject(
  root: string,
  model: ConfigurationModel,
  variables: Variables,
): Promise<AnyProject> {
  const foreign = await readForeign(root)
  if (foreign === null) return { ...(await readProject(root, model, variables)), note: null }
  const { document, leftOut } = convertForeign(foreign, model)
  assertValid(document, model)
  const left = leftOut.length === 0 ? '' : `; left out: ${leftOut.join(', ')}`
  return { document, secrets: new Set(), missing: [], files: [], note: `A folder of ${foreign.tool}${left}` }
}

/** The same checks as for files. */
function assertValid(document: ProjectDocument, model: ConfigurationModel): void {
  const check = (kind: FileKind, value: unknown, name: string): void => {
    const fault = model.check(kind, value)
    if (fault !== null) throw new Error(`${kind} "${name}": "${fault.path.join('.')}" ${fault.reason}`)
  }
  for (const [name, entry] of Object.entries(document.collections))
    check('collection', { ...entry, collection: name }, name)
  for (const [name, entry] of Object.entries(document.roles)) check('role', { ...entry, role: name }, name)
  for (const [name, entry] of Object.entries(document.policies)) check('policy', { ...entry, policy: name }, name)
  for (const [name, entry] of Object.entries(document.dashboards))
    check('dashboard', { ...entry, dashboard: name }, name)
  if (document.settings !== null) check('settings', document.settings, 'settings')
  if (document.presets !== null) check('presets', document.presets, 'presets')
}
