/** Numbers for texts that are long and few: in the keys of shapes, which are compared with each request. */

const numbers = new Map<string, number>()
const kept = 2000
let last = 0

/** The number of a text. A text that was forgotten gets another: none is given twice. */
export function numberOf(text: string): number {
  const known = numbers.get(text)
  if (known !== undefined) return known
  if (numbers.size >= kept) numbers.clear()
  last += 1
  numbers.set(text, last)
  return last
}
