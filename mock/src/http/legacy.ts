/** The legacy generation as the mock answers it. */
import { legacyRoutes } from '../../../src/generated/legacy.ts'
import legacySpec from '../../../src/generated/legacy-spec.json' with { type: 'json' }
import type { AnyHandler } from '../../../src/http/app/handlers.ts'
import { items } from '../../../src/legacy/handlers/items.ts'
import { createView } from '../../../src/legacy/views/schema-view.ts'
import { readCredentials } from '../../../src/legacy/wire/credentials.ts'
import { toVisibleError } from '../../../src/legacy/wire/denials.ts'
import { toErrorBody } from '../../../src/legacy/wire/errors.ts'
import { limitsOf } from '../../../src/legacy/wire/limits.ts'
import type { MockGeneration } from './operations.ts'

const { readItems, readItem, createItems, updateItems, updateItem, deleteItem } = items
const answered = { readItems, readItem, createItems, updateItems, updateItem, deleteItem }

export const legacy: MockGeneration = {
  name: 'legacy',
  spec: legacySpec,
  routes: legacyRoutes,
  handlers: Object.fromEntries(
    Object.entries(answered).map(([id, handler]) => [id, asSeen(handler as unknown as AnyHandler)]),
  ),
  createView,
  toErrorBody,
  readCredentials: (request, read) => readCredentials(request, read, '_'),
}

/** The handler with the limits of the generation, and with errors as the caller may see them. */
export function asSeen(handler: AnyHandler): AnyHandler {
  return async (given, input) => {
    const ctx = { ...given, limits: limitsOf(given.limits) }
    try {
      return await handler(ctx, input)
    } catch (error) {
      throw toVisibleError(error, ctx.actor)
    }
  }
}
