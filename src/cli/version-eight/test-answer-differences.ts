/** Compares two answers by value, and says at which places they differ. */

export type Difference = { readonly path: string; readonly left: unknown; readonly right: unknown }

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const moment = /^20[2-9]\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)?$/
const address = /^http:\/\/127\.0\.0\.1:\d+/

/** Keys that each side makes for itself, moments of this run, and ports are equal. */
export function differencesOf(left: unknown, right: unknown): readonly Difference[] {
  const found: Difference[] = []
  compare(plain(left, new Map()), plain(right, new Map()), '', found)
  return found
}

/** Each uuid is replaced by the number of its first appearance, so that equal ones must be equal on both sides. */
function plain(value: unknown, seen: Map<string, number>): unknown {
  if (typeof value === 'string') {
    if (moment.test(value) && new Date(value).getFullYear() > 2024) return 'a moment'
    return value.replace(address, 'http://server').replaceAll(uuid, (found) => {
      const at = seen.get(found) ?? seen.size
      seen.set(found, at)
      return `uuid ${at}`
    })
  }
  if (Array.isArray(value)) return value.map((each) => plain(each, seen))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each, seen)]))
}

function compare(left: unknown, right: unknown, path: string, found: Difference[]): void {
  if (isObject(left) && isObject(right)) {
    const [one, other] = [left, right].map((each) => each as { readonly [name: string]: unknown })
    for (const name of new Set([...Object.keys(left), ...Object.keys(right)]))
      compare(one?.[name], other?.[name], `${path}.${name}`, found)
    return
  }
  if (!Object.is(left, right)) found.push({ path, left, right })
}

/** Lists of different lengths differ as a whole. */
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
