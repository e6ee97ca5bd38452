/**
 * The first name that repeats an earlier one. Takes linear time: clients send lists of any length.
 * @example firstRepeated(['a', 'b', 'a']) // 'a'
 */
export function firstRepeated(names: readonly string[]): string | undefined {
  const seen = new Set<string>()
  return names.find((name) => seen.size === seen.add(name).size)
}
