/** Projects, and what a request for one of them may touch. */
import type { Config } from './config.ts'
import { announce, receiveAnnouncements } from './core/announcements.ts'
import { type Authenticator, createAuthenticator } from './core/authenticator.ts'
import { createSchemaCache, type SchemaCache } from './core/schema.ts'
import type { Context, Log, SecuritySettings, ServerFacts } from './domain/context.ts'
import { TandemError } from './domain/errors.ts'
import type { Schema } from './domain/schema.ts'
import type { View } from './domain/view.ts'
import type { GenerationDefinition } from './http/generation.ts'
import type { HttpRequest } from './http/request.ts'
import type { Generation } from './http/server.ts'
import { ids } from './ids.ts'
import type { OpenDatabase } from './sql/database.ts'

/** What a request for one project is answered from. */
export type Project = {
  readonly key: string
  readonly db: OpenDatabase
  readonly schema: SchemaCache
  readonly authenticator: Authenticator
  readonly security: SecuritySettings
  readonly forgetActors: () => Promise<void>
}

/** The time of day. */
export const clock = (): Date => new Date()

/** Loads the schema and listens for what other replicas change. */
export async function openProject(
  db: OpenDatabase,
  config: Config,
  security: SecuritySettings,
  log: Log,
): Promise<Project> {
  const key = '_'
  const announcements = await receiveAnnouncements(db)
  const schema = await createSchemaCache(db, { exclude: config.excludeTables, log, announcements })
  const authenticator = createAuthenticator({ db, schema: () => schema.current(), clock, project: key, security, log })
  announcements.on('access', authenticator.forget)
  const forgetActors = async (): Promise<void> => {
    authenticator.forget()
    await announce(db, 'access')
  }
  return { key, db, schema, authenticator, security, forgetActors }
}

/** What the requests of all projects and generations have in common. */
type Shared = {
  readonly projects: ReadonlyMap<string, Project>
  readonly server: ServerFacts
  readonly limits: Config['limits']
  readonly log: Log
}

/** Gives a generation what a request may touch: its project's database, the schema as it sees it, who asks. */
export function toGeneration(definition: GenerationDefinition, shared: Shared): Generation {
  const { projects, server, limits, log } = shared
  const views = new WeakMap<Schema, View>()
  const viewOf = (schema: Schema): View => {
    const known = views.get(schema)
    if (known !== undefined) return known
    const made = definition.createView(schema)
    views.set(schema, made)
    return made
  }
  return {
    ...definition,
    async context(request, route, path): Promise<Context> {
      const key = definition.readProject(request, path)
      const project = projects.get(key)
      if (project === undefined) throw new TandemError({ kind: 'project-not-found', project: key })
      const { authenticator, db, security, forgetActors } = project
      const credentials =
        route.credentials === 'none'
          ? ({ kind: 'none' } as const)
          : definition.readCredentials(request, authenticator.read, key)
      const actor = await authenticator.authenticate(credentials, request.ip)
      const schema = project.schema.current()
      return {
        project: key,
        db,
        schema,
        view: viewOf(schema),
        actor,
        clock,
        ids,
        log,
        limits,
        request: toRequestFacts(request),
        server,
        security,
        forgetActors,
        schemas: project.schema,
      }
    },
  }
}

const toRequestFacts = ({ id, ip, headers }: HttpRequest): Context['request'] => ({
  id,
  ip,
  userAgent: (headers['user-agent'] as string | undefined) ?? null,
  origin: (headers['origin'] as string | undefined) ?? null,
})
