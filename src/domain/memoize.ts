/** Memoization: results live as long as the objects they belong to. */

/**
 * Caches one result per first argument (an object), as long as that object exists. Later arguments must not change the
 * result.
 */
export function memoizeBy<K extends object, V, M extends readonly unknown[] = []>(
  make: (key: K, ...more: M) => V,
): (key: K, ...more: M) => V {
  const results = new WeakMap<K, V>()
  return (key, ...more) => entryOf(results, key, () => make(key, ...more))
}

/** The function with one result per first two arguments. */
export function memoizeByBoth<K extends object, L extends object, V, M extends readonly unknown[] = []>(
  make: (key: K, other: L, ...more: M) => V,
): (key: K, other: L, ...more: M) => V {
  const resultsOf = memoizeBy<K, WeakMap<L, V>>(() => new WeakMap())
  return (key, other, ...more) => entryOf(resultsOf(key), other, () => make(key, other, ...more))
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
  const cached = map.get(key)
  if (cached !== undefined) return cached
  const made = make()
  map.set(key, made)
  return made
}
