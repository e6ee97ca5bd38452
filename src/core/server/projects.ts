/** The projects of the server, managed by holders of its super-admin token. */
import type { Context } from '../../domain/ports/context.ts'
import type { NewProject, Projects } from '../../domain/ports/projects.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'

type ProjectContext = Pick<Context, 'project' | 'server'>

/** Keys of the projects that are not private. */
export const listProjects = ({ project, server }: ProjectContext): readonly string[] =>
  server.projects?.list() ?? [project]

/** Creates a project. Throws `unauthenticated` for a wrong token. */
export async function createProject(
  ctx: ProjectContext,
  token: string | undefined,
  project: NewProject,
): Promise<void> {
  await managed(ctx, token).create(project)
}

/** Deletes the system tables and the configuration of a project. Throws `unauthenticated` for a wrong token. */
export async function deleteProject(ctx: ProjectContext, token: string | undefined, key: string): Promise<void> {
  await managed(ctx, token).remove(key)
}

function managed({ server: { projects } }: ProjectContext, token: string | undefined): Projects {
  if (projects === undefined) throw new TandemError({ kind: 'forbidden', reason: 'PROJECTS_DIR is not set' })
  if (token === undefined || token === '') {
    throw invalidPayload('super_admin_token', 'super_admin_token: This value should not be blank.')
  }
  if (!projects.isSuperAdmin(token)) throw new TandemError({ kind: 'unauthenticated' })
  return projects
}
