/** Parsing depends on nothing but its arguments, and clients repeat themselves: the last results are kept. */
import type { Place } from './place.ts'

/** Results per schema, bounds and rights, and characters of the longest question that is kept. */
const kept = { results: 500, characters: 2000 } as const

type Results = Map<string, unknown>

/** By view (one per schema version), bounds, and rights. */
const parsed = new WeakMap<object, WeakMap<object, WeakMap<object, Results>>>()

/** Rights of our own bookkeeping. */
const system = {}

/** What `parse` makes of the question, or made of it before for the same rights. */
export function rememberParsed<T>(place: Place, question: readonly unknown[], parse: () => T): T {
  const results = resultsFor(place)
  const key = JSON.stringify(question)
  const before = results.get(key)
  if (before !== undefined) return before as T
  const made = parse()
  if (key.length <= kept.characters) {
    if (results.size >= kept.results) results.delete(results.keys().next().value as string)
    results.set(key, made)
  }
  return made
}

function resultsFor({ view, limits, actor }: Place): Results {
  const byLimits = inside<WeakMap<object, WeakMap<object, Results>>>(parsed, view, () => new WeakMap())
  const byRights = inside<WeakMap<object, Results>>(byLimits, limits, () => new WeakMap())
  return inside<Results>(byRights, actor.kind === 'system' ? system : actor.access, () => new Map())
}

function inside<V>(map: WeakMap<object, V>, key: object, make: () => V): V {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}
