/**
 * What generations make of query parameters. Clients repeat their questions, and the same question is to be the same
 * value: what authorize works out from a selection is kept by the selection.
 */
import { LRUCache } from 'lru-cache'
import type { Context } from '../../domain/ports/context.ts'
import type { View } from '../../domain/schema/view.ts'

/** Whatever a parser looks at beside the question. */
export type ParsePlace = Pick<Context, 'view' | 'limits'> & Partial<Pick<Context, 'actor'>>

/** Per view, of which each schema version has its own. Longer questions are parsed each time. */
const kept = { questions: 1000, characters: 2000 } as const

const parsed = new WeakMap<View, LRUCache<string, object>>()

/** What `parse` makes of the question, or made of it before. The question is plain data that says all that `parse` reads. */
export function rememberParsed<T extends object>(place: ParsePlace, question: readonly unknown[], parse: () => T): T {
  const { view, limits, actor } = place
  const key = JSON.stringify([rightsOf(actor), limits, question])
  const results = parsed.get(view) ?? new LRUCache<string, object>({ max: kept.questions })
  parsed.set(view, results)
  const before = results.get(key)
  if (before !== undefined) return before as T
  const made = parse()
  if (key.length <= kept.characters) results.set(key, made)
  return made
}

const rightsOf = (actor: ParsePlace['actor']): string =>
  actor === undefined || actor.kind === 'system' ? '' : actor.access.fingerprint
