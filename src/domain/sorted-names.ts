/** Orders that are the same everywhere. */

/** Texts by their code units. */
export const compareTexts = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/** The value with the names of its objects in order: databases keep them in different ones. */
export function withSortedNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedNames)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([left], [right]) => compareTexts(left, right))
  return Object.fromEntries(entries.map(([name, each]) => [name, withSortedNames(each)]))
}
