/** Serialises values to query strings and paths, as clients do. */

/** Names and serialised values, in order. */
export type Pairs = readonly (readonly [name: string, text: string])[]

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

/** `name=text&…`, percent-encoded. */
export const queryText = (pairs: Pairs): string =>
  new URLSearchParams(pairs.map(([name, text]) => [name, text])).toString()

/** Fills in `{name}` in the path of an operation. */
export function pathText(path: string, values: { readonly [name: string]: unknown }): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
}
