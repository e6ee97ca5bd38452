/** Results that are computed once and kept as long as what they belong to. */

/** The function with one result per argument, which lives as long as the argument. */
export function memoizeBy<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const results = new WeakMap<K, V>()
  return (key) => entryOf(results, key, () => make(key))
}

/** The function with one result per name within each object. */
export function memoizeByName<K extends object, V>(make: (key: K, name: string) => V): (key: K, name: string) => V {
  const namesOf = memoizeBy<K, Map<string, V>>(() => new Map())
  return (key, name) => entryOf(namesOf(key), name, () => make(key, name))
}

/** The entry of a map, made if it is absent. */
export function entryOf<K, V>(
  map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}
