/** Connects a generation to the projects of the process. */
import { memoizeBy } from '../domain/memoize.ts'
import type { Context } from '../domain/ports/context.ts'
import type { Schema } from '../domain/schema/schema.ts'
import type { View } from '../domain/schema/view.ts'
import { withKeys } from '../http/app/batch/keyed.ts'
import type { GenerationDefinition } from '../http/app/generation.ts'
import type { AnyHandler } from '../http/app/handlers.ts'
import { type FindResponseCache, withResponseCache } from '../http/app/response-cache.ts'
import type { Generation } from '../http/app/served-generation.ts'
import type { RetirementSettings } from '../http/settings.ts'
import { isOutdated } from '../sql/errors/errors.ts'
import { createAuthenticate, type SharedByRequests } from './authenticate.ts'

export type Shared = SharedByRequests & {
  /** Null where no project keeps answers. */
  readonly findResponseCache: FindResponseCache | null
  readonly retirement: RetirementSettings
}

/** Completes a generation with the authentication of its requests, and with newer contexts after changes of the schema. */
export function toGeneration(definition: GenerationDefinition, shared: Shared): Generation {
  const { projects } = shared
  const viewOf = memoizeBy((schema: Schema): View => definition.createView(schema))
  return {
    ...definition,
    ...retire(definition, shared),
    authenticate: createAuthenticate(definition, shared, viewOf),
    async renew(ctx, error): Promise<Context | null> {
      const source = projects.get(ctx.project)?.schema
      if (source === undefined || ctx.committed?.() === true || !isOutdated(error)) return null
      const schema = source.current() === ctx.schema ? await source.refresh().catch(() => ctx.schema) : source.current()
      return schema === ctx.schema ? null : { ...ctx, schema, view: viewOf(schema) }
    },
  }
}

/**
 * The handlers, with counted calls if another generation follows this one, and what the settings say about its end. An
 * answer from the cache counts too.
 */
function retire(
  { retirement, ...definition }: GenerationDefinition,
  { findResponseCache, projects, retirement: settings }: Shared,
): Pick<Generation, 'handlers' | 'plainHandlers' | 'announce' | 'refuse'> {
  const plainHandlers = definition.handlers
  // Entries of the cache that an answer purges are purged after the commit.
  const keyed = { ...definition, handlers: withKeys(definition) }
  const handlers = findResponseCache === null ? keyed.handlers : withResponseCache(keyed, findResponseCache)
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
