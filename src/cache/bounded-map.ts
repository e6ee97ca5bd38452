/** A map for answers that forgets the oldest ones before it grows too large. */

/** Characters of all answers together. */
const mostCharacters = 64 * 1024 * 1024

/** What a memory store has to have. */
export type TextMap = {
  readonly get: (key: string) => string | undefined
  readonly set: (key: string, value: string) => void
  readonly delete: (key: string) => boolean
  readonly clear: () => void
}

/** `most` counts the characters of keys and values. */
export function createBoundedMap(most: number = mostCharacters): TextMap {
  const entries = new Map<string, string>()
  let size = 0
  const remove = (key: string): boolean => {
    const value = entries.get(key)
    if (value === undefined) return false
    size -= key.length + value.length
    return entries.delete(key)
  }
  return {
    get: (key) => entries.get(key),
    set: (key, value) => {
      remove(key)
      if (key.length + value.length > most) return
      entries.set(key, value)
      size += key.length + value.length
      for (const oldest of entries.keys()) {
        if (size <= most) return
        remove(oldest)
      }
    },
    delete: remove,
    clear: () => {
      entries.clear()
      size = 0
    },
  }
}
