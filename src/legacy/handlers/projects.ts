import { createProject, deleteProject, listProjects } from '../../core/server/projects.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { LegacyProjectsOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { json } from '../../http/reply/reply.ts'
import { toNewProject } from '../model/new-project.ts'

type Creation = LegacyProjectsOperations['createProject']['input']

const create = async (ctx: Pick<Context, 'project' | 'server'>, { body }: Creation) => {
  await createProject(ctx, body.super_admin_token, toNewProject(body))
  return json({ public: true as const })
}

export const projects = {
  async readProjects(ctx) {
    return json({ data: [...listProjects(ctx)], public: true as const })
  },

  createProject: create,
  installProject: create,

  async deleteProject(ctx, { path, query }) {
    await deleteProject(ctx, query.super_admin_token, path.key)
    return json({ public: true as const })
  },
} satisfies Handlers<LegacyProjectsOperations>
