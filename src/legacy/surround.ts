/** Wraps the handlers of this generation with limits, checks and error codes. */
import { memoizeBy } from '../domain/memoize.ts'
import type { Context } from '../domain/ports/context.ts'
import type { Limits } from '../domain/ports/settings.ts'
import { TandemError } from '../domain/rights/errors.ts'
import type { AnyHandler, HandlerInput } from '../http/app/handlers.ts'
import { readCollection } from './model/collection-names.ts'
import { awaitsSecondFactor } from './views/facts.ts'
import { toVisibleError } from './wire/denials.ts'
import { prolongCookie } from './wire/session-cookie.ts'

/** Operations allowed before a required second factor is set up. */
const beforeSecondFactor: ReadonlySet<string> = new Set([
  'readProjectInfo',
  'createTfaSecret',
  'readTfaSecret',
  'enableTfa',
])

/** Wraps each handler with this generation's limits, error codes for denials, and cookie. */
export const surround = (handlers: {
  readonly [id: string]: AnyHandler
}): { readonly [operationId: string]: AnyHandler } =>
  Object.fromEntries(Object.entries(handlers).map(([id, handler]) => [id, surrounded(id, handler)]))

const surrounded =
  (id: string, handler: AnyHandler): AnyHandler =>
  async (received, input: HandlerInput<object>) => {
    const ctx: Context = { ...received, limits: limitsOf(received.limits), security: securityOf(received) }
    try {
      if (awaitsSecondFactor(ctx.actor) && !beforeSecondFactor.has(id)) {
        throw new TandemError({ kind: 'second-factor-demanded' })
      }
      return await prolongCookie(ctx, input.request, await handler(ctx, withStoredNames(ctx, input) as never))
    } catch (error) {
      throw toVisibleError(error, ctx)
    }
  }

/** The input with the stored names of the collections in its path. */
function withStoredNames(ctx: Pick<Context, 'schema' | 'view'>, input: HandlerInput<object>): object {
  if (!('path' in input)) return input
  const path = input.path as { readonly [name: string]: string }
  const { collection } = path
  if (collection === undefined) return input
  const names = collection.split(',').map((name) => readCollection(ctx, name))
  return { ...input, path: { ...path, collection: names.join(',') } }
}

/** Nested lists have no default limit in this generation. Returns the same object for the same limits. */
export const limitsOf = memoizeBy((limits: Limits): Limits => ({ ...limits, queryDefault: Number.MAX_SAFE_INTEGER }))

/** Sessions last as the project says, and never end before their token. */
function securityOf({
  security,
  schema: { settings = {} },
}: Pick<Context, 'security' | 'schema'>): Context['security'] {
  const { sessionMinutes, tokenMinutes = 0 } = settings
  if (sessionMinutes === undefined && tokenMinutes === 0) return security
  const refreshTtl = sessionMinutes === undefined ? security.refreshTtl : sessionMinutes * 60_000
  return { ...security, refreshTtl: Math.max(refreshTtl, tokenMinutes * 60_000) }
}
