/** The legacy generation as one value. */
import type { Context, Limits } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import { type LegacyOperations, legacyRoutes } from '../generated/legacy.ts'
import spec from '../generated/legacy-spec.json' with { type: 'json' }
import type { GenerationDefinition } from '../http/generation.ts'
import type { AnyHandler, HandlerInput, Handlers } from '../http/handlers.ts'
import { findProject, readCredentials } from './credentials.ts'
import { toVisibleError } from './denials.ts'
import { toErrorBody } from './errors.ts'
import { awaitsSecondFactor } from './facts.ts'
import { assets } from './handlers/assets.ts'
import { auth } from './handlers/auth.ts'
import { files } from './handlers/files.ts'
import { folders } from './handlers/folders.ts'
import { items } from './handlers/items.ts'
import { server } from './handlers/server.ts'
import { createView } from './schema-view.ts'
import { prolongCookie } from './session-cookie.ts'

const handlers = { ...items, ...files, ...folders, ...assets, ...auth, ...server } satisfies Handlers<LegacyOperations>

/** Lists inside rows have no default limit here. One object per configured bounds. */
function limitsOf(limits: Limits): Limits {
  const known = ownLimits.get(limits) ?? { ...limits, queryDefault: Number.MAX_SAFE_INTEGER }
  ownLimits.set(limits, known)
  return known
}

const ownLimits = new WeakMap<Limits, Limits>()

/** What every handler has around it: this generation's bounds, its words for missing rights, its cookie. */
const surround =
  (id: string, handler: AnyHandler): AnyHandler =>
  async (given, input: HandlerInput<object>) => {
    const ctx: Context = { ...given, limits: limitsOf(given.limits) }
    try {
      if (awaitsSecondFactor(ctx.actor) && id !== 'readProjectInfo') {
        throw new TandemError({ kind: 'second-factor-demanded' })
      }
      return await prolongCookie(ctx, input.request, await handler(ctx, input as never))
    } catch (error) {
      throw toVisibleError(error, ctx.actor)
    }
  }

/** The legacy generation, for `app.ts`. */
export const legacyGeneration: GenerationDefinition = {
  name: 'legacy',
  spec,
  routes: legacyRoutes,
  handlers: Object.fromEntries(
    Object.entries(handlers).map(([id, handler]) => [id, surround(id, handler as AnyHandler)]),
  ),
  toErrorBody,
  readCredentials,
  readProject: findProject,
  rateHeaders: ({ limit, remaining, resetAfter }) => ({
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    // The moment, in seconds since 1970.
    'x-ratelimit-reset': String(Math.ceil((Date.now() + resetAfter) / 1000)),
  }),
  createView: createView,
}
