/** Query strings that only need their pairs and names split, as most do. The library takes the others. */

type Query = { [name: string]: string | Query }

type Bounds = { readonly parameters: number; readonly depth: number }

/**
 * Parses as `qs` does; null for what has repeated names, lists, or characters that `qs` treats in a way of its own.
 * @example parsePlainQuery('filter[a][_eq]=1&limit=2', bounds) // { filter: { a: { _eq: '1' } }, limit: '2' }
 */
export function parsePlainQuery(text: string, { parameters, depth }: Bounds): Query | null {
  const pairs = (text.includes('%5') ? withBrackets(text) : text).split('&')
  if (pairs.length > parameters) return null
  const query = createQuery()
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    const value = toValue(pair.slice(at + 1))
    const names = toNames(pair.slice(0, Math.max(at, 0)))
    if (value === null || names === null || names.length > depth + 1 || !add(query, names, value)) return null
  }
  return query
}

const createQuery = (): Query => Object.create(null) as Query

const withBrackets = (text: string): string => text.replaceAll(/%5b/gi, '[').replaceAll(/%5d/gi, ']')

function toValue(text: string): string | null {
  if (/[=[\]+]/.test(text)) return null
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** Digits alone in brackets are positions in a list. */
const plainName = /^[\w.-]+(?:\[(?!\d+\])[\w.-]+\])*$/

function toNames(text: string): readonly string[] | null {
  if (!plainName.test(text)) return null
  return text.endsWith(']') ? text.slice(0, -1).split(/\]?\[/) : [text]
}

/** False if the name has a value already. */
function add(query: Query, names: readonly string[], value: string): boolean {
  let level = query
  for (const name of names.slice(0, -1)) {
    const next = (level[name] ??= createQuery())
    if (typeof next === 'string') return false
    level = next
  }
  const last = names.at(-1) as string
  if (last in level) return false
  level[last] = value
  return true
}
