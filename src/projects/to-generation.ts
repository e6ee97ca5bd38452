/** Connects a generation to the projects of the process. */
import type { UsedOperation } from '../core/usage/usage.ts'
import { memoizeBy } from '../domain/memoize.ts'
import type { Context } from '../domain/ports/context.ts'
import type { Images } from '../domain/ports/images.ts'
import type { Resumable } from '../domain/ports/resumable.ts'
import type { Schema } from '../domain/schema/schema.ts'
import type { View } from '../domain/schema/view.ts'
import { withKeys } from '../http/app/batch/keyed.ts'
import type { GenerationDefinition } from '../http/app/generation.ts'
import type { AnyHandler } from '../http/app/handlers.ts'
import { type FindKeeping, keepAnswers } from '../http/app/response-cache.ts'
import type { Generation } from '../http/app/served-generation.ts'
import type { HttpRequest } from '../http/request/request.ts'
import type { RetirementSettings } from '../http/settings.ts'
import { ids } from '../ids.ts'
import { isOutdated } from '../sql/errors/errors.ts'
import { noteCommits } from '../sql/note-commits.ts'
import { sqlRows } from '../sql/run/sql-rows.ts'
import { clock } from './open-project.ts'
import type { Registry } from './registry.ts'

/** What the requests of all projects and generations have in common. */
export type Shared = {
  readonly projects: Pick<Registry, 'get' | 'open'>
  /** Null where no project keeps answers. */
  readonly findKeeping: FindKeeping | null
  readonly images: Images
  readonly resumable: Resumable
  readonly retirement: RetirementSettings
}

/** Gives a generation what a request may touch: its project's database, the schema as it sees it, who asks. */
export function toGeneration(definition: GenerationDefinition, shared: Shared): Generation {
  const { projects, images, resumable } = shared
  const viewOf = memoizeBy((schema: Schema): View => definition.createView(schema))
  const generation: Generation = {
    ...definition,
    ...retire(definition, shared),
    async context(request, route, path): Promise<Context> {
      const project = projects.get(request.project) ?? (await projects.open(request.project))
      const { authenticator, allowances, shares, security, storage, outbound, forgetActors, config } = project
      request.probe?.isOf(project.key)
      const credentials =
        route.credentials === 'none'
          ? ({ kind: 'none' } as const)
          : definition.readCredentials(request, authenticator.read, project.key)
      const actor = await authenticator.authenticate(credentials, request.ip)
      const key = actor.kind === 'user' ? actor.key : undefined
      const allowance = key === undefined ? null : await allowances.begin(key, (notice) => request.tell?.(notice))
      const schema = project.schema.current()
      const isRead = reading.has(request.method)
      const db = shares(actor, request.ip)
      const noted: Pick<Context, 'db' | 'committed'> = isRead ? { db } : noteCommits(db)
      // Nothing is spread into it: the engine would define what comes after that one by one, at 5 µs a request.
      return {
        project: project.key,
        db: noted.db,
        rows: sqlRows,
        committed: noted.committed,
        position: isRead ? undefined : project.db.position,
        schema,
        view: viewOf(schema),
        actor,
        clock,
        ids,
        log: project.log,
        mail: project.mail,
        limits: config.limits,
        allowance,
        request: toRequestFacts(request),
        stopwatch: request.stopwatch,
        asker: isRead ? request : undefined,
        server: project.server,
        security,
        storage,
        images,
        assets: config.assets,
        files: config.files,
        outbound,
        resumable,
        forgetActors,
        schemas: project.schema,
        feed: project.feed,
        webhooks: project.webhooks,
        subscriptions: project.subscriptions,
        usage: project.clientUsage?.begin(usedBy(request, definition.name, route.operationId)),
        again: () => generation.context(request, route, path),
        attempts: project.attempts,
        keys: config.keys,
        providers: project.providers,
      }
    },
    async renew(ctx, error): Promise<Context | null> {
      const source = projects.get(ctx.project)?.schema
      if (source === undefined || ctx.committed?.() === true || !isOutdated(error)) return null
      const schema = source.current() === ctx.schema ? await source.refresh().catch(() => ctx.schema) : source.current()
      return schema === ctx.schema ? null : { ...ctx, schema, view: viewOf(schema) }
    },
  }
  return generation
}

/**
 * The handlers, with counted calls if another generation follows this one, and what the settings say about its end. An
 * answer from the cache counts too.
 */
function retire(
  { retirement, ...definition }: GenerationDefinition,
  { findKeeping, projects, retirement: settings }: Shared,
): Pick<Generation, 'handlers' | 'plainHandlers' | 'announce' | 'refuse'> {
  const plainHandlers = definition.handlers
  // What an answer purges from the cache is purged after the commit.
  const keyed = { ...definition, handlers: withKeys(definition) }
  const handlers = findKeeping === null ? keyed.handlers : keepAnswers(keyed, findKeeping)
  if (retirement === undefined) return { handlers, plainHandlers }
  const { announce, refuse, stays } = retirement
  const counted = Object.entries(handlers).map(([id, handler]): [string, AnyHandler] => {
    if (stays(id)) return [id, handler]
    return [
      id,
      (ctx, input) => {
        projects.get(ctx.project)?.usage.note(ctx, id)
        return handler(ctx, input)
      },
    ]
  })
  const { since, sunset, isServed } = settings
  return {
    handlers: Object.fromEntries(counted),
    plainHandlers,
    announce: since === null ? undefined : (request, id) => (stays(id) ? {} : announce(request, id, { since, sunset })),
    refuse: isServed ? undefined : (request, id) => (stays(id) ? null : refuse(request, id)),
  }
}

const usedBy = ({ headers }: HttpRequest, generation: string, operation: string): UsedOperation => ({
  client: (headers['x-client'] as string | undefined) ?? null,
  userAgent: (headers['user-agent'] as string | undefined) ?? null,
  generation,
  operation,
})

/** Methods whose work is of no use to anybody without the answer. */
const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'SEARCH'])

const toRequestFacts = ({ id, ip, headers }: HttpRequest): Context['request'] => ({
  id,
  ip,
  userAgent: (headers['user-agent'] as string | undefined) ?? null,
  origin: (headers['origin'] as string | undefined) ?? null,
})
