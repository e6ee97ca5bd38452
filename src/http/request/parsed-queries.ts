/**
 * Cache of parsed query parameters. Clients repeat their queries, and a repeated query should be the same value,
 * because authorization caches its results by the selection.
 */

import { LRUCache } from 'lru-cache'
import { memoizeBy } from '../../domain/memoize.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { View } from '../../domain/schema/view.ts'

/** The context that parsing depends on. */
export type ParsePlace = Pick<Context, 'view' | 'limits'> & Partial<Pick<Context, 'actor'>>

/** Limits per view (each schema version has its own). Longer queries are parsed each time. */
const cacheLimits = { questions: 1000, characters: 2000 } as const

const resultsOf = memoizeBy<View, LRUCache<string, object>>(() => new LRUCache({ max: cacheLimits.questions }))

/**
 * Returns the cached result of `parse`, or calls it. `question` is plain data and holds everything that `parse` reads.
 */
export function rememberParsed<T extends object>(place: ParsePlace, question: readonly unknown[], parse: () => T): T {
  const { view, limits, actor } = place
  const key = JSON.stringify([rightsOf(actor), limits, question])
  const results = resultsOf(view)
  const before = results.get(key)
  if (before !== undefined) return before as T
  const made = parse()
  if (key.length <= cacheLimits.characters) results.set(key, made)
  return made
}

const rightsOf = (actor: ParsePlace['actor']): string =>
  actor === undefined || actor.kind === 'system' ? '' : actor.access.fingerprint
