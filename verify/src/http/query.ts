/** Query strings and paths as clients write them. */

export type QueryValues = { readonly [name: string]: unknown }

/** Names and serialised values, in order. */
export type Pairs = readonly (readonly [name: string, text: string])[]

/** Lists of plain values with commas, objects as JSON; undefined values are left out. */
export const queryText = (values: QueryValues): string =>
  pairsText(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : toPairs(name, value))))

/** `name=text&…`, percent-encoded. */
export const pairsText = (pairs: Pairs): string =>
  new URLSearchParams(pairs.map(([name, text]) => [name, text])).toString()

/** A value in a query string: lists with commas, objects as JSON. */
export function toPairs(name: string, value: unknown): Pairs {
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return [[name, value.join(',')]]
  return [[name, typeof value === 'string' ? value : JSON.stringify(value)]]
}

/** The bracket notation of objects: `filter[title][_eq]=a`. */
export function toBrackets(name: string, value: unknown): Pairs {
  if (typeof value !== 'object' || value === null) return [[name, String(value)]]
  return Object.entries(value).flatMap(([key, each]) => toBrackets(`${name}[${key}]`, each))
}

/** Fills in `{name}` in the path of an operation. */
export function pathText(path: string, values: QueryValues): string {
  return path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
}
