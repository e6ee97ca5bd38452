/** Paths into JSON values: `theme.colors[0]`. */

/** The names and the positions, which are texts of digits, from the outermost value on. */
export type JsonPath = readonly string[]

const mostParts = 10

export const jsonPathForm = `a path of at most ${mostParts} names and positions, as in "colors[0].name",`

const wholePath = /^(?:[^\s.[\]()*?@$"'\\,:]+|\[\d{1,9}\])(?:\.[^\s.[\]()*?@$"'\\,:]+|\[\d{1,9}\])*$/u
const parts = /[^.[\]]+/gu

/**
 * The parts of a path; null for what is none.
 * @example readJsonPath('theme.colors[0]') // ['theme', 'colors', '0']
 */
export function readJsonPath(text: string): JsonPath | null {
  const segments = wholePath.test(text) ? (text.match(parts) ?? []) : []
  return segments.length === 0 || segments.length > mostParts || text.includes('\0') ? null : segments
}

/** The value at the path of a value in memory; null if absent. */
export function valueAt(value: unknown, path: JsonPath): unknown {
  let at = value
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return null
    at = (at as { readonly [name: string]: unknown })[part]
  }
  return at ?? null
}
